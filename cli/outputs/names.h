/* Names of files, with the numbers of frames in them. */
#ifndef LB_CLI_OUTPUTS_NAMES_H
#define LB_CLI_OUTPUTS_NAMES_H

#include "core/base/error.h"
#include "core/strategy.h"

#include <stdbool.h>
#include <stdint.h>

/* All texts are the caller's to free; NULL: out of memory. */

/* The picture's name when -o gives none: the Film's file name in the current folder, its ending replaced by .png
 * where it cannot be written (`*replaced`); else the scene's base name and .png. A usage error when the scene is
 * standard input and its Film names none. */
enum lb_status cli_name_output(const char *scene, const char *film_file, bool *replaced, char **name,
                               struct lb_error *error);
/* The scene's file of a frame: in an `animation` the name's run of # is replaced by the number in as many digits, or
 * more. */
char *cli_name_scene(const char *name, uint32_t frame, bool animation);
/* An output's file of a frame, by the rule of cli_name_scene(); in a name without a run of # "-0042" comes before the
 * ending. */
char *cli_name_frame(const char *name, uint32_t frame, bool animation);
/* The name of a probe's map, which is written beside the cost map: "map.estimate.pfm" or "map.coverage.pfm" for
 * "map.pfm". */
char *cli_name_estimate(const char *cost_map, enum lb_probe probe);
/* "map.pool.png" for "map.png": that of a strategy of a race. */
char *cli_name_racer(const char *name, const char *strategy);
/* "picture.partial.png" for "picture.png". */
char *cli_name_partial(const char *name);
/* Could a file be made there? An error before the work is better than one after it. */
enum lb_status cli_name_check(const char *name, struct lb_error *error);
/* Are both in one folder, by how they are written? */
bool cli_name_beside(const char *a, const char *b);
/* Would writing to one of the two files change the other? Symbolic and hard links are followed, and neither file need
 * be there yet. Devices and pipes are never the same: they take one thing after the other. */
bool cli_name_same(const char *a, const char *b);

#endif
