#include "core/base/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint8_t nothing[1];

static enum lb_status fail(const char *path, struct lb_error *error)
{
    return lb_error_set(error, errno == ENOMEM ? LB_ERROR_MEMORY : LB_ERROR, "%s: %s", path, strerror(errno));
}

static enum lb_status read_all(const char *path, int file, struct lb_mapping *mapping, struct lb_error *error)
{
    size_t capacity = 1 << 16, size = 0;
    uint8_t *data = malloc(capacity);
    for (;;) {
        if (data && size == capacity) {
            uint8_t *larger = capacity > SIZE_MAX / 4 ? NULL : realloc(data, capacity *= 2);
            if (!larger)
                free(data);
            data = larger;
        }
        if (!data)
            return lb_error_set(error, LB_ERROR_MEMORY, "%s: out of memory", path);
        ssize_t got = read(file, data + size, capacity - size);
        if (got == 0)
            break;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            free(data);
            return fail(path, error);
        }
        size += (size_t)got;
    }
    *mapping = (struct lb_mapping){.data = data, .size = size};
    return LB_OK;
}

static enum lb_status map_all(const char *path, int file, size_t size, struct lb_mapping *mapping,
                              struct lb_error *error)
{
    *mapping = (struct lb_mapping){.data = nothing};
    if (size == 0)
        return LB_OK;
    /* All of it will be read, once: asking for the pages in one go saves a fault for each of them. */
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (data == MAP_FAILED)
        return fail(path, error);
    *mapping = (struct lb_mapping){.data = data, .size = size, .mapped = true};
    return LB_OK;
}

enum lb_status lb_mapping_open(const char *path, struct lb_mapping *mapping, struct lb_error *error)
{
    *mapping = (struct lb_mapping){0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail(path, error);
    struct stat about;
    enum lb_status status;
    if (fstat(file, &about) < 0)
        status = fail(path, error);
    else if (S_ISREG(about.st_mode))
        status = map_all(path, file, (size_t)about.st_size, mapping, error);
    else
        status = read_all(path, file, mapping, error);
    close(file);
    return status;
}

void lb_mapping_close(struct lb_mapping *mapping)
{
    if (mapping->mapped)
        munmap((void *)(uintptr_t)mapping->data, mapping->size);
    else if (mapping->data != nothing)
        free((void *)(uintptr_t)mapping->data);
    *mapping = (struct lb_mapping){0};
}
