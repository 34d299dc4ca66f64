/* How well strategies do on costs computed here: against bounds, and against what they did before. */
#include "simulate_help.h"
#include "strategies/layout.h"

/* Seconds that the dearest of all positions takes the slowest processor, pixels being split into so many blocks. */
static double dearest_seconds(const struct lb_simulation *job, uint32_t blocks)
{
    double sum = 0, most = 0, slowest = INFINITY;
    for (size_t i = 0; i < (size_t)job->width * job->height; i++) {
        sum += (double)job->costs->cost[i];
        most = fmax(most, (double)job->costs->cost[i]);
    }
    for (uint32_t k = 0; k < job->spec->count; k++)
        slowest = fmin(slowest, job->spec->processors[k].speed);
    return most / sum * job->spec->total_seconds / blocks / slowest;
}

/* Graham's bound, for processors of any speeds: where none is idle until the last range begins, which takes `last`
 * seconds, T is at most that and Tmin, with what ranges and messages take beside their work. */
static double graham_seconds(const struct lb_simulation *job, const struct lb_report_balance *all,
                             double last)
{
    const struct lb_sim_spec *spec = job->spec;
    double speeds = 0, ranges = 0, weighted = 0;
    for (uint32_t k = 0; k < spec->count; k++) {
        double count = (double)all->processors[k].ranges;
        speeds += spec->processors[k].speed;
        ranges += count;
        weighted += count * spec->processors[k].speed;
    }
    double each = spec->range_overhead + spec->latency * (double)all->counts.messages / ranges;
    return all->t_min + each * weighted / speeds + last;
}

/* Half of all cost in a spot, of which a pixel is much of the frame: its samples are split, so that nobody is idle for
 * longer than one position may take; under push two, as the idle wait until somebody has ended one and draws them. */
static void dear_pixels_are_split(void **unused)
{
    static const char *const names[] = {"auto", "hierarchical", "peers", "steal", "push"};
    static const double positions[] = {1, 1, 1, 1, 2};
    struct lb_estimate map = {256, 256, hot_spot(256, 256, 100)};
    (void)unused;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct lb_sim_spec spec;
        struct lb_report_frame frame;
        assert_int_equal(lb_sim_spec_parse("200x1,100x7,100x20", &spec, NULL), LB_OK);
        struct lb_simulation job = make_job(names[i], &spec, &map);
        struct lb_plan plan = {
            .width = map.width, .height = map.height, .processor_count = spec.count, .samples = spec.samples};
        double dearest = dearest_seconds(&job, lb_layout_blocks(&plan));
        assert_int_equal(lb_simulate(&job, &frame, NULL, 0, NULL), LB_OK);
        assert_true(frame.all.t <= graham_seconds(&job, &frame.all, positions[i] * dearest));
        double split = frame.all.efficiency;
        lb_report_frame_free(&frame);
        spec.samples = 1;
        assert_true(efficiency_of(&job, 0) < split);
        lb_sim_spec_free(&spec);
    }
    free((void *)(uintptr_t)map.cost);
}

static double efficiency(const char *strategy, const struct lb_estimate *map, uint32_t p, double fastest,
                         bool known, uint64_t region, enum lb_curve curve)
{
    struct lb_sim_spec spec;
    double *weights = calloc(p, sizeof *weights);
    assert_int_equal(lb_sim_spec_make(p, &spec, NULL), LB_OK);
    for (uint32_t k = 0; k < p; k++)
        weights[k] = spec.processors[k].speed = 1 + (fastest - 1) * draw();
    struct lb_simulation job = make_job(strategy, &spec, map);
    if (region > 0)
        lb_option_give(&job.settings.options, &lb_option_region_size,
                       (union lb_option_value){.whole = region});
    lb_option_give(&job.settings.options, &lb_option_curve, (union lb_option_value){.word = curve});
    job.weights = known ? weights : NULL;
    double result = efficiency_of(&job, 0);
    lb_sim_spec_free(&spec);
    free(weights);
    return result;
}

