#include "cli/options/options.h"

#include "cli/console/console.h"
#include "cli/options/guess.h"
#include "cli/options/rules.h"
#include "cli/options/table.h"
#include "cli/options/values.h"
#include "cli/console/status.h"
#include "core/display/connection.h"
#include "core/processors/device_list.h"
#include "hosts/hosts.h"

#include <argp.h>
#include <errno.h>
#include <string.h>

const char *argp_program_version = "lbrender " LB_VERSION;

/* ---- the groups ---- */

/* How the picture is written. */
static bool parse_form(int key, const char *value, struct argp_state *state, struct cli_options *options)
{
    static const char *const bits[] = {"8", "16", "32", NULL};
    static const char *const compressions[] = {"none", "rle", "zips", "zip", "piz", NULL};
    static const char *const tone_maps[] = {"none", "reinhard", "hable", "aces", NULL};
    static const char *const spaces[] = {"camera", "world", NULL};
    struct lb_film_form *form = &options->form;
    switch (key) {
    case KEY_CHANNELS:
        cli_value_channels(state, value, options);
        return true;
    case KEY_CHANNEL_SPACE:
        options->load.channels.space =
            cli_value_word(state, key, value, spaces) ? LB_SPACE_WORLD : LB_SPACE_CAMERA;
        return true;
    case KEY_TRANSPARENT:
        form->transparent = true;
        return true;
    case KEY_DENOISE:
        options->denoise = true;
        options->denoise_library = value;
        return true;
    case KEY_FORMAT:
        options->format_given = true;
        form->format = (enum lb_film_format)cli_value_word(state, key, value, lb_film_words);
        return true;
    case KEY_BITS:
        form->bits = 8u << cli_value_word(state, key, value, bits);
        return true;
    case KEY_COMPRESSION:
        options->compression_given = true;
        form->compression = (enum lb_exr_compression)cli_value_word(state, key, value, compressions);
        return true;
    case KEY_EXPOSURE:
        cli_value_exposure(state, value, form);
        return true;
    case KEY_TONE_MAP:
        form->tone_map = (enum lb_tone_map)cli_value_word(state, key, value, tone_maps);
        return true;
    default:
        return false;
    }
}

static bool parse_picture(int key, const char *value, struct argp_state *state, struct cli_options *options)
{
    struct lb_scene_options *load = &options->load;
    static const char *const qualities[] = {"fast", "high", NULL};
    switch (key) {
    case 'o':
        options->output = value;
        return true;
    case KEY_SPP:
        load->samples = (uint32_t)cli_value_whole(state, key, value, 1, 1 << 24);
        return true;
    case KEY_SEED:
        load->has_seed = true;
        load->seed = (uint32_t)cli_value_whole(state, key, value, 0, UINT32_MAX);
        return true;
    case KEY_RESOLUTION:
        cli_value_resolution(state, value, load);
        return true;
    case KEY_CROP_WINDOW:
        cli_value_crop_window(state, value, load);
        return true;
    case KEY_PIXEL_BOUNDS:
        cli_value_pixel_bounds(state, value, load);
        return true;
    case KEY_LENIENT:
        load->lenient = true;
        return true;
    case KEY_BVH_QUALITY:
        load->high_quality_tree = cli_value_word(state, key, value, qualities) == 1;
        return true;
    default:
        return false;
    }
}

static bool parse_processors(int key, const char *value, struct argp_state *state,
                             struct cli_options *options)
{
    static const char *const binds[] = {"none", "core", "numa", NULL};
    static const char *const sets[] = {"portable", "avx2", "avx512", NULL};
    switch (key) {
    case 't':
        options->threads = (uint32_t)cli_value_whole(state, key, value, 1, LB_MAX_PROCESSORS);
        return true;
    case KEY_DEVICES:
        options->devices = value;
        return true;
    case KEY_WEIGHTS:
        options->weights_measured = !strcmp(value, "measured");
        options->weights = options->weights_measured ? NULL : value;
        return true;
    case KEY_BIND:
        options->settings.bind = (enum lb_bind)cli_value_word(state, key, value, binds);
        return true;
    case KEY_ISA:
        options->isa = sets[cli_value_word(state, key, value, sets)];
        return true;
    default:
        return false;
    }
}

/* Hosts give signs of life ten times a second, so that a shorter silence tells nothing. */
static const double LEAST_SILENCE = 0.25, LEAST_SECONDS = 0.1;

