#include "cli/options/table.h"

#include "cli/options/readers.h"
#include "cli/options/strategy_options.h"
#include "core/kernel/scene/channel_kinds.h"
#include "core/picture/formats.h"
#include "core/processors/device_list.h"
#include "hosts/hosts.h"

#include <float.h>
#include <string.h>

/* ---- what rows are written with ---- */

/* Where a field is kept; it does not compile where the field has another type than the option writes. */
#define FIELD(TYPE, field)                                                                                   \
    (offsetof(struct cli_options, field) +                                                                   \
     0 * sizeof(_Generic(((struct cli_options *)NULL)->field, TYPE : 0)))
#define OPTION(name_, argument_, help_)                                                                      \
    .option.name = name_, .option.argument = argument_, .option.help = help_
#define TYPED(type_, TYPE, field) .option.type = type_, .option.offset = FIELD(TYPE, field)
#define TEXT(field)               TYPED(LB_OPTION_TEXT, const char *, field)
#define FLAG(field)               TYPED(LB_OPTION_FLAG, bool, field)
#define COUNT(field, least, most)                                                                            \
    TYPED(LB_OPTION_COUNT, uint32_t, field), .option.low = least, .option.high = most
#define REAL(field, least, most)                                                                             \
    TYPED(LB_OPTION_REAL, double, field), .option.low = least, .option.high = most
#define ABOVE_ZERO .option.low = DBL_MIN, .option.high = DBL_MAX
#define SECONDS(field, least, most)                                                                          \
    TYPED(LB_OPTION_SECONDS, double, field), .option.low = least, .option.high = most
#define WORDS(...)                                                                                           \
    .option.words = (const char *const[])                                                                    \
    {                                                                                                        \
        __VA_ARGS__, NULL                                                                                    \
    }
#define WORD(field, ...)    TYPED(LB_OPTION_WORD, unsigned, field), WORDS(__VA_ARGS__)
#define EITHER(field, ...)  TYPED(LB_OPTION_EITHER, bool, field), WORDS(__VA_ARGS__)
#define ENDS_IN(field, ...) TYPED(LB_OPTION_FILE, const char *, field), WORDS(__VA_ARGS__)
#define STANDS_FOR(...)                                                                                      \
    .option.values = (const unsigned[])                                                                      \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
/* Read by a function of cli/options/readers.h, and what messages say that it needs. */
#define READ(function, wanted_) .option.type = LB_OPTION_TEXT, .read = function, .option.wanted = wanted_
#define GIVEN(field)            .given = FIELD(bool, field)

#define NO_PICTURE  CLI_IDLE_NO_PICTURE
#define NOWHERE     CLI_IDLE_NOWHERE
#define COSTS_READ  CLI_IDLE_COSTS_READ
#define USED(which) .uses = which
#define MERGE       CLI_USE_MERGE
#define DESCRIBE    CLI_USE_DESCRIBE
#define JOIN        CLI_USE_JOIN

/* Hosts give signs of life ten times a second, so that a shorter silence tells nothing. */
#define LEAST_SILENCE 0.25
#define LEAST_SECONDS 0.1
#define MOST_SECONDS  1e6

/* ---- the table ---- */

