/* A guide that learns (core/kernel/guiding/guide.h): what it draws by is made of what paths have added to its sums. */
#ifndef LB_CORE_GUIDING_GUIDING_H
#define LB_CORE_GUIDING_GUIDING_H

#include "core/base/error.h"
#include "core/kernel/guiding/guide.h"

/* A guide with the arrays that it points to, and the boxes of its cells. */
struct lb_guiding {
    lb_guide guide; /* for a pass: it stays as it is until lb_guiding_refine() */
    lb_guide_node *nodes;
    lb_guide_cell *cells;
    lb_guide_sums *sums;
    uint32_t *ways;
    lb_box *boxes;
    uint32_t *leaves; /* each cell's half of a node: twice the node's number, and 1 more for the second */
    uint32_t node_count, cell_count, cell_room;
};

/* A guide that knows nothing yet, for paths of the scene that draw no more than so many directions. Released by
 * lb_guiding_close in any case. */
enum lb_status lb_guiding_open(struct lb_guiding *guiding, const lb_scene *scene, double directions,
                               struct lb_error *error);
void lb_guiding_close(struct lb_guiding *guiding);

/* After a pass: what the next draws by is made of the sums, and cells in which much was learned are cut in two. */
enum lb_status lb_guiding_refine(struct lb_guiding *guiding, struct lb_error *error);

#endif
