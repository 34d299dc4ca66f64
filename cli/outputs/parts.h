/* What a frame has to do with parts of pictures: what of it is there already, what is asked for, what is kept. */
#ifndef LB_CLI_OUTPUTS_PARTS_H
#define LB_CLI_OUTPUTS_PARTS_H

#include "cli/console/console.h"
#include "cli/options/options.h"
#include "core/run/frame.h"
#include "core/scene/load.h"

struct cli_parts {
    struct lb_part_subject subject;
    struct lb_part begun; /* of --resume, until the frame takes it */
    uint64_t *share;      /* the pixels of --share, or NULL */
    struct lb_wish wish;
    uint64_t due; /* samples that are to be rendered */
    char *part;   /* the files' names, or NULL */
    char *checkpoint;
    double checkpoint_seconds;
    /* Shows the picture so far to who asks for it, while the frame is rendered; the caller's. */
    void (*show)(void *user, const struct lb_part *part);
    void *user;
};

/* For frame `number` of `scene`; reads what --resume names. */
enum lb_status cli_parts_open(struct cli_parts *parts, const struct cli_options *options,
                              const struct lb_loaded *scene, uint32_t number, const struct lb_log *log,
                              struct lb_error *error);
void cli_parts_free(struct cli_parts *parts);
/* Writes --part and --checkpoint, as far as they are wanted, of what was rendered; `said` is what there is to say of
 * it, "" for nothing. */
enum lb_status cli_parts_write(struct cli_console *console, const struct cli_parts *parts,
                               const struct lb_frame *frame, char *said, size_t size, struct lb_error *error);

#endif
