/* Memory of the played devices: each allocation stands between two pages that nobody may touch, and a device's own can
 * be touched only while its work runs. */
#include "state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Device memory answers only while work runs; under fake.lock's protection of the list. */
void fake_allow(int device, int protection)
{
    if (fake.setup.open)
        return;
    pthread_mutex_lock(&fake.lock);
    for (struct block *b = fake.blocks; b; b = b->next)
        if (b->device == device)
            mprotect(b->pointer - (b->pointer - b->map) % getpagesize(),
                     b->mapped - 2 * (size_t)getpagesize(), protection);
    pthread_mutex_unlock(&fake.lock);
}

static struct block *add_block(size_t size, int device)
{
    size_t page = (size_t)getpagesize(), inside = (size + page - 1) / page * page;
    struct block *block = calloc(1, sizeof *block);
    block->mapped = inside + 2 * page;
    block->map = mmap(NULL, block->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(block->map + page, inside, PROT_READ | PROT_WRITE);
    /* What may be touched changes with every batch, which takes the longer the more pages there are. */
    madvise(block->map + page, inside, MADV_HUGEPAGE);
    memset(block->map + page, 0xa5, inside); /* nothing may rely on zeros */
    block->pointer = block->map + page;
    block->size = size;
    block->device = device;
    if (device >= 0 && !fake.setup.open)
        mprotect(block->map + page, inside, PROT_NONE);
    pthread_mutex_lock(&fake.lock);
    block->next = fake.blocks;
    fake.blocks = block;
    fake.seen.live++;
    pthread_mutex_unlock(&fake.lock);
    return block;
}

static bool remove_block(const void *pointer, bool pinned, size_t *size, int *device)
{
    bool found = false;
    pthread_mutex_lock(&fake.lock);
    for (struct block **at = &fake.blocks; *at; at = &(*at)->next) {
        struct block *block = *at;
        if (block->pointer != pointer || (block->device < 0) != pinned)
            continue;
        *at = block->next;
        *size = block->size;
        *device = block->device;
        munmap(block->map, block->mapped);
        free(block);
        fake.seen.live--;
        found = true;
        break;
    }
    pthread_mutex_unlock(&fake.lock);
    return found;
}

void fake_drop_memory(void)
{
    while (fake.blocks) {
        struct block *block = fake.blocks;
        fake.blocks = block->next;
        munmap(block->map, block->mapped);
        free(block);
    }
}

/* Whose block the bytes lie in: a device's number, -1 pinned, -2 neither. */
int fake_owner(const void *pointer, size_t size)
{
    int device = -2;
    pthread_mutex_lock(&fake.lock);
    for (const struct block *b = fake.blocks; b; b = b->next)
        if ((const char *)pointer >= b->pointer && (const char *)pointer + size <= b->pointer + b->size)
            device = b->device;
    pthread_mutex_unlock(&fake.lock);
    return device;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all)
{
    ENTER(fake_current);
    *all = fake.setup.memory;
    *free_bytes = fake.setup.memory - fake.device[fake_current].used;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **pointer, size_t size)
{
    struct device *d = &fake.device[fake_current];
    ENTER(fake_current);
    if (size > fake.setup.memory - d->used)
        return fake_answer(cudaErrorMemoryAllocation);
    d->used += size;
    *pointer = add_block(size, fake_current)->pointer;
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **pointer, size_t size)
{
    ENTER(fake_current);
    *pointer = add_block(size, -1)->pointer;
    return cudaSuccess;
}

/* Releases also on a lost device, where the answer is an error all the same. */
static cudaError_t release(const char *name, void *pointer, bool pinned)
{
    size_t size = 0;
    int device = fake_current;
    if (!pointer)
        return cudaSuccess;
    if (fake_pending(fake_current) && fake.device[fake_current].lost == cudaSuccess)
        fake_misuse(pinned ? "pinned memory is released while work is queued"
                           : "device memory is released while work is queued");
    if (!remove_block(pointer, pinned, &size, &device)) {
        fake_misuse("memory is released that was not allocated so");
        return fake_answer(cudaErrorInvalidValue);
    }
    if (device >= 0)
        fake.device[device].used -= size;
    return fake_answer(fake_enter(name, device >= 0 ? device : fake_current));
}

cudaError_t cudaFree(void *pointer)
{
    return release(__func__, pointer, false);
}

cudaError_t cudaFreeHost(void *pointer)
{
    return release(__func__, pointer, true);
}