static bool parse_hosts(int key, const char *value, struct argp_state *state, struct cli_options *options)
{
    switch (key) {
    case KEY_SERVE:
        options->serve = value;
        return true;
    case KEY_JOIN:
        options->join = value;
        return true;
    case KEY_HOSTS:
        options->hosts = (uint32_t)cli_value_whole(state, key, value, 1, LB_HOSTS_MOST);
        return true;
    case KEY_HOSTS_MOST:
        options->hosts_most = (uint32_t)cli_value_whole(state, key, value, 1, LB_HOSTS_MOST);
        return true;
    case KEY_INSECURE:
        options->insecure = true;
        return true;
    case KEY_MAKE_KEY:
        options->action = CLI_MAKE_KEY;
        options->key = value;
        return true;
    case KEY_KEY:
        options->key = value;
        return true;
    case KEY_SILENCE:
        options->silence = cli_value_seconds(state, key, value, LEAST_SILENCE);
        return true;
    case KEY_DUE:
        options->due = cli_value_seconds(state, key, value, LEAST_SECONDS);
        return true;
    case KEY_PERSIST:
        options->persist = true;
        return true;
    case KEY_PATIENCE:
        options->patience = cli_value_seconds(state, key, value, LEAST_SECONDS);
        return true;
    default:
        return false;
    }
}

static bool parse_balance(int key, const char *value, struct argp_state *state, struct cli_options *options)
{
    switch (key) {
    case KEY_STRATEGY:
        options->settings.strategy = cli_value_strategy(state, key, value);
        return true;
    case KEY_PASSES:
        options->growth.passes = cli_value_positive(state, key, value);
        return true;
    case KEY_TIME_LIMIT:
        options->growth.time_limit = cli_value_above_zero(state, key, value);
        return true;
    case KEY_NOISE_TARGET:
        options->growth.noise = cli_value_above_zero(state, key, value);
        return true;
    case KEY_NO_CACHE:
        options->no_cache = true;
        return true;
    case KEY_FRAMES:
        cli_value_frames(state, value, &options->frames);
        return true;
    case KEY_SKIP_EXISTING:
        options->skip_existing = true;
        return true;
    default:
        return false;
    }
}

static bool parse_strategy_option(int key, const char *value, struct argp_state *state,
                                  struct cli_options *options)
{
    const struct lb_option *option =
        key < KEY_STRATEGY_OPTION ? NULL : lb_strategies_option((size_t)(key - KEY_STRATEGY_OPTION));
    if (!option)
        return false;
    lb_option_give(&options->settings.options, option, cli_value_declared(state, option, value));
    return true;
}

static bool parse_parts(int key, const char *value, struct argp_state *state, struct cli_options *options)
{
    struct cli_part_options *parts = &options->parts;
    switch (key) {
    case KEY_PART:
        parts->part = value;
        return true;
    case KEY_CHECKPOINT:
        if (!cli_checkpoint_parse(value, parts))
            argp_failure(state, CLI_FAILED, 0, "out of memory");
        return true;
    case KEY_SHARE:
        if (!cli_share_parse(value, parts))
            cli_value_refuse(state, key, "I/N with 1 <= I <= N <= 65536", value);
        return true;
    case KEY_SAMPLES:
        if (!cli_samples_parse(value, parts))
            cli_value_refuse(state, key, "A:B with 0 <= A < B", value);
        return true;
    case KEY_RESUME:
        parts->resume = value;
        return true;
    case KEY_MERGE:
        options->action = CLI_MERGE;
        return true;
    case KEY_PARTIAL:
        parts->partial = true;
        return true;
    case KEY_DESCRIBE:
        options->action = CLI_DESCRIBE;
        return true;
    default:
        return false;
    }
}

static bool parse_simulation(int key, const char *value, struct argp_state *state,
                             struct cli_options *options)
{
    switch (key) {
    case KEY_SIMULATE:
        options->simulate = value;
        return true;
    case KEY_COSTS:
        options->costs = cli_value_ending(state, key, value, ".pfm", ".pfm");
        return true;
    case KEY_KNOWN_COSTS:
        options->known_costs = true;
        return true;
    case KEY_COMPARE:
        options->compare = true;
        cli_value_racers(state, value, options);
        return true;
    case KEY_REPEAT:
        options->repeats = (uint32_t)cli_value_whole(state, key, value, 1, 10000);
        return true;
    default:
        return false;
    }
}

static bool parse_files(int key, const char *value, struct argp_state *state, struct cli_options *options)
{
    static const char *const formats[] = {"text", "json", "csv", "html", NULL};
    static const char *const units[] = {"steps", "seconds", NULL};
    switch (key) {
    case KEY_REPORT:
        options->report = value;
        return true;
    case KEY_REPORT_FORMAT:
        options->report_format_given = true;
        options->report_format = (enum lb_report_format)cli_value_word(state, key, value, formats);
        return true;
    case KEY_TRACE:
        options->trace = value;
        return true;
    case KEY_PARTITION_MAP:
        options->partition_map = cli_value_ending(state, key, value, ".png", ".png");
        return true;
    case KEY_COST_MAP:
        options->cost_map = cli_value_ending(state, key, value, ".png", ".pfm");
        return true;
    case KEY_DISPLAY_SERVER:
        options->display_server = value;
        if (!lb_connection_names(value))
            cli_value_refuse(state, key, "HOST:PORT, as localhost:14158", value);
        return true;
    case KEY_COST_UNIT:
        options->settings.cost_in_seconds = cli_value_word(state, key, value, units) == 1;
        return true;
    default:
        return false;
    }
}

