#include "core/base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The header fills one cache line, so that what follows is aligned like the chunk itself. */
struct lb_arena_chunk {
    _Alignas(64) struct lb_arena_chunk *next;
    size_t used, size;
};

enum { CHUNK_SIZE = 1 << 18 };

static struct lb_arena_chunk *chunk_new(struct lb_arena *arena, size_t size)
{
    size_t want = size > CHUNK_SIZE ? size : CHUNK_SIZE;
    size_t total = (sizeof(struct lb_arena_chunk) + want + 63) & ~(size_t)63;
    struct lb_arena_chunk *chunk = total < want ? NULL : aligned_alloc(64, total);
    if (!chunk)
        return NULL;
    chunk->used = 0;
    chunk->size = want;
    /* A large block gets a chunk of its own, which comes second in the list: the room in the first one stays usable. */
    if (size > CHUNK_SIZE && arena->chunks) {
        chunk->next = arena->chunks->next;
        arena->chunks->next = chunk;
    } else {
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    return chunk;
}

void *lb_arena_alloc(struct lb_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
        return NULL;
    size_t align = bytes >= 64 ? 64 : 16;
    struct lb_arena_chunk *chunk = arena->chunks;
    size_t at = chunk ? (chunk->used + align - 1) & ~(align - 1) : 0;
    if (!chunk || at > chunk->size || chunk->size - at < bytes) {
        chunk = chunk_new(arena, bytes);
        if (!chunk)
            return NULL;
        at = 0;
    }
    chunk->used = at + bytes;
    return memset((char *)(chunk + 1) + at, 0, bytes);
}

char *lb_arena_text(struct lb_arena *arena, const char *text, size_t length)
{
    char *copy = length == SIZE_MAX ? NULL : lb_arena_alloc(arena, length + 1, 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

char *lb_arena_format(struct lb_arena *arena, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : lb_arena_alloc(arena, (size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void lb_arena_free(struct lb_arena *arena)
{
    struct lb_arena_chunk *chunk = arena->chunks;
    while (chunk) {
        struct lb_arena_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    arena->chunks = NULL;
}
