#include "cli/options.h"

#include "cli/console.h"
#include "cli/option_guess.h"
#include "cli/status.h"
#include "cli/strategy_options.h"
#include "core/base/guess.h"
#include "core/base/number.h"
#include "core/cpu/cpu.h"
#include "core/processors/device_list.h"
#include "core/report/film_picture.h"
#include "hosts/hosts.h"

#include <argp.h>
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

const char *argp_program_version = "lbrender " LB_VERSION;

/* Long options without a letter. */
enum {
    KEY_STRATEGY = 256,
    KEY_WEIGHTS,
    KEY_DEVICES,
    KEY_BIND,
    KEY_ISA,
    KEY_SERVE,
    KEY_JOIN,
    KEY_HOSTS,
    KEY_INSECURE,
    KEY_KEY,
    KEY_MAKE_KEY,
    KEY_SILENCE,
    KEY_PATIENCE,
    KEY_FORMAT,
    KEY_BITS,
    KEY_COMPRESSION,
    KEY_EXPOSURE,
    KEY_TONE_MAP,
    KEY_CHANNELS,
    KEY_CHANNEL_SPACE,
    KEY_TRANSPARENT,
    KEY_SPP,
    KEY_SEED,
    KEY_RESOLUTION,
    KEY_CROP_WINDOW,
    KEY_PIXEL_BOUNDS,
    KEY_PASSES,
    KEY_TIME_LIMIT,
    KEY_NOISE_TARGET,
    KEY_REPORT,
    KEY_REPORT_FORMAT,
    KEY_TRACE,
    KEY_PARTITION_MAP,
    KEY_COST_MAP,
    KEY_COST_UNIT,
    KEY_LIST_STRATEGIES,
    KEY_REPORT_SCHEMA,
    KEY_COMPLETION,
    KEY_LIST_DEVICES,
    KEY_PROGRESS,
    KEY_LENIENT,
    KEY_BVH_QUALITY,
    KEY_FRAMES,
    KEY_SKIP_EXISTING,
    KEY_PART,
    KEY_CHECKPOINT,
    KEY_SHARE,
    KEY_SAMPLES,
    KEY_RESUME,
    KEY_MERGE,
    KEY_PARTIAL,
    KEY_DESCRIBE,
    KEY_SIMULATE,
    KEY_COSTS,
    KEY_KNOWN_COSTS,
    KEY_COMPARE,
    KEY_REPEAT,
    KEY_NO_CACHE,
    KEY_STRATEGY_OPTION, /* the first of those that strategies declare; the last one here */
};

/* The groups of --help, in this order. */
enum {
    PICTURE = 1,
    PROCESSORS,
    HOSTS,
    BALANCE,
    STRATEGIES, /* and a few more: those that strategies declare */
    PARTS = STRATEGIES + LB_OPTIONS_MOST,
    ANIMATIONS,
    SIMULATION,
    TOLD,
};

