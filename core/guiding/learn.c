#include "core/guiding/learn.h"

#include "core/guiding/guiding.h"
#include "core/guiding/sketch.h"
#include "core/machine/clock.h"
#include "core/scene/block/block.h"

#include <math.h>
#include <stdlib.h>

/* So many paths of each of a trial's passes tell enough of a scene: one of which paths learn, and two that are
 * tallied. */
enum { A_PASS = 8192, TALLIED_PASSES = 2, TRIAL_PASSES = 1 + TALLIED_PASSES };
/* So many of a pass or more are of one pixel, as what is made ready for a pixel takes a while and one sample tells no
 * variance. */
enum { AT_ONCE = 2 };
/* A trial is made where it has no more than this part of the picture's paths, or where nobody asked for it, so that
 * those it is in vain for hardly notice. */
enum { TRIAL_PART = 8, UNASKED_PART = 40 };
/* A guide learns from this part of the picture's paths, by which small pictures gain the most, and from no more than so
 * many: one that goes on learning is hardly better (bench/results/quality.md). */
enum { PART = 8, MOST_PATHS = 1 << 19 };
/* Steps of a path that add to sums. */
enum { STEPS = 32 };
/* The gain that a trial finds must be this many times the cost: a pixel's samples are spread less evenly when a guide
 * draws them, of which the variance of single samples does not tell (bench/results/quality.md). */
static const double MARGIN = 1.05;
/* After the first tallied pass the trial ends if the gain is less than this many times the cost. */
static const double HOPELESS = 0.8;

/* A guide on its way. */
struct course {
    const struct lb_learning *learning;
    struct lb_sketch sketch;
    struct lb_guiding guiding;
    lb_guide_tally *tallies; /* while a trial is under way */
    uint32_t a_pass, last;   /* samples of a pass of the trial, and of all */
    struct lb_learned *learned;
    bool pays;
};

const char *lb_unguided(const lb_scene *scene)
{
    if (scene->integrator.kind != LB_INTEGRATOR_PATH)
        return "its integrator follows no paths";
    if (scene->quads.count != 0)
        return "paths with wavelengths are not guided yet";
    return scene->any_volume ? "paths are not guided in media that scatter or shine, nor below surfaces"
                             : NULL;
}

static bool is_tried(const struct course *course)
{
    return course->learning->wish != LB_GUIDING_ALWAYS;
}

/* Is the picture large enough for what is wished? */
static bool is_worth(const struct lb_learning *learning)
{
    const uint64_t trial = (uint64_t)TRIAL_PASSES * A_PASS;
    if (learning->begun && learning->wish < LB_GUIDING_ALWAYS)
        return learning->begun_with != 0;
    switch (learning->wish) {
    case LB_GUIDING_AUTO:
        return learning->paths >= UNASKED_PART * trial;
    case LB_GUIDING_TRIAL:
        return learning->paths >= TRIAL_PART * trial;
    default:
        return learning->wish == LB_GUIDING_ALWAYS;
    }
}

/* ---- the trial ---- */

/* Each pixel of the sketch has a tally. */
static enum lb_status open_tallies(struct course *course, struct lb_error *error)
{
    lb_guide *guide = &course->guiding.guide;
    course->tallies = calloc(course->sketch.pixels, sizeof *course->tallies);
    if (!course->tallies)
        return lb_error_memory(error, NULL);
    double most = 0x1p62 / (TALLIED_PASSES * course->a_pass);
    guide->tallied = most;
    /* So that the square is not cut off. */
    guide->brightest = (float)sqrt(most * 0x1p-30 / (1u << LB_GUIDE_SQUARE_BITS));
    return LB_OK;
}

/* Judges after the passes up to the sample number `end`, of which the last decides. */
static enum lb_status judge(struct course *course, uint32_t end, struct lb_error *error)
{
    struct lb_guiding_found *found = &course->learned->found;
    bool decides = end == TRIAL_PASSES * course->a_pass;
    if (course->learning->begun && !decides)
        return LB_OK;
    enum lb_status status =
        lb_guiding_judge(&course->sketch.film, course->tallies, end - course->a_pass, found, error);
    course->pays = course->learning->begun || found->gain >= (decides ? MARGIN : HOPELESS) * found->cost;
    return status;
}

/* ---- passes ---- */

