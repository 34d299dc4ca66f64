#include "core/base/gzip.h"

#include <libdeflate.h>
#include <string.h>
#include <sys/mman.h>
#include <zlib.h>

/* Deflate packs at most 258 bytes into 2 bits. */
enum { MOST_RATIO = 1032, SLACK = 4096 };

bool lb_gzip_is(const uint8_t *data, size_t size)
{
    return size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
}

size_t lb_gzip_start(const uint8_t *data, size_t size, uint8_t *out, size_t capacity)
{
    z_stream stream = {0};
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK)
        return 0;
    /* zlib counts in unsigned int; a start never needs that much. */
    stream.next_in = (Bytef *)(uintptr_t)data;
    stream.avail_in = (uInt)(size < (1u << 30) ? size : (1u << 30));
    stream.next_out = out;
    stream.avail_out = (uInt)(capacity < (1u << 30) ? capacity : (1u << 30));
    uInt room = stream.avail_out;
    while (inflate(&stream, Z_SYNC_FLUSH) == Z_STREAM_END && stream.avail_in && stream.avail_out)
        inflateReset(&stream); /* the next member */
    size_t got = room - stream.avail_out;
    inflateEnd(&stream);
    return got;
}

/* Reserves addresses alone: the system gives a page of memory when it is first written to. */
static bool grow(struct lb_gzip *expanded, size_t capacity)
{
    void *data = expanded->data ? mremap(expanded->data, expanded->capacity, capacity, MREMAP_MAYMOVE)
                                : mmap(NULL, capacity, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED)
        return false;
    expanded->data = data;
    expanded->capacity = capacity;
    return true;
}

/* The size of the last member modulo 2^32 stands in the last four bytes: right for nearly every file, a hint
 * for all. */
static size_t first_capacity(const uint8_t *data, size_t size, size_t limit)
{
    size_t most = size > (SIZE_MAX - SLACK) / MOST_RATIO ? SIZE_MAX - SLACK : size * MOST_RATIO;
    size_t claimed = 0;
    if (size >= 18)
        for (int i = 0; i < 4; i++)
            claimed |= (size_t)data[size - 4 + (size_t)i] << (8 * i);
    size_t least = claimed > size ? claimed : size;
    if (least > most)
        least = most;
    return (least < limit ? least : limit) + SLACK;
}

static bool only_zeros(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (data[i])
            return false;
    return true;
}

static enum lb_status expand_members(struct libdeflate_decompressor *machine, const char *path,
                                     const uint8_t *data, size_t size, size_t limit, struct lb_gzip *expanded,
                                     struct lb_error *error)
{
    size_t at = 0;
    do {
        size_t used = 0, made = 0;
        enum libdeflate_result result =
            libdeflate_gzip_decompress_ex(machine, data + at, size - at, expanded->data + expanded->size,
                                          expanded->capacity - expanded->size, &used, &made);
        if (result == LIBDEFLATE_INSUFFICIENT_SPACE && expanded->capacity <= limit) {
            size_t larger = expanded->capacity > limit / 2 ? limit + SLACK : expanded->capacity * 2;
            if (!grow(expanded, larger))
                return lb_error_memory(error, path);
            continue;
        }
        if (result == LIBDEFLATE_INSUFFICIENT_SPACE ||
            (result == LIBDEFLATE_SUCCESS && made > limit - expanded->size))
            return lb_error_set(error, LB_ERROR,
                                "%s: byte %zu: gzip holds more than its contents can need (%zu bytes)", path,
                                at, limit);
        if (result != LIBDEFLATE_SUCCESS)
            return lb_error_set(error, LB_ERROR, "%s: byte %zu: gzip data is damaged or cut short", path, at);
        expanded->size += made;
        at += used;
    } while (
        at < size &&
        !only_zeros(data + at, size - at)); /* zeros behind the last member are padding, as tapes have it */
    return LB_OK;
}

enum lb_status lb_gzip_expand(const char *path, const uint8_t *data, size_t size, size_t limit,
                              struct lb_gzip *expanded, struct lb_error *error)
{
    *expanded = (struct lb_gzip){0};
    if (limit > SIZE_MAX / 4)
        limit = SIZE_MAX / 4;
    struct libdeflate_decompressor *machine = libdeflate_alloc_decompressor();
    if (!machine || !grow(expanded, first_capacity(data, size, limit))) {
        libdeflate_free_decompressor(machine);
        return lb_error_memory(error, path);
    }
    enum lb_status status = expand_members(machine, path, data, size, limit, expanded, error);
    libdeflate_free_decompressor(machine);
    if (status != LB_OK)
        lb_gzip_free(expanded);
    return status;
}

void lb_gzip_free(struct lb_gzip *expanded)
{
    if (expanded->data)
        munmap(expanded->data, expanded->capacity);
    *expanded = (struct lb_gzip){0};
}
