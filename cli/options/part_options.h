/* Values of the options that deal with parts of pictures. */
#ifndef LB_CLI_OPTIONS_PART_OPTIONS_H
#define LB_CLI_OPTIONS_PART_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct cli_part_options {
    const char *part, *resume; /* or NULL */
    char *checkpoint;          /* or NULL; main's to free */
    double checkpoint_seconds;
    uint32_t share, shares;            /* share 0 .. shares - 1; shares 0: not given */
    const char *share_weights;         /* with commas between, or NULL: all alike */
    uint32_t sample_begin, sample_end; /* end 0: not given */
    bool partial;
};

/* I/N, or I/N,W1,..,WN; the weights are not looked at yet. False: it is not. */
bool cli_share_parse(const char *value, struct cli_part_options *options);
/* FILE, or FILE,SECONDS with a positive number; a comma before anything else is the name's. False: out of memory. */
bool cli_checkpoint_parse(const char *value, struct cli_part_options *options);
/* A:B with A < B. */
bool cli_samples_parse(const char *value, struct cli_part_options *options);
/* Is less than the whole frame asked for? */
bool cli_part_options_some(const struct cli_part_options *options);

#endif
