/* A look at a frame while it is rendered: what its pixels are worth by now, and which samples those are. Pieces that
 * are being written are left out; all others stay as they are until their pass ends. */
#ifndef LB_CORE_RUN_PASS_LOOK_H
#define LB_CORE_RUN_PASS_LOOK_H

#include "core/part/part.h"
#include "core/processor.h"

#include <pthread.h>
#include <stdatomic.h>

/* The arrays that a pass fills while it runs. */
struct lb_look_pass {
    const lb_order *order;       /* of whole pixels; NULL: no pass runs */
    const lb_film_pixel *pixels; /* the local framebuffers laid end to end */
    const int64_t *sums;         /* the sums of channels, laid end to end in that way; NULL: there are none */
    uint32_t sample_begin, sample_end;
};

/* What the frame has, of passes before this one. Its pixels are NULL before the first. */
struct lb_look_frame {
    lb_film_pixel *const *pixels;
    int64_t *const *sums;
    const struct lb_held *held; /* which samples both have */
    const struct lb_part_target *target;
};

struct lb_look {
    /* Guards the next two fields. At the end of a pass the scheduler holds it until the pass is added to the frame. */
    pthread_mutex_t lock;
    struct lb_look_pass pass;
    struct lb_look_frame frame; /* all NULL: there is none */
    /* Around `writing`, and around what changes pixels that no piece in it has. */
    pthread_mutex_t writing_lock;
    struct lb_range *writing; /* LB_PIECES_IN_HAND a processor: the pieces that it writes */
    uint32_t count;           /* of `writing` */
    /* Under writing_lock: which stretches of the order of whole pixels were written since they were last shown. */
    uint8_t *changed;
    size_t changed_count;
    uint64_t old_shown;  /* under `lock`: of the pixels that the pass adds to, so many were shown */
    atomic_bool leaving; /* the pass's end waits for `lock`: nothing more is shown of it */
};

/* Of `count` processors. NULL: out of memory. */
struct lb_look *lb_look_open(uint32_t count);
void lb_look_close(struct lb_look *look);
/* Makes room for `count` processors, while no pass runs. False: there is no memory. NULL has room for all. */
bool lb_look_grow(struct lb_look *look, uint32_t count);

/* The following do nothing where `look` is NULL. */

/* From here on the frame is looked at; NULL: no longer. */
void lb_look_frame(struct lb_look *look, const struct lb_look_frame *frame);
/* A pass begins to fill its arrays; and it has ended, so that nobody looks until lb_look_added() says that the frame
 * has what it rendered. */
void lb_look_begin(struct lb_look *look, const struct lb_look_pass *pass);
void lb_look_end(struct lb_look *look);
void lb_look_added(struct lb_look *look);
/* A processor is about to write the piece; an empty one: it has written the last. Pieces that it writes at the same
 * time have slots below LB_PIECES_IN_HAND of their own. */
void lb_look_write(struct lb_look *look, uint32_t processor, uint32_t slot, struct lb_range piece);
/* Around what takes delivered pixels back. */
void lb_look_forbid(struct lb_look *look);
void lb_look_allow(struct lb_look *look);

/* Shows what pixels are worth by now, to who showed them before: those of which something was delivered since, one call
 * of `show` a pixel; where a pass begins over what an earlier one left, all. For one thread alone. */
typedef void lb_look_show(void *user, uint64_t pixel, lb_rgb color);
void lb_look_changes(struct lb_look *look, lb_look_show *show, void *user);

/* What there is now, from any thread: a copy, to be released by lb_part_free. Where there is no frame, an empty
 * part. */
enum lb_status lb_look_take(struct lb_look *look, const struct lb_part_subject *subject, struct lb_part *part,
                            struct lb_error *error);

#endif