static bool parse_talk(int key, const char *value, struct argp_state *state, struct cli_options *options)
{
    static const char *const shows[] = {"auto", "bar", "lines", "none", NULL};
    static const char *const shells[] = {"bash", "zsh", "fish", NULL};
    switch (key) {
    case KEY_PROGRESS:
        options->progress = (enum cli_progress)cli_value_word(state, key, value, shows);
        return true;
    case 'q':
        options->quiet = true;
        return true;
    case 'v':
        options->verbose = true;
        return true;
    case 'h':
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
        return true;
    case KEY_LIST_STRATEGIES:
        options->action = CLI_LIST_STRATEGIES;
        return true;
    case KEY_REPORT_SCHEMA:
        options->action = CLI_REPORT_SCHEMA;
        return true;
    case KEY_COMPLETION:
        options->action = CLI_COMPLETION;
        options->shell = (enum cli_shell)cli_value_word(state, key, value, shells);
        return true;
    case KEY_LIST_DEVICES:
        options->action = CLI_LIST_DEVICES;
        options->ask = value;
        return true;
    default:
        return false;
    }
}

/* ---- the whole ---- */

static void note_given(int key, struct cli_options *options)
{
    const char *name = cli_option_name(key);
    for (uint32_t i = 0; i < options->given_count; i++)
        if (options->given[i] == name)
            return;
    if (options->given_count < CLI_OPTIONS_MOST)
        options->given[options->given_count++] = name;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct cli_options *options = state->input;
    if (key == ARGP_KEY_INIT) {
        char message[256];
        state->name =
            program_invocation_short_name; /* argp sets it later, but the message below begins with it */
        if (cli_option_guess(cli_options_table(), state->argc, state->argv, message, sizeof message))
            argp_error(state, "%s", message);
        return 0;
    }
    if (key == ARGP_KEY_ARGS) { /* all operands at once: parts of pictures */
        options->operands = state->argv + state->next;
        options->operand_count = (uint32_t)(state->argc - state->next);
        return 0;
    }
    if (key == ARGP_KEY_ARG && cli_option_rules_parts(options))
        return ARGP_ERR_UNKNOWN;
    if (key == ARGP_KEY_ARG) {
        if (options->scene)
            argp_error(state, "one scene at a time: \"%s\" and \"%s\"", options->scene, value);
        options->scene = value;
        return 0;
    }
    if (key == ARGP_KEY_END) {
        if (!options->scene && options->simulate && options->costs)
            options->scene = options->costs; /* all that is read */
        cli_option_rules_check(state, options);
        cli_option_rules_defaults(options);
        return 0;
    }
    bool known = parse_picture(key, value, state, options) || parse_form(key, value, state, options) ||
                 parse_processors(key, value, state, options) || parse_hosts(key, value, state, options) ||
                 parse_balance(key, value, state, options) ||
                 parse_strategy_option(key, value, state, options) ||
                 parse_parts(key, value, state, options) || parse_simulation(key, value, state, options) ||
                 parse_files(key, value, state, options) || parse_talk(key, value, state, options);
    if (known)
        note_given(key, options);
    return known ? 0 : ARGP_ERR_UNKNOWN;
}

void cli_options_parse(int argc, char **argv, struct cli_options *options)
{
    const struct argp argp = {
        .options = cli_options_table(),
        .parser = parse,
        .args_doc = "SCENE\n--merge PART...\n--describe PART...",
        .doc =
            "Render a scene on all processors at once and report how well the work was balanced.\v"
            "SCENE is a file in pbrt-v4's language; - is standard input. The man page lbrender(1) says more.",
    };
    argp_err_exit_status = CLI_USAGE;
    *options = (struct cli_options){.settings = {.strategy = lb_strategy_find("auto")},
                                    .form = {.compression = LB_EXR_ZIP}};
    if (!options->settings.strategy)
        options->settings.strategy = lb_strategy_find("pool");
    /* argp and getopt print what users typed to `stderr`, which is a variable: while they run, it is a stream that
     * shows any bytes safely. */
    FILE *plain = stderr, *printable = cli_console_stream();
    if (printable)
        stderr = printable;
    argp_parse(&argp, argc, argv, 0, NULL, options);
    stderr = plain;
    if (printable)
        fclose(printable);
}
