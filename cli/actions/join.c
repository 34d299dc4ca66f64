#include "cli/actions/join.h"

#include "cli/options/effect.h"
#include "cli/console/signals.h"
#include "cli/console/status.h"
#include "cli/session/cache.h"
#include "cli/session/team.h"
#include "core/run/pass/portion.h"
#include "core/base/text.h"
#include "core/interrupt.h"
#include "core/machine/slurm.h"
#include "core/scene/check/check.h"
#include "hosts/hosts.h"

#include <stdlib.h>

struct join {
    const struct cli_options *options;
    uint32_t scenes; /* that were worked on */
    struct lb_log log;
    struct cli_team team;
    struct lb_portion_team *portions; /* of the scene's processors; NULL: no scene is open */
};

static enum lb_status open_scene(void *user, const lb_scene *scene, struct lb_error *error)
{
    struct join *join = user;
    lb_portion_team_close(join->portions);
    join->portions = NULL;
    cli_team_close(&join->team);
    if (!scene)
        return LB_OK;
    enum lb_status status = lb_scene_check(scene, scene->size, error);
    if (status == LB_OK)
        status = cli_team_open(&join->team, scene, NULL, &join->log, error);
    if (status == LB_OK)
        status = lb_portion_team_open(&join->options->settings, join->team.members, join->team.devices.count,
                                      &join->portions, error);
    if (status == LB_OK)
        lb_log_write(&join->log, LB_NEWS, "working on scene %u, of %.3g MB", ++join->scenes,
                     (double)scene->size * 1e-6);
    return status;
}

static enum lb_status render(void *user, const struct lb_work *work, const struct lb_listener *listener,
                             struct lb_result *result, struct lb_remote_did *did, struct lb_error *error)
{
    struct join *join = user;
    return lb_portion_render(join->portions, work, listener, result, did, error);
}

static int finish(const struct join *join, struct cli_console *console, int signal)
{
    if (signal)
        return CLI_SIGNALLED + signal;
    bool lost = join->team.lost;
    for (uint32_t i = 0; i < join->team.devices.count; i++)
        lost |= join->team.members[i].lost;
    if (lost)
        cli_console_note(console, "a processor of this host was lost");
    lb_log_write(&join->log, LB_NEWS, "done: the primary has no more work");
    return lost ? CLI_LOST : CLI_DONE;
}

/* The folder where scenes are kept, the caller's to free; NULL: they are not. */
static char *name_store(const struct cli_options *options)
{
    struct lb_text text = {0};
    char *folder = options->no_cache ? NULL : cli_cache_folder();
    if (folder)
        lb_text_add(&text, "%s/scenes", folder);
    free(folder);
    return lb_text_take(&text);
}

int cli_join(const struct cli_options *options, struct cli_console *console)
{
    struct join join = {.options = options, .log = cli_console_log(console)};
    struct lb_error error;
    char name[64];
    lb_slurm_name(lb_slurm_environment, name, sizeof name);
    cli_option_effect_warn_strategy(options, &join.log);
    enum lb_status status = cli_team_choose(&join.team, options, &join.log, &error);
    if (status != LB_OK)
        return cli_console_error(console, &error);
    const struct lb_interrupt *interrupt = cli_signals_catch();
    struct lb_worker_options worker = {.address = options->join,
                                       .key = options->key,
                                       .name = name,
                                       .silence = options->silence,
                                       .patience = options->patience,
                                       .insecure = options->insecure,
                                       .persists = options->persist,
                                       .stop = lb_interrupt_number(&interrupt->signal)};
    for (uint32_t i = 0; i < join.team.devices.count; i++)
        worker.uncounted |= !join.team.devices.items[i].counts_steps;
    worker.own = cli_team_tell(&join.team, &worker.processors);
    struct lb_worker_site site = {&join, open_scene, render};
    char *store = name_store(options);
    worker.store = store;
    status = worker.own ? lb_worker_run(&worker, &site, &join.log, &error) : lb_error_memory(&error, NULL);
    int result = status == LB_OK ? finish(&join, console, lb_interrupt_signalled(interrupt))
                                 : cli_console_error(console, &error);
    cli_team_free(&join.team);
    free((void *)worker.own);
    free(store);
    return result;
}
