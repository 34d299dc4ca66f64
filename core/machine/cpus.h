/* The CPUs that this process may use: how many they are, which cores they are, and threads bound to them. */
#ifndef LB_CORE_MACHINE_CPUS_H
#define LB_CORE_MACHINE_CPUS_H

#include <stdbool.h>
#include <stdint.h>

/* What limits the number of CPU threads; 0 where something sets no limit. */
struct lb_cpus {
    uint32_t count;    /* the least of the limits below; at least 1 */
    uint32_t affinity; /* CPUs in the affinity mask */
    uint32_t quota;    /* of control groups (lb_cgroup_cpus) */
    uint32_t slurm;    /* what Slurm says (lb_slurm_cpus) */
};

/* `root` is put before /proc and /sys ("" on a real machine; tests have a folder of their own); `slurm`: so many CPUs
 * are this task's; 0: Slurm sets no limit. */
void lb_cpus_find(const char *root, uint32_t slurm, struct lb_cpus *cpus);

enum lb_bind { LB_BIND_NONE, LB_BIND_CORE, LB_BIND_NUMA };

/* Binds the calling thread to the index-th allowed CPU (modulo their number; one hardware thread of every core comes
 * before any second one), or to all allowed CPUs of that one's NUMA node. False: the system refused. */
bool lb_cpus_bind(enum lb_bind bind, uint32_t index);
/* The NUMA node of the index-th allowed CPU; 0 where the system does not say. */
uint32_t lb_cpus_node(uint32_t index);
/* Which type of core the index-th allowed CPU is of: equal numbers are cores of one type, 0 where the system does not
 * tell types apart. `root` as above. */
uint32_t lb_cpus_core_type(const char *root, uint32_t index);

#endif
