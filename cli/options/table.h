/* The table of options: all that --help, completion, parsing and warnings say and do of an option follows from its row.
 */
#ifndef LB_CLI_OPTIONS_TABLE_H
#define LB_CLI_OPTIONS_TABLE_H

#include "cli/options/options.h"
#include "core/option.h"

#include <argp.h>

/* What programs that read no scene have a use for: bits. */
enum cli_use { CLI_USE_MERGE = 1, CLI_USE_DESCRIBE = 2, CLI_USE_JOIN = 4 };

/* When an option changes nothing: bits, one for each row of the table in cli/options/effect.c. */
enum cli_idle {
    CLI_IDLE_NO_PICTURE = 1,         /* a simulation or a race writes none */
    CLI_IDLE_NOWHERE = 1 << 1,       /* the picture is written nowhere */
    CLI_IDLE_NO_DENOISING = 1 << 2,  /* there is neither a picture nor a part to be denoised */
    CLI_IDLE_NOTHING_KEPT = 1 << 3,  /* there is neither a picture nor a part */
    CLI_IDLE_NOTHING_SHOWN = 1 << 4, /* a simulation or a race shows none */
    CLI_IDLE_RACE = 1 << 5,
    CLI_IDLE_ONE_PASS = 1 << 6,   /* of a simulation */
    CLI_IDLE_NO_SPEEDS = 1 << 7,  /* are measured in a simulation or a race */
    CLI_IDLE_NO_COSTS = 1 << 8,   /* are asked for */
    CLI_IDLE_COSTS_READ = 1 << 9, /* from a file, and nothing is rendered */
    CLI_IDLES = 10
};

/* Reads a value that is none of core/option.h's types. LB_ERROR: it needs option.wanted; LB_ERROR_USAGE: as the message
 * says. `value` is NULL where it may be left out and was. */
typedef enum lb_status cli_option_read(const char *value, struct cli_options *options,
                                       struct lb_error *error);

struct cli_option {
    const char *heading;     /* of a group in --help; then this is no option */
    bool of_strategies;      /* then this is the place of those that strategies declare */
    struct lb_option option; /* whose offset is in struct cli_options */
    char letter;             /* of the short form, or 0 */
    bool optional;         /* its value may be left out, and is then the first of its words, if it has such */
    cli_option_read *read; /* or NULL: it is read by its type, and kept at its offset */
    size_t given; /* offset of a bool in struct cli_options that is to say that it was given; 0: none */
    enum cli_action action; /* what the program does instead of rendering; 0: that */
    unsigned idle;          /* bits of enum cli_idle */
    unsigned uses;          /* bits of enum cli_use */
};

/* All rows, headings among them. */
extern const struct cli_option cli_option_rows[];
extern const size_t cli_option_row_count;

/* The key of -h. An option's own key is its letter, or CLI_KEY_ROW and the number of its row; an option that strategies
 * declare has CLI_KEY_STRATEGIES and its number. */
enum { CLI_KEY_ROW = 256, CLI_KEY_STRATEGIES = 4096 };
/* The row of a key; NULL: it is no row's. */
const struct cli_option *cli_option_of(int key);
/* All options as argp wants them, those that strategies declare among them; the last entry is all zero. */
const struct argp_option *cli_options_table(void);

#endif
