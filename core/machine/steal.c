#include "core/machine/steal.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* "cpu3 user nice system idle iowait irq softirq steal .." in clock ticks, see proc(5). False: it is another line. */
static bool read_line(const char *line, unsigned *cpu, unsigned long long *steal)
{
    return sscanf(line, "cpu%u %*u %*u %*u %*u %*u %*u %*u %llu", cpu, steal) == 2;
}

double lb_machine_steal(const char *root)
{
    enum { MOST_SETS = 8 }; /* of 1024 CPUs each */
    cpu_set_t allowed[MOST_SETS];
    char path[4200], line[512];
    unsigned cpu;
    unsigned long long steal, sum = 0;
    long ticks = sysconf(_SC_CLK_TCK);
    snprintf(path, sizeof path, "%s/proc/stat", root);
    FILE *file = fopen(path, "r");
    bool known = sched_getaffinity(0, sizeof allowed, allowed) == 0;
    /* The lines of CPUs come first; what follows may be long. */
    while (file && fgets(line, sizeof line, file) && line[0] == 'c' && line[1] == 'p')
        if (read_line(line, &cpu, &steal) && (!known || CPU_ISSET_S(cpu, sizeof allowed, allowed)))
            sum += steal;
    if (file)
        fclose(file);
    return ticks > 0 ? (double)sum / (double)ticks : 0;
}
