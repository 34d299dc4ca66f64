#include "core/run/pass/ahead.h"

#include "core/machine/clock.h"

/* Ranges are cut into pieces that take about so many seconds, once the speed is known: a piece that is lost is no
 * great loss then, and one that hangs is noticed soon. */
static const double PIECE_SECONDS = 2;

/* What the processor has in hand, first in, first out: ranges, each cut into pieces that are begun in order. There
 * is a piece of each range at least, so that both fit into rings of the same size. */
struct in_hand {
    struct lb_hand *hand;
    struct lb_processor *processor;
    struct lb_turn turns[LB_PIECES_IN_HAND];
    double busy[LB_PIECES_IN_HAND]; /* seconds that the processor itself spent on each range */
    uint32_t first_turn, turn_count;
    struct lb_range pieces[LB_PIECES_IN_HAND]; /* in the slots of lb_look_write */
    uint32_t first_piece, piece_count;
    uint64_t begun; /* of the last range: its pieces were begun up to here */
};

static bool stopped(const struct in_hand *in)
{
    return lb_stopped(in->hand->job->stop);
}

static struct lb_turn *last_turn(struct in_hand *in)
{
    return &in->turns[(in->first_turn + in->turn_count - 1) % LB_PIECES_IN_HAND];
}

/* Is there a range of which not all pieces were begun? */
static bool has_more(struct in_hand *in)
{
    return in->turn_count > 0 && in->begun < last_turn(in)->range.end;
}

static bool may_begin(struct in_hand *in)
{
    bool asks = in->turn_count == 0 || !in->hand->asking->strategy->one_at_a_time;
    return in->piece_count < LB_PIECES_IN_HAND && !stopped(in) && (has_more(in) || asks);
}

/* The range in front has ended; false: the processor renders no more. */
static bool end_turn(struct in_hand *in, enum lb_status status, bool lost, const struct lb_error *error)
{
    uint32_t front = in->first_turn;
    in->first_turn = (front + 1) % LB_PIECES_IN_HAND;
    in->turn_count--;
    return lb_turn_end(in->hand, &in->turns[front], status, lost, error, in->busy[front], lb_clock_now());
}

/* Nothing of what it had in hand will come. The loss of a processor is told with the last of its ranges. */
static bool fail_all(struct in_hand *in, const struct lb_outcome *outcome)
{
    bool goes_on = true;
    while (in->turn_count > 0)
        goes_on = end_turn(in, outcome->status, outcome->lost && in->turn_count == 1, &outcome->error);
    for (uint32_t slot = 0; slot < LB_PIECES_IN_HAND; slot++)
        lb_look_write(in->hand->job->look, in->hand->number, slot, (struct lb_range){0, 0});
    in->piece_count = 0;
    return goes_on;
}

/* The processor is given the next piece of the last range. */
static void begin_piece(struct in_hand *in)
{
    uint32_t slot = (in->first_piece + in->piece_count++) % LB_PIECES_IN_HAND;
    struct lb_range piece = lb_turn_piece(in->hand, last_turn(in), in->begun);
    struct lb_work work;
    struct lb_result result;
    lb_turn_work(in->hand, last_turn(in), piece, &work, &result);
    in->pieces[slot] = piece;
    in->begun = piece.end;
    lb_look_write(in->hand->job->look, in->hand->number, slot, piece);
    in->processor->table->begin(in->processor, &work, &result);
}

static void begin_range(struct in_hand *in, struct lb_range given)
{
    struct lb_turn turn = lb_turn_begin(in->hand, given);
    static const struct lb_error none = {LB_OK, ""};
    if (turn.range.begin == turn.range.end) {
        lb_turn_end(in->hand, &turn, LB_OK, false, &none, 0, turn.begin);
        return;
    }
    in->busy[(in->first_turn + in->turn_count++) % LB_PIECES_IN_HAND] = 0;
    *last_turn(in) = turn;
    in->begun = turn.range.begin;
    begin_piece(in);
}

/* The piece in front has ended; false: the processor renders no more. */
static bool take(struct in_hand *in, const struct lb_outcome *outcome)
{
    static const struct lb_error none = {LB_OK, ""};
    if (outcome->status != LB_OK)
        return fail_all(in, outcome);
    struct lb_range piece = in->pieces[in->first_piece];
    struct lb_turn *turn = &in->turns[in->first_turn];
    double seconds = outcome->result.render_seconds;
    lb_look_write(in->hand->job->look, in->hand->number, in->first_piece, (struct lb_range){0, 0});
    in->first_piece = (in->first_piece + 1) % LB_PIECES_IN_HAND;
    in->piece_count--;
    lb_turn_add(in->hand, turn, piece, &outcome->result);
    in->busy[in->first_turn] += seconds;
    if (seconds > 0 && !outcome->result.stopped) {
        double fit = (double)(piece.end - piece.begin) * PIECE_SECONDS / seconds;
        in->hand->piece = fit < 1 ? 1 : fit < 1e18 ? (uint64_t)fit : UINT64_MAX;
    }
    return turn->at < turn->range.end || end_turn(in, LB_OK, false, &none);
}

/* Tells the strategy how far the processor has come in the range in front. */
static void tell_progress(struct in_hand *in)
{
    const struct lb_turn *front = &in->turns[in->first_turn];
    if (in->turn_count > 0 && front->at > front->range.begin)
        lb_asking_progress(in->hand->asking, in->hand->number, front->given, front->at - front->given.begin,
                           in->busy[in->first_turn]);
}

/* Gives the processor something more, if there is anything. False: there is nothing in hand, and never will be. */
static bool begin_more(struct in_hand *in, bool *waits)
{
    struct lb_range given;
    if (has_more(in)) {
        begin_piece(in);
        return true;
    }
    uint64_t seen = lb_asking_seen(in->hand->asking);
    tell_progress(in);
    switch (lb_asking_next(in->hand->asking, in->hand->number, &given)) {
    case LB_NEXT_RANGE:
        begin_range(in, given);
        return true;
    case LB_NEXT_WAIT:
        *waits = true;
        return in->turn_count > 0 || lb_asking_sleep(in->hand->asking, seen);
    case LB_NEXT_END:
        break;
    }
    *waits = true;
    return in->turn_count > 0;
}

void lb_ahead_work(struct lb_hand *hand)
{
    static const struct lb_error none = {LB_OK, ""};
    struct in_hand in = {.hand = hand, .processor = hand->job->processors[hand->number]};
    bool waits = false; /* the strategy had nothing more: it is asked again when something has ended */
    hand->piece = UINT64_MAX;
    while (in.piece_count > 0 || !stopped(&in)) {
        struct lb_outcome outcome;
        bool more = may_begin(&in) && !(waits && !has_more(&in));
        bool ended = in.piece_count > 0 && in.processor->table->await(in.processor, more, &outcome);
        if (ended && !take(&in, &outcome) && in.piece_count == 0)
            break;
        if (ended || in.piece_count == 0)
            waits = false;
        if (!ended && !stopped(&in) && !begin_more(&in, &waits))
            break;
    }
    while (in.turn_count > 0)
        end_turn(&in, LB_OK, false, &none);
}