static void assert_auto_is_good(const struct lb_estimate *map)
{
    static const uint32_t counts[] = {1, 2, 3, 7, 16, 31, 64};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        assert_true(efficiency("auto", map, counts[i], 1, false, 0, LB_CURVE_ROWS) >= 0.99);
        assert_true(efficiency("auto", map, counts[i], 20, false, 0, LB_CURVE_ROWS) >= 0.98);
    }
}

static void auto_is_near_the_ideal(void **unused)
{
    struct lb_estimate maps[2] = {{1024, 1024, mandelbrot(1024, 1024)},
                                  {1920, 1080, hot_spot(1920, 1080, 30)}};
    (void)unused;
    for (uint32_t i = 0; i < 2; i++) {
        assert_auto_is_good(&maps[i]);
        assert_true(efficiency("auto", &maps[i], 1024, 1, false, 0, LB_CURVE_ROWS) >= 0.95);
        assert_true(efficiency("auto", &maps[i], 1024, 20, false, 0, LB_CURVE_ROWS) >= 0.95);
        assert_true(efficiency("bitrev", &maps[i], 16, 20, true, 4, LB_CURVE_HILBERT) >= 0.97);
        assert_true(efficiency("bitrev", &maps[i], 64, 1, true, 4, LB_CURVE_HILBERT) >= 0.95);
        free((void *)(uintptr_t)maps[i].cost);
    }
}

/* What a range is planned to take at least (lbrender-strategies(7)): a part of the time so far, or so many seconds. One
 * may turn out twice as dear. */
static const double LEAST_PART = 0.002, LEAST_SECONDS = 2.5e-4;

/* No group is left with a range that the others could have helped with: hierarchical keeps to Graham's bound. Of peers,
 * whose primaries know of each other only by asking, a part of T is asked for. */
static void check_groups(const char *strategy, const struct lb_estimate *map, uint32_t p, uint32_t group,
                         double fastest)
{
    struct lb_sim_spec spec;
    struct lb_report_frame frame;
    assert_int_equal(lb_sim_spec_make(p, &spec, NULL), LB_OK);
    for (uint32_t k = 0; k < p; k++) {
        spec.processors[k].speed = 1 + (fastest - 1) * draw();
        spec.processors[k].group = k / group;
    }
    struct lb_simulation job = make_job(strategy, &spec, map);
    struct lb_plan plan = {map->width, map->height, p, .samples = spec.samples};
    assert_int_equal(lb_simulate(&job, &frame, NULL, 0, NULL), LB_OK);
    if (strcmp(strategy, "hierarchical") == 0) {
        double last = 2 * fmax(LEAST_PART * frame.all.t_min, LEAST_SECONDS);
        last += dearest_seconds(&job, lb_layout_blocks(&plan));
        assert_true(frame.all.t <= graham_seconds(&job, &frame.all, last));
    } else {
        assert_true(frame.all.efficiency >= 0.95);
    }
    lb_report_frame_free(&frame);
    lb_sim_spec_free(&spec);
}

static void groups_end_together(void **unused)
{
    static const char *const names[] = {"hierarchical", "peers"};
    static const uint32_t sizes[] = {2, 8, 32};
    struct lb_estimate maps[2] = {{1024, 1024, mandelbrot(1024, 1024)},
                                  {1920, 1080, hot_spot(1920, 1080, 30)}};
    (void)unused;
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t p = 8; p <= 1024; p *= 5)
            for (uint32_t s = 0; s < 3; s++)
                for (uint32_t n = 0; n < 2; n++) {
                    check_groups(names[n], &maps[i], p, sizes[s], 1);
                    check_groups(names[n], &maps[i], p, sizes[s], 20);
                }
        free((void *)(uintptr_t)maps[i].cost);
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The least and the median of what `strategy` reaches on each of `count` maps. The last processor is a GPU if it is
 * faster than 20. */
