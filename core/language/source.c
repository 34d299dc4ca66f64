#include "core/language/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* Lines and columns are 32-bit numbers, and a gzip file of some megabytes may unpack to anything. */
static const size_t longest_text = UINT32_MAX;

/* Doubles the room for text. */
static bool grow(struct lb_source *source, size_t *capacity)
{
    size_t larger = *capacity ? *capacity * 2 : 1 << 16;
    char *text = realloc(source->text, larger + 1);
    if (!text)
        return false;
    source->text = text;
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
        source->text = capacity ? malloc(capacity + 1) : NULL;
        capacity = source->text ? capacity : 0;
    }
    for (;;) {
        if (source->length == capacity && !grow(source, &capacity))
            return lb_error_set(error, LB_ERROR_MEMORY, "%s: out of memory", name);
        ssize_t got = read(file, source->text + source->length, capacity - source->length);
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR)
            return lb_error_set(error, LB_ERROR, "%s: %s", name, strerror(errno));
        source->length += got > 0 ? (size_t)got : 0;
        if (source->length > longest_text)
            return lb_error_set(error, LB_ERROR, "%s: more than 4 GiB of text", name);
    }
    source->text[source->length] = 0;
    return LB_OK;
}

/* Inflates one stream after the other until the input ends, as gzip does. */
static enum lb_status inflate_all(z_stream *stream, const char *name, struct lb_source *unpacked,
                                  struct lb_error *error)
{
    size_t capacity = 0;
    for (;;) {
        if (unpacked->length == capacity && !grow(unpacked, &capacity))
            return lb_error_set(error, LB_ERROR_MEMORY, "%s: out of memory", name);
        size_t room = capacity - unpacked->length;
        stream->next_out = (Bytef *)unpacked->text + unpacked->length;
        stream->avail_out = room < UINT32_MAX ? (uInt)room : UINT32_MAX;
        uInt before = stream->avail_out;
        int code = inflate(stream, Z_NO_FLUSH);
        unpacked->length += before - stream->avail_out;
        if (unpacked->length > longest_text)
            return lb_error_set(error, LB_ERROR, "%s: unpacks to more than 4 GiB of text", name);
        if (code == Z_STREAM_END && stream->avail_in == 0)
            break;
        if (code == Z_STREAM_END)
            code = inflateReset(stream);
        if (code == Z_MEM_ERROR)
            return lb_error_set(error, LB_ERROR_MEMORY, "%s: out of memory", name);
        if (code == Z_BUF_ERROR && stream->avail_out > 0)
            return lb_error_set(error, LB_ERROR, "%s: the gzip data is cut off", name);
        if (code != Z_OK && code != Z_BUF_ERROR)
            return lb_error_set(error, LB_ERROR, "%s: damaged gzip data%s%s", name, stream->msg ? ": " : "",
                                stream->msg ? stream->msg : "");
    }
    unpacked->text[unpacked->length] = 0;
    return LB_OK;
}

static enum lb_status unpack(const char *name, struct lb_source *source, struct lb_error *error)
{
    enum { GZIP_ONLY = 16 };
    struct lb_source unpacked = *source;
    unpacked.text = NULL;
    unpacked.length = 0;
    z_stream stream = {.next_in = (Bytef *)source->text, .avail_in = (uInt)source->length};
    if (inflateInit2(&stream, MAX_WBITS + GZIP_ONLY) != Z_OK)
        return lb_error_set(error, LB_ERROR_MEMORY, "%s: out of memory", name);
    enum lb_status status = inflate_all(&stream, name, &unpacked, error);
    inflateEnd(&stream);
    free(source->text);
    *source = unpacked;
    return status;
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
    if (status == LB_OK && source->length >= 2 && memcmp(source->text, "\x1f\x8b", 2) == 0)
        status = unpack(name, source, error);
    if (status != LB_OK)
        lb_source_free(source);
    return status;
}

void lb_source_free(struct lb_source *source)
{
    free(source->text);
    *source = (struct lb_source){0};
}
