#include "core/run/pass/turn.h"

#include "core/base/grow.h"
#include "core/machine/clock.h"
#include "core/run/pass/births.h"

#include <string.h>

/* The positions of a block of samples. */
static uint64_t block_length(const struct lb_schedule *job)
{
    return job->part.end - job->part.begin;
}

/* Where in the blocks of the part the strategy's position `at` begins. */
static uint64_t in_part(const struct lb_schedule *job, uint64_t at)
{
    uint64_t count = block_length(job) * (job->order->blocks > 1 ? job->order->blocks : 1);
    if (job->level_count > 0)
        return at;
    if (at >= job->dealt)
        return count;
    return job->dealt == count ? at : (uint64_t)((double)at * ((double)count / (double)job->dealt));
}

static bool tells_cpu(const struct lb_hand *hand)
{
    return hand->job->strategy->had_cpu && hand->job->processors[hand->number]->computes;
}

struct lb_turn lb_turn_begin(const struct lb_hand *hand, struct lb_range given)
{
    struct lb_range range = {in_part(hand->job, given.begin), in_part(hand->job, given.end)};
    return (struct lb_turn){.given = given,
                            .range = range,
                            .at = range.begin,
                            .begin = lb_clock_now(),
                            .begin_cpu = tells_cpu(hand) ? lb_clock_thread_cpu() : -1};
}

struct lb_range lb_turn_piece(const struct lb_hand *hand, const struct lb_turn *turn, uint64_t from)
{
    uint64_t length = block_length(hand->job), block_end = (from / length + 1) * length;
    uint64_t end = turn->range.end < block_end ? turn->range.end : block_end;
    return (struct lb_range){from, end - from > hand->piece ? from + hand->piece : end};
}

/* Where the order has what the strategy counts from 0. */
static struct lb_range in_order(const struct lb_schedule *job, struct lb_range range)
{
    return (struct lb_range){job->part.begin + range.begin, job->part.begin + range.end};
}

/* Where the pass has levels: what is to be rendered follows from the piece's, and where a born one is kept. */
static void set_level(const struct lb_hand *hand, const struct lb_turn *turn, struct lb_range piece,
                      struct lb_work *work, struct lb_result *result)
{
    const uint64_t number = lb_births_level(hand, piece), within = piece.begin - turn->range.begin;
    const struct lb_schedule_level *level = &hand->job->levels[number];
    work->order = &level->order;
    work->sample_begin = level->sample_begin;
    work->sample_end = level->sample_end;
    if (number == 0)
        return;
    result->pixels = hand->born.pixels + within;
    result->sums = hand->born.sums ? hand->born.sums + within * result->sum_count : NULL;
    result->cost = hand->born.cost ? hand->born.cost + within : NULL;
}

void lb_turn_work(const struct lb_hand *hand, const struct lb_turn *turn, struct lb_range piece,
                  struct lb_work *work, struct lb_result *result)
{
    const struct lb_schedule *job = hand->job;
    uint32_t each = job->sample_end - job->sample_begin, sums = job->scene->channels.count;
    struct lb_range there = in_order(job, piece);
    uint64_t block = piece.begin / block_length(job), offset = block * block_length(job);
    *work =
        (struct lb_work){.scene = job->scene,
                         .order = hand->whole,
                         .range = {there.begin - offset, there.end - offset},
                         .whole = in_order(job, turn->range),
                         .sample_begin = job->sample_begin + lb_order_block_sample(job->order, each, block),
                         .sample_end = job->sample_begin + lb_order_block_sample(job->order, each, block + 1),
                         .stop = job->stop,
                         .coverage = job->coverage,
                         .offset = offset};
    *result = (struct lb_result){.pixels = job->pixels + piece.begin,
                                 .sums = job->sums ? job->sums + piece.begin * sums : NULL,
                                 .sum_count = sums,
                                 .cost = job->cost ? job->cost + piece.begin : NULL,
                                 .cost_in_seconds = job->cost_in_seconds};
    if (job->level_count > 0)
        set_level(hand, turn, piece, work, result);
}

void lb_turn_add(const struct lb_hand *hand, struct lb_turn *turn, struct lb_range piece,
                 const struct lb_result *result)
{
    turn->at = piece.end;
    turn->stopped |= result->stopped;
    turn->did.samples += result->samples;
    turn->did.positions += result->stopped ? 0 : piece.end - piece.begin;
    turn->did.transfer_seconds += result->transfer_seconds;
    lb_counters_add(&turn->did.counters, &result->counters);
    struct lb_progress *progress = &hand->job->progress[hand->number];
    uint64_t samples = atomic_load_explicit(&progress->samples, memory_order_relaxed) + result->samples;
    atomic_store_explicit(&progress->samples, samples, memory_order_relaxed);
}

