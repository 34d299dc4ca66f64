/* A small version of a scene's picture, which is rendered for what its paths tell a guide, and for nothing else. */
#ifndef LB_CORE_GUIDING_SKETCH_H
#define LB_CORE_GUIDING_SKETCH_H

#include "core/base/error.h"
#include "core/cpu/cpu.h"
#include "core/kernel/guiding/guide.h"

struct lb_sketch {
    lb_scene *scene;
    lb_film film;    /* of the sketch: the whole film, in fewer pixels */
    uint32_t pixels; /* their number */
    uint32_t threads;
    enum lb_isa isa;
    lb_scene head; /* the scene's, as it was, between begin and end */
};

/* A sketch of about so many pixels, or as many as the film has. */
void lb_sketch_open(struct lb_sketch *sketch, lb_scene *scene, uint32_t pixels, uint32_t threads,
                    enum lb_isa isa);

/* Between the two the scene is that of the sketch, of which pixels get no more than so many samples. */
void lb_sketch_begin(struct lb_sketch *sketch, uint32_t samples);
void lb_sketch_end(struct lb_sketch *sketch);

/* Renders samples [begin, end) of all pixels, of which the guide learns. Errors: out of memory; a thread could not be
 * made. */
enum lb_status lb_sketch_render(const struct lb_sketch *sketch, const lb_guide *guide, uint32_t begin,
                                uint32_t end, struct lb_error *error);

#endif