/* The table, but for what strategies declare. Its groups are those of --help and of lbrender.1. */
static const struct argp_option table[] = {
    {0, 0, 0, 0, "The picture:", PICTURE},
    {"output", 'o', "FILE", 0,
     "Write the picture to FILE: .png, .exr or .pfm; -: standard output, none: nowhere", PICTURE},
    {"format", KEY_FORMAT, "png|pfm|exr", 0, "Form of --output; by its ending otherwise", PICTURE},
    {"bits", KEY_BITS, "8|16|32", 0, "Bits of a value: PNG 8 or 16, EXR 16 or 32", PICTURE},
    {"compression", KEY_COMPRESSION, "none|rle|zips|zip|piz", 0, "Of an EXR", PICTURE},
    {"exposure", KEY_EXPOSURE, "STOPS", 0, "Show a PNG's light times 2^STOPS", PICTURE},
    {"tone-map", KEY_TONE_MAP, "none|reinhard|hable|aces", 0, "How a PNG shows what is brighter than white",
     PICTURE},
    {"channels", KEY_CHANNELS, "LIST", 0,
     "More channels of an EXR: A, albedo, P, Z, N, Ns, uv, dz, object, material, samples, variance, "
     "relativevariance; gbuffer: pbrt's; rgb: none",
     PICTURE},
    {"channel-space", KEY_CHANNEL_SPACE, "camera|world", 0, "Space of the channels P, N and Ns", PICTURE},
    {"transparent", KEY_TRANSPARENT, 0, 0, "Leave out what lies behind all surfaces, write alpha", PICTURE},
    {"spp", KEY_SPP, "N", 0, "Samples per pixel", PICTURE},
    {"seed", KEY_SEED, "N", 0, "Seed of the samples", PICTURE},
    {"resolution", KEY_RESOLUTION, "WxH", 0, "Size of the film in pixels", PICTURE},
    {"cropwindow", KEY_CROP_WINDOW, "X0,X1,Y0,Y1", 0, "Part of the film to render, 0 to 1", PICTURE},
    {"pixelbounds", KEY_PIXEL_BOUNDS, "X0,X1,Y0,Y1", 0, "Part of the film to render, in pixels", PICTURE},
    {"lenient", KEY_LENIENT, 0, 0, "Warn of what cannot be rendered yet instead of ending", PICTURE},
    {"bvh-quality", KEY_BVH_QUALITY, "fast|high", 0, "How carefully the tree is built", PICTURE},
    {0, 0, 0, 0, "The processors:", PROCESSORS},
    {"threads", 't', "N", 0, "Render on N CPU threads", PROCESSORS},
    {"devices", KEY_DEVICES, "LIST", 0,
     "Processors: cpu, cpu:N, cuda, cuda:I, wave, N*null:speed=X,fail=P,code=C,as=K", PROCESSORS},
    {"weights", KEY_WEIGHTS, "LIST|measured", 0, "Relative speeds of the processors", PROCESSORS},
    {"bind", KEY_BIND, "none|core|numa", 0, "What CPU threads are bound to", PROCESSORS},
    {"isa", KEY_ISA, "portable|avx2|avx512", 0, "Instruction set of the CPU threads", PROCESSORS},
    {0, 0, 0, 0, "Other hosts:", HOSTS},
    {"serve", KEY_SERVE, "tcp://ADDRESS[:PORT]", 0, "Let workers join at this address", HOSTS},
    {"hosts", KEY_HOSTS, "N", 0, "Begin when N workers have joined", HOSTS},
    {"join", KEY_JOIN, "tcp://HOST[:PORT]", 0, "Work for the program that serves there", HOSTS},
    {"key", KEY_KEY, "FILE", 0, "Trust who holds this key, and nobody else", HOSTS},
    {"make-key", KEY_MAKE_KEY, "FILE", 0, "Make a key and end", HOSTS},
    {"patience", KEY_PATIENCE, "SECONDS", 0, "How long to wait for hosts at the start", HOSTS},
    {"silence", KEY_SILENCE, "SECONDS", 0, "After how long a silent host is lost", HOSTS},
    {"insecure", KEY_INSECURE, 0, 0, "Serve on addresses that anybody can reach", HOSTS},
    {0, 0, 0, 0, "The balance:", BALANCE},
    {"strategy", KEY_STRATEGY, "NAME", 0, "How the work is shared", BALANCE},
    {"passes", KEY_PASSES, "N", 0, "Render the samples in N passes over the picture", BALANCE},
    {"time-limit", KEY_TIME_LIMIT, "SECONDS", 0,
     "End at as many samples as take so long, the same for all pixels", BALANCE},
    {"noise-target", KEY_NOISE_TARGET, "X", 0, "End when the picture's noise over its mean is X or less",
     BALANCE},
    {"no-cache", KEY_NO_CACHE, 0, 0, "Neither use nor keep measured speeds", BALANCE},
    {0, 0, 0, 0, "Parts of a picture:", PARTS},
    {"part", KEY_PART, "FILE", 0, "Keep what was rendered in FILE, to be joined or continued", PARTS},
    {"checkpoint", KEY_CHECKPOINT, "FILE[,SECONDS]", 0,
     "Keep in FILE what there is, every so often and at the end", PARTS},
    {"share", KEY_SHARE, "I/N[,W1,..,WN]", 0, "Render the I-th of N shares of the pixels", PARTS},
    {"samples", KEY_SAMPLES, "A:B", 0, "Render samples A to B - 1 of each pixel", PARTS},
    {"resume", KEY_RESUME, "FILE", 0, "Render what the part FILE lacks", PARTS},
    {"merge", KEY_MERGE, 0, 0, "Join the operands, parts of a picture, and end", PARTS},
    {"partial", KEY_PARTIAL, 0, 0, "Let --merge write a picture that lacks samples", PARTS},
    {"describe", KEY_DESCRIBE, 0, 0, "Tell what the operands, parts of pictures, hold and end", PARTS},
    {0, 0, 0, 0, "Animations:", ANIMATIONS},
    {"frames", KEY_FRAMES, "B-E[,STEP][/N]", 0, "Render frames B to E of N", ANIMATIONS},
    {"skip-existing", KEY_SKIP_EXISTING, 0, 0, "Leave out frames whose file is there", ANIMATIONS},
    {0, 0, 0, 0, "Simulation:", SIMULATION},
    {"simulate", KEY_SIMULATE, "SPEC", 0, "Run the strategy under a virtual clock", SIMULATION},
    {"costs", KEY_COSTS, "FILE.pfm", 0, "Take the costs from a cost map", SIMULATION},
    {"known-costs", KEY_KNOWN_COSTS, 0, 0, "Let strategies that want an estimate see the true costs",
     SIMULATION},
    {"compare", KEY_COMPARE, "NAME,..", OPTION_ARG_OPTIONAL,
     "Race these strategies, or all, and print a table", SIMULATION},
    {"repeat", KEY_REPEAT, "N", 0, "Let each strategy of --compare run N times", SIMULATION},
    {0, 0, 0, 0, "What is told:", TOLD},
    {"report", KEY_REPORT, "FILE", 0, "Write the report to FILE, - is standard output", TOLD},
    {"report-format", KEY_REPORT_FORMAT, "text|json|csv|html", 0, "Form of --report; by its ending otherwise",
     TOLD},
    {"trace", KEY_TRACE, "FILE.json", 0, "Write a time line in Chrome's trace format", TOLD},
    {"partition-map", KEY_PARTITION_MAP, "FILE.png", 0, "Write who rendered what, a colour a processor",
     TOLD},
    {"cost-map", KEY_COST_MAP, "FILE", 0, "Write what each pixel cost: .png or .pfm", TOLD},
    {"cost-unit", KEY_COST_UNIT, "steps|seconds", 0, "Unit of --cost-map", TOLD},
    {"progress", KEY_PROGRESS, "auto|bar|lines|none", 0, "How progress is shown on standard error", TOLD},
    {"quiet", 'q', 0, 0, "No progress, report or warnings", TOLD},
    {"verbose", 'v', 0, 0, "Show notes", TOLD},
    {"list-strategies", KEY_LIST_STRATEGIES, 0, 0, "List the strategies and end", TOLD},
    {"list-devices", KEY_LIST_DEVICES, 0, 0, "List the processors and end", TOLD},
    {"report-schema", KEY_REPORT_SCHEMA, 0, 0, "Print the JSON report's schema and end", TOLD},
    {"completion", KEY_COMPLETION, "bash|zsh|fish", 0, "Print a shell's completion of lbrender and end",
     TOLD},
    {0, 0, 0, 0, "Help:", -1},
    {0, 'h', 0, 0, "The same as --help", -1},
    {0},
};

