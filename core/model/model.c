#include "core/model/model.h"

#include "core/base/ending.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/model/child.h"
#include "core/model/import.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const endings[] = {".glb", ".gltf", ".obj", ".fbx", ".dae", ".stl", ".ply", ".3ds",
                                      ".x3d", ".off",  ".lwo", ".ac",  ".ase", ".x",   NULL};

const char *const *lb_model_endings(void)
{
    return endings;
}

bool lb_model_named(const char *path)
{
    for (size_t i = 0; endings[i]; i++)
        if (lb_ends_in(path, endings[i]))
            return true;
    return false;
}

/* ---- in the child ---- */

struct order {
    const char *path, *folder, *name;
    const struct lb_model_options *options;
};

static enum lb_status import(void *user, const struct lb_log *log, struct lb_error *error)
{
    const struct order *order = user;
    return lb_model_import(order->path, order->options, order->folder, order->name, log, error);
}

/* Bytes of the files that lie beside the model, and its own: what it refers to is among them. */
static uint64_t bytes_beside(const char *path)
{
    int length = lb_folder_length(path);
    char *folder = length ? strndup(path, (size_t)length) : strdup(".");
    DIR *entries = folder ? opendir(folder) : NULL;
    uint64_t sum = 0;
    struct stat about;
    for (const struct dirent *entry; entries && (entry = readdir(entries));)
        if (fstatat(dirfd(entries), entry->d_name, &about, 0) == 0 && S_ISREG(about.st_mode))
            sum += (uint64_t)about.st_size;
    if (entries)
        closedir(entries);
    free(folder);
    return sum;
}

/* Time and memory as whole models need them: a second of processor time for each MB, as much again for 100 frames, and
 * some bytes for each of theirs. Memory is at most three quarters of what the machine has, as other programs are there
 * too; they may have most of the processors as well, or the files may come slowly, so a minute and ten times as much
 * time may pass. */
static struct lb_child_limits limits_for(const char *path, const struct lb_model_frames *frames)
{
    const uint64_t least = (uint64_t)2 << 30, times = 60;
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t most = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 4 * 3 : UINT64_MAX;
    uint64_t beside = bytes_beside(path);
    uint64_t wanted = beside < most / times ? least + times * beside : most;
    uint64_t seconds = 10 + (beside >> 20);
    if (frames->given) /* each is a scene to write */
        seconds += seconds * ((frames->last - frames->first) / frames->step) / 100;
    seconds = seconds < 3600 ? seconds : 3600;
    return (struct lb_child_limits){.bytes = wanted < most ? wanted : most,
                                    .seconds = (uint32_t)seconds,
                                    .patience = (uint32_t)(60 + 10 * seconds)};
}

static enum lb_status make(const struct order *order, const struct lb_log *log, struct lb_error *error)
{
    const struct lb_child_limits limits = limits_for(order->path, &order->options->frames);
    struct stat about;
    if (!lb_model_can_import(error))
        return LB_ERROR;
    if (stat(order->path, &about) != 0)
        return lb_error_set(error, LB_ERROR, "%s: %s", order->path, strerror(errno));
    if (!S_ISREG(about.st_mode))
        return lb_error_set(error, LB_ERROR, "%s: no regular file", order->path);
    struct lb_text parts = {.data = NULL};
    lb_text_add(&parts, "%s/%s-parts", order->folder, order->name);
    char *folder = lb_text_take(&parts);
    if (!folder)
        return lb_error_memory(error, NULL);
    bool made = mkdir(folder, 0777) == 0;
    free(folder);
    if (!made)
        return lb_error_set(error, LB_ERROR, "%s: no folder in it: %s", order->folder, strerror(errno));
    return lb_child_run(order->path, &limits, import, (void *)order, log, error);
}

static char *joined(const char *folder, const char *name, const char *tail)
{
    struct lb_text text = {.data = NULL};
    lb_text_add(&text, "%s/%s%s", folder, name, tail);
    return lb_text_take(&text);
}

/* Did the import make one scene, and not one a frame? */
static bool made_one(const struct order *order)
{
    char *file = joined(order->folder, order->name, ".pbrt");
    bool is_there = file && access(file, F_OK) == 0;
    free(file);
    return is_there;
}

/* ---- for a while ---- */

