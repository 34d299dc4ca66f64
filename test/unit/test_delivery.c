/* What a worker says that it has rendered, without a network: as many samples as were due, or it is shown out. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#include "core/machine/clock.h"
#include "hosts/primary/delivery.h"

enum { WIDTH = 20, HEIGHT = 15, PIXELS = WIDTH * HEIGHT, SAMPLES = 4 };

/* A worker with one work in hand, all of whose pixels have come. */
struct bench {
    struct lb_log log;
    struct lb_place place;
    struct lb_host_jobs jobs;
    struct lb_primary primary;
    lb_order order;
    uint64_t left_out[PIXELS / 64 + 1];
    void *context;
};

static void set_up(struct bench *bench)
{
    memset(bench, 0, sizeof *bench);
    bench->order = lb_order_reversed(WIDTH, HEIGHT, 8, LB_CURVE_HILBERT);
    bench->context = zmq_ctx_new();
    bench->primary = (struct lb_primary){
        .options = {.hosts = 1, .silence = 1, .due = 1}, .log = &bench->log, .places = &bench->place};
    bench->primary.link.socket = zmq_socket(bench->context, ZMQ_ROUTER);
    bench->primary.link.wake = -1;
    pthread_mutex_init(&bench->primary.lock, NULL);
    pthread_cond_init(&bench->primary.changed, NULL);
    bench->place.taken = true;
    bench->place.jobs = &bench->jobs;
    struct lb_host_job *job = &bench->jobs.jobs[bench->jobs.count++];
    job->number = 1;
    job->work.order = &bench->order;
    job->work.range = (struct lb_range){0, bench->order.count};
    job->work.sample_end = SAMPLES;
    job->received = calloc(bench->order.count / 64 + 1, sizeof *job->received);
}

static void tear_down(struct bench *bench)
{
    free(bench->jobs.jobs[0].received);
    pthread_cond_destroy(&bench->primary.changed);
    pthread_mutex_destroy(&bench->primary.lock);
    zmq_close(bench->primary.link.socket);
    zmq_ctx_term(bench->context);
}

/* Is the worker believed that says so? */
static bool says(struct bench *bench, uint64_t samples, bool stopped)
{
    struct lb_message done = {.kind = LB_MESSAGE_DONE, .job = 1, .samples = samples, .stopped = stopped};
    lb_delivery_done(&bench->primary, &bench->place, &done, NULL, 0);
    assert_int_equal(bench->place.taken, bench->jobs.jobs[0].ended);
    return bench->jobs.jobs[0].ended;
}

static void samples_are_those_due(void **unused)
{
    (void)unused;
    for (uint64_t out = 0; out < 3; out++)
        for (uint64_t off = 0; off < 5; off++) {
            struct bench bench;
            set_up(&bench);
            assert_true(bench.order.count > PIXELS); /* there is padding */
            for (uint64_t i = 0; i < out; i++)
                bench.left_out[i] = 1;
            bench.order.left_out = bench.left_out;
            assert_int_equal(says(&bench, (PIXELS - out) * SAMPLES + off - 2, false), off == 2);
            tear_down(&bench);
        }
}

/* Who was stopped, or only asked what there is, may have fewer. */
static void fewer_where_that_may_be(void **unused)
{
    (void)unused;
    for (int turn = 0; turn < 12; turn++) {
        static const uint64_t samples[] = {0, 7, PIXELS * SAMPLES, PIXELS * SAMPLES + 1};
        struct bench bench;
        set_up(&bench);
        bool stopped = turn / 4 == 0, asks = turn / 4 == 1;
        uint64_t said = samples[turn % 4];
        bench.jobs.stopped = stopped;
        bench.jobs.jobs[0].work.coverage = asks;
        assert_int_equal(says(&bench, said, stopped), turn % 4 == 2 || (turn % 4 < 2 && (stopped || asks)));
        tear_down(&bench);
    }
}

/* What a worker has in hand behind the work that it is busy with lasts as long as before, however late that is: a GPU
 * whose first work was done in a moment had been dealt all that it could hold while it was busy with the next. */
static void what_waits_is_not_done(void **unused)
{
    (void)unused;
    struct lb_host_jobs jobs = {.count = 3, .positions = 8, .seconds = 4, .moved = lb_clock_now()};
    for (uint32_t i = 0; i < 3; i++)
        jobs.jobs[i].left = 10 * (i + 1);
    double left = lb_delivery_left(&jobs);
    assert_true(left > 29 && left <= 30);
    jobs.moved -= 3;
    left = lb_delivery_left(&jobs);
    assert_true(left > 26 && left <= 27);
    jobs.moved -= 1000;
    assert_true(fabs(lb_delivery_left(&jobs) - 25) < 1e-9);
    jobs.positions = 0;
    assert_true(lb_delivery_left(&jobs) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_those_due),
        cmocka_unit_test(fewer_where_that_may_be),
        cmocka_unit_test(what_waits_is_not_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
