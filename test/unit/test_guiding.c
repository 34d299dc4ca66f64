/* Tests what the cells of a guide draw by: densities that integrate to one, directions that have them, and cells that
 * are found where they are. */
#include "core/run/guiding.h"
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
    scene.film.width = scene.film.height = 100;
    scene.film.imaging_ratio = 1;
    scene.integrator.samples = 16;
    for (int i = 0; i < 3; i++) {
        scene.bounds.lower[i] = -1;
        scene.bounds.upper[i] = 1;
    }
    assert_int_equal(lb_guiding_open(&guiding, &scene, true, &error), LB_OK);
    for (uint32_t i = 0; i < guiding.cell_count; i++) {
        lb_guide_sums *sums = &guiding.guide.sums[i];
        sums->count = count;
        for (uint32_t bin = 0; bin < LB_GUIDE_BINS; bin++)
            sums->bins[bin] = (int64_t)random_below(1000) * (random_below(8) == 0 ? 100000 : 1);
    }
    struct lb_guiding_pass pass = {0, 1, scene.integrator.samples};
    assert_int_equal(lb_guiding_end_pass(&guiding, &pass, NULL, &error), LB_OK);
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

/* A picture whose samples have a mean of 1 and this standard deviation in pixels that are led, and 1 in all others. One
 * sample of a thousand is far off. */
static void add_noise(lb_film_pixel *pixels, uint32_t width, uint32_t height, double led)
{
    for (uint32_t i = 0; i < width * height; i++) {
        double spread = lb_guide_leads(LB_GUIDE_LEADS_HALF, i % width, i / width) ? led : 1;
        double off = (double)random_below(2000001) / 1e6 - 1; /* variance 1/3 */
        double value = 1 + spread * off * 1.7320508 + (random_below(1000) == 0 ? 100 * spread : 0);
        for (int c = 0; c < 3; c++)
            pixels[i].sum[c] += (int64_t)(value * 0x1p30);
        pixels[i].weight += (int64_t)1 << 30;
    }
}

static void trials_tell_what_is_gained(void **state)
{
    (void)state;
    enum { WIDTH = 120, HEIGHT = 100 };
    static lb_film_pixel pixels[WIDTH * HEIGHT];
    for (int i = 0; i < 40; i++) {
        lb_scene scene = {.film = {.width = WIDTH, .height = HEIGHT}};
        struct lb_guiding_trial trial = {.scene = &scene};
        struct lb_error error;
        struct lb_guiding_found found;
        lb_guide_cost costs[LB_GUIDE_COSTS] = {0};
        double led = 0.5 + 0.025 * i;
        for (uint32_t pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
            bool guided = lb_guide_leads(LB_GUIDE_LEADS_HALF, pixel % WIDTH, pixel / WIDTH);
            costs[pixel % LB_GUIDE_COSTS].steps[guided] += guided ? 100 + i : 100;
        }
        memset(pixels, 0, sizeof pixels);
        add_noise(pixels, WIDTH, HEIGHT, 3);
        assert_int_equal(lb_guiding_trial_keep(&trial, pixels, &trial.before, &error), LB_OK);
        add_noise(pixels, WIDTH, HEIGHT, led);
        assert_int_equal(lb_guiding_trial_keep(&trial, pixels, &trial.between, &error), LB_OK);
        add_noise(pixels, WIDTH, HEIGHT, led);
        assert_int_equal(lb_guiding_trial_find(&trial, pixels, costs, &found, &error), LB_OK);
        assert_true(fabs(found.gain * led * led - 1) < 0.1);
        assert_true(fabs(found.cost - (1 + 0.01 * i)) < 1e-9);
        assert_null(trial.before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(densities_integrate_to_one),
        cmocka_unit_test(directions_have_the_density),
        cmocka_unit_test(cells_are_found_where_they_are),
        cmocka_unit_test(trials_tell_what_is_gained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
