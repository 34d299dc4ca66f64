#include "cli/options/table.h"

#include "cli/options/strategy_options.h"
#include "core/picture/formats.h"

#include <string.h>

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
    {"format", KEY_FORMAT, LB_FILM_WORDS_BARRED, 0, "Form of --output; by its ending otherwise", PICTURE},
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
    {"denoise", KEY_DENOISE, "LIBRARY", OPTION_ARG_OPTIONAL,
     "Clean the picture by Open Image Denoise: its bytes are no longer the same everywhere", PICTURE},
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
    {"hosts-most", KEY_HOSTS_MOST, "N", 0, "Let in N workers at most", HOSTS},
    {"join", KEY_JOIN, "tcp://HOST[:PORT]", 0, "Work for the program that serves there", HOSTS},
    {"key", KEY_KEY, "FILE", 0, "Trust who holds this key, and nobody else", HOSTS},
    {"make-key", KEY_MAKE_KEY, "FILE", 0, "Make a key and end", HOSTS},
    {"patience", KEY_PATIENCE, "SECONDS", 0, "How long to wait for hosts at the start", HOSTS},
    {"silence", KEY_SILENCE, "SECONDS", 0, "After how long a silent host is lost", HOSTS},
    {"due", KEY_DUE, "SECONDS", 0, "After how long a host that delivers nothing is lost", HOSTS},
    {"persist", KEY_PERSIST, 0, 0, "When the primary is lost, wait for another", HOSTS},
    {"insecure", KEY_INSECURE, 0, 0, "Serve, and pass scenes on, without a key", HOSTS},
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
    {"display-server", KEY_DISPLAY_SERVER, "HOST:PORT", 0,
     "Show the picture in tev, which listens there, while it is rendered", TOLD},
    {"progress", KEY_PROGRESS, "auto|bar|lines|none", 0, "How progress is shown on standard error", TOLD},
    {"quiet", 'q', 0, 0, "No progress, report or warnings", TOLD},
    {"verbose", 'v', 0, 0, "Show notes", TOLD},
    {"list-strategies", KEY_LIST_STRATEGIES, 0, 0, "List the strategies and end", TOLD},
    {"list-devices", KEY_LIST_DEVICES, "tcp://HOST[:PORT]", OPTION_ARG_OPTIONAL,
     "List the processors, of this machine or of who serves there, and end", TOLD},
    {"report-schema", KEY_REPORT_SCHEMA, 0, 0, "Print the JSON report's schema and end", TOLD},
    {"completion", KEY_COMPLETION, "bash|zsh|fish", 0, "Print a shell's completion of lbrender and end",
     TOLD},
    {0, 0, 0, 0, "Help:", -1},
    {0, 'h', 0, 0, "The same as --help", -1},
    {0},
};

/* Made at the first call, as strategies' options are counted at run time. */
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

const char *cli_option_name(int key)
{
    for (const struct argp_option *option = table; option->name || option->group; option++)
        if (option->name && option->key == key)
            return option->name;
    return "?";
}
