/* What estimate, coverage, pbt and robles have in common: probes, cuts by cost, and rectangles that follow the last
 * frame. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/prepass.h"
#include "core/simulate/simulate.h"
#include "strategies/leaves.h"

enum { MOST = 16, SIDE = 90 };

static uint64_t state = 0x2545f4914f6cdd1du;

static double draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

/* ---- the paper's equations, pixel by pixel ---- */

struct picture {
    uint32_t width, height;
    double c[SIDE * SIDE]; /* C(i, j) */
};

/* Equation 4. */
static double sum_of(const struct picture *p, lb_rectangle r)
{
    double sum = 0;
    for (uint32_t y = r.y; y < r.y + r.height; y++)
        for (uint32_t x = r.x; x < r.x + r.width; x++)
            sum += p->c[y * p->width + x];
    return sum;
}

/* The cost of the first k columns, or rows, of a rectangle. */
static lb_rectangle first_of(lb_rectangle r, uint32_t k)
{
    if (r.width >= r.height)
        r.width = k;
    else
        r.height = k;
    return r;
}

/* Equations 5 and 6, half-open, one column after the other; each part has one at least. */
static void bisect(const struct picture *p, lb_rectangle r, uint32_t count, lb_rectangle *leaves)
{
    bool wide = r.width >= r.height;
    uint32_t length = wide ? r.width : r.height, k = 1;
    if (count == 1) {
        *leaves = r;
        return;
    }
    while (k + 1 < length && sum_of(p, first_of(r, k)) < (1 - 1e-11) * sum_of(p, r) * (count / 2) / count)
        k++;
    lb_rectangle second = r;
    if (wide) {
        second.x += k;
        second.width -= k;
    } else {
        second.y += k;
        second.height -= k;
    }
    bisect(p, first_of(r, k), count / 2, leaves);
    bisect(p, second, count - count / 2, leaves + count / 2);
}

/* A thousandth of the mean everywhere, so that nothing is free. */
static void add_floor(struct picture *p)
{
    lb_rectangle whole = {0, 0, 0, p->width, p->height};
    uint32_t pixels = p->width * p->height;
    double floor = 1e-3 * sum_of(p, whole) / pixels;
    for (uint32_t i = 0; i < pixels; i++)
        p->c[i] += floor;
}

static void assert_same(const lb_order *order, const lb_rectangle *leaves, uint32_t count)
{
    assert_int_equal(order->rectangle_count, count);
    for (uint32_t k = 0; k < count; k++) {
        const lb_rectangle *a = &order->rectangles[k], *b = &leaves[k];
        assert_true(a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height);
    }
}

/* Each processor does its leaf; t of each are the seconds that it took, by a time that differs from pixel to pixel. */
static void do_frame(const struct lb_strategy *pbt, void *own, uint32_t count, double *t)
{
    struct lb_range range;
    for (uint32_t k = 0; k < count; k++) {
        t[k] = 0;
        while (pbt->next(own, k, &range) == LB_NEXT_RANGE) {
            double seconds = (0.1 + draw()) * (double)(range.end - range.begin);
            pbt->done(own, k, range, seconds);
            t[k] += seconds;
        }
    }
}

/* C(i, j) = t / (w h) of the leaf that the pixel was in (equation 8). */
static void spread_times(struct picture *p, const lb_rectangle *leaves, const double *t, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t y = leaves[k].y; y < leaves[k].y + leaves[k].height; y++)
            for (uint32_t x = leaves[k].x; x < leaves[k].x + leaves[k].width; x++)
                p->c[y * p->width + x] = t[k] / leaves[k].width / leaves[k].height;
}

/* Coverage in the first frame; then the last one's times alone, whatever may be shown of the frame itself. */
static void pbt_is_the_papers(void **unused)
{
    (void)unused;
    const struct lb_strategy *pbt = lb_strategy_find("pbt");
    assert_true(pbt->probe == LB_PROBE_COVERAGE && pbt->probe_once && !pbt->known_costs);
    for (int turn = 0; turn < 100; turn++) {
        static struct picture p;
        struct lb_processor_info infos[MOST] = {0};
        struct lb_measured last[MOST] = {0};
        float cost[SIDE * SIDE];
        double t[MOST];
        lb_rectangle leaves[MOST];
        lb_order order;
        p.width = 20 + (uint32_t)(draw() * (SIDE - 20));
        p.height = 20 + (uint32_t)(draw() * (SIDE - 20));
        struct lb_estimate map = {p.width, p.height, cost};
        struct lb_plan plan = {.width = p.width, .height = p.height, .processors = infos, .estimate = &map};
        plan.estimate_of = LB_PROBE_COVERAGE;
        plan.processor_count = 1 + (uint32_t)(draw() * MOST);
        for (uint32_t k = 0; k < plan.processor_count; k++)
            infos[k].weight = 1.0 / plan.processor_count;
        for (uint32_t i = 0; i < p.width * p.height; i++) {
            bool covered = draw() < 0.2 + 0.6 * (i % p.width) / p.width;
            cost[i] = (float)(1 + 30 * draw()) * (covered ? 1 : -1);
            p.c[i] = covered;
        }
        void *own = calloc(1, pbt->state_size(plan.processor_count));
        for (plan.frame = 0; plan.frame < 4; plan.frame++) {
            lb_rectangle whole = {0, 0, 0, p.width, p.height};
            add_floor(&p);
            bisect(&p, whole, plan.processor_count, leaves);
            assert_int_equal(pbt->plan(own, &plan, &order, NULL), LB_OK);
            assert_same(&order, leaves, plan.processor_count);
            do_frame(pbt, own, plan.processor_count, t);
            spread_times(&p, leaves, t, plan.processor_count);
            plan.last = last;
        }
        pbt->end(own);
        free(own);
    }
}

