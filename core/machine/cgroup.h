/* The limit that control groups set on this process's CPUs. */
#ifndef LB_CORE_MACHINE_CGROUP_H
#define LB_CORE_MACHINE_CGROUP_H

#include <stdint.h>

/* How many CPUs' time the process may use: the least of cpu.max (version 2) and cpu.cfs_quota_us (version 1) of its
 * groups and those above them, rounded up; 0: no group limits it. `root` is put before /proc and /sys. */
uint32_t lb_cgroup_cpus(const char *root);

#endif
