#include "core/machine/cpus.h"

#include "core/base/number.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- cgroups ---- */

/* The first line of a small file; false where there is none. */
static bool read_line(char *line, size_t size, const char *path)
{
    FILE *file = fopen(path, "r");
    bool read = file && fgets(line, (int)size, file);
    if (file)
        fclose(file);
    return read;
}

static uint32_t round_up(double quota, double period)
{
    double cpus = ceil(quota / period);
    return cpus < 1 ? 1 : cpus > 65535 ? 65535 : (uint32_t)cpus;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a == 0 ? b : b == 0 || a < b ? a : b;
}

/* The first word of a line as a positive number; *rest is what follows it. False: it is none, as "max". */
static bool first_number(const char *line, const char **rest, double *number)
{
    line += strspn(line, " ");
    size_t length = strcspn(line, " \n");
    *rest = line + length;
    return lb_number_real(line, length, number) && *number > 0;
}

/* The limit that one cgroup's folder states, 0: none. */
static uint32_t folder_quota(const char *folder)
{
    char path[4200], line[128];
    const char *at;
    double quota, period;
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    if (read_line(line, sizeof line, path))
        return first_number(line, &at, &quota) && first_number(at, &at, &period) ? round_up(quota, period)
                                                                                 : 0;
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    if (!read_line(line, sizeof line, path) || !first_number(line, &at, &quota))
        return 0;
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    if (!read_line(line, sizeof line, path) || !first_number(line, &at, &period))
        return 0;
    return round_up(quota, period);
}

/* Along the whole path up to the hierarchy's root: any level may limit. */
static uint32_t path_quota(const char *mount, const char *group)
{
    char folder[4100];
    uint32_t quota = folder_quota(mount);
    int length = snprintf(folder, sizeof folder, "%s%s", mount, group);
    if (length < 0 || (size_t)length >= sizeof folder)
        return quota;
    while (strlen(folder) > strlen(mount)) {
        quota = least(quota, folder_quota(folder));
        *strrchr(folder, '/') = 0;
    }
    return quota;
}

/* Is "cpu" one of the comma-separated controllers? */
static bool has_cpu(const char *controllers, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t word = strcspn(controllers + at, ",:");
        if (word == 3 && !memcmp(controllers + at, "cpu", 3))
            return true;
        at += word + 1;
    }
    return false;
}

/* /proc/self/cgroup has lines "number:controllers:path"; version 2 has no controllers. */
static uint32_t cgroup_quota(const char *root)
{
    char path[4100], line[4100];
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "r");
    uint32_t quota = 0;
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group || (group[1] != '/'))
            continue;
        size_t length = (size_t)(group - controllers - 1);
        if (length && !has_cpu(controllers + 1, length))
            continue;
        const char *const version1[] = {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"};
        const char *const version2[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
        for (int i = 0; i < 2; i++) {
            snprintf(path, sizeof path, "%s%s", root, length ? version1[i] : version2[i]);
            quota = least(quota, path_quota(path, group + 1));
        }
    }
    if (file)
        fclose(file);
    return quota;
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

void lb_cpus_find(const char *root, const char *slurm, struct lb_cpus *cpus)
{
    int64_t tasks;
    cpus->affinity = affinity_count();
    cpus->quota = cgroup_quota(root);
    cpus->slurm = slurm && lb_number_whole(slurm, strlen(slurm), 1, 65535, &tasks) ? (uint32_t)tasks : 0;
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
    if (!read_line(line, sizeof line, path))
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
    if (read_line(line, sizeof line, path) &&
        lb_number_whole(line, strcspn(line, "\n"), 1, INT32_MAX, &capacity))
        return (uint32_t)capacity;
    for (uint32_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/sys/devices/%s/cpus", root, lists[i]);
        if (read_line(line, sizeof line, path) && list_holds(line, cpu))
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
