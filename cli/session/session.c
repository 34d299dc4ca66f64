#include "cli/session/session.h"

#include "cli/session/checkpoint.h"
#include "cli/session/models.h"
#include "cli/outputs/names.h"
#include "cli/options/rules.h"
#include "cli/outputs/picture.h"
#include "cli/console/signals.h"
#include "core/machine/clock.h"
#include "core/machine/limits.h"
#include "core/machine/slurm.h"
#include "core/part/part_file.h"
#include "core/run/adaptive.h"
#include "core/run/estimate_unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- hosts ---- */

/* A connection is a file, and many systems let a program have 1024 open unless it asks for more. */
static void allow_files(const struct cli_session *s, uint32_t hosts, uint32_t most)
{
    uint64_t needed = (uint64_t)LB_HOSTS_FILES + hosts,
             allowed = lb_files_allow((uint64_t)LB_HOSTS_FILES + most);
    if (allowed < needed)
        lb_log_write(&s->log, LB_WARNING,
                     "%u hosts may not all get in: this program may have %llu files open, and needs %llu "
                     "(ulimit -n)",
                     hosts, (unsigned long long)allowed, (unsigned long long)needed);
}

/* Lets workers join from now on, while the scene is loaded. */
static enum lb_status serve(struct cli_session *s)
{
    const struct cli_options *o = s->options;
    struct lb_primary_options options = {.address = o->serve,
                                         .key = o->key,
                                         .insecure = o->insecure,
                                         .patience = o->patience,
                                         .silence = o->silence,
                                         .due = o->due};
    for (uint32_t i = 0; i < s->team.devices.count; i++)
        options.hosts += s->team.devices.items[i].type == &lb_host_type;
    uint32_t room = s->team.most - (s->team.devices.count - options.hosts);
    options.most = o->hosts_most && o->hosts_most < room ? o->hosts_most : room;
    options.most = options.most < options.hosts ? options.hosts : options.most;
    allow_files(s, options.hosts, options.most);
    struct lb_remote_processor *own = cli_team_tell(&s->team, &options.processors);
    if (!own)
        return lb_error_memory(&s->error, NULL);
    options.own = own;
    lb_slurm_name(lb_slurm_environment, options.name, sizeof options.name);
    enum lb_status status = lb_primary_open(&options, &s->log, &s->primary, &s->error);
    free(own);
    if (status == LB_OK)
        cli_console_note(s->console, "workers join by: lbrender --join=%s%s%s",
                         lb_primary_address(s->primary), o->key ? " --key=" : "", o->key ? o->key : "");
    return status;
}

/* Gives the scene to the workers, and waits for those that are still on their way. */
static void gather_hosts(struct cli_session *s)
{
    if (!s->primary)
        return;
    lb_primary_offer(s->primary, s->scene.scene);
    if (!s->gathered)
        lb_primary_wait(s->primary, s->options->patience, NULL);
    s->gathered = true;
}

/* Waits until a host comes, for so many seconds. */
static void await_host(struct cli_session *s, double seconds)
{
    lb_log_write(&s->log, LB_NOTE, "no host is left; waiting for one");
    lb_primary_await_return(s->primary, seconds, s->interrupt);
}

/* Opens the processors. Where none is left, as all hosts went before, others are waited for. */
static enum lb_status open_team(struct cli_session *s)
{
    double end = lb_clock_now() + s->options->patience;
    for (;;) {
        enum lb_status status = cli_team_open(&s->team, s->scene.scene, s->primary, &s->log, &s->error);
        double left = end - lb_clock_now();
        if (status == LB_OK || !s->primary || left <= 0 || lb_interrupt_signalled(s->interrupt))
            return status;
        await_host(s, left);
    }
}

/* While a frame is rendered: hosts have come, or come back; or all are lost, and are waited for. */
static void renew_hosts(void *user, bool wait)
{
    struct cli_session *s = user;
    if (wait)
        await_host(s, s->options->patience);
    cli_team_renew(&s->team, s->scene.scene, s->primary, &s->log);
    if (lb_run_grow(s->run, s->team.devices.count, &s->error) != LB_OK)
        lb_log_write(&s->log, LB_WARNING, "%s", s->error.message);
}

enum lb_status cli_session_open(struct cli_session *s, const struct cli_options *options,
                                struct cli_console *console)
{
    *s = (struct cli_session){.options = options, .console = console, .begin = lb_clock_now()};
    s->log = cli_console_log(console);
    enum lb_status status = cli_team_choose(&s->team, options, &s->log, &s->error);
    if (status == LB_OK)
        status = cli_models_find(&s->team, options, &s->error);
    return status == LB_OK && options->serve ? serve(s) : status;
}