/* A trial's passes are equally long; all others have as many samples as those before them. */
static uint32_t end_of_pass(const struct course *course, uint32_t done)
{
    uint32_t trial = is_tried(course) ? TRIAL_PASSES * course->a_pass : course->a_pass;
    uint32_t more = done < trial ? course->a_pass : done;
    return done + more < course->last ? done + more : course->last;
}

static enum lb_status render_pass(struct course *course, uint32_t begin, uint32_t end, struct lb_error *error)
{
    lb_guide *guide = &course->guiding.guide;
    bool tallied = is_tried(course) && begin > 0 && begin < TRIAL_PASSES * course->a_pass;
    enum lb_status status = tallied && !course->tallies ? open_tallies(course, error) : LB_OK;
    guide->leads = begin == 0 ? LB_GUIDE_LEADS_NONE : tallied ? LB_GUIDE_LEADS_SOME : LB_GUIDE_LEADS_ALL;
    guide->tallies = tallied ? course->tallies : NULL;
    if (status == LB_OK)
        status = lb_sketch_render(&course->sketch, guide, begin, end, error);
    if (status == LB_OK && tallied)
        status = judge(course, end, error);
    return status == LB_OK ? lb_guiding_refine(&course->guiding, error) : status;
}

static enum lb_status render_passes(struct course *course, struct lb_error *error)
{
    enum lb_status status = LB_OK;
    course->pays = true;
    for (uint32_t done = 0, end; done < course->last && course->pays && status == LB_OK; done = end) {
        end = end_of_pass(course, done);
        status = render_pass(course, done, end, error);
    }
    return status;
}

/* ---- all ---- */

/* Puts what was learned into the scene's block. */
static enum lb_status keep(struct course *course, lb_scene **scene, struct lb_error *error)
{
    const struct lb_guiding *g = &course->guiding;
    const struct lb_scene_filling fillings[] = {
        {offsetof(lb_scene, guide_ways), g->ways, LB_GUIDE_CLASSES << LB_GUIDE_GRID_BITS, sizeof *g->ways},
        {offsetof(lb_scene, guide_nodes), g->nodes, g->node_count, sizeof *g->nodes},
        {offsetof(lb_scene, guide_cells), g->cells, g->cell_count, sizeof *g->cells},
    };
    enum lb_status status = lb_scene_fill(scene, fillings, sizeof fillings / sizeof *fillings, error);
    if (status != LB_OK)
        return status;
    (*scene)->guide = g->guide.grid;
    (*scene)->guide.paths = course->learned->paths = course->last * course->sketch.pixels;
    return LB_OK;
}

/* How many samples a pixel of the sketch has in all: no fewer than the trial's. */
static uint32_t samples_of(const struct course *course)
{
    uint64_t paths = course->learning->paths / PART, least = (uint64_t)TRIAL_PASSES * course->a_pass;
    if (course->learning->begun && course->learning->begun_with != 0)
        paths = course->learning->begun_with;
    uint64_t samples = (paths < MOST_PATHS ? paths : MOST_PATHS) / course->sketch.pixels;
    return (uint32_t)(samples > least ? samples : least);
}

static enum lb_status learn(struct course *course, lb_scene **scene, struct lb_error *error)
{
    course->a_pass = (A_PASS + course->sketch.pixels / 2) / course->sketch.pixels;
    if (course->a_pass < AT_ONCE)
        course->a_pass = AT_ONCE;
    course->last = samples_of(course);
    double directions = (double)course->last * course->sketch.pixels * STEPS;
    enum lb_status status = lb_guiding_open(&course->guiding, *scene, directions, error);
    lb_sketch_begin(&course->sketch, course->last);
    if (status == LB_OK)
        status = render_passes(course, error);
    lb_sketch_end(&course->sketch);
    return status == LB_OK && course->pays ? keep(course, scene, error) : status;
}

enum lb_status lb_guiding_learn(lb_scene **scene, const struct lb_learning *learning,
                                struct lb_learned *learned, struct lb_error *error)
{
    struct course course = {.learning = learning, .learned = learned};
    double begin = lb_clock_now();
    *learned = (struct lb_learned){.paths = 0};
    if (!is_worth(learning) || lb_unguided(*scene))
        return LB_OK;
    lb_sketch_open(&course.sketch, *scene, A_PASS / AT_ONCE, learning->threads, learning->isa);
    enum lb_status status = learn(&course, scene, error);
    lb_guiding_close(&course.guiding);
    free(course.tallies);
    learned->seconds = lb_clock_now() - begin;
    return status;
}
