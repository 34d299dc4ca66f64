/* How long other machines had the CPUs that this one believes to be its own: the steal time of a virtual machine. */
#ifndef LB_CORE_MACHINE_STEAL_H
#define LB_CORE_MACHINE_STEAL_H

/* Seconds since the machine started, summed over the CPUs that this process may use; 0 where the system does not say.
 * `root` is put before /proc ("" on a real machine; tests have a folder of their own). */
double lb_machine_steal(const char *root);

#endif
