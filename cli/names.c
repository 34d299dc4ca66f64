#include "cli/names.h"

#include "core/report/film_picture.h"

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

/* The length of the first run of # behind the last slash, which begins at `*begin`; 0: there is none. */
static size_t find_run(const char *name, size_t *begin)
{
    const char *slash = strrchr(name, '/');
    const char *first = strchr(slash ? slash : name, '#');
    *begin = first ? (size_t)(first - name) : 0;
    return first ? strspn(first, "#") : 0;
}

/* The number in at least `digits` digits in place of name[begin .. end). */
static char *put_number(const char *name, size_t begin, size_t end, const char *before, size_t digits,
                        uint32_t number)
{
    size_t size = strlen(name) + digits + 32;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%.*s%s%0*u%s", (int)begin, name, before, (int)digits, number, name + end);
    return text;
}

char *cli_name_scene(const char *name, uint32_t frame, bool animation)
{
    size_t begin, digits = find_run(name, &begin);
    return animation && digits ? put_number(name, begin, begin + digits, "", digits, frame) : strdup(name);
}

char *cli_name_frame(const char *name, uint32_t frame, bool animation)
{
    size_t begin, digits = find_run(name, &begin);
    if (!animation || digits)
        return cli_name_scene(name, frame, animation);
    begin = stem_length(name);
    return put_number(name, begin, begin, "-", 4, frame);
}

char *cli_name_partial(const char *name)
{
    return join(name, stem_length(name), ".partial.png");
}

enum lb_status cli_name_check(const char *name, struct lb_error *error)
{
    struct stat file;
    if (!*name)
        return lb_error_set(error, LB_ERROR_USAGE, "an output needs a name, not \"\"");
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

/* The folder's device and file number, and the name in it. */
static bool find_folder(const char *name, struct stat *folder, const char **base)
{
    const char *slash = strrchr(name, '/');
    char *path = slash ? join(name, (size_t)(slash + 1 - name), "") : strdup(".");
    bool there = path && stat(path, folder) == 0;
    free(path);
    *base = slash ? slash + 1 : name;
    return there;
}

bool cli_name_same(const char *a, const char *b)
{
    struct stat in[2];
    const char *base[2];
    if (!find_folder(a, &in[0], &base[0]) || !find_folder(b, &in[1], &base[1]))
        return !strcmp(a, b);
    return in[0].st_dev == in[1].st_dev && in[0].st_ino == in[1].st_ino && !strcmp(base[0], base[1]);
}
