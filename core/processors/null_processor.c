#include "core/processors/null_processor.h"

#include "core/machine/clock.h"

#include <stdio.h>
#include <stdlib.h>

struct null_processor {
    struct lb_processor base;
    struct lb_processor *inner;
    double speed, fail;
    double late;       /* seconds by which the last piece ended too late */
    uint64_t random;   /* state of the generator of failures */
    bool fails;        /* does the range in hand fail, .. */
    uint64_t fails_at; /* .. and at which of the strategy's positions? */
};

/* Uniform in [0, 1): a step of splitmix64 (Steele, Lea, Flood 2014). */
static double draw(struct null_processor *null)
{
    uint64_t z = null->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* The fate of a range is drawn once, at its first piece. */
static void draw_fate(struct null_processor *null, const struct lb_work *work)
{
    if (work->range.begin + work->offset != work->whole.begin)
        return;
    double length = (double)(work->whole.end - work->whole.begin);
    null->fails = draw(null) < null->fail;
    null->fails_at = work->whole.begin + (uint64_t)(draw(null) * length);
}

/* Sleeps in naps, and looks after each of them whether the render was stopped. Returns the seconds by which the piece
 * ended too late: as systems wake a thread some time after what it asked for, and let it wait for a CPU in the midst of
 * its work, a device whose pieces are small would otherwise be some per cent slower than it should. Of a piece that
 * takes longer for its own sake it makes up for one nap at most. */
static double wait_until(double end, const int *stop)
{
    static const double NAP = 0.05;
    double now = lb_clock_now();
    if (now >= end)
        return now - end < NAP ? now - end : NAP;
    for (; now < end && !lb_stopped(stop); now = lb_clock_now())
        lb_clock_sleep_until(end - now < NAP ? end : now + NAP);
    return now > end ? now - end : 0;
}

static enum lb_status null_render(struct lb_processor *processor, const struct lb_work *work,
                                  struct lb_result *result, bool *lost, struct lb_error *error)
{
    struct null_processor *null = (struct null_processor *)processor;
    double begin = lb_clock_now();
    draw_fate(null, work);
    if (null->fails && null->fails_at < work->range.end + work->offset) {
        struct lb_work part = *work;
        uint64_t from = part.range.begin;
        part.range.end = null->fails_at > from + work->offset ? null->fails_at - work->offset : from + 1;
        null->inner->table->render(null->inner, &part, result, lost, error);
        *lost = true;
        return lb_error_set(error, LB_ERROR, "%s failed, as it was told to", processor->name);
    }
    enum lb_status status = null->inner->table->render(null->inner, work, result, lost, error);
    if (status == LB_OK && null->speed > 0)
        null->late = wait_until(begin - null->late + (double)result->samples / null->speed, work->stop);
    return status;
}

static void null_close(struct lb_processor *processor)
{
    struct null_processor *null = (struct null_processor *)processor;
    null->inner->table->close(null->inner);
    free(null);
}

static const struct lb_processor_table null_table = {.render = null_render, .close = null_close};

enum lb_status lb_null_processor_open(struct lb_processor *inner, unsigned index, double speed, double fail,
                                      uint64_t seed, struct lb_processor **processor, struct lb_error *error)
{
    struct null_processor *null = calloc(1, sizeof *null);
    if (!null) {
        inner->table->close(inner);
        return lb_error_memory(error, NULL);
    }
    *null = (struct null_processor){
        .base = {.table = &null_table, .kind = inner->kind, .uncounted = inner->uncounted},
        .inner = inner,
        .speed = speed,
        .fail = fail,
        .random = seed ^ (index + 1) * 0xd1342543de82ef95u};
    snprintf(null->base.name, sizeof null->base.name, "null%u", index);
    *processor = &null->base;
    return LB_OK;
}
