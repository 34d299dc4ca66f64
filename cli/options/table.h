/* The table of options, and the keys by which argp tells one from another. */
#ifndef LB_CLI_OPTIONS_TABLE_H
#define LB_CLI_OPTIONS_TABLE_H

#include <argp.h>

/* Long options without a letter. */
enum cli_option_key {
    KEY_STRATEGY = 256,
    KEY_WEIGHTS,
    KEY_DEVICES,
    KEY_BIND,
    KEY_ISA,
    KEY_SERVE,
    KEY_JOIN,
    KEY_HOSTS,
    KEY_HOSTS_MOST,
    KEY_INSECURE,
    KEY_KEY,
    KEY_MAKE_KEY,
    KEY_SILENCE,
    KEY_DUE,
    KEY_PERSIST,
    KEY_PATIENCE,
    KEY_FORMAT,
    KEY_BITS,
    KEY_COMPRESSION,
    KEY_EXPOSURE,
    KEY_TONE_MAP,
    KEY_CHANNELS,
    KEY_CHANNEL_SPACE,
    KEY_TRANSPARENT,
    KEY_DENOISE,
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
    KEY_DISPLAY_SERVER,
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

/* All options, those that strategies declare among them; the last entry is all zero. */
const struct argp_option *cli_options_table(void);
/* The long name of the option with this key; "?" for one that a strategy declares. */
const char *cli_option_name(int key);

#endif