const struct argp_option *cli_options_table(void)
{
    static struct cli_strategy_options strategies;
    static struct argp_option all[CLI_STRATEGY_ENTRIES + sizeof table / sizeof *table];
    if (!strategies.count) {
        cli_strategy_options_list(&strategies, KEY_STRATEGY_OPTION, STRATEGIES);
        memcpy(all, strategies.entries, strategies.count * sizeof *all);
        memcpy(all + strategies.count, table, sizeof table);
    }
    return all;
}

/* ---- values ---- */

static const char *option_name(int key)
{
    for (const struct argp_option *option = table; option->name || option->group; option++)
        if (option->name && option->key == key)
            return option->name;
    return "?";
}

/* argp_error does not return while parsing a real command line. */
static void usage(const struct argp_state *state, int key, const char *wanted, const char *got)
{
    argp_error(state, "--%s needs %s, not \"%s\"", option_name(key), wanted, got);
}

static union lb_option_value parse_option(const struct argp_state *state, const struct lb_option *option,
                                          const char *text)
{
    union lb_option_value value = {0};
    struct lb_error error;
    if (lb_option_parse(option, text, &value, &error) != LB_OK)
        argp_error(state, "%s", error.message);
    return value;
}

/* The number of one of `words`, which end with NULL. */
static unsigned parse_word(const struct argp_state *state, int key, const char *value,
                           const char *const *words)
{
    struct lb_option option = {.name = option_name(key), .type = LB_OPTION_WORD, .words = words};
    return parse_option(state, &option, value).word;
}