static void find_efficiencies(const char *strategy, const char *text, const struct lb_estimate *maps,
                              uint32_t count, double *least, double *median)
{
    struct lb_sim_spec spec;
    double found[16];
    assert_in_range(count, 1, 16);
    assert_int_equal(lb_sim_spec_parse(text, &spec, NULL), LB_OK);
    struct lb_sim_processor *last = &spec.processors[spec.count - 1];
    last->kind = last->speed > 20 ? LB_PROCESSOR_GPU : LB_PROCESSOR_CPU;
    for (uint32_t i = 0; i < count; i++) {
        struct lb_simulation job = make_job(strategy, &spec, &maps[i]);
        found[i] = efficiency_of(&job, 0);
    }
    qsort(found, count, sizeof *found, compare);
    *least = found[0];
    *median = found[count / 2];
    lb_sim_spec_free(&spec);
}

/* One processor that is 20 times as slow as the others, or as fast, of equal ranges to begin with, or a
 * thread beside a GPU of 200: under steal and push the others are as good as done with it. */
static void the_odd_one_is_not_waited_for(void **unused)
{
    static const char *const specs[] = {"1x1,7x20", "12x20,1x1", "30x20,1x1,21x20",
                                        "1x20,7x1", "12x1,1x20", "1x1,1x200"};
    static const char *const names[] = {"steal", "push"};
    enum { MAPS = 10 };
    struct lb_estimate maps[MAPS] = {{700, 500, mandelbrot(700, 500)}};
    double least, median;
    (void)unused;
    for (uint32_t i = 1; i < MAPS; i++)
        maps[i] = (struct lb_estimate){640, 360, hot_spot(640, 360, 30)};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t n = 0; n < 2; n++) {
            find_efficiencies(names[n], specs[i], maps, MAPS, &least, &median);
            assert_true(least >= 0.95 && median >= 0.98);
        }
    for (uint32_t i = 0; i < MAPS; i++)
        free((void *)(uintptr_t)maps[i].cost);
}

/* Half of the cost is in a hundredth of the picture, and the slow must be given none of it late, a few processors being
 * so unlike that nobody could make up for it. */
static void the_slow_shun_dear_spots(void **unused)
{
    static const char *const specs[] = {"3x20,1x1", "1x20,2x1",  "1x20,4x1",    "6x1,6x20",
                                        "1x7,1x20", "14x20,1x1", "2x3,3x9,4x20"};
    enum { MAPS = 9 };
    struct lb_estimate maps[MAPS];
    double least, median;
    (void)unused;
    for (uint32_t i = 0; i < MAPS; i++)
        maps[i] = (struct lb_estimate){640, 360, hot_spot(640, 360, 100)};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        find_efficiencies("auto", specs[i], maps, MAPS, &least, &median);
        assert_true(least >= 0.96);
        find_efficiencies("hierarchical", specs[i], maps, MAPS, &least, &median);
        assert_true(median >= 0.98);
        find_efficiencies("steal", specs[i], maps, MAPS, &least, &median);
        assert_true(median >= 0.94);
    }
    for (uint32_t i = 0; i < MAPS; i++)
        free((void *)(uintptr_t)maps[i].cost);
}

/* A disk of a thousandth of the picture is a thousand times as dear as all else: a region in it, in the hands of one
 * who is slow, would outlast the frame, were the rest of it not given to those who wait. */
static void dear_regions_are_cut(void **unused)
{
    enum { SIDE = 256, MAPS = 12 };
    struct lb_estimate maps[MAPS];
    double least, median;
    (void)unused;
    for (uint32_t i = 0; i < MAPS; i++) {
        double x = SIDE * draw(), y = SIDE * draw();
        float *cost = malloc(SIDE * SIDE * sizeof *cost);
        for (uint32_t k = 0; k < SIDE * SIDE; k++)
            cost[k] = hypot(k % SIDE - x, k / SIDE - y) < SIDE * sqrt(0.001 / 3.14159265) ? 1000 : 1;
        maps[i] = (struct lb_estimate){SIDE, SIDE, cost};
    }
    find_efficiencies("auto", "1x1,1x3,1x9", maps, MAPS, &least, &median);
    assert_true(least >= 0.9 && median >= 0.95);
    for (uint32_t i = 0; i < MAPS; i++)
        free(maps[i].cost);
}

