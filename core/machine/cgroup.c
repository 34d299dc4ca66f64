#include "core/machine/cgroup.h"

#include "core/base/number.h"
#include "core/machine/line.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

/* The limit that one cgroup's folder states, in CPUs, rounded up; 0: none. */
static uint32_t folder_quota(const char *folder)
{
    char path[4200], line[128];
    const char *at;
    double quota, period;
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    if (lb_machine_line(line, sizeof line, path))
        return first_number(line, &at, &quota) && first_number(at, &at, &period) ? round_up(quota, period)
                                                                                 : 0;
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    if (!lb_machine_line(line, sizeof line, path) || !first_number(line, &at, &quota))
        return 0;
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    if (!lb_machine_line(line, sizeof line, path) || !first_number(line, &at, &period))
        return 0;
    return round_up(quota, period);
}

/* The least limit along the path of a cgroup up to the root of the hierarchy, since each level may set one. */
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
uint32_t lb_cgroup_cpus(const char *root)
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
