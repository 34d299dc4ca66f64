#include "core/base/file.h"

#include "core/base/bytes.h"
#include "core/base/grow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that is being read. */
struct file_reading {
    const char *name;
    int descriptor;
    size_t most, capacity;
    struct lb_file *file;
    struct lb_error *error;
};

static enum lb_status fail(const struct file_reading *r)
{
    return lb_error_set(r->error, errno == ENOMEM ? LB_ERROR_MEMORY : LB_ERROR, "%s: %s", r->name,
                        strerror(errno));
}

static enum lb_status too_large(const struct file_reading *r)
{
    static const char units[] = "kMGTPE";
    size_t size = r->most / 1024 + (r->most % 1024 != 0);
    int unit = 0;
    for (; size >= 1024; size = size / 1024 + (size % 1024 != 0))
        unit++;
    return lb_error_set(r->error, LB_ERROR, "%s: more than the %zu %ciB that a file of this kind may have",
                        r->name, size, units[unit]);
}

/* Reads until `end` bytes are there or the file has no more. */
static enum lb_status read_until(struct file_reading *r, size_t end)
{
    ssize_t got = lb_bytes_read(r->descriptor, r->file->data + r->file->size, end - r->file->size);
    if (got < 0)
        return fail(r);
    r->file->size += (size_t)got;
    return LB_OK;
}

/* Gets memory, of huge pages where the system has them: touching many small pages for the first time would take as long
 * as reading. */
static bool make_room(struct file_reading *r, size_t size)
{
    const size_t page = 1 << 21;
    if (size < page) {
        r->file->data = malloc(size);
        return r->file->data != NULL;
    }
    size_t rounded = (size + page - 1) & ~(page - 1);
    r->file->data = aligned_alloc(page, rounded);
    if (r->file->data)
        madvise(r->file->data, rounded, MADV_HUGEPAGE);
    return r->file->data != NULL;
}

static enum lb_status read_whole(struct file_reading *r, size_t size)
{
    if (size > r->most)
        return too_large(r);
    if (!make_room(r, size))
        return lb_error_memory(r->error, r->name);
    enum lb_status status = read_until(r, size);
    if (status == LB_OK && r->file->size < size)
        status = lb_error_set(r->error, LB_ERROR, "%s: the file became shorter while it was read", r->name);
    return status;
}

/* Reads what does not tell its size: streams, and files under /proc, which the system makes up. */
static enum lb_status read_to_end(struct file_reading *r)
{
    enum { AT_ONCE = 1 << 16 };
    enum lb_status status = LB_OK;
    while (status == LB_OK && r->file->size == r->capacity) {
        if (r->file->size > r->most)
            return too_large(r);
        uint8_t *data = lb_grow(r->file->data, &r->capacity, r->file->size + AT_ONCE, 1);
        if (!data)
            return lb_error_memory(r->error, r->name);
        r->file->data = data;
        status = read_until(r, r->capacity);
    }
    return status == LB_OK && r->file->size > r->most ? too_large(r) : status;
}

/* An error where the descriptor is of something that cannot be read whole: a folder, a device, or a stream unless
 * `streams`. */
static enum lb_status check_kind(const struct file_reading *r, const struct stat *about, bool streams)
{
    bool is_pipe = S_ISFIFO(about->st_mode) || S_ISSOCK(about->st_mode);
    if (S_ISDIR(about->st_mode)) {
        errno = EISDIR;
        return fail(r);
    }
    if (S_ISREG(about->st_mode) || (streams && (is_pipe || isatty(r->descriptor))))
        return LB_OK;
    if (is_pipe)
        return lb_error_set(r->error, LB_ERROR,
                            "%s: a pipe, where a file is needed: only the scene itself may be one", r->name);
    return lb_error_set(r->error, LB_ERROR, "%s: a device, not a file", r->name);
}

static enum lb_status read_descriptor(struct file_reading *r, bool streams)
{
    struct stat about;
    if (fstat(r->descriptor, &about) != 0)
        return fail(r);
    enum lb_status status = check_kind(r, &about, streams);
    if (status != LB_OK)
        return status;
    r->file->is_regular = S_ISREG(about.st_mode);
    r->file->device = about.st_dev;
    r->file->inode = about.st_ino;
    return r->file->is_regular && about.st_size > 0 ? read_whole(r, (size_t)about.st_size) : read_to_end(r);
}

/* `flags`: of open(), beside the usual ones. */
static enum lb_status read_path(const char *path, const char *name, size_t most, int flags,
                                struct lb_file *file, struct lb_error *error)
{
    bool streams = !(flags & O_NONBLOCK), is_input = streams && strcmp(path, "-") == 0;
    struct file_reading r = {.name = name, .most = most, .file = file, .error = error};
    *file = (struct lb_file){0};
    r.descriptor = is_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | flags);
    if (r.descriptor < 0)
        return fail(&r);
    enum lb_status status = read_descriptor(&r, streams);
    if (!is_input)
        close(r.descriptor);
    if (status != LB_OK)
        lb_file_free(file);
    return status;
}

enum lb_status lb_file_read(const char *path, size_t most, struct lb_file *file, struct lb_error *error)
{
    return read_path(path, path, most, O_NONBLOCK, file, error);
}

enum lb_status lb_file_read_stream(const char *path, const char *name, size_t most, struct lb_file *file,
                                   struct lb_error *error)
{
    return read_path(path, name, most, 0, file, error);
}

void lb_file_free(struct lb_file *file)
{
    free(file->data);
    *file = (struct lb_file){0};
}
