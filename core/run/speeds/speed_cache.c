#include "core/run/speeds/speed_cache.h"

#include "core/base/bytes.h"
#include "core/base/crc32c.h"
#include "core/base/grow.h"
#include "core/base/path.h"
#include "core/base/replace.h"
#include "core/base/text.h"
#include "core/report/json_text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char SCHEMA[] = "lbrender-speeds/2";
/* Limits of what is believed: our files are far smaller, and every machine's speed lies between these. */
enum { MOST_BYTES = 1 << 20, MOST_MODELS = 1000 };
static const double LEAST_SPEED = 1e-3, MOST_SPEED = 1e18;

/* So many scenes of a host are remembered; the next one takes the place of that which was rendered longest ago. */
enum { MOST_SCENES = 256, DIGITS = 8 };

/* At most so many bytes, since a file's name has at most 255: the checksum tells longer ones apart. */
static void add_plain(struct lb_text *text, const char *name)
{
    for (int i = 0; i < 100 && *name; i++, name++)
        lb_text_add(text, "%c", strchr("/: \t\n", *name) ? '_' : *name);
}

/* What the names of this host's files begin with; NULL: out of memory. */
static char *name_host(void)
{
    char host[HOST_NAME_MAX + 1] = "localhost";
    struct lb_text text = {0};
    gethostname(host, sizeof host - 1);
    add_plain(&text, host);
    lb_text_add(&text, "-");
    return lb_text_take(&text);
}

char *lb_cache_folder(const char *cache_home, const char *home)
{
    struct lb_text text = {0};
    bool given = cache_home && *cache_home == '/';
    if (!given && (!home || *home != '/'))
        return NULL;
    lb_text_add(&text, "%s%s/lbrender", given ? cache_home : home, given ? "" : "/.cache");
    return lb_text_take(&text);
}

char *lb_speeds_file(const char *folder, const char *scene)
{
    struct lb_text text = {0};
    char *path = realpath(scene, NULL), *host = name_host();
    if (path && folder && host) {
        lb_text_add(&text, "%s/%s", folder, host);
        add_plain(&text, lb_file_name(path));
        lb_text_add(&text, "-%08x.json", lb_crc32c(0, path, strlen(path)));
    }
    free(host);
    free(path);
    return lb_text_take(&text);
}

/* ---- reading ---- */

enum found { ABSENT, UNDERSTOOD, DAMAGED, NO_FILE };

static bool is_ours(const json_t *root)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    return schema && !strcmp(schema, SCHEMA) && json_is_object(json_object_get(root, "speeds"));
}