static uint64_t parse_whole(const struct argp_state *state, int key, const char *value, uint32_t low,
                            uint32_t high)
{
    struct lb_option option = {.name = option_name(key), .type = LB_OPTION_WHOLE, .low = low, .high = high};
    return parse_option(state, &option, value).whole;
}

static uint32_t parse_positive(const struct argp_state *state, int key, const char *value)
{
    return (uint32_t)parse_whole(state, key, value, 1, INT32_MAX);
}

/* Cuts off and returns the text up to `separator`; `*length` is its length, 0 also when there is none. */
static const char *cut(const char **text, char separator, size_t *length)
{
    const char *begin = *text, *end = begin ? strchr(begin, separator) : NULL;
    *length = end ? (size_t)(end - begin) : begin ? strlen(begin) : 0;
    *text = end ? end + 1 : NULL;
    return begin;
}

static void parse_resolution(const struct argp_state *state, const char *value, struct lb_scene_options *load)
{
    const char *left = value;
    size_t length[2];
    const char *width = cut(&left, 'x', &length[0]), *height = cut(&left, 'x', &length[1]);
    int64_t w = 0, h = 0;
    if (left || !lb_number_whole(width, length[0], 1, 65535, &w) || !height ||
        !lb_number_whole(height, length[1], 1, 65535, &h))
        usage(state, KEY_RESOLUTION, "WxH, each from 1 to 65535", value);
    load->width = (uint32_t)w;
    load->height = (uint32_t)h;
}

/* Four numbers with commas; false: they are not. */
static bool parse_four(const char *value, double four[4])
{
    const char *left = value;
    for (int i = 0; i < 4; i++) {
        size_t length;
        const char *word = cut(&left, ',', &length);
        if (!word || !lb_number_real(word, length, &four[i]))
            return false;
    }
    return !left;
}

static void parse_crop_window(const struct argp_state *state, const char *value,
                              struct lb_scene_options *load)
{
    double four[4] = {0};
    if (!parse_four(value, four) || four[0] < 0 || four[1] > 1 || four[2] < 0 || four[3] > 1 ||
        four[0] >= four[1] || four[2] >= four[3])
        usage(state, KEY_CROP_WINDOW, "x0,x1,y0,y1 from 0 to 1 with x0 < x1 and y0 < y1", value);
    load->has_crop = true;
    for (int i = 0; i < 4; i++)
        load->crop[i] = (float)four[i];
}

static void parse_pixel_bounds(const struct argp_state *state, const char *value,
                               struct lb_scene_options *load)
{
    int64_t four[4] = {0};
    const char *left = value;
    bool right = true;
    for (int i = 0; i < 4 && right; i++) {
        size_t length;
        const char *word = cut(&left, ',', &length);
        right = word && lb_number_whole(word, length, 0, 65535, &four[i]);
    }
    if (!right || left || four[0] >= four[1] || four[2] >= four[3])
        usage(state, KEY_PIXEL_BOUNDS, "x0,x1,y0,y1 in pixels with x0 < x1 and y0 < y1", value);
    load->has_pixel_bounds = true;
    for (int i = 0; i < 4; i++)
        load->pixel_bounds[i] = (int32_t)four[i];
}