enum lb_status lb_model_open(const char *path, const struct lb_model_options *options,
                             struct lb_model_scene *scene, const struct lb_log *log, struct lb_error *error)
{
    const char *where = getenv("TMPDIR");
    *scene = (struct lb_model_scene){.file = NULL};
    enum lb_status status = lb_folder_open(&scene->folder, where && *where ? where : "/tmp", error);
    if (status != LB_OK)
        return status;
    const struct order order = {path, scene->folder.path, "scene", options};
    status = make(&order, log, error);
    scene->file = joined(scene->folder.path, "scene", made_one(&order) ? ".pbrt" : "-####.pbrt");
    if (status == LB_OK && !scene->file)
        status = lb_error_memory(error, NULL);
    if (status != LB_OK)
        lb_model_close(scene);
    return status;
}

void lb_model_close(struct lb_model_scene *scene)
{
    lb_folder_close(&scene->folder);
    free(scene->file);
    scene->file = NULL;
}

/* ---- for good ---- */

static enum lb_status move(const char *from, const char *to, struct lb_error *error)
{
    if (!from || !to)
        return lb_error_memory(error, NULL);
    return rename(from, to) == 0 ? LB_OK : lb_error_set(error, LB_ERROR, "%s: %s", to, strerror(errno));
}

/* Moves the files of one folder into another, which is made if it is not there. */
static enum lb_status move_parts(const char *from, const char *to, struct lb_error *error)
{
    if (mkdir(to, 0777) != 0 && errno != EEXIST)
        return lb_error_set(error, LB_ERROR, "%s: %s", to, strerror(errno));
    DIR *entries = opendir(from);
    if (!entries)
        return lb_error_set(error, LB_ERROR, "%s: %s", from, strerror(errno));
    enum lb_status status = LB_OK;
    for (const struct dirent *entry; status == LB_OK && (entry = readdir(entries));) {
        if (entry->d_name[0] == '.')
            continue;
        char *source = joined(from, entry->d_name, ""), *target = joined(to, entry->d_name, "");
        status = move(source, target, error);
        free(source);
        free(target);
    }
    closedir(entries);
    return status;
}

static enum lb_status publish_frames(const struct order *order, const char *folder, uint32_t *scenes,
                                     struct lb_error *error)
{
    const struct lb_model_frames *frames = &order->options->frames;
    enum lb_status status = LB_OK;
    for (uint64_t frame = frames->first; status == LB_OK && frame <= frames->last; frame += frames->step) {
        char tail[32];
        snprintf(tail, sizeof tail, "-%04u.pbrt", (unsigned)frame);
        char *scene = joined(order->folder, order->name, tail), *target = joined(folder, order->name, tail);
        status = move(scene, target, error);
        *scenes += status == LB_OK;
        free(scene);
        free(target);
    }
    return status;
}

/* The scenes themselves come last, so that one that is there is whole. */
static enum lb_status publish(const struct order *order, const char *folder, const char *file,
                              uint32_t *scenes, struct lb_error *error)
{
    char *parts = joined(order->folder, order->name, "-parts"),
         *scene = joined(order->folder, order->name, ".pbrt"),
         *target = joined(folder, order->name, "-parts");
    enum lb_status status = parts && target ? move_parts(parts, target, error) : lb_error_memory(error, NULL);
    if (status == LB_OK)
        status = made_one(order) ? move(scene, file, error) : publish_frames(order, folder, scenes, error);
    free(parts);
    free(scene);
    free(target);
    return status;
}

enum lb_status lb_model_write(const char *path, const struct lb_model_options *options, const char *file,
                              uint32_t *scenes, const struct lb_log *log, struct lb_error *error)
{
    int length = lb_folder_length(file);
    *scenes = 0;
    const char *base = file + length, *dot = strrchr(base, '.');
    char *where = length ? strndup(file, (size_t)length) : strdup("."),
         *name = strndup(base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
    struct lb_folder folder = {.path = NULL};
    enum lb_status status =
        where && name ? lb_folder_open(&folder, where, error) : lb_error_memory(error, NULL);
    if (status == LB_OK) {
        const struct order order = {path, folder.path, name, options};
        status = make(&order, log, error);
        if (status == LB_OK)
            status = publish(&order, where, file, scenes, error);
    }
    lb_folder_close(&folder);
    free(where);
    free(name);
    return status;
}
