#include "cli/session/about.h"
#include "cli/actions/compare.h"
#include "cli/console/console.h"
#include "cli/actions/describe.h"
#include "cli/actions/dry_run.h"
#include "cli/actions/join.h"
#include "cli/console/leave.h"
#include "cli/actions/list_devices.h"
#include "cli/actions/merge.h"
#include "cli/options/effect.h"
#include "cli/options/rules.h"
#include "cli/options/options.h"
#include "cli/outputs/outputs.h"
#include "cli/actions/render.h"
#include "cli/outputs/rescue.h"
#include "cli/console/signals.h"
#include "cli/actions/simulate.h"
#include "cli/actions/thread_curves.h"
#include "cli/console/status.h"
#include "core/machine/limits.h"
#include "hosts/hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int list_strategies(void)
{
    size_t widest = 0;
    for (size_t i = 0; i < lb_strategy_count; i++)
        widest = strlen(lb_strategies[i]->name) > widest ? strlen(lb_strategies[i]->name) : widest;
    for (size_t i = 0; i < lb_strategy_count; i++)
        printf("%-*s  %s\n", (int)widest, lb_strategies[i]->name, lb_strategies[i]->summary);
    return CLI_DONE;
}

static int print_report_schema(struct cli_console *console)
{
    struct lb_error error;
    const char **kinds = calloc(lb_processor_type_count + 1, sizeof *kinds);
    for (size_t i = 0; kinds && i < lb_processor_type_count; i++)
        kinds[i] = lb_processor_types[i]->name;
    enum lb_status status = kinds ? cli_outputs_write(console, "-", lb_report_schema(kinds), &error)
                                  : lb_error_memory(&error, NULL);
    free(kinds);
    return status == LB_OK ? CLI_DONE : cli_console_error(console, &error);
}

static int run(const struct cli_options *options, struct cli_console *console)
{
    struct lb_error error;
    if (lb_strategies_check(&error) != LB_OK)
        return cli_console_error(console, &error);
    struct lb_log log = cli_console_log(console);
    if (options->action == CLI_RENDER || cli_option_rules_parts(options))
        cli_option_effect_warn(options, &log);
    switch (options->action) {
    case CLI_LIST_STRATEGIES:
        return list_strategies();
    case CLI_LIST_DEVICES:
        return cli_list_devices(options, console);
    case CLI_REPORT_SCHEMA:
        return print_report_schema(console);
    case CLI_COMPLETION:
        return cli_outputs_write(console, "-", cli_completion_make(options->shell), &error) == LB_OK
                   ? CLI_DONE
                   : cli_console_error(console, &error);
    case CLI_MERGE:
        return cli_merge(options, console);
    case CLI_DESCRIBE:
        return cli_describe(options, console);
    case CLI_MAKE_KEY:
        return lb_key_make(options->key, &error) == LB_OK ? CLI_DONE : cli_console_error(console, &error);
    case CLI_RENDER:
        break;
    }
    if (options->join)
        return cli_join(options, console);
    if (options->simulate)
        return cli_simulate(options, console);
    if (options->dry_run)
        return cli_dry_run(options, console);
    if (options->compare && options->thread_steps.first)
        return cli_thread_curves(options, console);
    return options->compare ? cli_compare(options, console) : cli_render(options, console);
}

/* Renders, races or simulates a model, which becomes a scene for as long as that takes; or writes that scene. */
static int run_model(struct cli_options *options, struct cli_console *console)
{
    struct lb_model_scene made;
    struct lb_error error;
    const struct cli_frames *frames = &options->frames;
    options->model.frames =
        (struct lb_model_frames){.given = frames->given,
                                 .first = frames->first,
                                 .last = frames->last,
                                 .step = frames->step,
                                 .count = frames->count == LB_FRAMES_UNKNOWN ? 0 : frames->count,
                                 .rate = options->frame_rate};
    options->model.turned = options->load.steering.has_orbit;
    struct lb_log log = cli_console_log(console);
    uint32_t scenes;
    if (options->write_scene) {
        if (lb_model_write(options->scene, &options->model, options->write_scene, &scenes, &log, &error) !=
            LB_OK)
            return cli_console_error(console, &error);
        if (scenes)
            cli_console_note(console, "wrote %u scene%s of frames, as %.*s-%04u.pbrt", scenes,
                             scenes > 1 ? "s" : "", (int)(strlen(options->write_scene) - strlen(".pbrt")),
                             options->write_scene, frames->first);
        else
            cli_console_note(console, "wrote %s", options->write_scene);
        return CLI_DONE;
    }
    if (lb_model_open(options->scene, &options->model, &made, &log, &error) != LB_OK)
        return cli_console_error(console, &error);
    options->scene_file = made.file;
    int status = run(options, console);
    lb_model_close(&made);
    return status;
}

static int run_all(int argc, char **argv)
{
    struct cli_options options;
    struct cli_console console;
    cli_leave_checked();
    cli_signals_open();
    cli_options_parse(argc, argv, &options);
    cli_console_open(&console, options.quiet, options.verbose);
    options.command = cli_about_command(argc, argv);
    bool renders = options.action == CLI_RENDER && options.scene && !options.join && !options.costs;
    int status =
        renders && lb_model_named(options.scene) ? run_model(&options, &console) : run(&options, &console);
    free(options.command);
    free(options.job_key);
    free(options.parts.checkpoint);
    return cli_rescue_used() && (status == CLI_DONE || status == CLI_LOST) ? CLI_FAILED : status;
}

/* Less stack than this would run out somewhere, and a program whose stack runs out says nothing. */
static bool has_stack(void)
{
    enum { LEAST = 1 << 20 };
    uint64_t bytes = lb_stack_allow(LEAST);
    if (bytes >= LEAST)
        return true;
    fprintf(stderr, "lbrender: the stack is limited to %llu KB, and %d are needed (ulimit -s)\n",
            (unsigned long long)(bytes >> 10), LEAST >> 10);
    return false;
}

int main(int argc, char **argv)
{
    return has_stack() ? run_all(argc, argv) : CLI_FAILED;
}
