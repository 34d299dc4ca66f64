/* A strategy to copy: tasks of a fixed size, first come first served. It is compiled and tested, but not in the
 * table. */
#include "strategies/backlog.h"
#include "strategies/skeleton.h"

struct skeleton {              /* all that it knows; zeroed before the first frame, kept between frames */
    uint64_t next, count;      /* positions not yet given out */
    uint64_t outstanding;      /* positions not delivered */
    struct lb_backlog backlog; /* what failures gave back */
};

/* What a user may set: the values are in a struct, for every plan. A field that is not set is 0, which must mean that
 * the strategy chooses by itself. Options that several strategies have are in strategies/layout.h. */
struct skeleton_options {
    uint64_t side;
};

static const struct lb_option side_option = {.name = "side",
                                             .argument = "N",
                                             .help = "Side of a tile in pixels",
                                             .type = LB_OPTION_WHOLE,
                                             .low = 1,
                                             .high = 256,
                                             .offset = offsetof(struct skeleton_options, side)};

/* Required. Bytes of the state. */
static size_t skeleton_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct skeleton);
}

/* Required. Chooses the order of a frame or pass. One thread; may allocate. */
static enum lb_status skeleton_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                    struct lb_error *error)
{
    struct skeleton *own = state;
    const struct skeleton_options *asked = plan->options;
    *order = lb_order_tiles(plan->width, plan->height, asked->side != 0 ? (uint32_t)asked->side : 32);
    own->next = 0;
    own->count = own->outstanding = order->count;
    return lb_backlog_start(&own->backlog, plan->processor_count, error);
}

/* Required. Called by the processor's thread under one lock (unless .concurrent): decide quickly, never block. */
static enum lb_next skeleton_next(void *state, uint32_t processor, struct lb_range *range)
{
    struct skeleton *own = state;
    uint64_t left = own->count - own->next;
    (void)processor;
    if (lb_backlog_take(&own->backlog, 1024, range))
        return LB_NEXT_RANGE;
    if (left == 0)
        return own->outstanding == 0 ? LB_NEXT_END : LB_NEXT_WAIT;
    *range = (struct lb_range){own->next, own->next + (left < 1024 ? left : 1024)};
    own->next = range->end;
    return LB_NEXT_RANGE;
}

/* Required. `seconds` is all that a strategy learns of time. */
static void skeleton_done(void *state, uint32_t processor, struct lb_range range, double seconds)
{
    (void)processor;
    (void)seconds;
    ((struct skeleton *)state)->outstanding -= range.end - range.begin;
}

/* Required. What was not delivered must be given to others. */
static void skeleton_failed(void *state, uint32_t processor, struct lb_range range, bool lost)
{
    (void)processor;
    (void)lost;
    lb_backlog_add(&((struct skeleton *)state)->backlog, range);
}

/* Optional. Frees what plan() made. */
static void skeleton_end(void *state)
{
    lb_backlog_free(&((struct skeleton *)state)->backlog);
}

/* Hooks that it does without, as it need not have them (core/strategy.h):
 * .spawn, with .dynamic: required of who takes work that is born at run time: adds it to what is outstanding;
 * .ready: asked after each done, failed and spawn, before the waiting are: spares them being asked in vain;
 * .progress: told how far a processor has come in what it has in hand, just before next(): who has it lets processors
 *   for which asking takes time ask before they are done;
 * .had_cpu: told just before done() for how long the thread had a CPU: for who must tell work from what others took;
 * .cut: asked between two pieces of a range while others wait: it may take back the rest of the range for them;
 * .kept: told of the first part of a range, which was delivered before the rest of it failed: who has it need not have
 *   all of it done again;
 * .sent: asked of each who waits where one processor sends another work, as push does: was it sent something that is
 *   its own? It is then asked before the others;
 * .counts, .describe: asked for the report: messages and steals; what it chose and measured. */
const struct lb_strategy lb_strategy_skeleton = {
    .name = "skeleton",
    .summary = "an example: tiles, first come first served",
    .weights = LB_WEIGHTS_IGNORED,
    .options = LB_OPTIONS(&side_option), /* optional; without any, .options_size is left out too */
    .options_size = sizeof(struct skeleton_options),
    .state_size = skeleton_state_size,
    .plan = skeleton_plan,
    .next = skeleton_next,
    .done = skeleton_done,
    .failed = skeleton_failed,
    .end = skeleton_end,
};
