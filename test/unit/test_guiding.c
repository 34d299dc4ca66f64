/* Tests what the cells of a guide draw by: densities that integrate to one, directions that have them, and cells that
 * are found where they are; and what trials tell of it. */
#define LB_GUIDED
#include "core/kernel/guiding/trail.h"
#include "core/guiding/guiding.h"
#include "core/guiding/learn.h"
#include "core/scene/check/check.h"
#include "core/scene/load.h"
#include "random_help.h"
#include "scene_help.h"

#include <math.h>
#include <string.h>

enum { LEARNED = 4000, SIDE = 256, DRAWS = 200000 };

/* A guide of a box from -1 to 1 that has learned of `count` directions in each class, most of them in few bins. */
static struct lb_guiding learned(int64_t count)
{
    struct lb_guiding guiding;
    struct lb_error error;
    lb_scene scene;
    memset(&scene, 0, sizeof scene);
    scene.film.imaging_ratio = 1;
    for (int i = 0; i < 3; i++) {
        scene.bounds.lower[i] = -1;
        scene.bounds.upper[i] = 1;
    }
    assert_int_equal(lb_guiding_open(&guiding, &scene, 1e6, &error), LB_OK);
    for (uint32_t i = 0; i < guiding.cell_count; i++) {
        lb_guide_sums *sums = &guiding.guide.sums[i];
        sums->count = count;
        for (uint32_t bin = 0; bin < LB_GUIDE_BINS; bin++)
            sums->bins[bin] = (int64_t)random_below(1000) * (random_below(8) == 0 ? 100000 : 1);
    }
    assert_int_equal(lb_guiding_refine(&guiding, &error), LB_OK);
    return guiding;
}

static void densities_integrate_to_one(void **state)
{
    (void)state;
    struct lb_guiding guiding = learned(LEARNED);
    for (uint32_t i = 0; i < guiding.cell_count; i++) {
        double sum = 0, sphere = 0;
        for (uint32_t at = 0; at < SIDE * SIDE; at++) {
            lb_vec2 place = {((float)(at % SIDE) + 0.5f) / SIDE, ((float)(at / SIDE) + 0.5f) / SIDE};
            lb_vec3 direction = lb_guide_direction(place);
            float stretch;
            (void)lb_guide_square(direction, &stretch);
            sphere += 1 / (double)stretch / (SIDE * SIDE);
            sum += (double)lb_guide_density(&guiding.cells[i], direction) / (double)stretch / (SIDE * SIDE);
        }
        assert_true(fabs(sum - 1) < 1e-4);
        assert_true(fabs(sphere - 4 * 3.14159265358979) < 1e-3);
    }
    lb_guiding_close(&guiding);
}

static double probability(const lb_guide_cell *cell, uint32_t bin)
{
    uint32_t row = bin / LB_GUIDE_SIDE;
    return (double)lb_guide_width(cell->rows, row) *
           (double)lb_guide_width(cell->columns + row * LB_GUIDE_SIDE, bin % LB_GUIDE_SIDE) * 0x1p-32;
}

static void directions_have_the_density(void **state)
{
    (void)state;
    struct lb_guiding guiding = learned(LEARNED);
    for (uint32_t i = 0; i < LB_GUIDE_CLASSES; i++) {
        uint32_t found[LB_GUIDE_BINS] = {0};
        double chi = 0;
        for (uint32_t n = 0; n < DRAWS; n++) {
            lb_vec2 u = {(float)random_below(1 << 24) * 0x1p-24f, (float)random_below(1 << 24) * 0x1p-24f};
            lb_vec3 direction = lb_guide_draw(&guiding.cells[i], u);
            float stretch;
            assert_true(lb_guide_density(&guiding.cells[i], direction) > 0);
            found[lb_guide_bin(lb_guide_square(direction, &stretch))]++;
        }
        for (uint32_t bin = 0; bin < LB_GUIDE_BINS; bin++) {
            double due = probability(&guiding.cells[i], bin) * DRAWS;
            if (due > 0)
                chi += (found[bin] - due) * (found[bin] - due) / due;
        }
        /* 255 degrees of freedom at most: a mean of 255 and a standard deviation of 23. */
        assert_true(chi < 255 + 6 * 23);
    }
    lb_guiding_close(&guiding);
}

