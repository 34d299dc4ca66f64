/* What a frame's paths learn from pass to pass of where light comes from (core/kernel/guiding/guide.h). */
#ifndef LB_CORE_RUN_GUIDING_H
#define LB_CORE_RUN_GUIDING_H

#include "core/base/error.h"
#include "core/kernel/guiding/guide.h"
#include "core/kernel/scene/scene.h"
#include "core/run/guiding_trial.h"

/* A guide with the arrays that it points to, and the boxes of its cells. */
struct lb_guiding {
    lb_guide guide; /* for a pass: it stays as it is until lb_guiding_refine() */
    lb_guide_node *nodes;
    lb_guide_cell *cells;
    lb_guide_sums *sums;
    uint32_t *grid;
    lb_box *boxes;
    uint32_t *leaves; /* each cell's half of a node: twice the node's number, and 1 more for the second */
    uint32_t node_count, cell_count, cell_room;
    bool tried;      /* paths are guided only if a trial finds that it pays */
    uint32_t a_pass; /* samples of each pass of the trial */
    const lb_scene *scene;
    lb_guide_tally *tallies;       /* while a trial is under way */
    struct lb_guiding_found found; /* by the trial */
    bool off;                      /* it does not pay: no path is guided any more */
};

/* A pass of a frame: samples [begin, end) of its pixels, of `last` in all. */
struct lb_guiding_pass {
    uint32_t begin, end, last;
};

/* A guide that knows nothing yet, for a frame of the scene. `always`: it leads from the first pass on; else once a
 * trial (core/run/guiding_trial.h) has found that it pays. Released by lb_guiding_close in any case. */
enum lb_status lb_guiding_open(struct lb_guiding *guiding, const lb_scene *scene, bool always,
                               struct lb_error *error);
void lb_guiding_close(struct lb_guiding *guiding);

/* Before and after each pass. After one, what the next draws by is made of the sums, and cells in which much was
 * learned are cut in two. */
enum lb_status lb_guiding_begin_pass(struct lb_guiding *guiding, const struct lb_guiding_pass *pass,
                                     struct lb_error *error);
enum lb_status lb_guiding_end_pass(struct lb_guiding *guiding, const struct lb_guiding_pass *pass,
                                   struct lb_error *error);

#endif
