#include "cli/outputs/names.h"

#include "core/base/path.h"
#include "core/base/replace.h"
#include "core/base/text.h"
#include "core/picture/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The length of the name without its ending, which begins at the last dot behind the last slash. */
static size_t stem_length(const char *name)
{
    const char *part = lb_file_name(name);
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
    enum lb_film_format format;
    if (lb_film_format_of(from, &format)) {
        *name = strdup(from);
    } else {
        *name = join(from, stem_length(from), ".png");
        *replaced = film;
    }
    return *name ? LB_OK : lb_error_memory(error, NULL);
}

/* Finds the first run of # behind the last slash: it begins at `*begin`. Returns its length, 0 where there is none. */
static size_t find_run(const char *name, size_t *begin)
{
    const char *slash = strrchr(name, '/');
    const char *first = strchr(slash ? slash : name, '#');
    *begin = first ? (size_t)(first - name) : 0;
    return first ? strspn(first, "#") : 0;
}

/* The name with `before` and the number, of at least `digits` digits, in place of name[begin .. end). */
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
    if (!animation || digits || !strcmp(name, "-"))
        return cli_name_scene(name, frame, animation);
    begin = stem_length(name);
    return put_number(name, begin, begin, "-", 4, frame);
}

char *cli_name_partial(const char *name)
{
    return join(name, stem_length(name), ".partial.png");
}

/* The path of the folder that `target` is in, "." where it names none; NULL: out of memory. */
static char *folder_of(const char *target)
{
    const char *slash = strrchr(target, '/');
    return slash ? join(target, (size_t)(slash + 1 - target), "") : strdup(".");
}

/* A file is replaced by one that is made in the same folder, so that must be writable; in a folder with the sticky bit,
 * as /tmp is, a file that belongs to somebody else cannot be replaced. Returns 0, or why not, as in errno. */
static int check_folder(const char *target, const struct stat *file)
{
    char *folder = folder_of(target);
    struct stat about;
    int number = !folder ? ENOMEM : faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) ? errno : 0;
    if (!number && file && stat(folder, &about) == 0 && (about.st_mode & S_ISVTX) && geteuid() != 0 &&
        geteuid() != about.st_uid && geteuid() != file->st_uid)
        number = EPERM;
    free(folder);
    return number;
}

/* Returns 0, or why the file cannot be written, as in errno. */
static int check_target(const char *target)
{
    struct stat file;
    if (stat(target, &file) != 0)
        return errno == ENOENT ? check_folder(target, NULL) : errno;
    if (S_ISDIR(file.st_mode))
        return EISDIR;
    if (S_ISSOCK(file.st_mode))
        return ENXIO;
    if (faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) != 0)
        return errno;
    return lb_replace_keeps(target) ? 0 : check_folder(target, &file);
}

enum lb_status cli_name_check(const char *name, struct lb_error *error)
{
    if (!*name)
        return lb_error_set(error, LB_ERROR_USAGE, "an output needs a name, not \"\"");
    char *target = lb_replace_target(name);
    int number = target ? check_target(target) : errno;
    free(target);
    return number ? lb_error_set(error, LB_ERROR, "%s: cannot be written: %s", name, strerror(number))
                  : LB_OK;
}

bool cli_name_beside(const char *a, const char *b)
{
    const char *slash[2] = {strrchr(a, '/'), strrchr(b, '/')};
    size_t length = slash[0] ? (size_t)(slash[0] - a) : 0;
    return !slash[0] == !slash[1] && (!slash[0] || (slash[1] - b == slash[0] - a && !memcmp(a, b, length)));
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Of two files that are not there yet: would they have the same name in the same folder? */
static bool same_entry(const char *a, const char *b)
{
    struct stat in[2];
    char *folders[2] = {folder_of(a), folder_of(b)};
    bool found = folders[0] && folders[1] && stat(folders[0], &in[0]) == 0 && stat(folders[1], &in[1]) == 0;
    free(folders[0]);
    free(folders[1]);
    const char *slash[2] = {strrchr(a, '/'), strrchr(b, '/')};
    if (!found)
        return !strcmp(a, b);
    return same_file(&in[0], &in[1]) && !strcmp(slash[0] ? slash[0] + 1 : a, slash[1] ? slash[1] + 1 : b);
}

bool cli_name_same(const char *a, const char *b)
{
    struct stat about[2];
    char *targets[2] = {lb_replace_target(a), lb_replace_target(b)};
    bool same = !strcmp(a, b);
    if (targets[0] && targets[1]) {
        bool there[2] = {stat(targets[0], &about[0]) == 0, stat(targets[1], &about[1]) == 0};
        if (there[0] && there[1])
            same = S_ISREG(about[0].st_mode) && same_file(&about[0], &about[1]);
        else
            same = !there[0] && !there[1] && same_entry(targets[0], targets[1]);
    }
    free(targets[0]);
    free(targets[1]);
    return same;
}

char *cli_name_racer(const char *name, const char *strategy)
{
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    size_t stem = dot ? (size_t)(dot - name) : strlen(name);
    struct lb_text text = {0};
    lb_text_add(&text, "%.*s.%s%s", (int)stem, name, strategy, name + stem);
    return lb_text_take(&text);
}

char *cli_name_estimate(const char *cost_map, enum lb_probe probe)
{
    const char *kind = probe == LB_PROBE_COVERAGE ? "coverage" : "estimate";
    size_t stem = strlen(cost_map) - 4, size = stem + sizeof ".estimate.pfm";
    char *name = malloc(size);
    if (name)
        snprintf(name, size, "%.*s.%s.pfm", (int)stem, cost_map, kind);
    return name;
}