static void cells_are_found_where_they_are(void **state)
{
    (void)state;
    struct lb_guiding guiding = learned(1 << 24);
    assert_true(guiding.cell_count > LB_GUIDE_CLASSES << LB_GUIDE_GRID_BITS);
    for (int n = 0; n < 20000; n++) {
        const float at[3] = {(float)between(-1, 1), (float)between(-1, 1), (float)between(-1, 1)};
        lb_vec3 normal = {(float)between(-1, 1), (float)between(-1, 1), (float)between(-1, 1)};
        uint32_t cell =
            lb_guide_find(&guiding.guide, lb_vec3_make(at[0], at[1], at[2]), lb_normalize(normal));
        for (int i = 0; i < 3; i++)
            assert_true(at[i] >= guiding.boxes[cell].lower[i] - 1e-5f &&
                        at[i] <= guiding.boxes[cell].upper[i] + 1e-5f);
    }
    lb_guiding_close(&guiding);
}

/* Fills tallies of pixels whose samples have a mean of 1 and a variance of `variance`, which would be `gain` times as
 * much without the guide. One pixel of a thousand is far off. Samples of pixels that are not led are no matter. */
static void fill_tallies(lb_guide_tally *tallies, uint32_t width, uint32_t height, uint32_t samples,
                         double variance, double gain)
{
    const double unit = 0x1p30, finer = (double)(1u << LB_GUIDE_SQUARE_BITS);
    for (uint32_t i = 0; i < width * height; i++) {
        bool led = lb_guide_leads(LB_GUIDE_LEADS_SOME, i % width, i / width);
        double off = led ? (random_below(1000) == 0 ? 1000 : 1) : 50;
        for (uint32_t n = 0; n < samples; n++) {
            double value = 1 + sqrt(3 * variance) * ((double)random_below(2000001) / 1e6 - 1);
            tallies[i].light += (int64_t)(value * unit);
            tallies[i].square += (int64_t)(value * value * unit * finer * off);
            tallies[i].more += (int64_t)((gain - 1) * variance * unit * finer * off);
        }
    }
}

static void trials_tell_what_is_gained(void **state)
{
    (void)state;
    enum { WIDTH = 240, HEIGHT = 200, SAMPLES = 16 };
    static lb_guide_tally tallies[WIDTH * HEIGHT];
    for (int i = 0; i < 20; i++) {
        const lb_film film = {.width = WIDTH, .height = HEIGHT};
        struct lb_error error;
        struct lb_guiding_found found;
        double gain = 0.5 + 0.1 * i;
        memset(tallies, 0, sizeof tallies);
        fill_tallies(tallies, WIDTH, HEIGHT, SAMPLES, 0.25, gain);
        for (uint32_t pixel = 0; pixel < WIDTH * HEIGHT; pixel++)
            tallies[pixel].steps =
                lb_guide_leads(LB_GUIDE_LEADS_SOME, pixel % WIDTH, pixel / WIDTH) ? 100 + i : 100;
        assert_int_equal(lb_guiding_judge(&film, tallies, SAMPLES, &found, &error), LB_OK);
        assert_true(fabs(found.gain / gain - 1) < 0.05);
        assert_true(fabs(found.cost - (1 + 0.01 * i)) < 1e-9);
    }
    memset(tallies, 0, sizeof tallies); /* a black picture */
    const lb_film film = {.width = WIDTH, .height = HEIGHT};
    struct lb_error error;
    struct lb_guiding_found found;
    assert_int_equal(lb_guiding_judge(&film, tallies, SAMPLES, &found, &error), LB_OK);
    assert_true(found.gain == 1 && found.cost == 1);
}

enum { DIRECTIONS = 8 };

/* Random probabilities of directions. */
static void draw_chances(float chances[DIRECTIONS])
{
    float sum = 0;
    for (int i = 0; i < DIRECTIONS; i++)
        sum += chances[i] = (float)(1 + random_below(50));
    for (int i = 0; i < DIRECTIONS; i++)
        chances[i] /= sum;
}

static int draw_direction(const float chances[DIRECTIONS])
{
    float u = (float)random_below(1 << 24) * 0x1p-24f;
    int i = 0;
    while (i < DIRECTIONS - 1 && u >= chances[i])
        u -= chances[i++];
    return i;
}

/* The square of what comes of a direction out of eight, drawn by the material alone, is on average that of what comes
 * when a guide leads and, as lb_trail_more tells, more. Before that direction the path has got light already. */
