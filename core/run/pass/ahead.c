#include "core/run/pass/ahead.h"

#include "core/machine/clock.h"
#include "core/run/pass/hand.h"

/* Ranges for another host are cut into pieces that take about so many seconds, once the speed is known: a piece that is
 * lost is no great loss then, and one that hangs is noticed soon. */
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
    bool waits;     /* the strategy had nothing more: it is asked again when something has ended */
};

static const struct lb_error none = {LB_OK, ""};

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

static bool is_host(const struct in_hand *in)
{
    return in->processor->table->tell != NULL;
}

/* Sets the next piece's size by how long so many positions took. */
static void adapt_piece(struct in_hand *in, uint64_t positions, double seconds)
{
    double fit = (double)positions * PIECE_SECONDS / seconds;
    if (!is_host(in))
        lb_hand_adapt_piece(in->hand, positions, seconds);
    else
        in->hand->piece = fit < 1 ? 1 : fit < 1e18 ? (uint64_t)fit : UINT64_MAX;
}

/* Those who wait may take what the processor has not begun of the only range that it has. Of another host they do
 * not: the time that messages take would count as slowness. */
static void cut(struct in_hand *in, struct lb_turn *turn)
{
    if (in->turn_count == 1 && !is_host(in))
        lb_turn_cut(in->hand, turn, in->begun, in->busy[in->first_turn]);
}

/* The piece in front has ended; false: the processor renders no more. */
static bool end_piece(struct in_hand *in, const struct lb_outcome *outcome)
{
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
    if (seconds > 0 && !outcome->result.stopped)
        adapt_piece(in, piece.end - piece.begin, seconds);
    cut(in, turn);
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

/* Goes on with what is in hand until the processor should have another range. False: it should have none any more. */
static bool await_room(struct in_hand *in)
{
    while (in->piece_count > 0 || !stopped(in)) {
        struct lb_outcome outcome;
        bool more = may_begin(in) && !(in->waits && !has_more(in));
        bool ended = in->piece_count > 0 && in->processor->table->await(in->processor, more, &outcome);
        if (ended && !end_piece(in, &outcome) && in->piece_count == 0)
            return false;
        if (ended || in->piece_count == 0)
            in->waits = false;
        if (ended || stopped(in))
            continue;
        if (!has_more(in))
            return true;
        begin_piece(in);
    }
    return false;
}

/* ---- ranges from the pass's strategy, begun while others are in hand ---- */

static enum lb_next ask(struct lb_hand *hand, struct lb_range *given)
{
    struct in_hand *in = hand->of;
    if (!await_room(in))
        return LB_NEXT_END;
    hand->seen = lb_asking_seen(hand->asking);
    tell_progress(in);
    enum lb_next next = lb_asking_next(hand->asking, hand->number, given);
    in->waits = next != LB_NEXT_RANGE;
    return next == LB_NEXT_END && in->turn_count > 0 ? LB_NEXT_WAIT : next;
}

static void begin_range(struct in_hand *in, struct lb_range given)
{
    struct lb_turn turn = lb_turn_begin(in->hand, given);
    if (turn.range.begin == turn.range.end) {
        lb_turn_end(in->hand, &turn, LB_OK, false, &none, 0, turn.begin);
        return;
    }
    in->busy[(in->first_turn + in->turn_count++) % LB_PIECES_IN_HAND] = 0;
    *last_turn(in) = turn;
    in->begun = turn.range.begin;
    begin_piece(in);
}

/* While something is in hand, it is its end that is waited for. */
static bool sleep_empty(struct lb_hand *hand)
{
    const struct in_hand *in = hand->of;
    return in->turn_count > 0 || lb_asking_sleep(hand->asking, hand->seen);
}

void lb_ahead_work(struct lb_hand *hand)
{
    static const struct lb_supply ahead = {.ask = ask, .sleep = sleep_empty};
    struct in_hand in = {.hand = hand, .processor = hand->job->processors[hand->number]};
    struct lb_range given;
    hand->piece = is_host(&in) ? UINT64_MAX : lb_hand_first_piece(hand);
    hand->of = &in;
    while (lb_hand_next(hand, &ahead, &given))
        begin_range(&in, given);
    while (in.turn_count > 0)
        end_turn(&in, LB_OK, false, &none);
}
