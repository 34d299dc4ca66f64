/* The values of options, read from the words that were given. Where a word is no such value, each function ends the
 * program with status 2 and a line that names the option and what it wants. `key`: the option's, cli/options/table.h.
 * */
#ifndef LB_CLI_OPTIONS_VALUES_H
#define LB_CLI_OPTIONS_VALUES_H

#include "cli/options/options.h"
#include "core/option.h"

/* Ends the program: the option needs what `wanted` says and got `got`. */
void cli_value_refuse(const struct argp_state *state, int key, const char *wanted, const char *got);

/* The value of an option that a strategy declares. */
union lb_option_value cli_value_declared(const struct argp_state *state, const struct lb_option *option,
                                         const char *text);
/* The index of `value` in `words`, which end with NULL. */
unsigned cli_value_word(const struct argp_state *state, int key, const char *value, const char *const *words);
/* A whole number from `low` to `high`. */
uint64_t cli_value_whole(const struct argp_state *state, int key, const char *value, uint32_t low,
                         uint32_t high);
/* A whole number from 1 to INT32_MAX. */
uint32_t cli_value_positive(const struct argp_state *state, int key, const char *value);
/* A number above 0. */
double cli_value_above_zero(const struct argp_state *state, int key, const char *value);
/* Seconds, `least` to a million. */
double cli_value_seconds(const struct argp_state *state, int key, const char *value, double least);
/* The value itself: the name of a file that ends in `first` or `second`, capitals or not. */
const char *cli_value_ending(const struct argp_state *state, int key, const char *value, const char *first,
                             const char *second);
/* The strategy of this name. */
const struct lb_strategy *cli_value_strategy(const struct argp_state *state, int key, const char *name);

/* --resolution: "WxH". */
void cli_value_resolution(const struct argp_state *state, const char *value, struct lb_scene_options *load);
/* --cropwindow: "x0,x1,y0,y1" as parts of the film. */
void cli_value_crop_window(const struct argp_state *state, const char *value, struct lb_scene_options *load);
/* --pixelbounds: "x0,x1,y0,y1" in pixels. */
void cli_value_pixel_bounds(const struct argp_state *state, const char *value, struct lb_scene_options *load);
/* --frames: "B-E", or "B" alone; then ",STEP" and "/N". */
void cli_value_frames(const struct argp_state *state, const char *value, struct cli_frames *frames);
/* --compare: "a,b"; NULL stands for all strategies. */
void cli_value_racers(const struct argp_state *state, const char *value, struct cli_options *options);
/* --exposure: stops, -100 to 100. */
void cli_value_exposure(const struct argp_state *state, const char *value, struct lb_film_form *form);
/* --channels: a list, or "rgb" for none. */
void cli_value_channels(const struct argp_state *state, const char *value, struct cli_options *options);

#endif