/* Its groups are those of --help and of lbrender.1. */
const struct cli_option cli_option_rows[] = {
    {.heading = "First of all:"},
    {OPTION("output", "FILE",
            "Write the picture to FILE: .png, .jpg, .tif, .exr or .pfm; -: standard output, none: nowhere"),
     .letter = 'o', TEXT(output), .idle = NO_PICTURE, USED(MERGE)},
    {OPTION("spp", "N", "Samples per pixel"), COUNT(load.samples, 1, 1 << 24), .idle = COSTS_READ},
    {OPTION("resolution", "WxH|N%", "Size of the film in pixels, or of the file's"),
     READ(cli_read_resolution, "WxH, each from 1 to 65535, or a percentage of the scene's"),
     .idle = COSTS_READ},
    {OPTION("strategy", "NAME", "How the work is shared"), READ(cli_read_strategy, NULL),
     .idle = CLI_IDLE_RACE, USED(JOIN)},
    {OPTION("report", "FILE", "Write the report to FILE, - is standard output; up to four"),
     READ(cli_read_report, NULL)},

    {.heading = "The picture:"},
    {OPTION("format", NULL, "Form of --output; by its ending otherwise"), GIVEN(format_given),
     TYPED(LB_OPTION_WORD, unsigned, form.format), .option.words = lb_film_words,
     .idle = NO_PICTURE | NOWHERE, USED(MERGE)},
    {OPTION("bits", NULL, "Bits of a value: PNG, TIFF 8 or 16, EXR 16 or 32"),
     WORD(form.bits, "8", "16", "32"), STANDS_FOR(8, 16, 32), .idle = NO_PICTURE | NOWHERE, USED(MERGE)},
    {OPTION("compression", NULL, "Of an EXR"), GIVEN(compression_given),
     WORD(form.compression, "none", "rle", "zips", "zip", "piz", "dwaa", "dwab"), .idle = NO_PICTURE,
     USED(MERGE)},
    {OPTION("quality", "N", "Of a JPEG, 1 to 100"), GIVEN(quality_given), COUNT(form.quality, 1, 100),
     .idle = NO_PICTURE, USED(MERGE)},
    {OPTION("exposure", "STOPS", "Show the light times 2^STOPS, but in EXR and PFM"),
     REAL(form.exposure, -100, 100), .idle = NO_PICTURE, USED(MERGE)},
    {OPTION("tone-map", NULL, "How what is brighter than white is shown, but in EXR and PFM"),
     WORD(form.tone_map, "none", "reinhard", "hable", "aces", "agx", "filmic"), .idle = NO_PICTURE,
     USED(MERGE)},
    {OPTION(
         "channels", "LIST",
         "More channels of an EXR: A, albedo, P, Z, N, Ns, uv, dz, object, material, samples, variance, "
         "relativevariance, buckets, lightgroups, cryptoobject, cryptomaterial; gbuffer: pbrt's; rgb: none"),
     READ(cli_read_channels, NULL), GIVEN(channels_given), .idle = NO_PICTURE | CLI_IDLE_NOTHING_KEPT,
     USED(MERGE)},
    {OPTION("cryptomatte-levels", "N", "How many names of a pixel Cryptomatte tells"),
     COUNT(load.channels.matte_ranks, 1, LB_MATTE_RANKS), .idle = NO_PICTURE | CLI_IDLE_NOTHING_KEPT},
    {OPTION("channel-space", NULL, "Space of the channels P, N and Ns"),
     WORD(load.channels.space, "camera", "world"), STANDS_FOR(LB_SPACE_CAMERA, LB_SPACE_WORLD),
     .idle = NO_PICTURE | CLI_IDLE_NOTHING_KEPT},
    {OPTION("transparent", NULL, "Leave out what lies behind all surfaces, write alpha"),
     FLAG(form.transparent), .idle = NO_PICTURE | CLI_IDLE_NOTHING_KEPT, USED(MERGE)},
    {OPTION("denoise", "LIBRARY",
            "Clean the picture by Open Image Denoise: its bytes are no longer the same everywhere"),
     TEXT(denoise_library), .optional = true, GIVEN(denoise), .idle = CLI_IDLE_NO_DENOISING, USED(MERGE)},
    {OPTION("around", NULL, "Let samples count for the pixels around, whose filters reach them, too"),
     GIVEN(around_given), WORD(around, "auto", "always", "no"),
     STANDS_FOR(LB_AROUND_AUTO, LB_AROUND_ALWAYS, LB_AROUND_NO), .idle = NO_PICTURE | CLI_IDLE_NOTHING_KEPT},
    {OPTION("seed", "N", "Seed of the samples"), COUNT(load.seed, 0, UINT32_MAX), GIVEN(load.has_seed)},
    {OPTION("look-at", "EYE/TARGET[/UP]", "Put the camera at EYE, to look at TARGET; each X,Y,Z"),
     READ(cli_read_look_at, "x,y,z/x,y,z or x,y,z/x,y,z/x,y,z"), .idle = COSTS_READ},
    {OPTION("fov", "DEGREES", "The camera's field of view, over the shorter side"),
     REAL(load.steering.fov, 0.001, 179.999), .idle = COSTS_READ},
    {OPTION("orbit", "DEGREES", "Turn the camera about what it looks at, over all frames if there are some"),
     REAL(load.steering.orbit, -1e6, 1e6), GIVEN(load.steering.has_orbit), .idle = COSTS_READ},
    {OPTION("eye-offset", "DISTANCE", "Move the camera to its right, as an eye of a stereo pair"),
     REAL(load.steering.sideways, -1e6, 1e6), .idle = COSTS_READ},
    {OPTION("dry-run", NULL, "Tell what would be rendered, and how long that would take, and end"),
     FLAG(dry_run)},
    {OPTION("quick", NULL,
            "Half the resolution, as many samples as five seconds allow, denoised if it can be"),
     FLAG(quick), .idle = NO_PICTURE},
    {OPTION("cropwindow", "X0,X1,Y0,Y1", "Part of the film to render, 0 to 1"), GIVEN(load.has_crop),
     READ(cli_read_crop_window, "x0,x1,y0,y1 from 0 to 1 with x0 < x1 and y0 < y1"), .idle = COSTS_READ},
    {OPTION("pixelbounds", "X0,X1,Y0,Y1", "Part of the film to render, in pixels"),
     GIVEN(load.has_pixel_bounds),
     READ(cli_read_pixel_bounds, "x0,x1,y0,y1 in pixels with x0 < x1 and y0 < y1"), .idle = COSTS_READ},
    {OPTION("lenient", NULL, "Warn of what cannot be rendered yet instead of ending"), FLAG(load.lenient),
     .idle = COSTS_READ},
    {OPTION("spectral", NULL, "Compute with wavelengths in place of red, green and blue"),
     FLAG(load.spectral), .idle = COSTS_READ},
    {OPTION("rgb", NULL, "Compute with red, green and blue, also where the film wants wavelengths"),
     FLAG(load.rgb), .idle = COSTS_READ},
    {OPTION("regularize", NULL,
            "Roughen what paths meet after they were scattered: less noise, but not the same light"),
     FLAG(load.regularize), .idle = COSTS_READ},
    {OPTION("studio", NULL, "Put a ground under a model"), FLAG(model.studio), .idle = COSTS_READ},
    {OPTION("camera", "NAME", "Which of a model's cameras sees it"), TEXT(model.camera), .idle = COSTS_READ},
    {OPTION("animation", "NAME", "Which of a model's animations --frames shows"), TEXT(model.animation),
     .idle = COSTS_READ},
    {OPTION("fps", "RATE", "Frames a second of a model's animation"), REAL(frame_rate, 0.001, 1e6),
     .idle = COSTS_READ},
    {OPTION("write-scene", "FILE.pbrt", "Write the scene that is made of a model, and end"),
     ENDS_IN(write_scene, ".pbrt")},
    {OPTION("bvh-quality", NULL, "How carefully the tree is built"),
     EITHER(load.high_quality_tree, "fast", "high"), .idle = COSTS_READ},

    {.heading = "The processors:"},
    {OPTION("threads", "N", "Render on N CPU threads"), .letter = 't',
     READ(cli_read_threads, "1 .. 4096, or several numbers as in 1..8 or 1..64*2"), .idle = COSTS_READ,
     USED(MERGE | JOIN)},
    {OPTION("devices", "LIST", "Processors: cpu, cpu:N, cuda, cuda:I, wave, N*null:speed=X,.."),
     TEXT(devices), .idle = COSTS_READ, USED(JOIN)},
    {OPTION("weights", "LIST|measured", "Relative speeds of the processors"), READ(cli_read_weights, NULL),
     USED(JOIN)},
    {OPTION("bind", NULL, "What CPU threads are bound to"), WORD(settings.bind, "none", "core", "numa"),
     .idle = COSTS_READ, USED(JOIN)},
    {OPTION("isa", NULL, "Instruction set of the CPU threads"), TEXT(isa),
     WORDS("portable", "avx2", "avx512"), .idle = COSTS_READ, USED(JOIN)},

    {.heading = "Other hosts:"},
    {OPTION("serve", "tcp://ADDRESS[:PORT]", "Let workers join at this address"), TEXT(serve)},
    {OPTION("hosts", "N", "Begin when N workers have joined"), COUNT(hosts, 1, LB_HOSTS_MOST)},
    {OPTION("hosts-most", "N", "Let in N workers at most"), COUNT(hosts_most, 1, LB_HOSTS_MOST)},
    {OPTION("join", "tcp://HOST[:PORT]", "Work for the program that serves there"), TEXT(join), USED(JOIN)},
    {OPTION("key", "FILE", "Trust who holds this key, and nobody else"), TEXT(key), USED(JOIN)},
    {OPTION("make-key", "FILE", "Make a key and end"), TEXT(key), .action = CLI_MAKE_KEY},
    {OPTION("patience", "TIME", "How long to wait for hosts at the start"),
     SECONDS(patience, LEAST_SECONDS, MOST_SECONDS), USED(JOIN)},
    {OPTION("silence", "TIME", "After how long a silent host is lost"),
     SECONDS(silence, LEAST_SILENCE, MOST_SECONDS), USED(JOIN)},
    {OPTION("due", "TIME", "After how long a host that delivers nothing is lost"),
     SECONDS(due, LEAST_SECONDS, MOST_SECONDS)},
    {OPTION("persist", NULL, "When the primary is lost, wait for another"), FLAG(persist), USED(JOIN)},
    {OPTION("insecure", NULL, "Serve, and pass scenes on, without a key"), FLAG(insecure), USED(JOIN)},

    {.heading = "The balance:"},
    {OPTION("passes", "N", "Render the samples in N passes over the picture"),
     COUNT(growth.passes, 1, INT32_MAX), .idle = CLI_IDLE_ONE_PASS},
    {OPTION("time-limit", "TIME", "End at as many samples as take so long, the same for all pixels"),
     TYPED(LB_OPTION_SECONDS, double, growth.time_limit), ABOVE_ZERO,
     .option.wanted = "a time above 0, as 90, 5m or 1h30m"},
    {OPTION("noise-target", "X", "End when the picture's noise over its mean is X or less"),
     TYPED(LB_OPTION_SHARE, double, growth.noise), ABOVE_ZERO,
     .option.wanted = "a number above 0, as 0.05 or 5%"},
    {OPTION("noise-by", NULL, "With --adaptive: whose noise is to be X"),
     EITHER(growth.by_largest, "mean", "largest"), GIVEN(noise_by), .idle = COSTS_READ},
    {OPTION("adaptive", NULL, "Spend the samples where the picture is noisy, --spp on average"),
     FLAG(growth.adaptive), .idle = COSTS_READ},
    {OPTION("guiding", "auto|trial|always|no", "Learn where light comes from, and look there most"),
     READ(cli_read_guiding, "auto, trial, always or no"), .optional = true, .idle = COSTS_READ},
    {OPTION("no-cache", NULL, "Neither use nor keep measured speeds"), FLAG(no_cache),
     .idle = CLI_IDLE_NO_SPEEDS, USED(JOIN)},
    {.of_strategies = true},

    {.heading = "Parts of a picture:"},
    {OPTION("part", "FILE", "Keep what was rendered in FILE, to be joined or continued"), TEXT(parts.part),
     USED(MERGE)},
    {OPTION("checkpoint", "FILE[,TIME]", "Keep in FILE what there is, every so often and at the end"),
     READ(cli_read_checkpoint, NULL)},
    {OPTION("share", "I/N[,W1,..,WN]", "Render the I-th of N shares of the pixels"),
     READ(cli_read_share, "I/N with 1 <= I <= N <= 65536")},
    {OPTION("samples", "A:B", "Render samples A to B - 1 of each pixel"),
     READ(cli_read_samples, "A:B with 0 <= A < B")},
    {OPTION("resume", "FILE", "Render what the part FILE lacks"), TEXT(parts.resume)},
    {OPTION("merge", NULL, "Join the operands, parts of a picture, and end"), .option.type = LB_OPTION_FLAG,
     .action = CLI_MERGE, USED(MERGE)},
    {OPTION("partial", NULL, "Let --merge write a picture that lacks samples"), FLAG(parts.partial),
     .idle = NOWHERE, USED(MERGE)},
    {OPTION("describe", NULL, "Tell what the operands, parts of pictures, hold and end"),
     .option.type = LB_OPTION_FLAG, .action = CLI_DESCRIBE, USED(DESCRIBE)},

    {.heading = "Animations:"},
    {OPTION("frames", "B-E[,STEP][/N]", "Render frames B to E of N"),
     READ(cli_read_frames, "B-E, B-E,STEP or B-E,STEP/N with 0 <= B <= E < N <= 1000000")},
    {OPTION("turntable", "N", "N frames of the camera's way once around what it looks at"),
     COUNT(turntable, 2, 1000000), .idle = COSTS_READ},
    {OPTION("skip-existing", NULL, "Leave out frames whose file is there"), FLAG(skip_existing)},

    {.heading = "Simulation:"},
    {OPTION("simulate", "SPEC", "Run the strategy under a virtual clock"), TEXT(simulate)},
    {OPTION("costs", "FILE.pfm", "Take the costs from a cost map"), ENDS_IN(costs, ".pfm")},
    {OPTION("known-costs", NULL, "Let strategies that want an estimate see the true costs"),
     FLAG(known_costs)},
    {OPTION("compare", "NAME,..", "Race these strategies, or all, and print a table"),
     READ(cli_read_racers, NULL), .optional = true, GIVEN(compare)},
    {OPTION("repeat", "N", "Let each strategy of --compare run N times"),
     READ(cli_read_repeat, "1 .. 10000, auto or auto,SECONDS")},

    {.heading = "What is told:"},
    {OPTION("report-format", NULL, "Form of --report; by its ending otherwise"), GIVEN(report_format_given),
     WORD(report_format, "text", "json", "csv", "html"), USED(DESCRIBE)},
    {OPTION("trace", "FILE.json", "Write a time line in Chrome's trace format"), TEXT(trace)},
    {OPTION("partition-map", "FILE.png", "Write who rendered what, a colour a processor"),
     ENDS_IN(partition_map, ".png")},
    {OPTION("cost-map", "FILE", "Write what each pixel cost: .png or .pfm"),
     ENDS_IN(cost_map, ".png", ".pfm")},
    {OPTION("cost-unit", NULL, "Unit of --cost-map"), EITHER(settings.cost_in_seconds, "steps", "seconds"),
     .idle = CLI_IDLE_NO_COSTS | COSTS_READ},
    {OPTION("display-server", "HOST:PORT",
            "Show the picture in tev, which listens there, while it is rendered"),
     READ(cli_read_display_server, "HOST:PORT, as localhost:14158"), .idle = CLI_IDLE_NOTHING_SHOWN},
    {OPTION("preview", "auto|kitty|sixel|page",
            "Show the picture in this terminal, or on a page of this machine, while it is rendered"),
     READ(cli_read_preview, "auto, kitty, sixel, page or page:PORT"), .optional = true, GIVEN(preview),
     .idle = CLI_IDLE_NOTHING_SHOWN},
    {OPTION("progress", NULL, "How progress is shown on standard error"),
     WORD(progress, "auto", "bar", "lines", "none"), .idle = COSTS_READ},
    {OPTION("quiet", NULL, "No progress, report or warnings"), .letter = 'q', FLAG(quiet),
     USED(MERGE | DESCRIBE | JOIN)},
    {OPTION("verbose", NULL, "Show notes"), .letter = 'v', FLAG(verbose), USED(MERGE | DESCRIBE | JOIN)},
    {OPTION("list-strategies", NULL, "List the strategies and end"), .option.type = LB_OPTION_FLAG,
     .action = CLI_LIST_STRATEGIES},
    {OPTION("list-devices", "tcp://HOST[:PORT]",
            "List the processors, of this machine or of who serves there, and end"),
     TEXT(ask), .optional = true, .action = CLI_LIST_DEVICES},
    {OPTION("report-schema", NULL, "Print the JSON report's schema and end"), .option.type = LB_OPTION_FLAG,
     .action = CLI_REPORT_SCHEMA},
    {OPTION("completion", NULL, "Print a shell's completion of lbrender and end"),
     WORD(shell, "bash", "zsh", "fish"), .action = CLI_COMPLETION},
};

