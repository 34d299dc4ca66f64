#include "core/machine/limits.h"

#include <sys/resource.h>

/* Raises the limit on a resource to `wanted`, or as far as it goes. Returns what it is then. */
static uint64_t allow(__rlimit_resource_t resource, uint64_t wanted)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0)
        return wanted;
    if (limit.rlim_cur < wanted && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
        setrlimit(resource, &limit);
        getrlimit(resource, &limit);
    }
    return limit.rlim_cur;
}

uint64_t lb_files_allow(uint64_t count)
{
    return allow(RLIMIT_NOFILE, count);
}

uint64_t lb_stack_allow(uint64_t bytes)
{
    return allow(RLIMIT_STACK, bytes);
}
