/* What Slurm tells a program of the job that it runs in, by its environment. */
#ifndef LB_CORE_MACHINE_SLURM_H
#define LB_CORE_MACHINE_SLURM_H

#include <stddef.h>
#include <stdint.h>

/* Looks up a variable of the environment, as getenv does; tests have an environment of their own. */
typedef const char *lb_slurm_get(const char *name);
const char *lb_slurm_environment(const char *name); /* this process's */

/* CPUs that this task may use: SLURM_CPUS_PER_TASK, or else its part of SLURM_CPUS_ON_NODE, which the tasks that a step
 * has on the node share (SLURM_STEP_TASKS_PER_NODE). 0: no Slurm says anything. */
uint32_t lb_slurm_cpus(lb_slurm_get *get);
/* The name of this machine: in a job Slurm's name of the node (SLURMD_NODENAME), else the system's. */
void lb_slurm_name(lb_slurm_get *get, char *name, size_t size);
/* The file in the folder from which the job was submitted (SLURM_SUBMIT_DIR) where the job's own key is looked for,
 * lbrender-JOB.key; the caller frees it. NULL: this is no job, or out of memory. */
char *lb_slurm_key(lb_slurm_get *get);

#endif