/* B-E, or B alone; then ,STEP and /N. */
static void parse_frames(const struct argp_state *state, const char *value, struct cli_frames *frames)
{
    int64_t first = 0, last, step = 1, count;
    size_t length, word;
    const char *all = value, *range = cut(&all, '/', &length);
    const char *stepped = memchr(range, ',', length);
    size_t span = stepped ? (size_t)(stepped - range) : length;
    const char *dash = memchr(range, '-', span);
    word = dash ? (size_t)(dash - range) : span;
    bool right = lb_number_whole(range, word, 0, 999999, &first);
    last = first;
    if (right && dash)
        right = lb_number_whole(dash + 1, span - word - 1, first, 999999, &last);
    if (right && stepped)
        right = lb_number_whole(stepped + 1, length - span - 1, 1, 999999, &step);
    count = LB_FRAMES_UNKNOWN;
    if (right && all)
        right = lb_number_whole(all, strlen(all), last + 1, 1000000, &count);
    if (!right)
        usage(state, KEY_FRAMES, "B-E, B-E,STEP or B-E,STEP/N with 0 <= B <= E < N <= 1000000", value);
    *frames = (struct cli_frames){true, (uint32_t)first, (uint32_t)last, (uint32_t)step, (uint32_t)count};
}

/* Does not return where there is no such strategy. */
static const struct lb_strategy *find_strategy(const struct argp_state *state, int key, const char *name)
{
    struct lb_guess guess;
    const struct lb_strategy *strategy = lb_strategy_find(name);
    if (strategy)
        return strategy;
    lb_guess_start(&guess, name, strlen(name));
    for (size_t i = 0; i < lb_strategy_count; i++)
        lb_guess_try(&guess, lb_strategies[i]->name);
    argp_error(state, "--%s: there is no \"%s\"%s", option_name(key), name,
               *guess.text ? guess.text : "; see --list-strategies");
    return NULL;
}

static void add_racer(const struct argp_state *state, const struct lb_strategy *strategy,
                      struct cli_options *options)
{
    for (size_t i = 0; i < options->racer_count; i++)
        if (options->racers[i] == strategy)
            argp_error(state, "--compare: \"%s\" is named twice", strategy->name);
    if (options->racer_count < CLI_RACERS_MOST)
        options->racers[options->racer_count++] = strategy;
}

/* "a,b"; NULL: all. */
static void parse_racers(const struct argp_state *state, const char *value, struct cli_options *options)
{
    const char *left = value;
    options->racer_count = 0;
    for (size_t i = 0; !value && i < lb_strategy_count; i++)
        add_racer(state, lb_strategies[i], options);
    while (left) {
        size_t length;
        char name[64];
        const char *word = cut(&left, ',', &length);
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), word);
        add_racer(state, find_strategy(state, KEY_COMPARE, name), options);
    }
}

static const char *parse_ending(const struct argp_state *state, int key, const char *value, const char *first,
                                const char *second)
{
    size_t length = strlen(value);
    bool right =
        length > 4 && (!strcasecmp(value + length - 4, first) || !strcasecmp(value + length - 4, second));
    if (!right)
        argp_error(state, "--%s: \"%s\" must end in %s%s%s", option_name(key), value, first,
                   strcmp(first, second) ? " or " : "", strcmp(first, second) ? second : "");
    return value;
}

/* ---- the groups ---- */

static void parse_exposure(const struct argp_state *state, const char *value, struct lb_film_form *form)
{
    double stops = 0;
    if (!lb_number_real(value, strlen(value), &stops) || stops < -100 || stops > 100)
        usage(state, KEY_EXPOSURE, "a number from -100 to 100", value);
    form->exposure = (float)stops;
}

static void parse_channels(const struct argp_state *state, const char *value, struct cli_options *options)
{
    struct lb_error error;
    options->channels_given = true;
    if (!strcmp(value, "rgb"))
        options->form.outputs = 0;
    else if (lb_outputs_parse(value, &options->form.outputs, &error) != LB_OK)
        argp_error(state, "%s", error.message);
}

