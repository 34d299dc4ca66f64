/* What a frame's paths learn from pass to pass of where light comes from (core/kernel/guiding/guide.h). */
#ifndef LB_CORE_RUN_GUIDING_H
#define LB_CORE_RUN_GUIDING_H

#include "core/base/error.h"
#include "core/kernel/guiding/guide.h"
#include "core/kernel/scene/scene.h"

/* A guide with the arrays that it points to, and the boxes of its cells. */
struct lb_guiding {
    lb_guide guide; /* for a pass: it stays as it is until lb_guiding_refine() */
    lb_guide_node *nodes;
    lb_guide_cell *cells;
    lb_guide_sums *sums;
    uint32_t *grid;
    lb_box *boxes;
    uint32_t *leaves; /* each cell's node */
    uint32_t node_count, cell_count, cell_room;
};

/* A guide that knows nothing yet, for a frame of the scene. Released by lb_guiding_close in any case. */
enum lb_status lb_guiding_open(struct lb_guiding *guiding, const lb_scene *scene, struct lb_error *error);
void lb_guiding_close(struct lb_guiding *guiding);

/* Between passes: makes of the sums by what the next pass draws, and cuts cells in two in which much was learned. */
enum lb_status lb_guiding_refine(struct lb_guiding *guiding, struct lb_error *error);

#endif
