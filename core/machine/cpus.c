#include "core/machine/cpus.h"

#include "core/base/number.h"
#include "core/machine/cgroup.h"
#include "core/machine/line.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint32_t least(uint32_t a, uint32_t b)
{
    return a == 0 ? b : b == 0 || a < b ? a : b;
}

/* ---- affinity ---- */

/* The affinity mask, for any number of CPUs; NULL when out of memory. Released by CPU_FREE. */
static cpu_set_t *affinity_mask(int *cpus)
{
    for (int count = 1024; count <= 1 << 20; count *= 2) {
        cpu_set_t *set = CPU_ALLOC((size_t)count);
        if (!set)
            return NULL;
        if (sched_getaffinity(0, CPU_ALLOC_SIZE((size_t)count), set) == 0) {
            *cpus = count;
            return set;
        }
        CPU_FREE(set);
    }
    return NULL;
}

static uint32_t affinity_count(void)
{
    int cpus;
    cpu_set_t *set = affinity_mask(&cpus);
    if (!set)
        return 0;
    int count = CPU_COUNT_S(CPU_ALLOC_SIZE((size_t)cpus), set);
    CPU_FREE(set);
    return count > 0 ? (uint32_t)count : 0;
}

void lb_cpus_find(const char *root, uint32_t slurm, struct lb_cpus *cpus)
{
    cpus->affinity = affinity_count();
    cpus->quota = lb_cgroup_cpus(root);
    cpus->slurm = slurm;
    cpus->count = least(cpus->affinity, least(cpus->quota, cpus->slurm));
    if (cpus->count == 0)
        cpus->count = 1;
}

/* ---- binding ---- */

/* The next span of CPUs, first .. last, of a list such as "0,64" or "0-7,16". False: there is none. */
static bool next_cpus(const char **list, int64_t *first, int64_t *last)
{
    size_t word = strcspn(*list, ",\n"), length = strcspn(*list, "-,\n");
    *first = 0;
    bool found = lb_number_whole(*list, length, 0, INT32_MAX, first);
    *last = *first;
    if (found && length < word)
        found = lb_number_whole(*list + length + 1, word - length - 1, 0, INT32_MAX, last);
    *list += (*list)[word] == ',' ? word + 1 : word;
    return found;
}

/* Position of `cpu` among the hardware threads of its core, from a list such as "0,64" or "0-1". */
static int sibling_rank(int cpu)
{
    char path[128], line[256];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    if (!lb_machine_line(line, sizeof line, path))
        return 0;
    int rank = 0;
    const char *at = line;
    for (int64_t first, last; next_cpus(&at, &first, &last);)
        for (int64_t other = first; other <= last && other < cpu; other++)
            rank++;
    return rank;
}

/* The index-th allowed CPU: those that are first in their cores, then the second ones, and so on. -1: none. */
static int allowed_cpu(const cpu_set_t *set, int cpus, uint32_t index)
{
    size_t size = CPU_ALLOC_SIZE((size_t)cpus);
    int count = CPU_COUNT_S(size, set);
    if (count <= 0)
        return -1;
    uint32_t left = index % (uint32_t)count;
    for (int rank = 0; rank < 64; rank++)
        for (int cpu = 0; cpu < cpus; cpu++)
            if (CPU_ISSET_S((size_t)cpu, size, set) && sibling_rank(cpu) == rank && left-- == 0)
                return cpu;
    return -1;
}

static uint32_t node_of(int cpu)
{
    char path[128];
    for (uint32_t node = 0; node < 256; node++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/node%u", cpu, node);
        if (access(path, F_OK) == 0)
            return node;
    }
    return 0;
}

uint32_t lb_cpus_node(uint32_t index)
{
    int cpus;
    if (access("/sys/devices/system/node/node1", F_OK))
        return 0; /* one node at most: no need to look at every CPU */
    cpu_set_t *set = affinity_mask(&cpus);
    int cpu = set ? allowed_cpu(set, cpus, index) : -1;
    if (set)
        CPU_FREE(set);
    return cpu < 0 ? 0 : node_of(cpu);
}

/* Is `cpu` in a list such as "0,64" or "0-7,16"? */
static bool list_holds(const char *list, int cpu)
{
    for (int64_t first, last; next_cpus(&list, &first, &last);)
        if (cpu >= first && cpu <= last)
            return true;
    return false;
}

/* Does the system tell types of cores apart at all? */
static bool types_differ(const char *root)
{
    static const char *const files[] = {"cpu_atom/cpus", "system/cpu/cpu0/cpu_capacity"};
    char path[4200];
    bool any = false;
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/sys/devices/%s", root, files[i]);
        any = any || access(path, F_OK) == 0;
    }
    return any;
}

/* The capacity that the scheduler goes by, or which of Intel's two types it is. */
static uint32_t core_type(const char *root, int cpu)
{
    static const char *const lists[] = {"cpu_atom", "cpu_core"};
    char path[4200], line[256];
    int64_t capacity;
    snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%d/cpu_capacity", root, cpu);
    if (lb_machine_line(line, sizeof line, path) &&
        lb_number_whole(line, strcspn(line, "\n"), 1, INT32_MAX, &capacity))
        return (uint32_t)capacity;
    for (uint32_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/sys/devices/%s/cpus", root, lists[i]);
        if (lb_machine_line(line, sizeof line, path) && list_holds(line, cpu))
            return i + 1;
    }
    return 0;
}

uint32_t lb_cpus_core_type(const char *root, uint32_t index)
{
    int cpus;
    if (!types_differ(root))
        return 0; /* no need to look at every CPU */
    cpu_set_t *set = affinity_mask(&cpus);
    int cpu = set ? allowed_cpu(set, cpus, index) : -1;
    if (set)
        CPU_FREE(set);
    return cpu < 0 ? 0 : core_type(root, cpu);
}

bool lb_cpus_bind(enum lb_bind bind, uint32_t index)
{
    if (bind == LB_BIND_NONE)
        return true;
    int cpus;
    cpu_set_t *set = affinity_mask(&cpus);
    int chosen = set ? allowed_cpu(set, cpus, index) : -1;
    if (chosen < 0) {
        if (set)
            CPU_FREE(set);
        return false;
    }
    size_t size = CPU_ALLOC_SIZE((size_t)cpus);
    uint32_t node = node_of(chosen);
    for (int cpu = 0; cpu < cpus; cpu++) {
        bool keep = bind == LB_BIND_CORE ? cpu == chosen
                                         : CPU_ISSET_S((size_t)cpu, size, set) && node_of(cpu) == node;
        if (!keep)
            CPU_CLR_S((size_t)cpu, size, set);
    }
    bool bound = sched_setaffinity(0, size, set) == 0;
    CPU_FREE(set);
    return bound;
}
