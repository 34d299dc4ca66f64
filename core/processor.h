/* The interface of processors. A processor renders ranges of an order into local framebuffers; it is a CPU thread, a
 * GPU, a null device, or another host with all that renders there. */
#ifndef LB_CORE_PROCESSOR_H
#define LB_CORE_PROCESSOR_H

#include "core/base/error.h"
#include "core/kernel/film/film.h"
#include "core/kernel/guiding/guide.h"
#include "core/kernel/order/order.h"
#include "core/kernel/scene/scene.h"
#include "core/kernel/stop.h"
#include "core/strategy.h"

#include <string.h>

/* One range to render: samples [sample_begin, sample_end) of every pixel that positions range.begin .. range.end of
 * `order`, which is of whole pixels, hold. */
struct lb_work {
    const lb_scene *scene; /* as the processor was opened with */
    const struct lb_order *order;
    struct lb_range range;
    /* The strategy's range that this is a piece of, begun at its begin; equal where it is whole and in the first block
     * of samples. */
    struct lb_range whole;
    uint32_t sample_begin, sample_end;
    const int *stop; /* not 0 (lb_stopped): end soon, within any pixel, whatever the reason is; may be NULL */
    /* Nothing is rendered; instead, each pixel's camera ray of sample sample_begin says what it hits, and `cost`
     * becomes that of an lb_estimate. Asked only of processors whose costs are steps. */
    bool coverage;
    /* What is added to positions of `range` to get those of `whole`, which count the blocks of samples before. */
    uint64_t offset;
    /* By which paths choose their directions, and what learns of them, while the scene's own guide is still made. Asked
     * only of CPU threads. NULL: paths choose by the scene's guide, if it has one. */
    const lb_guide *guide;
};

/* What a range delivers: `pixels` and, when wanted, `cost` have range.end - range.begin elements, one a position, and
 * are cleared by the processor; padding positions stay zero. */
struct lb_result {
    lb_film_pixel *pixels;
    /* Sums of the scene's channels, `sum_count` (lb_channels.count) a position; cleared by the processor too. NULL:
     * not wanted. */
    int64_t *sums;
    uint32_t sum_count;
    float *cost; /* steps a position (or seconds, by --cost-unit); NULL: not wanted */
    bool cost_in_seconds;
    lb_counters counters;
    uint64_t samples;
    /* work.stop ended it: only some pixels are rendered, each whole, and counted in `samples`; the others are zero. */
    bool stopped;
    double transfer_seconds; /* part of the work's time that moved data */
    double render_seconds;   /* of a work that was begun ahead: how long it took the processor itself */
};

/* Sets all of the result but its arrays to "nothing was rendered", as processors do when they begin a work. */
static inline void lb_result_clear(struct lb_result *result)
{
    struct lb_result cleared;
    memset(&cleared, 0, sizeof cleared);
    cleared.pixels = result->pixels;
    cleared.sums = result->sums;
    cleared.sum_count = result->sum_count;
    cleared.cost = result->cost;
    cleared.cost_in_seconds = result->cost_in_seconds;
    *result = cleared;
}

/* The same, with the pixels, sums and costs of `positions`. */
static inline void lb_result_clear_all(struct lb_result *result, uint64_t positions)
{
    lb_result_clear(result);
    if (positions > 0)
        memset(result->pixels, 0, (size_t)positions * sizeof *result->pixels);
    if (positions > 0 && result->sums)
        memset(result->sums, 0, (size_t)positions * result->sum_count * sizeof *result->sums);
    if (positions > 0 && result->cost)
        memset(result->cost, 0, (size_t)positions * sizeof *result->cost);
}

struct lb_processor; /* its maker's own */

/* Who is told of what is rendered while the rest still is: positions of a result, counted from 0, that stay as they
 * are. rendered() is called by any thread, at once. Positions may be told twice, where a processor was lost. */
struct lb_listener {
    void (*rendered)(void *user, struct lb_range positions);
    void *user;
};

/* How a work that was begun ahead of time ended: as render() would have returned. */
struct lb_outcome {
    enum lb_status status;
    bool lost;
    struct lb_error error;
    struct lb_result result;
};

/* What one of the processors of another host did there. */
struct lb_remote_did {
    uint64_t ranges, samples;
    double busy_seconds;
};

struct lb_remote_processor {
    char name[32], kind[32]; /* as in reports: "cpu0", "cpu" */
    struct lb_remote_did did;
};

/* What a processor that is another host tells of itself: counts are of what happened since it was asked last. */
struct lb_remote {
    char host[64];                     /* its name; "": nobody is there */
    uint64_t bytes_sent;               /* to it, in messages, before encryption */
    uint64_t bytes_received, messages; /* messages: both ways */
    double round_trip_seconds;         /* of a message there and back, lately; 0: not known */
    double network_seconds;            /* in which it had work and did not render */
    struct lb_remote_processor *processors;
    uint32_t processor_count;
};

/* A processor has at most so many works in hand. */
enum { LB_PIECES_IN_HAND = 16 };

/* What a processor is made of: core/cpu, core/wave, core/processors/null_processor.c and cuda/ each export a maker,
 * which the table of its kind (core/processors/type.h) calls. render() is called by one thread at a time a
 * processor. */
struct lb_processor_table {
    /* LB_OK and a full result, or an error: nothing was delivered. `*lost` is then true when it will never render
     * again. */
    enum lb_status (*render)(struct lb_processor *processor, const struct lb_work *work,
                             struct lb_result *result, bool *lost, struct lb_error *error);
    void (*close)(struct lb_processor *processor);
    /* For one that works elsewhere, so that asking and answering take their time, or that would run empty between
     * two works; NULL for all others. Both are called by one thread, and never while render() is. begin() gives it a
     * work behind those that it has, and returns at once; what work and result point at must stay until the outcome is
     * known. */
    void (*begin)(struct lb_processor *processor, const struct lb_work *work, const struct lb_result *result);
    /* Sleeps until the work that was begun first has ended: true, and the outcome says how. Where that is a failure
     * there is nothing in hand any more. Where `may_begin`, it also wakes when the processor will soon have nothing to
     * do: false. */
    bool (*await)(struct lb_processor *processor, bool may_begin, struct lb_outcome *outcome);
    /* For another host: what it has to tell. The caller frees remote->processors. NULL for all others. Called while
     * nothing is in hand. */
    void (*tell)(struct lb_processor *processor, struct lb_remote *remote);
};

struct lb_processor {
    const struct lb_processor_table *table;
    enum lb_processor_kind kind;
    bool uncounted; /* it fills no `cost` and counts neither nodes nor groups, as a GPU */
    bool computes;  /* the thread that calls it does the work itself: its CPU time is that of the work */
    bool hangs;     /* it was lost because it stopped answering: the program's end may not wait for it */
    char name[32];  /* "cpu0", "cuda1", "null0" */
};

#endif