enum { ROWS = sizeof cli_option_rows / sizeof *cli_option_rows };
const size_t cli_option_row_count = ROWS;
_Static_assert((int)ROWS <= (int)CLI_OPTIONS_MOST, "each row needs a place in cli_options.given");

/* ---- for argp ---- */

static bool is_option(const struct cli_option *row)
{
    return row->option.name != NULL;
}

static int key_of(const struct cli_option *row)
{
    return row->letter ? row->letter : CLI_KEY_ROW + (int)(row - cli_option_rows);
}

const struct cli_option *cli_option_of(int key)
{
    for (size_t i = 0; i < ROWS; i++)
        if (is_option(&cli_option_rows[i]) && key_of(&cli_option_rows[i]) == key)
            return &cli_option_rows[i];
    return NULL;
}

/* What --help shows behind the =: "a|b|c" for words that stand in no other place. */
static const char *argument_of(const struct lb_option *option, char *text, size_t size)
{
    if (option->argument || option->type == LB_OPTION_FLAG || !option->words)
        return option->argument;
    *text = '\0';
    for (size_t i = 0; option->words[i]; i++) {
        strncat(text, i ? "|" : "", size - strlen(text) - 1);
        strncat(text, option->words[i], size - strlen(text) - 1);
    }
    return text;
}

