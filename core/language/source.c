#include "core/language/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Lines and columns are 32-bit numbers, and a gzip file of some megabytes may unpack to anything. */
static const size_t longest_text = UINT32_MAX;

/* Doubles the room for text. */
static bool grow(struct lb_source *source, size_t *capacity)
{
    size_t larger = *capacity ? *capacity * 2 : 1 << 16;
    char *text = realloc(source->plain, larger);
    if (!text)
        return false;
    source->plain = text;
    *capacity = larger;
    return true;
}

static enum lb_status read_all(int file, const char *name, struct lb_source *source, struct lb_error *error)
{
    struct stat status;
    size_t capacity = 0;
    if (fstat(file, &status) != 0)
        return lb_error_set(error, LB_ERROR, "%s: %s", name, strerror(errno));
    if (S_ISREG(status.st_mode)) {
        source->is_file = true;
        source->device = status.st_dev;
        source->inode = status.st_ino;
        /* One byte more than the file has, to meet its end without growing. The size is of real bytes, not a
         * claim. */
        if (status.st_size > 0 && (uintmax_t)status.st_size < longest_text)
            capacity = (size_t)status.st_size + 1;
        source->plain = capacity ? malloc(capacity) : NULL;
        capacity = source->plain ? capacity : 0;
    }
    for (;;) {
        if (source->length == capacity && !grow(source, &capacity))
            return lb_error_set(error, LB_ERROR_MEMORY, "%s: out of memory", name);
        ssize_t got = read(file, source->plain + source->length, capacity - source->length);
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR)
            return lb_error_set(error, LB_ERROR, "%s: %s", name, strerror(errno));
        source->length += got > 0 ? (size_t)got : 0;
        if (source->length > longest_text)
            return lb_error_set(error, LB_ERROR, "%s: more than 4 GiB of text", name);
    }
    source->text = source->plain;
    return LB_OK;
}

static enum lb_status unpack(const char *name, struct lb_source *source, struct lb_error *error)
{
    enum lb_status status = lb_gzip_expand(name, (const uint8_t *)source->text, source->length, longest_text,
                                           &source->unpacked, error);
    if (status != LB_OK)
        return status;
    free(source->plain);
    source->plain = NULL;
    source->text = (const char *)source->unpacked.data;
    source->length = source->unpacked.size;
    return LB_OK;
}

enum lb_status lb_source_read(const char *path, const char *name, struct lb_source *source,
                              struct lb_error *error)
{
    *source = (struct lb_source){0};
    bool standard_input = strcmp(path, "-") == 0;
    int file = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return lb_error_set(error, LB_ERROR, "%s: %s", name, strerror(errno));
    enum lb_status status = read_all(file, name, source, error);
    if (!standard_input)
        close(file);
    if (status == LB_OK && lb_gzip_is((const uint8_t *)source->text, source->length))
        status = unpack(name, source, error);
    if (status != LB_OK)
        lb_source_free(source);
    return status;
}

void lb_source_free(struct lb_source *source)
{
    free(source->plain);
    lb_gzip_free(&source->unpacked);
    *source = (struct lb_source){0};
}
