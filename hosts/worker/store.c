#include "hosts/worker/store.h"

#include "core/base/bytes.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The most bytes of all files together. */
static const uint64_t MOST_BYTES = (uint64_t)4 << 30;
static const char ENDING[] = ".scene", BEGUN[] = ".begun-";
/* A piece takes a slow disk no longer than anybody would wait. */
enum { PATH_BYTES = 4096, PIECE_BYTES = 1 << 20 };

static bool name_file(const char *folder, struct lb_scene_mark mark, char *path)
{
    int length = snprintf(path, PATH_BYTES, "%s/%016llx%016llx%s", folder, (unsigned long long)mark.high,
                          (unsigned long long)mark.low, ENDING);
    return length > 0 && length < PATH_BYTES;
}

/* ---- reading ---- */

static size_t next_piece(size_t at, size_t size)
{
    return size - at < PIECE_BYTES ? size - at : PIECE_BYTES;
}

/* Reads the whole file, a piece after the other, and tells of each. */
static bool read_pieces(int file, char *bytes, size_t size, atomic_uint_least64_t *progress,
                        const atomic_int *stop)
{
    for (size_t at = 0; at < size;) {
        size_t piece = next_piece(at, size);
        if (atomic_load(stop) || lb_bytes_read(file, bytes + at, piece) != (ssize_t)piece)
            return false;
        atomic_fetch_add(progress, piece);
        at += piece;
    }
    return true;
}

bool lb_store_read(const char *folder, struct lb_scene_mark mark, void *bytes, size_t size,
                   atomic_uint_least64_t *progress, const atomic_int *stop)
{
    char path[PATH_BYTES];
    struct stat is;
    int file =
        name_file(folder, mark, path) ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (file < 0)
        return false;
    bool found = fstat(file, &is) == 0 && S_ISREG(is.st_mode) && (uint64_t)is.st_size == size &&
                 read_pieces(file, bytes, size, progress, stop) &&
                 lb_scene_mark_equal(lb_scene_mark_make(bytes, size), mark);
    if (found)
        futimens(file, NULL); /* notes the last use; where that fails, the file seems older than it is */
    close(file);
    return found;
}

/* ---- keeping ---- */

struct kept_scene {
    char path[PATH_BYTES];
    uint64_t size;
    struct timespec used;
};

static bool is_older(const struct kept_scene *a, const struct kept_scene *b)
{
    return a->used.tv_sec != b->used.tv_sec ? a->used.tv_sec < b->used.tv_sec
                                            : a->used.tv_nsec < b->used.tv_nsec;
}

/* Is this the name of a scene, or of one that was begun? Who was killed while it wrote one has left that behind. */
static bool is_ours(const char *name)
{
    size_t length = strlen(name), ending = sizeof ENDING - 1;
    return (length > ending && !strcmp(name + length - ending, ENDING)) ||
           !strncmp(name, BEGUN, sizeof BEGUN - 1);
}

/* Finds the scene that was not used for the longest time. Returns the bytes of all. */
static uint64_t find_oldest(const char *folder, struct kept_scene *oldest)
{
    uint64_t sum = 0;
    DIR *listing = opendir(folder);
    oldest->size = 0;
    for (struct dirent *entry; listing && (entry = readdir(listing)) != NULL;) {
        struct kept_scene one;
        struct stat is;
        int written = snprintf(one.path, sizeof one.path, "%s/%s", folder, entry->d_name);
        if (!is_ours(entry->d_name) || written >= PATH_BYTES || lstat(one.path, &is) != 0 ||
            !S_ISREG(is.st_mode) || is.st_size == 0)
            continue;
        one.size = (uint64_t)is.st_size;
        one.used = is.st_mtim;
        sum += one.size;
        if (oldest->size == 0 || is_older(&one, oldest))
            *oldest = one;
    }
    if (listing)
        closedir(listing);
    return sum;
}

static bool make_room(const char *folder, uint64_t size)
{
    struct kept_scene oldest;
    while (find_oldest(folder, &oldest) + size > MOST_BYTES)
        if (oldest.size == 0 || unlink(oldest.path) != 0)
            return false;
    return true;
}

/* Makes the folder and those that it lies in, where they are missing. */
static bool make_folder(const char *folder)
{
    char around[PATH_BYTES];
    snprintf(around, sizeof around, "%s", folder);
    for (char *slash = strchr(around + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(around, 0700);
        *slash = '/';
    }
    mkdir(folder, 0700);
    struct stat is;
    return stat(folder, &is) == 0 && S_ISDIR(is.st_mode);
}

static bool write_pieces(int file, const char *bytes, size_t size, const atomic_bool *stop)
{
    for (size_t at = 0; at < size;) {
        size_t piece = next_piece(at, size);
        if (atomic_load(stop) || !lb_bytes_write(file, bytes + at, piece))
            return false;
        at += piece;
    }
    return true;
}

void lb_store_write(const char *folder, struct lb_scene_mark mark, const void *bytes, size_t size,
                    const atomic_bool *stop)
{
    char path[PATH_BYTES], begun[PATH_BYTES];
    if (size > MOST_BYTES || !name_file(folder, mark, path) || !make_folder(folder) ||
        !make_room(folder, size))
        return;
    if (snprintf(begun, sizeof begun, "%s/%sXXXXXX", folder, BEGUN) >= PATH_BYTES)
        return;
    int file = mkstemp(begun);
    if (file < 0)
        return;
    bool written = write_pieces(file, bytes, size, stop);
    written = close(file) == 0 && written;
    if (!written || rename(begun, path) != 0)
        unlink(begun);
}