/* Made at the first call, as strategies' options are counted at run time. */
const struct argp_option *cli_options_table(void)
{
    static struct cli_strategy_options strategies;
    static struct argp_option all[CLI_STRATEGY_ENTRIES + ROWS + 3];
    static char arguments[ROWS][64];
    size_t count = 0;
    int group = 0; /* between two, there is room for those of strategies */
    if (all[0].group)
        return all;
    for (size_t i = 0; i < ROWS; i++) {
        const struct cli_option *row = &cli_option_rows[i];
        group += row->heading ? LB_OPTIONS_MOST + 1 : 0;
        if (row->heading)
            all[count++] = (struct argp_option){.doc = row->heading, .group = group};
        else if (row->of_strategies) {
            cli_strategy_options_list(&strategies, CLI_KEY_STRATEGIES, group + 1);
            memcpy(all + count, strategies.entries, strategies.count * sizeof *all);
            count += strategies.count;
        } else
            all[count++] = (struct argp_option){row->option.name,
                                                key_of(row),
                                                argument_of(&row->option, arguments[i], sizeof arguments[i]),
                                                row->optional ? OPTION_ARG_OPTIONAL : 0,
                                                row->option.help,
                                                group};
    }
    all[count++] = (struct argp_option){.doc = "Help:", .group = -1};
    all[count++] = (struct argp_option){.key = 'h', .doc = "The same as --help", .group = -1};
    return all;
}