static void led_paths_tell_what_others_would_bring(void **state)
{
    (void)state;
    enum { PATHS = 40000 };
    for (int round = 0; round < 20; round++) {
        float material[DIRECTIONS], led[DIRECTIONS], light[DIRECTIONS];
        const float before = (float)random_below(3);
        double alone = 0, told = 0;
        draw_chances(material);
        draw_chances(led);
        for (int i = 0; i < DIRECTIONS; i++) {
            led[i] = 0.5f * material[i] + 0.5f * led[i];
            light[i] = (float)random_below(10);
            double with_before = (double)before + (double)(light[i] / material[i]);
            alone += (double)material[i] * with_before * with_before;
        }
        for (int n = 0; n < PATHS; n++) {
            lb_trail trail = {.count = 1};
            int i = draw_direction(led);
            float end = before + light[i] / led[i];
            trail.steps[0] = (lb_trail_step){.before = before, .scattering = material[i] / led[i]};
            told += (double)(end * end + lb_trail_more(&trail, end, 1)) / PATHS;
        }
        assert_true(fabs(told / alone - 1) < 0.1);
    }
}

/* ---- learning ---- */

static struct lb_loaded load_room(void)
{
    struct lb_scene_options options = {.samples = 3, .width = 40, .height = 30};
    struct lb_loaded loaded;
    struct lb_error error;
    if (lb_scene_load("samples/room.pbrt", &options, NULL, &loaded, &error) != LB_OK)
        fail_msg("%s", error.message);
    return loaded;
}

static struct lb_learned learn(struct lb_loaded *loaded, struct lb_learning learning)
{
    struct lb_learned learned;
    struct lb_error error;
    if (lb_guiding_learn(&loaded->scene, &learning, &learned, &error) != LB_OK)
        fail_msg("%s", error.message);
    assert_int_equal(loaded->scene->guide.paths, learned.paths);
    return learned;
}

/* Of the block nothing but the guide is new. */
static void learning_leaves_the_scene_as_it_was(void **state)
{
    (void)state;
    struct lb_loaded loaded = load_room();
    uint64_t bytes = loaded.scene->size;
    lb_scene *before = aligned_alloc(64, bytes);
    assert_non_null(before);
    memcpy(before, loaded.scene, bytes);
    learn(&loaded, (struct lb_learning){.wish = LB_GUIDING_ALWAYS, .threads = 3});
    const lb_scene *after = loaded.scene;
    struct lb_error error;
    assert_int_equal(lb_scene_check(after, after->size, &error), LB_OK);
    assert_true(after->guide.paths > 0 && after->guide_cells.count > LB_GUIDE_CLASSES);
    before->guide = after->guide;
    before->guide_ways = after->guide_ways;
    before->guide_nodes = after->guide_nodes;
    before->guide_cells = after->guide_cells;
    before->size = after->size;
    assert_memory_equal(before, after, bytes);
    free(before);
    lb_scene_free(&loaded);
}

/* Who does not ask gets a trial in large pictures alone, and a picture that is gone on with what it was begun with. */
static void wishes_decide_whether_there_is_a_trial(void **state)
{
    (void)state;
    const uint64_t trial = 3 * 8192;
    const struct {
        struct lb_learning learning;
        bool tried;
    } cases[] = {
        {{.wish = LB_GUIDING_AUTO, .paths = 40 * trial}, true},
        {{.wish = LB_GUIDING_AUTO, .paths = 40 * trial - 1}, false},
        {{.wish = LB_GUIDING_TRIAL, .paths = 8 * trial}, true},
        {{.wish = LB_GUIDING_TRIAL, .paths = 8 * trial - 1}, false},
        {{.wish = LB_GUIDING_NEVER, .paths = UINT64_MAX}, false},
        {{.wish = LB_GUIDING_AUTO, .paths = UINT64_MAX, .begun = true}, false},
        {{.wish = LB_GUIDING_NEVER, .paths = 1, .begun = true, .begun_with = 30000}, false},
        {{.wish = LB_GUIDING_AUTO, .paths = 1, .begun = true, .begun_with = 30000}, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lb_loaded loaded = load_room();
        struct lb_learned learned = learn(&loaded, cases[i].learning);
        assert_int_equal(learned.found.gain > 0, cases[i].tried);
        if (cases[i].learning.begun && cases[i].tried) /* the sketch has 1,200 pixels */
            assert_in_range(learned.paths, 30000 - 1200, 30000);
        lb_scene_free(&loaded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(densities_integrate_to_one),
        cmocka_unit_test(directions_have_the_density),
        cmocka_unit_test(cells_are_found_where_they_are),
        cmocka_unit_test(trials_tell_what_is_gained),
        cmocka_unit_test(led_paths_tell_what_others_would_bring),
        cmocka_unit_test(learning_leaves_the_scene_as_it_was),
        cmocka_unit_test(wishes_decide_whether_there_is_a_trial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