void cli_session_close(struct cli_session *s)
{
    lb_run_close(s->run);
    cli_session_unload(s);
    lb_primary_close(s->primary);
    s->primary = NULL;
    cli_team_free(&s->team);
}

int cli_session_fail(struct cli_session *s)
{
    return cli_console_error(s->console, &s->error);
}

int cli_session_fail_beside(struct cli_session *s, const char *written)
{
    struct lb_error said = {s->error.status, ""};
    snprintf(said.message, sizeof said.message, "%.700s; %.300s", s->error.message, written);
    return cli_console_error(s->console, &said);
}

/* ---- the scene ---- */

static enum lb_status load(struct cli_session *s, uint32_t frame)
{
    const struct cli_options *o = s->options;
    struct lb_scene_options options = o->load;
    options.threads = s->team.cpus.count;
    options.channels = cli_picture_channels(o);
    options.frame = o->frames.given ? frame : 0;
    options.first_frame = o->frames.first;
    options.last_frame = o->frames.last;
    options.frame_count = o->frames.given ? o->frames.count : 0;
    char *path = cli_name_scene(o->scene_file ? o->scene_file : o->scene, frame, o->frames.given);
    if (!path)
        return lb_error_memory(&s->error, NULL);
    double begin = lb_clock_now();
    struct lb_load_progress progress = {0};
    options.progress = &progress;
    struct cli_progress_show *show = cli_progress_start_loading(s->console, o->progress, &progress);
    enum lb_status status = lb_scene_load(path, &options, &s->log, &s->scene, &s->error);
    cli_progress_stop(show);
    s->load_seconds += lb_clock_now() - begin;
    free(path);
    if (status == LB_OK && s->scene.dark && !s->told_dark) {
        lb_log_write(&s->log, LB_WARNING,
                     "there is no light, and no shape shines: the picture will be black");
        s->told_dark = true;
    }
    if (status != LB_OK)
        s->scene.scene = NULL;
    else
        lb_log_write(&s->log, LB_NOTE, "%llu triangles, %.1f MB; read in %.2f s, built in %.2f s",
                     (unsigned long long)s->scene.triangles, (double)s->scene.scene->size * 1e-6,
                     s->scene.parse_seconds, s->scene.build_seconds);
    return status;
}

/* Has the scene enough samples for --adaptive, and not too many? */
static enum lb_status check_adaptive(struct cli_session *s)
{
    uint32_t samples = cli_options_samples(s->options, s->scene.scene);
    if (!s->options->growth.adaptive || samples >= LB_ADAPTIVE_LEAST)
        return LB_OK;
    return lb_error_set(&s->error, LB_ERROR_USAGE,
                        "--adaptive: %u samples per pixel are too few: --spp=%d or more", samples,
                        LB_ADAPTIVE_LEAST);
}

/* What a trial of guiding has found. What nobody asked for is told only where it changes the picture. */
static void say_guiding(const struct cli_session *s, const struct lb_learned *learned)
{
    bool asked = s->options->guiding != LB_GUIDING_AUTO;
    const struct lb_guiding_found *found = &learned->found;
    if (found->gain > 0 && (asked || learned->paths != 0))
        cli_console_note(
            s->console,
            "guiding: in the trial samples had %.3g times the variance without it that they have with "
            "it, at %.3g times the cost: %s (%.2f s)",
            found->gain, found->cost,
            learned->paths ? "paths are guided" : "it does not pay, and paths are not guided",
            learned->seconds);
    else if (s->options->guiding == LB_GUIDING_TRIAL && !(found->gain > 0))
        cli_console_note(s->console, "guiding: too few samples for a trial, paths are not guided");
}

/* Has paths learn where the scene's light comes from, as --guiding says. */
static enum lb_status learn(struct cli_session *s, uint32_t frame)
{
    const struct cli_options *o = s->options;
    const lb_film *film = &s->scene.scene->film;
    const char *why = lb_unguided(s->scene.scene);
    if (why && (o->guiding == LB_GUIDING_TRIAL || o->guiding == LB_GUIDING_ALWAYS))
        return lb_error_set(&s->error, LB_ERROR_USAGE, "--guiding: %s", why);
    struct lb_learning learning = {.wish = o->guiding,
                                   .paths = (uint64_t)film->full_width * film->full_height *
                                            cli_options_samples(o, s->scene.scene),
                                   .isa = s->team.isa};
    for (uint32_t i = 0; i < s->team.devices.count; i++)
        learning.threads += s->team.devices.items[i].type == &lb_cpu_type;
    if (learning.threads == 0)
        learning.threads = s->team.cpus.count;
    char *begun = o->parts.resume ? cli_name_frame(o->parts.resume, frame, o->frames.given) : NULL;
    learning.begun = begun && lb_part_guided(begun, &learning.begun_with);
    free(begun);
    struct lb_learned learned;
    enum lb_status status = lb_guiding_learn(&s->scene.scene, &learning, &learned, &s->error);
    s->load_seconds += learned.seconds;
    if (status == LB_OK)
        say_guiding(s, &learned);
    return status;
}