/* How the picture is written. */
static bool parse_form(int key, const char *value, struct argp_state *state, struct cli_options *options)
{
    static const char *const formats[] = {"png", "pfm", "exr", NULL}; /* as in enum lb_film_format */
    static const char *const bits[] = {"8", "16", "32", NULL};
    static const char *const compressions[] = {"none", "rle", "zips", "zip", "piz", NULL};
    static const char *const tone_maps[] = {"none", "reinhard", "hable", "aces", NULL};
    static const char *const spaces[] = {"camera", "world", NULL};
    struct lb_film_form *form = &options->form;
    switch (key) {
    case KEY_CHANNELS:
        parse_channels(state, value, options);
        return true;
    case KEY_CHANNEL_SPACE:
        options->load.channels.space =
            parse_word(state, key, value, spaces) ? LB_SPACE_WORLD : LB_SPACE_CAMERA;
        return true;
    case KEY_TRANSPARENT:
        form->transparent = true;
        return true;
    case KEY_FORMAT:
        options->format_given = true;
        form->format = (enum lb_film_format)parse_word(state, key, value, formats);
        return true;
    case KEY_BITS:
        form->bits = 8u << parse_word(state, key, value, bits);
        return true;
    case KEY_COMPRESSION:
        options->compression_given = true;
        form->compression = (enum lb_exr_compression)parse_word(state, key, value, compressions);
        return true;
    case KEY_EXPOSURE:
        parse_exposure(state, value, form);
        return true;
    case KEY_TONE_MAP:
        form->tone_map = (enum lb_tone_map)parse_word(state, key, value, tone_maps);
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
        load->samples = (uint32_t)parse_whole(state, key, value, 1, 1 << 24);
        return true;
    case KEY_SEED:
        load->has_seed = true;
        load->seed = (uint32_t)parse_whole(state, key, value, 0, UINT32_MAX);
        return true;
    case KEY_RESOLUTION:
        parse_resolution(state, value, load);
        return true;
    case KEY_CROP_WINDOW:
        parse_crop_window(state, value, load);
        return true;
    case KEY_PIXEL_BOUNDS:
        parse_pixel_bounds(state, value, load);
        return true;
    case KEY_LENIENT:
        load->lenient = true;
        return true;
    case KEY_BVH_QUALITY:
        load->high_quality_tree = parse_word(state, key, value, qualities) == 1;
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
        options->threads = (uint32_t)parse_whole(state, key, value, 1, LB_MAX_PROCESSORS);
        return true;
    case KEY_DEVICES:
        options->devices = value;
        return true;
    case KEY_WEIGHTS:
        options->weights_measured = !strcmp(value, "measured");
        options->weights = options->weights_measured ? NULL : value;
        return true;
    case KEY_BIND:
        options->settings.bind = (enum lb_bind)parse_word(state, key, value, binds);
        return true;
    case KEY_ISA:
        options->isa = sets[parse_word(state, key, value, sets)];
        return true;
    default:
        return false;
    }
}

static double parse_seconds(const struct argp_state *state, int key, const char *value)
{
    struct lb_option option = {.name = option_name(key), .type = LB_OPTION_REAL, .low = 0.1, .high = 1e6};
    return parse_option(state, &option, value).real;
}

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
        options->hosts = (uint32_t)parse_whole(state, key, value, 1, LB_HOSTS_MOST);
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
        options->silence = parse_seconds(state, key, value);
        return true;
    case KEY_PATIENCE:
        options->patience = parse_seconds(state, key, value);
        return true;
    default:
        return false;
    }
}

static double parse_above_zero(const struct argp_state *state, int key, const char *value)
{
    double number = 0;
    if (!lb_number_real(value, strlen(value), &number) || number <= 0)
        usage(state, key, "a number above 0", value);
    return number;
}

