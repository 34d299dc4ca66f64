#include "core/machine/files.h"

#include <sys/resource.h>

uint64_t lb_files_allow(uint64_t count)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return count;
    if (limit.rlim_cur < count && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = count < limit.rlim_max ? count : limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    return limit.rlim_cur;
}
