#include "core/scene/block/block.h"

#include "core/scene/block/block_arrays.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, FIRST_BYTES = 64 * 1024, HUGE_PAGE = 2 << 20, COPY_BYTES = 4 << 20 };

/* What a vector has mapped follows from its capacity, because no element is larger than a page. */
static size_t mapped_bytes(const struct lb_vector *vector)
{
    return (vector->capacity * vector->element + PAGE - 1) & ~(size_t)(PAGE - 1);
}

/* Twice as much as before, or what is needed: untouched pages cost nothing. 0 when it cannot be counted. */
static size_t grown_bytes(const struct lb_vector *vector, size_t extra)
{
    size_t count, bytes;
    if (__builtin_add_overflow(vector->count, extra, &count) ||
        __builtin_mul_overflow(count, vector->element, &bytes) || bytes > SIZE_MAX / 4)
        return 0;
    size_t doubled = 2 * mapped_bytes(vector);
    if (bytes < doubled)
        bytes = doubled;
    if (bytes < FIRST_BYTES)
        bytes = FIRST_BYTES;
    return (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
}

/* Pages, a whole number of them, that begin where a huge one may and are huge where the system gives such. NULL when
 * there are none. */
static void *map_huge(size_t bytes)
{
    char *map = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return NULL;
    size_t before = (size_t)(-(uintptr_t)map & (HUGE_PAGE - 1));
    if (before)
        munmap(map, before);
    if (before < HUGE_PAGE)
        munmap(map + before + bytes, HUGE_PAGE - before);
    madvise(map + before, bytes, MADV_HUGEPAGE);
    return map + before;
}

/* Moves pages, `mapped` bytes or none, to where they may be huge: touching a small page for the first time takes longer
 * than filling it. NULL when there is no room. */
static void *remap_huge(void *pages, size_t mapped, size_t bytes)
{
    void *to = map_huge(bytes);
    if (!to || !pages)
        return to;
    if (mremap(pages, mapped, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED) {
        munmap(to, bytes);
        return NULL;
    }
    madvise(to, bytes, MADV_HUGEPAGE); /* which the pages that were moved did not bring along */
    return to;
}

static void *remap_small(const struct lb_vector *vector, size_t bytes)
{
    void *to = vector->data ? mremap(vector->data, mapped_bytes(vector), bytes, MREMAP_MAYMOVE)
                            : mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return to == MAP_FAILED ? NULL : to;
}

static bool vector_grow(struct lb_vector *vector, size_t extra)
{
    size_t bytes = grown_bytes(vector, extra);
    if (bytes == 0 || vector->element == 0)
        return false;
    void *data = bytes < HUGE_PAGE ? remap_small(vector, bytes)
                                   : remap_huge(vector->data, mapped_bytes(vector), bytes);
    if (!data)
        return false;
    vector->data = data;
    vector->capacity = bytes / vector->element;
    return true;
}

void *lb_vector_add(struct lb_vector *vector, size_t extra)
{
    if (extra > vector->capacity - vector->count || !vector->data)
        if (!vector_grow(vector, extra))
            return NULL;
    void *first = (char *)vector->data + vector->count * vector->element;
    vector->count += extra;
    return first;
}

void lb_vector_free(struct lb_vector *vector)
{
    if (vector->data)
        munmap(vector->data, mapped_bytes(vector));
    vector->data = NULL;
    vector->count = vector->capacity = 0;
}

void lb_scene_arrays_init(struct lb_scene_arrays *arrays)
{
    memset(arrays, 0, sizeof *arrays);
#define SET_ELEMENT(name, type, decides, check) arrays->name.element = sizeof(type);
    LB_SCENE_ARRAYS(SET_ELEMENT)
#undef SET_ELEMENT
}

void lb_scene_arrays_free(struct lb_scene_arrays *arrays)
{
#define FREE(name, type, decides, check) lb_vector_free(&arrays->name);
    LB_SCENE_ARRAYS(FREE)
#undef FREE
}

/* The offset of the next array, of so many elements, `size` moved behind it. False: the sum overflows. */
static bool place(uint64_t count, size_t element, lb_array *array, uint64_t *size)
{
    uint64_t bytes;
    array->offset = *size;
    array->count = count;
    if (__builtin_mul_overflow(count, element, &bytes) || bytes > UINT64_MAX / 4 - *size)
        return false;
    *size = (*size + bytes + 63) & ~(uint64_t)63;
    return true;
}

/* Moves a vector's elements to `to`. Pages go back to the system on the way: block and arrays together never
 * hold much more than the scene. */
static void move_out(struct lb_vector *vector, void *to)
{
    size_t bytes = vector->count * vector->element;
    for (size_t at = 0; at < bytes; at += COPY_BYTES) {
        size_t step = bytes - at < COPY_BYTES ? bytes - at : COPY_BYTES;
        char *from = (char *)vector->data + at;
        memcpy((char *)to + at, from, step);
        madvise(from, step & ~(size_t)(PAGE - 1), MADV_DONTNEED);
    }
    lb_vector_free(vector);
}

static size_t block_bytes(uint64_t size)
{
    return ((size_t)size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

lb_scene *lb_scene_pack(const lb_scene *header, struct lb_scene_arrays *arrays)
{
    lb_scene head = *header;
    uint64_t size = (sizeof head + 63) & ~(uint64_t)63;
#define PLACE(name, type, decides, check)                                                                    \
    if (!place(arrays->name.count, arrays->name.element, &head.name, &size))                                 \
        return NULL;
    LB_SCENE_ARRAYS(PLACE)
#undef PLACE
    char *block = map_huge(block_bytes(size));
    if (!block)
        return NULL;
    head.magic = LB_SCENE_MAGIC;
    head.size = size;
    memcpy(block, &head, sizeof head);
#define MOVE(name, type, decides, check) move_out(&arrays->name, block + head.name.offset);
    LB_SCENE_ARRAYS(MOVE)
#undef MOVE
    return (lb_scene *)(void *)block;
}

void lb_scene_block_free(lb_scene *scene)
{
    if (scene)
        munmap(scene, block_bytes(scene->size));
}

enum lb_status lb_scene_fill(lb_scene **scene, const struct lb_scene_filling *fillings, size_t count,
                             struct lb_error *error)
{
    uint64_t size = ((*scene)->size + 63) & ~(uint64_t)63;
    lb_array array;
    for (size_t i = 0; i < count; i++)
        if (!place(fillings[i].count, fillings[i].element, &array, &size))
            return lb_error_memory(error, "the scene");
    char *block = remap_huge(*scene, block_bytes((*scene)->size), block_bytes(size));
    if (!block)
        return lb_error_memory(error, "the scene");
    *scene = (lb_scene *)(void *)block;
    uint64_t at = ((*scene)->size + 63) & ~(uint64_t)63;
    for (size_t i = 0; i < count; i++) {
        place(fillings[i].count, fillings[i].element, &array, &at);
        memcpy(block + fillings[i].array, &array, sizeof array);
        if (fillings[i].count > 0)
            memcpy(block + array.offset, fillings[i].elements, fillings[i].count * fillings[i].element);
    }
    (*scene)->size = size;
    return LB_OK;
}