static bool parse_balance(int key, const char *value, struct argp_state *state, struct cli_options *options)
{
    switch (key) {
    case KEY_STRATEGY:
        options->settings.strategy = find_strategy(state, key, value);
        return true;
    case KEY_PASSES:
        options->growth.passes = parse_positive(state, key, value);
        return true;
    case KEY_TIME_LIMIT:
        options->growth.time_limit = parse_above_zero(state, key, value);
        return true;
    case KEY_NOISE_TARGET:
        options->growth.noise = parse_above_zero(state, key, value);
        return true;
    case KEY_NO_CACHE:
        options->no_cache = true;
        return true;
    case KEY_FRAMES:
        parse_frames(state, value, &options->frames);
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
    lb_option_give(&options->settings.options, option, parse_option(state, option, value));
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
            usage(state, key, "I/N with 1 <= I <= N <= 65536", value);
        return true;
    case KEY_SAMPLES:
        if (!cli_samples_parse(value, parts))
            usage(state, key, "A:B with 0 <= A < B", value);
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
        options->costs = parse_ending(state, key, value, ".pfm", ".pfm");
        return true;
    case KEY_KNOWN_COSTS:
        options->known_costs = true;
        return true;
    case KEY_COMPARE:
        options->compare = true;
        parse_racers(state, value, options);
        return true;
    case KEY_REPEAT:
        options->repeats = (uint32_t)parse_whole(state, key, value, 1, 10000);
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
        options->report_format = (enum lb_report_format)parse_word(state, key, value, formats);
        return true;
    case KEY_TRACE:
        options->trace = value;
        return true;
    case KEY_PARTITION_MAP:
        options->partition_map = parse_ending(state, key, value, ".png", ".png");
        return true;
    case KEY_COST_MAP:
        options->cost_map = parse_ending(state, key, value, ".png", ".pfm");
        return true;
    case KEY_COST_UNIT:
        options->settings.cost_in_seconds = parse_word(state, key, value, units) == 1;
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
        options->progress = (enum cli_progress)parse_word(state, key, value, shows);
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
        options->shell = (enum cli_shell)parse_word(state, key, value, shells);
        return true;
    case KEY_LIST_DEVICES:
        options->action = CLI_LIST_DEVICES;
        return true;
    default:
        return false;
    }
}

/* ---- the whole ---- */

static void check_output(const struct argp_state *state, const struct cli_options *options)
{
    const char *output = options->output;
    enum lb_film_format format;
    bool standard = output && !strcmp(output, "-"), nowhere = output && !strcmp(output, "none");
    if (output && !standard && !nowhere && !options->format_given && !lb_film_format_of(output, &format))
        argp_error(state, "--output: \"%s\" must end in .png, .exr or .pfm, or --format say which", output);
    if (options->skip_existing &&
        (standard || nowhere || (!output && cli_part_options_some(&options->parts))))
        argp_error(state, "--skip-existing: no file is written");
    if (standard && isatty(STDOUT_FILENO))
        argp_error(state, "--output: standard output is a terminal");
    if (standard && ((options->report && !strcmp(options->report, "-")) ||
                     (options->trace && !strcmp(options->trace, "-"))))
        argp_error(state, "--output: standard output takes the picture or a text, not both");
}

/* Of the program's actions, those whose operands are parts of pictures. */
static bool takes_parts(const struct cli_options *options)
{
    return options->action == CLI_MERGE || options->action == CLI_DESCRIBE;
}

bool cli_options_light_alone(const struct cli_options *options)
{
    return options->action == CLI_MERGE || options->parts.part || options->parts.checkpoint ||
           options->parts.resume || options->serve;
}

static void check_parts(const struct argp_state *state, const struct cli_options *options)
{
    const struct cli_part_options *parts = &options->parts;
    bool merges = options->action == CLI_MERGE;
    if (takes_parts(options) && options->operand_count == 0)
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
    if (options->action == CLI_RENDER && cli_part_options_some(parts) && !parts->part && !parts->checkpoint)
        argp_error(state, "--%s without --part", parts->shares ? "share" : "samples");
    if (options->action == CLI_RENDER && (parts->part || parts->checkpoint || parts->resume) &&
        (options->simulate || options->compare))
        argp_error(state, "--%s: no picture is rendered",
                   parts->part         ? "part"
                   : parts->checkpoint ? "checkpoint"
                                       : "resume");
    if (cli_options_light_alone(options) && (options->form.outputs || options->form.transparent))
        argp_error(state, "--%s: %s no channels", options->form.outputs ? "channels" : "transparent",
                   options->serve ? "other hosts send" : "parts of pictures hold");
    if (options->action == CLI_DESCRIBE && options->report_format_given &&
        options->report_format != LB_REPORT_TEXT && options->report_format != LB_REPORT_JSON)
        argp_error(state, "--report-format: --describe has text and json");
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
    if (options->key && !options->serve && !options->join)
        argp_error(state, "--key without --serve or --join");
    if (options->insecure && !options->serve)
        argp_error(state, "--insecure without --serve");
    if ((options->silence > 0 || options->patience > 0) && !options->serve && !options->join)
        argp_error(state, "--%s without --serve or --join", options->silence > 0 ? "silence" : "patience");
}

