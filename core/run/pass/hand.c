#include "core/run/pass/hand.h"

#include "core/machine/clock.h"
#include "core/run/pass/births.h"

/* Ranges are rendered in pieces of about this many seconds, so that a signal ends the longest range soon and progress
 * shows. Pieces are the scheduler's own: strategies only ever see whole ranges. */
static const double PIECE_SECONDS = 0.02;
/* A GPU runs empty at the end of each piece, for some milliseconds, hence longer ones; it divides them into batches
 * itself. */
static const double GPU_PIECE_SECONDS = 0.5;
/* The first pieces, before any speed is known: so many positions, and no more than so many samples where one
 * position is enough. */
enum { FIRST_PIECE = 64, FIRST_GPU_PIECE = 1 << 16 };
enum { FIRST_SAMPLES = 1 << 14, FIRST_GPU_SAMPLES = 1 << 24 };

bool lb_hand_next(struct lb_hand *hand, const struct lb_supply *supply, struct lb_range *given)
{
    for (;;) {
        enum lb_next next = supply->ask(hand, given);
        if (next != LB_NEXT_WAIT)
            return next == LB_NEXT_RANGE;
        if (!supply->sleep(hand))
            return false;
    }
}

static struct lb_processor *processor_of(const struct lb_hand *hand)
{
    return hand->job->processors[hand->number];
}

static bool is_gpu(const struct lb_hand *hand)
{
    return processor_of(hand)->kind == LB_PROCESSOR_GPU;
}

/* The piece was delivered. */
static void add_piece(const struct lb_hand *hand, struct lb_turn *turn, struct lb_range piece,
                      const struct lb_result *result)
{
    lb_look_write(hand->job->look, hand->number, 0, (struct lb_range){0, 0});
    lb_turn_add(hand, turn, piece, result);
    const struct lb_listener *listener = hand->job->listener;
    if (listener)
        listener->rendered(listener->user, piece);
}

void lb_hand_adapt_piece(struct lb_hand *hand, uint64_t positions, double seconds)
{
    double due = is_gpu(hand) ? GPU_PIECE_SECONDS : PIECE_SECONDS;
    double fit = seconds > 0 ? (double)positions * due / seconds : 1e18;
    double most = 2.0 * (double)hand->piece;
    hand->piece = fit > most ? (uint64_t)most : fit < 1 ? 1 : (uint64_t)fit;
}

uint64_t lb_hand_first_piece(const struct lb_hand *hand)
{
    const struct lb_schedule *job = hand->job;
    uint64_t each = job->sample_end > job->sample_begin ? job->sample_end - job->sample_begin : 1;
    uint64_t positions = is_gpu(hand) ? FIRST_GPU_PIECE : FIRST_PIECE;
    uint64_t fit = (is_gpu(hand) ? FIRST_GPU_SAMPLES : FIRST_SAMPLES) / each;
    return fit > positions ? positions : fit > 0 ? fit : 1;
}

bool lb_hand_render(struct lb_hand *hand, struct lb_range given)
{
    const struct lb_schedule *job = hand->job;
    struct lb_processor *processor = processor_of(hand);
    struct lb_turn turn = lb_turn_begin(hand, given);
    struct lb_error error = {LB_OK, ""};
    bool lost = false;
    enum lb_status status = LB_OK;
    double end = turn.begin;
    if (hand->piece == 0)
        hand->piece = lb_hand_first_piece(hand);
    if (!lb_births_make_room(hand, turn.range)) {
        status = lb_error_memory(&error, NULL);
        lost = true;
    }
    while (turn.at < turn.range.end && status == LB_OK && !turn.stopped &&
           (turn.at == turn.range.begin || !lb_stopped(job->stop))) {
        struct lb_range piece = lb_turn_piece(hand, &turn, turn.at);
        struct lb_work work;
        struct lb_result result;
        lb_turn_work(hand, &turn, piece, &work, &result);
        lb_look_write(job->look, hand->number, 0, piece);
        status = processor->table->render(processor, &work, &result, &lost, &error);
        if (status == LB_OK)
            add_piece(hand, &turn, piece, &result);
        double now = lb_clock_now();
        lb_hand_adapt_piece(hand, piece.end - piece.begin, now - end);
        end = now;
        if (status == LB_OK)
            lb_turn_cut(hand, &turn, turn.at, end - turn.begin);
    }
    bool goes_on = lb_turn_end(hand, &turn, status, lost, &error, end - turn.begin, end);
    if (status != LB_OK)
        lb_look_write(job->look, hand->number, 0, (struct lb_range){0, 0});
    return goes_on;
}
