/* The values of options that are none of core/option.h's types; each function sets what it reads in `options`.
 * LB_ERROR: it needs what the option's row says; any other error has its own message. */
#ifndef LB_CLI_OPTIONS_READERS_H
#define LB_CLI_OPTIONS_READERS_H

#include "cli/options/table.h"

/* "rgb", or a list of channels. */
cli_option_read cli_read_channels;
/* "WxH", or "50%" of the file's. */
cli_option_read cli_read_resolution;
/* "x,y,z/x,y,z", and "/x,y,z" perhaps. */
cli_option_read cli_read_look_at;
/* "x0,x1,y0,y1" as parts of the film. */
cli_option_read cli_read_crop_window;
/* "x0,x1,y0,y1" in pixels. */
cli_option_read cli_read_pixel_bounds;
/* "HOST:PORT". */
cli_option_read cli_read_display_server, cli_read_preview;
/* "auto", "trial", "always" or "no"; without a value "trial". */
cli_option_read cli_read_guiding;
/* "measured", or a list, which is read when there are processors. */
cli_option_read cli_read_weights;
/* A file, beside those that were given before. */
cli_option_read cli_read_report;
/* A strategy's name. */
cli_option_read cli_read_strategy;
/* Strategies' names with commas between them; NULL stands for all. */
cli_option_read cli_read_racers;
/* A count, or several: "1..8", "1..64*2". */
cli_option_read cli_read_threads;
/* A count, "auto", or "auto,SECONDS". */
cli_option_read cli_read_repeat;
/* "B-E", or "B" alone; then ",STEP" and "/N". */
cli_option_read cli_read_frames;
/* FILE, or FILE,TIME with one above 0; a comma before anything else is the name's. */
cli_option_read cli_read_checkpoint;
/* I/N, or I/N,W1,..,WN. */
cli_option_read cli_read_share;
/* A:B with A < B. */
cli_option_read cli_read_samples;

#endif
