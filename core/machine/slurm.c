#include "core/machine/slurm.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_CPUS = 65535 };

const char *lb_slurm_environment(const char *name)
{
    return getenv(name);
}

/* The number of a variable; 0: there is none. */
static uint32_t number_of(lb_slurm_get *get, const char *name)
{
    const char *text = get(name);
    int64_t number;
    return text && lb_number_whole(text, strlen(text), 1, MOST_CPUS, &number) ? (uint32_t)number : 0;
}

/* The number for this node of a list such as "2(x3),1": the nodes 0 to 2 have 2, node 3 has 1. 1 where the list says
 * nothing. */
static uint32_t number_at(const char *list, uint32_t node)
{
    uint32_t before = 0;
    while (list && *list) {
        size_t word = strcspn(list, ","), digits = strcspn(list, "(,");
        int64_t number, times = 1;
        bool plain = digits == word, repeated = word > digits + 3 && !strncmp(list + digits, "(x", 2);
        if (!lb_number_whole(list, digits, 1, MOST_CPUS, &number) ||
            !(plain ||
              (repeated && lb_number_whole(list + digits + 2, word - digits - 3, 1, MOST_CPUS, &times))))
            return 1;
        before += (uint32_t)times;
        if (node < before)
            return (uint32_t)number;
        list += list[word] ? word + 1 : word;
    }
    return 1;
}

uint32_t lb_slurm_cpus(lb_slurm_get *get)
{
    uint32_t own = number_of(get, "SLURM_CPUS_PER_TASK"), node = number_of(get, "SLURM_CPUS_ON_NODE");
    if (own || !node)
        return own;
    uint32_t tasks = get("SLURM_STEP_ID")
                         ? number_at(get("SLURM_STEP_TASKS_PER_NODE"), number_of(get, "SLURM_NODEID"))
                         : 1;
    return node > tasks ? node / tasks : 1;
}

void lb_slurm_name(lb_slurm_get *get, char *name, size_t size)
{
    const char *node = get("SLURM_JOB_ID") ? get("SLURMD_NODENAME") : NULL;
    if (node && *node) {
        snprintf(name, size, "%s", node);
        return;
    }
    snprintf(name, size, "a host");
    gethostname(name, size - 1);
    name[size - 1] = 0;
}

char *lb_slurm_key(lb_slurm_get *get)
{
    const char *job = get("SLURM_JOB_ID"), *folder = get("SLURM_SUBMIT_DIR");
    struct lb_text path = {0};
    if (!job || !*job || strchr(job, '/') || !folder || *folder != '/')
        return NULL;
    lb_text_add(&path, "%s/lbrender-%s.key", folder, job);
    return lb_text_take(&path);
}