/* What is born when the frame is nearly done goes to all, though one has it in hand: those who wait get a part. */
static void what_is_born_late_is_shared(void **unused)
{
    struct lb_estimate map = {640, 360, mandelbrot(640, 360)};
    struct lb_sim_spec spec;
    (void)unused;
    assert_int_equal(lb_sim_spec_make(64, &spec, NULL), LB_OK);
    spec.births = (struct lb_sim_births){0.02, 20000, 100000};
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct lb_simulation job = make_job("auto", &spec, &map);
        job.settings.seed = seed;
        double ours = efficiency_of(&job, 0);
        job.settings.strategy = lb_strategy_find("pool");
        assert_true(ours >= 0.99 && ours >= efficiency_of(&job, 0));
    }
    lb_sim_spec_free(&spec);
    free(map.cost);
}

/* Speeds 1 : 3 : 9 that nobody knows: sampled measures them in the first frame's sample. */
static void sampled_learns(void **unused)
{
    struct lb_estimate maps[12];
    struct lb_sim_spec spec;
    (void)unused;
    for (uint32_t i = 0; i < 12; i++)
        maps[i] = (struct lb_estimate){640, 360, i == 0 ? mandelbrot(640, 360) : maps[0].cost};
    assert_int_equal(lb_sim_spec_parse("1x1,1x3,1x9", &spec, NULL), LB_OK);
    struct lb_simulation job = make_job("sampled", &spec, maps);
    job.frame_count = 12;
    assert_true(efficiency_of(&job, 0) > 0.95);
    assert_true(efficiency_of(&job, 11) > 0.97);
    lb_sim_spec_free(&spec);
    assert_int_equal(lb_sim_spec_parse("8", &spec, NULL), LB_OK);
    job.spec = &spec;
    assert_true(efficiency_of(&job, 3) >= 0.97);
    job.known_costs = true;
    assert_true(efficiency_of(&job, 0) >= 0.99);
    lb_sim_spec_free(&spec);
    free((void *)(uintptr_t)maps[0].cost);
}

/* Feedback from frame to frame makes robles and diffusion better. */
static void feedback_helps(void **unused)
{
    static const char *const names[] = {"robles", "diffusion"};
    struct lb_estimate maps[16];
    struct lb_sim_spec spec;
    (void)unused;
    for (uint32_t i = 0; i < 16; i++)
        maps[i] = (struct lb_estimate){320, 180, i == 0 ? mandelbrot(320, 180) : maps[0].cost};
    assert_int_equal(lb_sim_spec_parse("8", &spec, NULL), LB_OK);
    for (uint32_t i = 0; i < 2; i++) {
        struct lb_simulation job = make_job(names[i], &spec, maps);
        job.frame_count = 16;
        assert_true(efficiency_of(&job, 15) > 1.2 * efficiency_of(&job, 0));
    }
    lb_sim_spec_free(&spec);
    free((void *)(uintptr_t)maps[0].cost);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dear_pixels_are_split),
        cmocka_unit_test(auto_is_near_the_ideal),
        cmocka_unit_test(groups_end_together),
        cmocka_unit_test(the_odd_one_is_not_waited_for),
        cmocka_unit_test(the_slow_shun_dear_spots),
        cmocka_unit_test(dear_regions_are_cut),
        cmocka_unit_test(what_is_born_late_is_shared),
        cmocka_unit_test(sampled_learns),
        cmocka_unit_test(feedback_helps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
