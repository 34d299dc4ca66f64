/* Other hosts in the simulator: their links, their processors, the way of the scene to them, and their losses. */
#include "simulate_help.h"
#include "core/simulate/simulate_host.h"

static struct lb_sim_spec hosts_made(uint32_t count, uint32_t cores)
{
    struct lb_sim_spec spec;
    assert_int_equal(lb_sim_spec_make(count, &spec, NULL), LB_OK);
    spec.samples = 1;
    for (uint32_t k = 0; k < count; k++)
        spec.processors[k].cores = cores;
    return spec;
}

static double t_of(const char *strategy, const struct lb_sim_spec *spec, const struct lb_estimate *map,
                   uint32_t *lost)
{
    struct lb_simulation job = make_job(strategy, spec, map);
    struct lb_report_frame frame;
    struct lb_error error = {0};
    if (lb_simulate(&job, &frame, NULL, 0, &error) != LB_OK)
        fail_msg("%s: %s", strategy, error.message);
    uint64_t pixels = 0;
    double t = frame.all.t;
    for (uint32_t k = 0; k < spec->count; k++)
        pixels += frame.all.processors[k].pixels;
    assert_int_equal(pixels, (uint64_t)map->width * map->height);
    *lost = (uint32_t)frame.all.lost;
    lb_report_frame_free(&frame);
    return t;
}

/* A link whose times are long is felt by who gives ranges one by one, and hardly by who asks ahead. */
static void hosts_ask_ahead(void **unused)
{
    (void)unused;
    struct lb_estimate map = {256, 192, mandelbrot(256, 192)};
    struct lb_sim_spec spec = hosts_made(8, 4);
    uint32_t lost;
    spec.total_seconds = 320; /* ten seconds for eight hosts of four */
    double without = t_of("auto", &spec, &map, &lost);
    assert_true(without > 10 && without < 10.5);
    for (uint32_t k = 0; k < 8; k++)
        spec.processors[k].link = (struct lb_sim_link){.latency = 0.025, .bandwidth = 12.5e6};
    double with = t_of("auto", &spec, &map, &lost);
    assert_true(with > without && with < without * 1.05);
    assert_int_equal(lost, 0);
    /* Losses make a link slow. */
    for (uint32_t k = 0; k < 8; k++)
        spec.processors[k].link.loss = 0.3;
    assert_true(t_of("auto", &spec, &map, &lost) > with);
    lb_sim_spec_free(&spec);
    free(map.cost);
}

/* A range ends with the dearest block of samples of its dearest pixel on one of the host's processors, in any order of
 * pixels. */
static void processors_of_a_host(void **unused)
{
    (void)unused;
    enum { SIDE = 20 };
    float *costs = mandelbrot(SIDE, SIDE);
    struct lb_estimate map = {SIDE, SIDE, costs};
    for (uint32_t turn = 0; turn < 2000; turn++) {
        struct lb_sim_work work = {.capacity = 0};
        struct lb_sim_processor host = {.speed = 2, .cores = 1 + turn % 7};
        lb_order order = turn % 3 ? lb_order_reversed(SIDE, SIDE, 1 + turn % 5, LB_CURVE_ROWS)
                                  : lb_order_shuffled(SIDE, SIDE, 8, turn);
        uint32_t samples = turn % 2 ? 1 : 1 + (uint32_t)(draw() * 300);
        assert_int_equal(lb_sim_work_lay(&work, &order, samples, NULL, &map, 1, NULL), LB_OK);
        assert_true(lb_sim_work_index(&work));
        uint64_t begin = (uint64_t)(draw() * (double)order.count);
        uint64_t end = begin + 1 + (uint64_t)(draw() * (double)(order.count - begin));
        double sum = 0, most = 0;
        end = end > order.count ? order.count : end;
        for (uint64_t i = begin; i < end; i++) {
            uint64_t pixel = lb_order_pixel(&order, i);
            double cost = pixel == LB_NO_PIXEL ? 0 : (double)costs[pixel];
            sum += cost;
            most = fmax(most, cost);
        }
        struct lb_range range = {begin, end};
        uint32_t blocks = lb_order_blocks_for(samples, end - begin, host.cores);
        most *= ceil((double)samples / blocks) / samples;
        double wanted = (sum / host.cores + (1 - 1.0 / host.cores) * most) / 2;
        double got = lb_sim_host_seconds(&host, &work, range) + lb_sim_host_tail(&host, &work, range);
        assert_true(fabs(got - wanted) < 1e-6 * sum + 1e-9);
        lb_sim_work_free(&work);
    }
    free(costs);
}

/* The block comes by a chain: one copy on the primary's link for as many as sixteen hosts, and two for any more. */
static void blocks_come_by_chains(void **unused)
{
    (void)unused;
    float flat[64];
    for (int i = 0; i < 64; i++)
        flat[i] = 1;
    struct lb_estimate map = {8, 8, flat};
    uint32_t lost;
    double t[5];
    static const uint32_t counts[5] = {1, 16, 17, 33, 5000};
    for (int i = 0; i < 5; i++) {
        struct lb_sim_spec spec = hosts_made(counts[i], 1);
        spec.total_seconds = 1e-3;
        spec.range_overhead = spec.latency = 0;
        spec.block = 300e6;
        spec.primary_bandwidth = 12.5e6;
        for (uint32_t k = 0; k < counts[i]; k++)
            spec.processors[k].link.bandwidth = 12.5e6;
        t[i] = t_of("pool", &spec, &map, &lost);
        lb_sim_spec_free(&spec);
    }
    assert_true(t[0] > 24 && t[0] < 24.1);
    assert_true(t[1] > t[0] && t[1] < 24.3);
    for (int i = 2; i < 5; i++)
        assert_true(t[i] > 48 && t[i] < 48.5);
}

/* A host that is lost costs what it had in hand and the time until that is noticed; a late one takes part. Nothing is
 * left out under any strategy. */
static void hosts_are_lost_and_late(void **unused)
{
    (void)unused;
    struct lb_estimate map = {96, 64, mandelbrot(96, 64)};
    for (size_t s = 0; s < lb_strategy_count; s++)
        for (int turn = 0; turn < 6; turn++) {
            struct lb_sim_spec spec = hosts_made(5, 3);
            uint32_t lost;
            spec.total_seconds = 150;
            spec.block = 1e6;
            for (uint32_t k = 0; k < 5; k++) {
                struct lb_sim_processor *one = &spec.processors[k];
                one->link = (struct lb_sim_link){0.01 * draw(), turn % 2 ? 1e6 : 0, turn % 3 ? 0.05 : 0};
                one->joins = k == 4 ? 5 : 0;
                one->fails = k == 1 || k == 2 ? 8 * draw() : INFINITY;
                one->cores = k == 3 ? 0 : one->cores;
            }
            double t = t_of(lb_strategies[s]->name, &spec, &map, &lost);
            assert_int_equal(lost, 2);
            assert_true(t > 10 && t < 150);
            lb_sim_spec_free(&spec);
        }
    free(map.cost);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_ask_ahead),
        cmocka_unit_test(processors_of_a_host),
        cmocka_unit_test(blocks_come_by_chains),
        cmocka_unit_test(hosts_are_lost_and_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