/* A regular file of bounded size as JSON, where it is understood; opening waits for nobody. */
static enum found load(const char *file, json_t **root)
{
    struct stat is;
    *root = NULL;
    int descriptor = open(file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return errno == ENOENT || errno == ENOTDIR ? ABSENT : errno == ENXIO ? NO_FILE : DAMAGED;
    bool regular = fstat(descriptor, &is) == 0 && S_ISREG(is.st_mode);
    char *text = regular && is.st_size <= MOST_BYTES ? malloc((size_t)is.st_size + 1) : NULL;
    ssize_t length = text ? lb_bytes_read(descriptor, text, (size_t)is.st_size) : -1;
    if (length >= 0)
        *root = json_loadb(text, (size_t)length, 0, NULL);
    free(text);
    close(descriptor);
    if (!is_ours(*root)) {
        json_decref(*root);
        *root = NULL;
    }
    return !regular ? NO_FILE : *root ? UNDERSTOOD : DAMAGED;
}

/* Is the value of the file a speed that a machine can have? */
static bool is_speed(const json_t *speed)
{
    return json_number_value(speed) >= LEAST_SPEED && json_number_value(speed) <= MOST_SPEED;
}

/* Reads the speeds of all models in this unit. False: one has none. A value that cannot be a speed sets `*odd`. */
static bool read_unit(const json_t *all, const char *unit, const char *const *models, uint32_t count,
                      double *speeds, bool *odd)
{
    for (uint32_t i = 0; i < count; i++) {
        const json_t *speed = json_object_get(json_object_get(all, models[i]), unit);
        *odd = *odd || (speed && !is_speed(speed));
        if (!speed || !is_speed(speed))
            return false;
        speeds[i] = json_number_value(speed);
    }
    return true;
}

bool lb_speeds_read(const char *file, const char *const *models, uint32_t count, const struct lb_log *log,
                    double *speeds)
{
    json_t *root;
    bool odd = false;
    enum found found = load(file, &root);
    if (found == DAMAGED)
        lb_log_write(log, LB_WARNING, "%s is damaged and is not used", file);
    if (found == NO_FILE)
        lb_log_write(log, LB_WARNING, "%s is no regular file: no speeds are read from it", file);
    const json_t *all = json_object_get(root, "speeds");
    bool whole = all && (read_unit(all, "steps", models, count, speeds, &odd) ||
                         read_unit(all, "rays", models, count, speeds, &odd));
    if (odd)
        lb_log_write(log, LB_WARNING, "%s holds speeds that are none: they are not used", file);
    json_decref(root);
    return whole;
}

/* ---- writing ---- */

static void make_folders(const char *file)
{
    char *path = strdup(file);
    for (char *slash = path; slash && (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    free(path);
}

/* A file of speeds, and when it was written. */
struct old_file {
    struct timespec written;
    char name[256];
};

static int older_first(const void *a, const void *b)
{
    const struct timespec *one = &((const struct old_file *)a)->written;
    const struct timespec *other = &((const struct old_file *)b)->written;
    if (one->tv_sec != other->tv_sec)
        return one->tv_sec < other->tv_sec ? -1 : 1;
    return (one->tv_nsec > other->tv_nsec) - (one->tv_nsec < other->tv_nsec);
}

/* Is it the name of a file of speeds, HOST-SCENE-01234567.json? */
static bool is_kept(const char *name, const char *host)
{
    static const char ending[] = ".json";
    size_t length = strlen(name), tail = DIGITS + sizeof ending - 1;
    return !strncmp(name, host, strlen(host)) && length > strlen(host) + tail &&
           strspn(name + length - tail, "0123456789abcdef") == DIGITS &&
           !strcmp(name + length - (sizeof ending - 1), ending);
}

/* Removes this host's oldest files, so that there is room for one more. */
static void make_room(const char *file)
{
    const char *slash = strrchr(file, '/');
    char *path = strndup(file, (size_t)(slash - file)), *host = name_host();
    DIR *folder = path ? opendir(path) : NULL;
    struct old_file *kept = NULL;
    size_t count = 0, room = 0;
    for (const struct dirent *entry; folder && host && (entry = readdir(folder)) != NULL;) {
        struct stat is;
        if (!is_kept(entry->d_name, host) ||
            fstatat(dirfd(folder), entry->d_name, &is, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(is.st_mode))
            continue;
        struct old_file *more = lb_grow(kept, &room, count + 1, sizeof *more);
        if (!more)
            break;
        kept = more;
        kept[count].written = is.st_mtim;
        snprintf(kept[count++].name, sizeof kept->name, "%s", entry->d_name);
    }
    if (count >= MOST_SCENES) {
        qsort(kept, count, sizeof *kept, older_first);
        for (size_t i = 0; i + MOST_SCENES <= count; i++)
            unlinkat(dirfd(folder), kept[i].name, 0);
    }
    if (folder)
        closedir(folder);
    free(kept);
    free(host);
    free(path);
}

/* A model's mean over its processors goes beside what is known of it in other units. */
static void set_speed(json_t *all, const char *unit, const char *const *models, uint32_t count,
                      const double *speeds, uint32_t first)
{
    double sum = 0;
    uint32_t number = 0;
    json_t *model = json_object_get(all, models[first]);
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(models[i], models[first])) {
            sum += speeds[i];
            number++;
        }
    if (!json_is_object(model)) {
        model = json_object();
        json_object_set_new(all, models[first], model);
    }
    json_object_set_new(model, unit, json_real(sum / number));
}

static bool named_before(const char *const *models, uint32_t i)
{
    for (uint32_t j = 0; j < i; j++)
        if (!strcmp(models[j], models[i]))
            return true;
    return false;
}

void lb_speeds_write(const char *file, const char *scene, const char *unit, const char *const *models,
                     uint32_t count, const double *speeds, const struct lb_log *log)
{
    struct lb_error error = {LB_OK, ""};
    json_t *root;
    enum found found = load(file, &root);
    if (found == NO_FILE) {
        lb_log_write(log, LB_WARNING, "%s is no regular file: measured speeds are not kept", file);
        return;
    }
    if (found == DAMAGED)
        lb_log_write(log, LB_WARNING, "%s is damaged and is written anew", file);
    if (!root)
        root = json_pack("{s:s, s:{}}", "schema", SCHEMA, "speeds");
    json_t *all = json_object_get(root, "speeds");
    if (json_object_size(all) > MOST_MODELS)
        json_object_clear(all);
    json_object_set_new(root, "scene", lb_json_name(scene));
    json_object_set_new(root, "unit", json_string("cost units a second"));
    for (uint32_t i = 0; i < count; i++)
        if (!named_before(models, i))
            set_speed(all, unit, models, count, speeds, i);
    char *text = lb_json_write(root);
    make_folders(file);
    lb_replace_sweep(file);
    if (found == ABSENT)
        make_room(file);
    if (!text || lb_file_replace(file, text, strlen(text), &error) != LB_OK)
        lb_log_write(log, LB_NOTE, "measured speeds were not kept: %s", error.message);
    free(text);
    json_decref(root);
}
