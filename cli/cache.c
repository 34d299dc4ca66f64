#include "cli/cache.h"

#include "core/run/weights.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shorter frames than this measure the clock. */
static const double LEAST_SECONDS = 0.05;

/* "cpu0", "null3:1e+06": a null device's speed is part of what it is. */
static char **make_names(const struct cli_team *team)
{
    uint32_t count = team->devices.count;
    char **names = calloc(count + 1, sizeof *names);
    for (uint32_t i = 0; names && i < count; i++) {
        const struct lb_device *device = &team->devices.items[i];
        names[i] = malloc(64);
        if (!names[i])
            continue;
        snprintf(names[i], 64, "%s%u", lb_processor_kind_name(device->kind), device->index);
        if (device->null_speed > 0)
            snprintf(names[i] + strlen(names[i]), 32, ":%g", device->null_speed);
    }
    return names;
}

static void free_names(char **names, uint32_t count)
{
    for (uint32_t i = 0; names && i < count; i++)
        free(names[i]);
    free(names);
}

static bool all_named(char **names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!names || !names[i])
            return false;
    return true;
}

void cli_cache_read(struct cli_team *team, const char *scene, const struct lb_log *log)
{
    uint32_t count = team->devices.count;
    char *file = lb_weights_file(getenv("XDG_CACHE_HOME"), getenv("HOME"), scene);
    char **names = make_names(team);
    double *speeds = calloc(count, sizeof *speeds), sum = 0;
    if (file && speeds && all_named(names, count) &&
        lb_weights_read(file, (const char *const *)names, count, log, speeds)) {
        for (uint32_t i = 0; i < count; i++)
            sum += speeds[i];
        for (uint32_t i = 0; i < count; i++) {
            team->members[i].weight = speeds[i] / sum;
            team->members[i].weight_source = LB_SOURCE_CACHED;
        }
    }
    free(speeds);
    free_names(names, count);
    free(file);
}

void cli_cache_write(const struct cli_team *team, const char *scene, const struct lb_report_balance *balance,
                     const struct lb_log *log)
{
    uint32_t count = team->devices.count;
    char *file = lb_weights_file(getenv("XDG_CACHE_HOME"), getenv("HOME"), scene);
    char **names = make_names(team);
    double *speeds = calloc(count, sizeof *speeds);
    bool whole = file && speeds && all_named(names, count) && balance->t >= LEAST_SECONDS;
    for (uint32_t i = 0; whole && i < count; i++) {
        const struct lb_report_processor *p = &balance->processors[i];
        whole = lb_report_measured(p) && !p->lost;
        speeds[i] = p->speed;
    }
    if (whole)
        lb_weights_write(file, scene, (const char *const *)names, count, speeds, log);
    free(speeds);
    free_names(names, count);
    free(file);
}
