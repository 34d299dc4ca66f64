#include "cli/session/models.h"

#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

static uint32_t count_threads(const struct cli_team *team)
{
    uint32_t threads = 0;
    for (uint32_t i = 0; i < team->devices.count; i++)
        threads += team->devices.items[i].type->on_thread;
    return threads;
}

/* Where there are more threads than CPUs they take turns and are slower: a model tells both numbers. */
static void add_thread(struct lb_text *text, const struct cli_team *team, enum lb_bind bind, uint32_t threads,
                       uint32_t bind_index)
{
    if (threads > team->cpus.count)
        lb_text_add(text, ", %u on %u", threads, team->cpus.count);
    uint32_t type = bind == LB_BIND_CORE ? lb_cpus_core_type("", bind_index) : 0;
    if (type)
        lb_text_add(text, ", core type %u", type);
}

static char *name_model(const struct cli_team *team, enum lb_bind bind, uint32_t threads, uint32_t i)
{
    const struct lb_device *device = &team->devices.items[i];
    struct lb_text text = {0};
    device->type->model(device, team->isa, &text);
    if (device->type->on_thread)
        add_thread(&text, team, bind, threads, team->members[i].bind_index);
    return lb_text_take(&text);
}

char **cli_models_name(const struct cli_team *team, const struct cli_options *options)
{
    uint32_t count = team->devices.count, threads = count_threads(team);
    char **names = calloc(count + 1, sizeof *names);
    bool whole = names != NULL;
    for (uint32_t i = 0; whole && i < count; i++) {
        names[i] = name_model(team, options->settings.bind, threads, i);
        whole = names[i] != NULL;
    }
    if (whole)
        return names;
    cli_models_free(names, count);
    return NULL;
}

void cli_models_free(char **names, uint32_t count)
{
    for (uint32_t i = 0; names && i < count; i++)
        free(names[i]);
    free(names);
}

enum lb_status cli_models_find(struct cli_team *team, const struct cli_options *options,
                               struct lb_error *error)
{
    uint32_t count = team->devices.count;
    char **names = cli_models_name(team, options);
    if (!names)
        return lb_error_memory(error, NULL);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = i > 0 && !strcmp(names[i], names[i - 1]) ? team->members[i - 1].model : 0;
        while (strcmp(names[first], names[i]))
            first++;
        team->members[i].model = first;
    }
    cli_models_free(names, count);
    return LB_OK;
}