/* Before the run is opened, the first scene may still leave processors out that it has no use for. */
static enum lb_status suit_team(struct cli_session *s)
{
    if (s->run)
        return LB_OK;
    enum lb_status status = cli_team_suit(&s->team, s->scene.scene, s->options, &s->log, &s->error);
    return status == LB_OK ? cli_models_find(&s->team, s->options, &s->error) : status;
}

enum lb_status cli_session_load(struct cli_session *s, uint32_t frame)
{
    if (s->scene.scene)
        return LB_OK;
    cli_signals_release(); /* loading has nothing to finish: a signal may end the program at once */
    int signal = lb_interrupt_signalled(s->interrupt);
    if (signal)
        return lb_error_set(&s->error, LB_ERROR, "stopped by %s before frame %u", cli_signals_name(signal),
                            frame);
    enum lb_status status = load(s, frame);
    if (status == LB_OK)
        status = check_adaptive(s);
    if (status == LB_OK)
        status = learn(s, frame);
    if (status == LB_OK)
        status = suit_team(s);
    if (status == LB_OK)
        gather_hosts(s);
    if (status == LB_OK)
        status = open_team(s);
    if (s->interrupt)
        cli_signals_catch();
    return status;
}

void cli_session_unload(struct cli_session *s)
{
    cli_team_close(&s->team);
    if (s->primary)
        lb_primary_offer(s->primary, NULL);
    if (s->scene.scene)
        lb_scene_free(&s->scene);
    s->scene.scene = NULL;
}

enum lb_status cli_session_reopen(struct cli_session *s)
{
    if (!s->scene.scene)
        return LB_OK;
    cli_team_close(&s->team);
    return open_team(s);
}

/* ---- the run ---- */

enum lb_status cli_session_start(struct cli_session *s, const struct lb_strategy *strategy, bool want_cost,
                                 bool want_estimates)
{
    const struct cli_options *o = s->options;
    lb_run_close(s->run);
    s->run = NULL;
    s->interrupt = cli_signals_catch();
    struct lb_run_options run = {.settings = o->settings,
                                 .measure_weights = o->weights == NULL,
                                 .want_cost = want_cost,
                                 .want_estimates = want_estimates,
                                 .want_owned = !s->undrawn && (o->partition_map || cli_options_want_page(o)),
                                 .want_spans = !s->undrawn && (o->trace || cli_options_want_page(o)),
                                 .growth = o->growth,
                                 .looked_at =
                                     o->parts.checkpoint != NULL || o->display_server != NULL || o->preview,
                                 .interrupt = s->interrupt,
                                 .renew = s->primary ? renew_hosts : NULL,
                                 .user = s};
    run.growth.growing = s->grows && o->growth.passes == 0;
    run.settings.strategy = strategy;
    run.settings.seed = s->scene.scene->integrator.seed;
    const struct cli_frames *frames = &o->frames;
    uint32_t step = frames->given ? frames->step : 1;
    s->part = (struct cli_progress_part){.count = (frames->last - frames->first) / step + 1,
                                         .begin = lb_clock_now(),
                                         .time_limit = o->growth.time_limit,
                                         .noise = o->growth.noise};
    return lb_run_open(&run, s->team.members, s->team.devices.count, s->team.most, &s->run, &s->error);
}

enum lb_status cli_session_render(struct cli_session *s, uint32_t number, const struct cli_parts *parts,
                                  struct lb_frame *frame)
{
    const lb_film *film = &s->scene.scene->film;
    uint64_t all = (uint64_t)film->width * film->height * cli_options_samples(s->options, s->scene.scene);
    uint64_t samples = parts ? parts->due : all;
    struct cli_progress_show *show =
        cli_progress_start(s->console, s->options->progress, s->run, samples, s->part);
    if (s->primary)
        lb_primary_watch(s->primary, s->interrupt);
    enum lb_status status =
        parts && parts->checkpoint
            ? cli_checkpoint_render(s, number, parts, frame)
            : lb_run_frame(s->run, s->scene.scene, number, parts ? &parts->wish : NULL, frame, &s->error);
    if (s->primary)
        lb_primary_watch(s->primary, NULL);
    lb_interrupt_take_renewal(s->interrupt);
    cli_progress_stop(show);
    if (status == LB_OK && s->options->settings.cost_in_seconds)
        lb_estimates_in_seconds(frame);
    s->part.index = (s->part.index + 1) % s->part.count;
    return status;
}