static void check_whole(const struct argp_state *state, const struct cli_options *options)
{
    check_parts(state, options);
    if (options->action == CLI_RENDER || options->action == CLI_MERGE)
        check_output(state, options);
    if (options->action != CLI_RENDER)
        return;
    check_hosts(state, options);
    if (options->join)
        return;
    if (!options->scene || !*options->scene)
        argp_error(state, "no scene: give a file, or - for standard input");
    if (options->report_format_given && !options->report)
        argp_error(state, "--report-format without --report");
    if (options->skip_existing && !options->frames.given)
        argp_error(state, "--skip-existing without --frames");
    if (options->known_costs && !options->simulate)
        argp_error(state, "--known-costs without --simulate");
    if (options->repeats && !options->compare)
        argp_error(state, "--repeat without --compare");
    if (options->weights_measured && options->simulate)
        argp_error(state, "--weights=measured: simulated processors were never measured");
    if (options->weights_measured && options->no_cache)
        argp_error(state, "--weights=measured asks for what --no-cache leaves out");
    if (options->costs && !options->simulate)
        argp_error(state, "--costs without --simulate");
    if (!strcmp(options->scene, "-") &&
        options->frames.last - options->frames.first >= options->frames.step && options->frames.given &&
        !options->costs)
        argp_error(state, "--frames: standard input can be read for one frame only");
    if (options->skip_existing && (options->simulate || options->compare))
        argp_error(state, "--skip-existing: no picture is written");
    if (options->compare && (options->partition_map || options->trace || options->cost_map))
        argp_error(state, "--compare writes no maps and no trace");
}

/* Of what others depend on whether it was given. */
static void set_defaults(struct cli_options *options)
{
    if (options->silence <= 0)
        options->silence = 2;
    if (options->patience <= 0)
        options->patience = 30;
    if (options->serve && !options->hosts)
        options->hosts = 1;
}

static void note_given(int key, struct cli_options *options)
{
    const char *name = option_name(key);
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
        state->name = program_invocation_short_name; /* argp has not come to it yet */
        if (cli_option_guess(cli_options_table(), state->argc, state->argv, message, sizeof message))
            argp_error(state, "%s", message);
        return 0;
    }
    if (key == ARGP_KEY_ARGS) { /* all operands at once: parts of pictures */
        options->operands = state->argv + state->next;
        options->operand_count = (uint32_t)(state->argc - state->next);
        return 0;
    }
    if (key == ARGP_KEY_ARG && takes_parts(options))
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
        check_whole(state, options);
        options->repeats = options->repeats ? options->repeats : 1;
        set_defaults(options);
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
    /* argp and getopt print to `stderr`, which is a variable, what users typed. */
    FILE *plain = stderr, *printable = cli_console_stream();
    if (printable)
        stderr = printable;
    argp_parse(&argp, argc, argv, 0, NULL, options);
    stderr = plain;
    if (printable)
        fclose(printable);
}

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), own = strlen(ending);
    return length > own && !strcasecmp(name + length - own, ending);
}

enum lb_report_format cli_options_report_format(const struct cli_options *options)
{
    if (options->report_format_given)
        return options->report_format;
    if (ends_in(options->report, ".json"))
        return LB_REPORT_JSON;
    if (ends_in(options->report, ".html") || ends_in(options->report, ".htm"))
        return LB_REPORT_HTML;
    return ends_in(options->report, ".csv") ? LB_REPORT_CSV : LB_REPORT_TEXT;
}

bool cli_options_want_page(const struct cli_options *options)
{
    return options->report && !options->compare && cli_options_report_format(options) == LB_REPORT_HTML;
}
