#include "cli/options/rules.h"

#include "core/base/ending.h"
#include "core/machine/slurm.h"
#include "core/run/adaptive.h"

#include <string.h>
#include <unistd.h>

/* The most samples that a pixel may get with --adaptive are as many as it may get without. */
enum { MOST_ADAPTIVE = (1 << 24) / LB_ADAPTIVE_MOST };

/* ---- what they mean together ---- */

/* Is less than the whole frame asked for? */
static bool some_only(const struct cli_part_options *parts)
{
    return parts->shares > 0 || parts->sample_end > 0;
}

bool cli_option_rules_parts(const struct cli_options *options)
{
    return options->action == CLI_MERGE || options->action == CLI_DESCRIBE;
}

bool cli_options_denoise(const struct cli_options *options)
{
    return options->denoise && !cli_options_nowhere(options) && !options->simulate && !options->compare;
}

bool cli_options_nowhere(const struct cli_options *options)
{
    return options->output ? !strcmp(options->output, "none")
                           : options->action == CLI_MERGE || some_only(&options->parts);
}

bool cli_options_make_part(const struct cli_options *options)
{
    return options->parts.part || (options->parts.checkpoint && cli_options_nowhere(options));
}

enum lb_report_format cli_options_report_format(const struct cli_options *options, const char *file)
{
    if (options->report_format_given)
        return options->report_format;
    if (lb_ends_in(file, ".json"))
        return LB_REPORT_JSON;
    if (lb_ends_in(file, ".html") || lb_ends_in(file, ".htm"))
        return LB_REPORT_HTML;
    return lb_ends_in(file, ".csv") ? LB_REPORT_CSV : LB_REPORT_TEXT;
}

bool cli_options_report_to(const struct cli_options *options, const char *file)
{
    for (uint32_t i = 0; i < options->report_count; i++)
        if (!strcmp(options->reports[i], file))
            return true;
    return false;
}

bool cli_options_want_estimates(const struct cli_options *options)
{
    return options->cost_map && lb_ends_in(options->cost_map, ".pfm");
}

bool cli_options_want_page(const struct cli_options *options)
{
    for (uint32_t i = 0; i < options->report_count; i++)
        if (cli_options_report_format(options, options->reports[i]) == LB_REPORT_HTML)
            return true;
    return false;
}

uint32_t cli_options_samples(const struct cli_options *options, const lb_scene *scene)
{
    uint32_t times = options->load.most_times;
    return scene->integrator.samples / (times ? times : 1);
}

/* ---- what they exclude ---- */

static void check_output(const struct argp_state *state, const struct cli_options *options)
{
    const char *output = options->output;
    enum lb_film_format format;
    bool standard = output && !strcmp(output, "-"), nowhere = output && !strcmp(output, "none");
    if (output && !standard && !nowhere && !options->format_given && !lb_film_format_of(output, &format)) {
        struct lb_text endings = {.data = NULL};
        lb_film_name_endings(&endings);
        argp_error(state, "--output: \"%s\" must end in %s, or --format say which", output,
                   endings.failed ? "a format's name" : endings.data);
    }
    if (options->skip_existing && (standard || nowhere || (!output && some_only(&options->parts))))
        argp_error(state, "--skip-existing: no file is written");
    if (standard && isatty(STDOUT_FILENO))
        argp_error(state, "--output: standard output is a terminal");
    if (standard && (cli_options_report_to(options, "-") || (options->trace && !strcmp(options->trace, "-"))))
        argp_error(state, "--output: standard output takes the picture or a text, not both");
}

static void check_parts(const struct argp_state *state, const struct cli_options *options)
{
    const struct cli_part_options *parts = &options->parts;
    bool merges = options->action == CLI_MERGE;
    if (cli_option_rules_parts(options) && options->operand_count == 0)
        argp_error(state, "no parts of a picture: give files that --part wrote");
    if (merges && !options->output && !parts->part)
        argp_error(state, "--merge: give --output, --part, or both");
    if ((options->simulate || options->compare) &&
        (options->growth.time_limit > 0 || options->growth.noise > 0))
        argp_error(state, "--%s: no picture is rendered",
                   options->growth.time_limit > 0 ? "time-limit" : "noise-target");
    if (options->growth.passes && (options->growth.time_limit > 0 || options->growth.noise > 0))
        argp_error(state, "--passes: with --%s the passes grow by themselves",
                   options->growth.time_limit > 0 ? "time-limit" : "noise-target");
    if (parts->partial && !merges)
        argp_error(state, "--partial without --merge");
    if (options->action == CLI_RENDER && some_only(parts) && !parts->part && !parts->checkpoint)
        argp_error(state, "--%s without --part", parts->shares ? "share" : "samples");
    if (options->action == CLI_RENDER && (parts->part || parts->checkpoint || parts->resume) &&
        (options->simulate || options->compare))
        argp_error(state, "--%s: no picture is rendered",
                   parts->part         ? "part"
                   : parts->checkpoint ? "checkpoint"
                                       : "resume");
    if (options->action == CLI_DESCRIBE && options->report_format_given &&
        options->report_format != LB_REPORT_TEXT && options->report_format != LB_REPORT_JSON)
        argp_error(state, "--report-format: --describe has text and json");
}

