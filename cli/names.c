#include "cli/names.h"

#include "core/run/film_picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the ending begins, at the last dot of the last part; the text's end when there is none. */
static size_t stem_length(const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *part = slash ? slash + 1 : name;
    const char *dot = strrchr(part, '.');
    return dot && dot != part ? (size_t)(dot - name) : strlen(name);
}

static char *join(const char *name, size_t length, const char *tail)
{
    char *text = malloc(length + strlen(tail) + 1);
    if (text) {
        memcpy(text, name, length);
        memcpy(text + length, tail, strlen(tail) + 1);
    }
    return text;
}

enum lb_status cli_name_output(const char *scene, const char *film_file, bool *replaced, char **name,
                               struct lb_error *error)
{
    bool film = film_file && *film_file;
    const char *from = film ? film_file : scene;
    if (!film && !strcmp(scene, "-"))
        return lb_error_set(error, LB_ERROR_USAGE, "standard input names no picture: give --output");
    const char *slash = strrchr(from, '/');
    *replaced = false;
    from = slash ? slash + 1 : from;
    if (lb_film_writable(from)) {
        *name = strdup(from);
    } else {
        *name = join(from, stem_length(from), ".png");
        *replaced = film;
    }
    return *name ? LB_OK : lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
}

char *cli_name_frame(const char *name, uint32_t frame, bool add)
{
    const char *slash = strrchr(name, '/');
    const char *first = strchr(slash ? slash : name, '#');
    size_t begin, end;
    int digits = 4;
    if (first) {
        begin = (size_t)(first - name);
        digits = (int)strspn(first, "#");
        end = begin + (size_t)digits;
    } else if (add) {
        begin = end = stem_length(name);
    } else {
        return strdup(name);
    }
    size_t size = strlen(name) + 32;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%.*s%s%0*u%s", (int)begin, name, first ? "" : "-", digits, frame, name + end);
    return text;
}

char *cli_name_partial(const char *name)
{
    return join(name, stem_length(name), ".partial.png");
}

enum lb_status cli_name_check(const char *name, struct lb_error *error)
{
    struct stat file;
    if (stat(name, &file) == 0 && S_ISDIR(file.st_mode))
        return lb_error_set(error, LB_ERROR, "%s: %s", name, strerror(EISDIR));
    const char *slash = strrchr(name, '/');
    char *folder = !slash          ? strdup(".")
                   : slash == name ? strdup("/")
                                   : join(name, (size_t)(slash - name), "");
    if (!folder)
        return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
    enum lb_status status = LB_OK;
    if (access(folder, W_OK | X_OK))
        status = lb_error_set(error, LB_ERROR, "%s: cannot be written: %s", name, strerror(errno));
    free(folder);
    return status;
}
