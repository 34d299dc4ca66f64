#include "core/base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, HUGE_PAGE = 1 << 21 };

void *lb_pages_calloc(size_t count, size_t size)
{
    char *memory = calloc(count, size);
    size_t bytes = memory ? count * size : 0; /* no overflow: calloc() has looked */
    size_t before = -(uintptr_t)memory % HUGE_PAGE;
    if (bytes >= before + HUGE_PAGE)
        madvise(memory + before, (bytes - before) / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    return memory;
}

void lb_pages_forget(void *memory, size_t bytes)
{
    size_t before = -(uintptr_t)memory % PAGE;
    if (bytes >= before + PAGE)
        madvise((char *)memory + before, (bytes - before) / PAGE * PAGE, MADV_DONTNEED);
}