/* Refuses what cannot be said beside --adaptive, with the reason. */
static void check_adaptive_alone(const struct argp_state *state, const struct cli_options *options)
{
    const struct cli_part_options *parts = &options->parts;
    const struct {
        bool given;
        const char *name, *reason;
    } others[] = {
        {options->growth.passes > 0, "passes", "an adaptive frame is divided by its rounds"},
        {options->growth.time_limit > 0, "time-limit",
         "rounds deal out --spp samples, which must be known before"},
        {options->quick, "quick", "a quick picture has too few samples to tell where it is noisy"},
        {options->simulate != NULL, "simulate", "cost maps know of no noise; \"births\" simulate such work"},
        {parts->shares > 0, "share", "a pixel's number of samples depends on the whole picture"},
        {parts->sample_end > 0, "samples", "rounds begin with a pixel's first sample"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].given)
            argp_error(state, "--adaptive and --%s: %s", others[i].name, others[i].reason);
}

static void check_adaptive(const struct argp_state *state, const struct cli_options *options)
{
    if (options->noise_by && !(options->growth.adaptive && options->growth.noise > 0))
        argp_error(state, "--noise-by without --adaptive and --noise-target");
    if (options->growth.adaptive)
        check_adaptive_alone(state, options);
    if (options->growth.adaptive && options->load.samples > MOST_ADAPTIVE)
        argp_error(state, "--adaptive: at most --spp=%d", MOST_ADAPTIVE);
}

static void check_views(const struct argp_state *state, const struct cli_options *options)
{
    if (options->preview && options->display_server)
        argp_error(state, "--preview and --display-server: it is either");
}

static void check_hosts(const struct argp_state *state, const struct cli_options *options)
{
    if (options->join && options->scene)
        argp_error(state, "--join: the scene comes from the program that serves");
    if (options->join && options->serve)
        argp_error(state, "--join and --serve: it is either");
    if (options->serve && options->simulate)
        argp_error(state, "--serve: no host takes part in a simulation");
    if (options->hosts && !options->serve)
        argp_error(state, "--hosts without --serve");
    if (options->hosts_most && !options->serve)
        argp_error(state, "--hosts-most without --serve");
    if (options->hosts_most && options->hosts > options->hosts_most)
        argp_error(state, "--hosts-most=%u: --hosts waits for %u", options->hosts_most, options->hosts);
    if (options->key && !options->serve && !options->join)
        argp_error(state, "--key without --serve or --join");
    if (options->due > 0 && !options->serve)
        argp_error(state, "--due without --serve");
    if (options->persist && !options->join)
        argp_error(state, "--persist without --join");
    if (options->insecure && !options->serve && !options->join)
        argp_error(state, "--insecure without --serve or --join");
    if ((options->silence > 0 || options->patience > 0) && !options->serve && !options->join)
        argp_error(state, "--%s without --serve or --join", options->silence > 0 ? "silence" : "patience");
}

static void check_models(const struct argp_state *state, const struct cli_options *options)
{
    const char *only = options->write_scene       ? "write-scene"
                       : options->model.studio    ? "studio"
                       : options->model.camera    ? "camera"
                       : options->model.animation ? "animation"
                       : options->frame_rate > 0  ? "fps"
                                                  : NULL;
    if (only && !lb_model_named(options->scene))
        argp_error(state, "--%s is for models, as .glb or .obj: \"%s\" is none", only, options->scene);
    if ((options->model.animation || options->frame_rate > 0) && !options->frames.given &&
        !options->turntable)
        argp_error(state, "--%s without --frames", options->model.animation ? "animation" : "fps");
}