/* All pixels cost the same, weights are equal in the first frame and the speeds themselves in the second, as a real run
 * learns them: the second cut then is right at once, to a column or a row of pixels, since a time counts as cost by the
 * speed that is known of its processor when the cut is made, not by the one that was believed when it was taken. */
static void speeds_are_learnt_once(void **unused)
{
    (void)unused;
    const struct lb_strategy *pbt = lb_strategy_find("pbt");
    double least = 1;
    for (int turn = 0; turn < 300; turn++) {
        struct lb_processor_info infos[MOST] = {0};
        struct lb_measured last[MOST] = {0};
        struct lb_plan plan = {.width = 640, .height = 480, .processors = infos};
        struct lb_range range;
        lb_order order;
        double speeds[MOST], sum = 0, t = 0;
        uint32_t count = plan.processor_count = 2 + (uint32_t)(draw() * 7);
        for (uint32_t k = 0; k < count; k++)
            sum += speeds[k] = exp(3 * draw());
        void *own = calloc(1, pbt->state_size(count));
        for (plan.frame = 0; plan.frame < 2; plan.frame++) {
            for (uint32_t k = 0; k < count; k++)
                infos[k].weight = plan.frame == 0 ? 1.0 / count : speeds[k] / sum;
            assert_int_equal(pbt->plan(own, &plan, &order, NULL), LB_OK);
            t = 0;
            for (uint32_t k = 0; k < count; k++) {
                double busy = 0;
                while (pbt->next(own, k, &range) == LB_NEXT_RANGE) {
                    double seconds = (double)(range.end - range.begin) / speeds[k];
                    pbt->done(own, k, range, seconds);
                    busy += seconds;
                }
                t = fmax(t, busy);
            }
            plan.last = last;
        }
        least = fmin(least, 640 * 480 / sum / t);
        pbt->end(own);
        free(own);
    }
    if (least < 0.95)
        fail_msg("efficiency %.3f", least);
}

/* ---- frames ---- */

enum { WIDTH = 320, HEIGHT = 180, FRAMES = 12 };

/* A thing that goes round, before an empty background. */
static float *make_map(double angle)
{
    float *cost = malloc(WIDTH * HEIGHT * sizeof *cost);
    assert_non_null(cost);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            double d =
                hypot(x - WIDTH * (0.4 + 0.1 * cos(angle)), y - HEIGHT * (0.4 + 0.1 * sin(angle))) / 40;
            cost[y * WIDTH + x] = (float)((0.5 + 12 * exp(-d * d)) * (0.5 + draw()));
        }
    return cost;
}

/* What camera rays tell of it, in steps of `each`. */
static float *make_coverage(const float *cost, float each)
{
    float *covered = malloc(WIDTH * HEIGHT * sizeof *covered);
    assert_non_null(covered);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        covered[i] = cost[i] > 2 ? each : -each;
    return covered;
}

static void simulate(const char *strategy, double step, float each, double *efficiency, double *t)
{
    struct lb_sim_spec spec;
    struct lb_estimate maps[FRAMES], covered[FRAMES];
    struct lb_report_frame frames[FRAMES];
    struct lb_error error = {0};
    assert_int_equal(lb_sim_spec_parse("8", &spec, &error), LB_OK);
    for (int f = 0; f < FRAMES; f++) {
        maps[f] = (struct lb_estimate){WIDTH, HEIGHT, make_map(step * f)};
        covered[f] = (struct lb_estimate){WIDTH, HEIGHT, make_coverage(maps[f].cost, each)};
    }
    struct lb_simulation job = {.spec = &spec,
                                .settings.strategy = lb_strategy_find(strategy),
                                .width = WIDTH,
                                .height = HEIGHT,
                                .costs = maps,
                                .estimates = {[LB_PROBE_COVERAGE] = covered},
                                .frame_count = FRAMES};
    if (lb_simulate(&job, frames, NULL, 0, &error) != LB_OK)
        fail_msg("%s", error.message);
    for (int f = 0; f < FRAMES; f++) {
        efficiency[f] = frames[f].all.efficiency;
        t[f] = frames[f].all.t;
        lb_report_frame_free(&frames[f]);
        free((float *)maps[f].cost);
        free((float *)covered[f].cost);
    }
    lb_sim_spec_free(&spec);
}