/* Is what there is to render of the range, position by position, what the strategy gave? */
static bool is_as_given(const struct lb_turn *turn)
{
    return turn->given.begin == turn->range.begin && turn->given.end == turn->range.end;
}

void lb_turn_cut(const struct lb_hand *hand, struct lb_turn *turn, uint64_t from, double seconds)
{
    uint64_t done = turn->at - turn->range.begin, begun = from - turn->range.begin;
    if (turn->stopped || done == 0 || from >= turn->range.end || !is_as_given(turn) ||
        !lb_asking_could_cut(hand->asking))
        return;
    seconds *= (double)begun / (double)done; /* as long as what was begun will take */
    turn->given.end = lb_asking_cut(hand->asking, hand->number, turn->given, begun, seconds);
    turn->range.end = turn->given.end;
}

static void note_span(struct lb_tally *tally, struct lb_range range, double begin, double end, bool delivered)
{
    struct lb_span *spans =
        lb_grow(tally->spans, &tally->span_capacity, tally->span_count + 1, sizeof *spans);
    if (!spans)
        return; /* a picture is worth more than its log */
    tally->spans = spans;
    tally->spans[tally->span_count++] = (struct lb_span){range, begin, end, delivered};
}

static void take_back(const struct lb_hand *hand, struct lb_range range, uint64_t samples)
{
    const struct lb_schedule *job = hand->job;
    atomic_fetch_sub_explicit(&job->progress[hand->number].samples, samples, memory_order_relaxed);
    if (lb_births_level(hand, range) > 0)
        return; /* what it rendered stands apart */
    lb_look_forbid(job->look);
    memset(job->pixels + range.begin, 0, (range.end - range.begin) * sizeof *job->pixels);
    if (job->sums) {
        uint64_t sums = job->scene->channels.count;
        memset(job->sums + range.begin * sums, 0, (range.end - range.begin) * sums * sizeof *job->sums);
    }
    lb_look_allow(job->look);
    if (job->cost)
        memset(job->cost + range.begin, 0, (range.end - range.begin) * sizeof *job->cost);
}

/* Adds a range's figures to the tally: what it delivered, whether it failed, and the time it took in both. */
static void count_range(struct lb_tally *tally, struct lb_report_processor did, bool delivered,
                        double seconds, double finish)
{
    did.ranges = delivered;
    did.busy_seconds = seconds;
    did.finish_seconds = finish;
    lb_report_add(&tally->did, &did, 0);
}

/* Does what was delivered of a range count although the rest is lost with another host? A processor of this one is
 * given less at a time, and what it says before it fails is worth less. */
static bool is_kept(const struct lb_hand *hand, const struct lb_turn *turn)
{
    const struct lb_schedule *job = hand->job;
    return job->strategy->kept && job->processors[hand->number]->table->tell && job->level_count == 0 &&
           turn->at > turn->range.begin && is_as_given(turn);
}

/* The range failed: others do what is not kept of it. */
static void fail(const struct lb_hand *hand, const struct lb_turn *turn, bool lost, double seconds,
                 double end)
{
    const struct lb_schedule *job = hand->job;
    bool kept = is_kept(hand, turn);
    struct lb_report_processor did = {.name = ""};
    struct lb_range given = turn->given, rest = turn->range;
    if (kept) {
        did = turn->did;
        given.begin = rest.begin = turn->at;
    }
    did.failed = 1;
    did.lost = lost;
    count_range(&job->tallies[hand->number], did, kept, seconds, end - job->begin);
    take_back(hand, rest, kept ? 0 : turn->did.samples);
    if (kept)
        lb_asking_kept(hand->asking, hand->number, (struct lb_range){turn->given.begin, turn->at}, seconds);
    lb_asking_failed(hand->asking, hand->number, given, lost);
}

bool lb_turn_end(const struct lb_hand *hand, const struct lb_turn *turn, enum lb_status status, bool lost,
                 const struct lb_error *error, double seconds, double end)
{
    const struct lb_schedule *job = hand->job;
    struct lb_tally *tally = &job->tallies[hand->number];
    bool delivered = status == LB_OK;
    if (job->log_spans)
        note_span(tally, (struct lb_range){turn->range.begin, turn->at}, end - job->begin - seconds,
                  end - job->begin, delivered || is_kept(hand, turn));
    if (!delivered) {
        tally->error = *error;
        fail(hand, turn, lost, seconds, end);
        return !lost;
    }
    count_range(tally, turn->did, true, seconds, end - job->begin);
    lb_births_add(hand, turn);
    if (turn->at < turn->range.end || turn->stopped)
        return false;
    lb_births_bear(hand, turn->range);
    double cpu_seconds = turn->begin_cpu >= 0 ? lb_clock_thread_cpu() - turn->begin_cpu : -1;
    lb_asking_done(hand->asking, hand->number, turn->given, seconds, cpu_seconds);
    return true;
}
