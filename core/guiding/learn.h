/* A scene's guide is made before its pictures are: a small version of the picture is rendered in passes, by whose paths
 * it learns where light comes from, and its samples are thrown away. What was learned then stands in the scene's block,
 * so that all processors, wherever they are, are guided alike, and a picture that is gone on with later, too. */
#ifndef LB_CORE_GUIDING_LEARN_H
#define LB_CORE_GUIDING_LEARN_H

#include "core/base/error.h"
#include "core/cpu/cpu.h"
#include "core/guiding/trial.h"

/* When paths are guided. */
enum lb_guiding_wish {
    LB_GUIDING_AUTO, /* where the picture has many paths and a trial (core/guiding/trial.h) finds that it pays */
    LB_GUIDING_TRIAL, /* where a trial does, in pictures of fewer paths, too */
    LB_GUIDING_ALWAYS,
    LB_GUIDING_NEVER
};

struct lb_learning {
    enum lb_guiding_wish wish;
    uint64_t paths;   /* of the whole film's picture */
    uint32_t threads; /* that learn, at least 1 */
    enum lb_isa isa;
    /* The picture was begun before, with a guide that has learned from `begun_with` paths, or with none (0): unless
     * `wish` is to have it otherwise, it gets the same now, however many samples it has. */
    bool begun;
    uint32_t begun_with;
};

/* What came of it. */
struct lb_learned {
    struct lb_guiding_found found; /* by the trial */
    uint32_t paths;                /* that the guide has learned from; 0: paths are not guided */
    double seconds;
};

/* Why paths cannot be guided in the scene, or NULL: they can. */
const char *lb_unguided(const lb_scene *scene);

/* Gives the scene a guide, by which its block may move, or leaves it without. Whatever comes of it, the same does for
 * the same scene, wish and number of paths. No processor may have been opened for the scene. Errors: out of memory; a
 * thread could not be made. */
enum lb_status lb_guiding_learn(lb_scene **scene, const struct lb_learning *learning,
                                struct lb_learned *learned, struct lb_error *error);

#endif