/* Better than equal blocks from the first frame on, and the better the slower things move. */
static void feedback_follows(void **unused)
{
    (void)unused;
    double blocks[FRAMES], pbt[FRAMES], t[FRAMES], before = 2;
    static const double steps[] = {0, 0.1, 1};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        double mean = 0;
        simulate("contiguous", steps[i], 1e-6f, blocks, t);
        simulate("pbt", steps[i], 1e-6f, pbt, t);
        assert_true(pbt[0] > 1.2 * blocks[0]);
        for (int f = 1; f < FRAMES; f++)
            mean += pbt[f] / (FRAMES - 1);
        assert_true(mean < before);
        before = mean;
        assert_true(steps[i] > 0 || mean > 0.87);
    }
}

/* The time that a probe takes counts in the frame: in the first one of pbt, in each one of coverage. */
static void a_probe_takes_its_time(void **unused)
{
    (void)unused;
    double efficiency[FRAMES], without[FRAMES], with[FRAMES];
    static const char *const names[] = {"pbt", "coverage"};
    for (int i = 0; i < 2; i++) {
        uint64_t begin = state;
        simulate(names[i], 0.1, 1e-6f, efficiency, without);
        state = begin;
        simulate(names[i], 0.1, 0.5f, efficiency, with);
        for (int f = 0; f < FRAMES; f++) {
            /* Half a step a pixel, where a pixel takes about two. */
            bool counts = f == 0 || i == 1;
            assert_true(with[f] - without[f] > (counts ? 5 : -1e-9));
            assert_true(with[f] - without[f] < (counts ? 40 : 1e-9));
        }
    }
}

/* ---- cuts and probes ---- */

static void split_is_by_rule(const struct lb_density *density, uint32_t width, uint32_t height,
                             enum lb_cut rule)
{
    lb_rectangle whole = {0, 0, 0, width, height}, parts[2];
    double fraction = draw(), all = lb_density_of(density, 0, 0, width, height), due = fraction * all;
    lb_density_split(density, &whole, fraction, rule, parts);
    uint32_t cut = parts[0].width;
    double have = lb_density_of(density, 0, 0, cut, height);
    assert_true(cut >= 1 && cut < width && parts[1].x == cut && parts[1].width == width - cut);
    assert_true(parts[0].height == height && parts[1].height == height);
    if (rule == LB_CUT_FIRST) {
        assert_true(have >= due - 1e-9 * all || cut == width - 1);
        assert_true(cut == 1 || lb_density_of(density, 0, 0, cut - 1, height) < due + 1e-9 * all);
        return;
    }
    for (uint32_t k = 1; k < width; k++)
        assert_true(fabs(have - due) <= fabs(lb_density_of(density, 0, 0, k, height) - due) + 1e-9 * all);
}

static void cuts_are_first_or_nearest(void **unused)
{
    (void)unused;
    for (int turn = 0; turn < 200; turn++) {
        uint32_t width = 2 + (uint32_t)(draw() * 80), height = 1 + (uint32_t)(draw() * width);
        float cost[SIDE * SIDE];
        struct lb_estimate map = {width, height, cost};
        struct lb_density density = {0};
        struct lb_error error;
        for (uint32_t i = 0; i < width * height; i++)
            cost[i] = (float)(draw() < 0.1 ? 50 * draw() : draw());
        assert_int_equal(lb_density_start(&density, width, height, &error), LB_OK);
        lb_density_add_map(&density, &map, false);
        lb_density_finish(&density);
        split_is_by_rule(&density, width, height, LB_CUT_FIRST);
        split_is_by_rule(&density, width, height, LB_CUT_NEAREST);
        lb_density_free(&density);
    }
}

static void prepass_is_cheap(void **unused)
{
    (void)unused;
    static const uint32_t sizes[][2] = {{1, 1},       {1, 65535},   {45, 31},      {640, 360},
                                        {1024, 1024}, {1920, 1080}, {65535, 65535}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (uint32_t samples = 1; samples <= 1u << 20; samples *= 4) {
            uint32_t cell = lb_prepass_cell(sizes[i][0], sizes[i][1], samples);
            double pixels = (double)sizes[i][0] * sizes[i][1], all = pixels * samples;
            assert_true(cell >= 1);
            assert_true(pixels / cell / cell <= fmin(pow(all, 2.0 / 3), all / 64) * (1 + 1e-9));
            /* And no coarser than that allows. */
            if (cell > 1)
                assert_true(pixels / (cell - 1) / (cell - 1) >
                            fmin(pow(all, 2.0 / 3), all / 64) * (1 - 1e-9));
        }
    assert_int_equal(lb_prepass_cell(45, 31, 1), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pbt_is_the_papers),         cmocka_unit_test(speeds_are_learnt_once),
        cmocka_unit_test(feedback_follows),          cmocka_unit_test(a_probe_takes_its_time),
        cmocka_unit_test(cuts_are_first_or_nearest), cmocka_unit_test(prepass_is_cheap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