void cli_option_rules_check(const struct argp_state *state, const struct cli_options *options)
{
    check_parts(state, options);
    if (options->action == CLI_RENDER || options->action == CLI_MERGE)
        check_output(state, options);
    if (options->action != CLI_RENDER)
        return;
    check_hosts(state, options);
    check_views(state, options);
    check_adaptive(state, options);
    if (options->join)
        return;
    if (!options->scene || !*options->scene)
        argp_error(state, "no scene: give a file, or - for standard input");
    check_models(state, options);
    if (options->dry_run && (options->simulate || options->compare))
        argp_error(state, "--dry-run: no picture is rendered anyhow");
    if (options->turntable && options->frames.given)
        argp_error(state, "--turntable and --frames: it is either");
    if (options->report_format_given && !options->report_count)
        argp_error(state, "--report-format without --report");
    if (options->skip_existing && !options->frames.given && !options->turntable)
        argp_error(state, "--skip-existing without --frames");
    if (options->known_costs && !options->simulate)
        argp_error(state, "--known-costs without --simulate");
    if (options->repeats && !options->compare)
        argp_error(state, "--repeat without --compare");
    if (options->thread_steps.first && (!options->compare || options->simulate))
        argp_error(state, "--threads: several numbers of threads are for a race of --compare%s",
                   options->simulate ? "; those of --simulate are several as well" : "");
    if (options->thread_steps.first && (options->partition_map || options->serve))
        argp_error(state, "--threads: several numbers of threads have curves alone, without --%s",
                   options->serve ? "serve" : "partition-map");
    if (options->weights_measured && options->simulate)
        argp_error(state, "--weights=measured: simulated processors were never measured");
    if (options->weights_measured && options->no_cache)
        argp_error(state, "--weights=measured asks for what --no-cache leaves out");
    if (options->costs && !options->simulate)
        argp_error(state, "--costs without --simulate");
    if (!strcmp(options->scene, "-") && !options->costs &&
        (options->turntable ||
         (options->frames.given && options->frames.last - options->frames.first >= options->frames.step)))
        argp_error(state, "--%s: standard input can be read for one frame only",
                   options->turntable ? "turntable" : "frames");
    if (options->load.spectral && options->load.rgb)
        argp_error(state, "--spectral and --rgb: light is followed in one of both ways");
    if (options->skip_existing && (options->simulate || options->compare))
        argp_error(state, "--skip-existing: no picture is written");
    if (options->compare && (options->trace || options->cost_map))
        argp_error(state, "--compare writes no cost map and no trace");
}

/* In a Slurm job, the key that was made for it, where it is there. */
static void find_key(struct cli_options *options)
{
    if (options->key || options->insecure || !(options->serve || options->join || options->ask))
        return;
    options->job_key = lb_slurm_key(lb_slurm_environment);
    if (options->job_key && access(options->job_key, F_OK) == 0)
        options->key = options->job_key;
}

/* What --turntable and --quick stand for, but for what was said otherwise. */
static void spell_out(struct cli_options *options)
{
    if (options->turntable) {
        options->frames = (struct cli_frames){true, 0, options->turntable - 1, 1, options->turntable};
        options->load.steering.orbit =
            options->load.steering.has_orbit ? options->load.steering.orbit : 360.0;
        options->load.steering.has_orbit = true;
    }
    if (!options->quick || options->simulate || options->compare)
        return;
    if (options->load.width == 0 && !(options->load.scale > 0.0))
        options->load.scale = 0.5;
    if (!(options->growth.time_limit > 0.0) && !(options->growth.noise > 0.0) && options->growth.passes == 0)
        options->growth.time_limit = 5.0;
    if (options->guiding == LB_GUIDING_AUTO) /* learning would take as long as much of the picture */
        options->guiding = LB_GUIDING_NEVER;
}

void cli_option_rules_defaults(struct cli_options *options)
{
    if (options->action == CLI_RENDER)
        spell_out(options);
    find_key(options);
    if (!options->around_given)
        options->around = LB_AROUND_AUTO;
    if (options->growth.adaptive)
        options->load.most_times = LB_ADAPTIVE_MOST;
    if (!options->repeats)
        options->repeats = 1;
    if (options->silence <= 0)
        options->silence = 2;
    if (options->patience <= 0)
        options->patience = 30;
    if (options->due <= 0)
        options->due = 30;
    if (options->serve && !options->hosts)
        options->hosts = 1;
}
