/* The picture's file: its name, and how it is written. */
#ifndef LB_CLI_OUTPUTS_PICTURE_H
#define LB_CLI_OUTPUTS_PICTURE_H

#include "cli/console/console.h"
#include "cli/options/options.h"
#include "core/picture/picture.h"
#include "core/run/frame.h"
#include "core/scene/load.h"

struct cli_picture {
    char *output; /* "-": standard output; NULL: none is written */
    struct lb_film_form form;
};

/* The channels, bits of 1 << enum lb_output, that an EXR of the scene has where it is asked for as the options say:
 * those of --channels, or by itself of a Film "gbuffer". */
uint32_t cli_picture_outputs(const struct cli_options *options, const struct lb_loaded *scene);
/* The sums that these are made of, and what --transparent takes: bits of 1 << enum lb_channel_kind. */
uint32_t cli_picture_kinds(uint32_t outputs, bool transparent);
/* The channels that the scene is to be loaded with. */
struct lb_scene_channels cli_picture_channels(const struct cli_options *options);
/* By the options, or where they say nothing by the scene's Film; warns of options that the format has no use for. */
enum lb_status cli_picture_choose(struct cli_picture *picture, const struct cli_options *options,
                                  const struct lb_loaded *scene, struct cli_console *console,
                                  struct lb_error *error);
void cli_picture_free(struct cli_picture *picture);

/* What is written of a frame. */
struct cli_content {
    struct lb_film_picture film;
    char number[16]; /* the frame's */
    uint64_t untold; /* pixels of Cryptomatte that have more names than can be told */
};

/* Of a frame of `scene`. The pointers are kept. */
void cli_picture_content(struct cli_content *content, const struct cli_options *options,
                         const lb_scene *scene, const struct lb_frame *frame);
/* Writes it to `*file`, or whole into nothing where that is NULL. Where it had to be written elsewhere
 * (cli_rescue_write), `*file`, the caller's to free, becomes that name. */
enum lb_status cli_picture_write(struct cli_console *console, char **file, const struct lb_film_form *form,
                                 const struct cli_content *content, uint32_t *checksum,
                                 struct lb_error *error);

#endif
