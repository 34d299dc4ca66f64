/* Whether it pays to guide a frame's paths. In two passes half of the pixels are rendered without the guide, like the
 * black squares of a chess-board. How much the two passes differ tells the noise of each half; both have the same light
 * and as many samples. What their paths cost is counted in steps. So the answer depends on sums of integers alone, and
 * is the same whoever rendered the picture. */
#ifndef LB_CORE_RUN_GUIDING_TRIAL_H
#define LB_CORE_RUN_GUIDING_TRIAL_H

#include "core/base/error.h"
#include "core/kernel/film/film.h"
#include "core/kernel/guiding/guide.h"

/* What a trial has found. */
struct lb_guiding_found {
    double gain; /* the mean square error without the guide over that with it; 0: no trial has ended */
    double cost; /* the steps of a path with the guide over those of one without it */
};

/* A trial over pictures of the scene, row by row. Pixels that outlines of lights run through do not count: most of
 * their noise is of what the camera sees, and few of them would decide. It begins and ends with NULL pointers. */
struct lb_guiding_trial {
    const lb_scene *scene;
    lb_film_pixel *before, *between; /* the picture before each of the two passes */
};

/* Keeps a picture as it is, in one of the trial's pointers. */
enum lb_status lb_guiding_trial_keep(const struct lb_guiding_trial *trial, const lb_film_pixel *pixels,
                                     lb_film_pixel **kept, struct lb_error *error);

/* After the second pass, from the picture and from what paths of both passes have cost (LB_GUIDE_COSTS of them); 1
 * where nothing tells. The few pixels that differ most of either half are left out, as single bright paths would
 * decide. Releases what was kept. */
enum lb_status lb_guiding_trial_find(struct lb_guiding_trial *trial, const lb_film_pixel *pixels,
                                     const lb_guide_cost *costs, struct lb_guiding_found *found,
                                     struct lb_error *error);
void lb_guiding_trial_free(struct lb_guiding_trial *trial);

#endif
