#include "core/simulate/simulate_course.h"

#include "core/kernel/film/film.h"
#include "core/simulate/simulate_ahead.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What happens at an event: a processor asks for work, is done with a range, or fails; one that has a range in hand
 * asks for more; the pixels of a host reach the primary's link; the strategy may cut what others have in hand for those
 * who wait. */
enum kind { ASK, DONE, FAIL, MORE, ARRIVE, CUT };

/* Where processors wait, those at work look up so often, each at its own time, as they end a piece of their ranges
 * (core/run/pass/hand.c). */
static const double PIECE_SECONDS = 0.02;
/* In a frame that has lasted long they look up after such a part of its time, as it may last for longer than so many
 * looks could be simulated. */
static const double LONG_FRAME = 0.001;

/* So many waiting processors ask again after an event where the strategy does not say whether it is ready. */
enum { TRY_AGAIN = 8 };

enum condition { BUSY, WAITING, ENDED, LOST, ABSENT };

struct lb_sim_runner {
    struct lb_range range;   /* in hand while BUSY */
    double begin, end;       /* of it */
    struct lb_sim_rate rate; /* at which it is done */
    double asks;             /* when it asks for more while it works; negative: it does not, or has */
    enum condition condition;
    /* Of one that asks while it works: */
    struct lb_sim_progress progress; /* in the range, when it asks */
    struct lb_sim_progress did;      /* in all ranges before */
    double work;                     /* of all ranges that it did */
    struct lb_range following;       /* what it was given then; empty: nothing, */
    double follows;                  /* and when it is there */
    double longest;                  /* seconds that an answer took so far */
};

/* ---- chance: a function of the seed and the number of the draw ---- */

static double draw(struct lb_sim_course *course)
{
    uint64_t x = (course->plan.seed + 1) * 0x9e3779b97f4a7c15u + ++course->draws * 0xd1342543de82ef95u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    return (double)((x ^ (x >> 32)) >> 11) * 0x1p-53;
}

/* ---- time ---- */

struct lb_strategy_counts lb_sim_course_counts(const struct lb_sim_course *course)
{
    struct lb_strategy_counts counts = {0};
    if (course->job->settings.strategy->counts != NULL)
        course->job->settings.strategy->counts(course->state, &counts);
    return counts;
}

/* The seconds that the messages sent since `before` take. */
static double message_seconds(struct lb_sim_course *course, uint64_t before)
{
    return (double)(lb_sim_course_counts(course).messages - before) * course->job->spec->latency;
}

static enum lb_status add_event(struct lb_sim_course *course, double time, uint32_t processor, enum kind kind)
{
    return lb_sim_events_add(&course->events, time, processor, kind) ? LB_OK
                                                                     : lb_error_memory(course->error, NULL);
}

static enum lb_status bad_range(const struct lb_sim_course *course, const char *what, struct lb_range range)
{
    return lb_error_set(course->error, LB_ERROR, "strategy %s: positions %llu .. %llu %s",
                        course->job->settings.strategy->name, (unsigned long long)range.begin,
                        (unsigned long long)range.end, what);
}

static bool is_host(const struct lb_sim_course *course, uint32_t processor)
{
    return course->job->spec->processors[processor].cores > 0;
}

static bool is_thread(const struct lb_sim_course *course, uint32_t processor)
{
    return course->job->spec->processors[processor].kind == LB_PROCESSOR_CPU && !is_host(course, processor);
}

/* How many times as long a range takes a CPU thread while `others` are at work beside it. */
static double slowdown(const struct lb_sim_course *course, uint32_t others)
{
    uint32_t most = course->threads > 1 ? course->threads - 1 : 1;
    return 1 + (course->job->spec->contention - 1) * others / most;
}

/* ---- other hosts ---- */

/* A host is asked to take more when what it has lasts no longer than a message there and back and half as much, and so
 * many seconds (hosts/primary/host_processor.c); where its speed is not known, it has two ranges. */
static const double MARGIN_SECONDS = 0.03;
/* After so many seconds a message that was lost is sent again: the least that Linux waits. */
static const double RESEND_SECONDS = 0.2;

/* Seconds until a message is there. */
static double message_delay(struct lb_sim_course *course, const struct lb_sim_link *link)
{
    double seconds = link->latency;
    for (double wait = RESEND_SECONDS; link->loss > 0 && draw(course) < link->loss; wait *= 2)
        seconds += wait;
    return seconds;
}

/* The host will ask for more when it is time. Unlike a real one it does not tell then how far it has come: what it
 * made of a range comes when all of it is rendered. */
static enum lb_status plan_more(struct lb_sim_course *course, uint32_t processor)
{
    struct lb_sim_remote *remote = &course->remotes[processor];
    const struct lb_sim_link *link = &course->job->spec->processors[processor].link;
    bool alone = course->job->settings.strategy->one_at_a_time && remote->count > 0;
    if (remote->asks || alone || remote->count == LB_SIM_IN_HAND || (!remote->measured && remote->count >= 2))
        return LB_OK;
    double lead = remote->measured ? 3 * link->latency + MARGIN_SECONDS : INFINITY;
    remote->asks = true;
    return add_event(course, fmax(course->now, remote->free - lead), processor, MORE);
}

/* The host gets a range behind those that it has, and sends what it makes of it while it renders. What is on its way
 * when the host fails never comes. */
static enum lb_status begin_at_host(struct lb_sim_course *course, uint32_t processor, struct lb_range range,
                                    double delay)
{
    const struct lb_sim_spec *spec = course->job->spec;
    const struct lb_sim_processor *one = &spec->processors[processor];
    struct lb_sim_remote *remote = &course->remotes[processor];
    double there = course->now + delay + message_delay(course, &one->link);
    double begin = fmax(there, remote->free), seconds = lb_sim_host_seconds(one, &course->work, range);
    if (spec->jitter > 0)
        seconds *= 1 + spec->jitter * draw(course);
    double end = begin + seconds + spec->range_overhead;
    double transfer =
        (double)((range.end - range.begin) * sizeof(lb_film_pixel)) / lb_sim_link_rate(&one->link);
    remote->hands[(remote->first + remote->count++) % LB_SIM_IN_HAND] =
        (struct lb_sim_hand){range, begin, end};
    remote->free = end;
    end += lb_sim_host_tail(one, &course->work, range);
    remote->link_free = fmax(end, fmax(begin, remote->link_free) + transfer);
    course->balance->processors[processor].transfer_seconds += transfer;
    course->runners[processor].condition = BUSY;
    double arrives = remote->link_free + message_delay(course, &one->link);
    remote->link_free = arrives - one->link.latency; /* later ones do not overtake it */
    enum lb_status status = arrives <= one->fails ? add_event(course, arrives, processor, ARRIVE) : LB_OK;
    return status == LB_OK ? plan_more(course, processor) : status;
}

/* What the host sent passes the primary's own link, as that of all others does. */
static enum lb_status arrive(struct lb_sim_course *course, uint32_t processor)
{
    struct lb_sim_remote *remote = &course->remotes[processor];
    struct lb_range range = remote->hands[(remote->first + remote->arrived++) % LB_SIM_IN_HAND].range;
    double rate = course->job->spec->primary_bandwidth;
    double bytes = (double)((range.end - range.begin) * sizeof(lb_film_pixel));
    course->primary_free = fmax(course->now, course->primary_free + (rate > 0 ? bytes / rate : 0));
    return add_event(course, course->primary_free, processor, DONE);
}

/* The range in front was delivered. */
static void take_front(struct lb_sim_course *course, uint32_t processor)
{
    struct lb_sim_remote *remote = &course->remotes[processor];
    struct lb_sim_hand *front = &remote->hands[remote->first];
    struct lb_sim_runner *runner = &course->runners[processor];
    runner->range = front->range;
    runner->begin = front->begin;
    runner->end = front->end;
    remote->first = (remote->first + 1) % LB_SIM_IN_HAND;
    remote->count--;
    remote->arrived--;
    remote->measured = true;
}

/* Messages until an answer is there: what is asked, and the answer. */
enum { ASKING = 2 };

/* A processor of this host that will ask before it is done with its range, does so when it is time. */
static enum lb_status plan_ahead(struct lb_sim_course *course, uint32_t processor)
{
    struct lb_sim_runner *runner = &course->runners[processor];
    double lead = fmax(ASKING * course->job->spec->latency, runner->longest);
    if (course->job->settings.strategy->progress == NULL || lead <= 0 ||
        !lb_sim_ahead(&course->work, runner->range, runner->rate, &runner->did, lead, &runner->progress))
        return LB_OK;
    runner->asks = fmax(course->now, fmin(runner->begin + runner->progress.seconds, runner->end));
    return add_event(course, runner->asks, processor, MORE);
}

/* What a processor of this host sends of a range. */
static double transfer_seconds(const struct lb_sim_course *course, uint64_t positions)
{
    double rate = course->job->spec->bandwidth;
    return rate > 0 ? (double)(positions * sizeof(lb_film_pixel)) / rate : 0;
}

/* When it has done the first positions of the range that it has in hand. */
static double when_done(const struct lb_sim_course *course, const struct lb_sim_runner *runner,
                        uint64_t positions)
{
    struct lb_range part = {runner->range.begin, runner->range.begin + positions};
    return runner->begin + runner->rate.beginning + lb_sim_work_of(&course->work, part) * runner->rate.each;
}

static enum lb_status plan_end(struct lb_sim_course *course, uint32_t processor)
{
    struct lb_sim_runner *runner = &course->runners[processor];
    uint64_t count = runner->range.end - runner->range.begin;
    double fails = course->job->spec->processors[processor].fails;
    runner->end = when_done(course, runner, count) + transfer_seconds(course, count);
    runner->asks = -1;
    enum lb_status status =
        runner->following.begin == runner->following.end ? plan_ahead(course, processor) : LB_OK;
    if (status != LB_OK)
        return status;
    if (runner->end > fails)
        return add_event(course, fmax(fails, course->now), processor, FAIL);
    return add_event(course, runner->end, processor, DONE);
}

/* A processor of this host begins a range. */
static enum lb_status begin_range(struct lb_sim_course *course, uint32_t processor, struct lb_range range,
                                  double begin)
{
    const struct lb_sim_spec *spec = course->job->spec;
    const struct lb_sim_processor *one = &spec->processors[processor];
    struct lb_sim_runner *runner = &course->runners[processor];
    double work = lb_sim_work_of(&course->work, range), seconds = work / one->speed;
    if (one->kind == LB_PROCESSOR_CPU)
        seconds *= slowdown(course, course->busy_threads);
    if (spec->jitter > 0)
        seconds *= 1 + spec->jitter * draw(course);
    runner->rate = (struct lb_sim_rate){spec->range_overhead, work > 0 ? seconds / work : 0};
    course->balance->processors[processor].transfer_seconds +=
        transfer_seconds(course, range.end - range.begin);
    runner->range = range;
    runner->begin = begin;
    runner->condition = BUSY;
    runner->following = (struct lb_range){0, 0};
    course->busy_threads += is_thread(course, processor);
    return plan_end(course, processor);
}

/* A processor begins its range once the messages that led to it have come and it has done what it has in hand. */
static enum lb_status take_range(struct lb_sim_course *course, uint32_t processor, struct lb_range range,
                                 double delay)
{
    struct lb_sim_runner *runner = &course->runners[processor];
    bool across = range.begin < course->order.count && range.end > course->order.count;
    if (range.begin >= range.end || range.end > course->born || across)
        return bad_range(course, "are no range", range);
    if (is_host(course, processor))
        return begin_at_host(course, processor, range, delay);
    runner->longest = fmax(runner->longest, delay);
    if (runner->condition != BUSY)
        return begin_range(course, processor, range, course->now + delay);
    runner->following = range;
    runner->follows = course->now + delay;
    return LB_OK;
}

/* Asks the strategy for a range. `before`: how many messages had been sent when the processor's turn began. */
static enum lb_status ask(struct lb_sim_course *course, uint32_t processor, uint64_t before)
{
    uint32_t count = course->job->spec->count;
    struct lb_range range = {0, 0};
    enum lb_next next = course->job->settings.strategy->next(course->state, processor, &range);
    switch (next) {
    case LB_NEXT_RANGE:
        return take_range(course, processor, range, message_seconds(course, before));
    case LB_NEXT_WAIT:
        course->runners[processor].condition = WAITING;
        course->waiting[(course->waiting_begin + course->waiting_count++) % count] = processor;
        return LB_OK;
    default:
        course->runners[processor].condition = ENDED;
        return LB_OK;
    }
}

/* A processor of this host asks while it works. Where there is nothing for it now, it asks again when it is done. */
static enum lb_status ask_ahead(struct lb_sim_course *course, uint32_t processor)
{
    const struct lb_strategy *strategy = course->job->settings.strategy;
    const struct lb_sim_runner *runner = &course->runners[processor];
    uint64_t before = lb_sim_course_counts(course).messages;
    struct lb_range range = {0, 0};
    strategy->progress(course->state, processor, runner->range, runner->progress.positions,
                       runner->progress.seconds);
    if (strategy->next(course->state, processor, &range) != LB_NEXT_RANGE)
        return LB_OK;
    return take_range(course, processor, range, message_seconds(course, before));
}

/* Takes the processor that has waited longest and asks the strategy for it again. */
static enum lb_status wake(struct lb_sim_course *course)
{
    uint32_t processor = course->waiting[course->waiting_begin];
    course->waiting_begin = (course->waiting_begin + 1) % course->job->spec->count;
    course->waiting_count--;
    if (course->runners[processor].condition != WAITING)
        return LB_OK; /* lost meanwhile */
    return ask(course, processor, lb_sim_course_counts(course).messages);
}

/* Asks again for those who were sent something while they waited. */
static enum lb_status wake_receivers(struct lb_sim_course *course)
{
    const struct lb_strategy *strategy = course->job->settings.strategy;
    enum lb_status status = LB_OK;
    uint32_t count = course->job->spec->count;
    for (size_t i = course->waiting_count; i > 0 && status == LB_OK; i--) {
        uint32_t processor = course->waiting[course->waiting_begin];
        if (strategy->sent(course->state, processor)) {
            status = wake(course);
            continue;
        }
        course->waiting_begin = (course->waiting_begin + 1) % count;
        course->waiting[(course->waiting_begin + course->waiting_count - 1) % count] = processor;
    }
    return status;
}

/* Asks again for processors that wait, after every done, failed and spawn: as long as the strategy says that it is
 * ready, or for at most `most` of them where it cannot say. */
static enum lb_status wake_some(struct lb_sim_course *course, size_t most)
{
    const struct lb_strategy *strategy = course->job->settings.strategy;
    enum lb_status status = strategy->sent == NULL ? LB_OK : wake_receivers(course);
    size_t tries = course->waiting_count;
    if (strategy->ready == NULL && tries > most)
        tries = most;
    for (; tries > 0 && status == LB_OK; tries--) {
        if (strategy->ready != NULL && !strategy->ready(course->state))
            return LB_OK;
        status = wake(course);
    }
    return status;
}

/* ---- events ---- */

static enum lb_status give_birth(struct lb_sim_course *course, uint32_t processor)
{
    const struct lb_sim_births *births = &course->job->spec->births;
    uint64_t so_far = course->born - course->order.count;
    if (course->job->settings.strategy->spawn == NULL || so_far >= births->positions ||
        draw(course) >= births->chance)
        return LB_OK;
    uint64_t size = 1 + (uint64_t)(draw(course) * (double)births->most);
    if (size > births->positions - so_far)
        size = births->positions - so_far;
    struct lb_range child = {course->born, course->born + size};
    course->born = child.end;
    if (!lb_sim_marks_room(&course->given, course->born))
        return lb_error_memory(course->error, NULL);
    course->job->settings.strategy->spawn(course->state, processor, child);
    return LB_OK;
}

/* A processor of this host that is done begins what it was given ahead, when it is there, or asks. */
static enum lb_status go_on(struct lb_sim_course *course, uint32_t processor, uint64_t before)
{
    struct lb_sim_runner *runner = &course->runners[processor];
    if (runner->following.begin < runner->following.end)
        return begin_range(course, processor, runner->following, fmax(course->now, runner->follows));
    runner->condition = ABSENT;
    return ask(course, processor, before);
}

static enum lb_status finish_range(struct lb_sim_course *course, uint32_t processor)
{
    struct lb_sim_runner *runner = &course->runners[processor];
    struct lb_report_processor *report = &course->balance->processors[processor];
    bool host = is_host(course, processor);
    if (host)
        take_front(course, processor);
    struct lb_range range = runner->range;
    uint64_t before = lb_sim_course_counts(course).messages,
             pixels = lb_sim_work_pixels(&course->work, range);
    if (!lb_sim_marks_set(&course->given, range))
        return bad_range(course, "were given twice", range);
    course->delivered += range.end - range.begin;
    course->busy_threads -= is_thread(course, processor);
    report->ranges++;
    report->pixels += pixels;
    report->positions += range.end - range.begin;
    report->busy_seconds += runner->end - runner->begin;
    report->finish_seconds = course->now;
    if (course->job->delivered != NULL)
        course->job->delivered(course->job->user, course->plan.frame, &course->order, processor, range,
                               runner->begin, runner->end);
    enum lb_status status = give_birth(course, processor);
    if (status != LB_OK)
        return status;
    course->job->settings.strategy->done(course->state, processor, range, runner->end - runner->begin);
    runner->did.positions += range.end - range.begin;
    runner->did.seconds += runner->end - runner->begin;
    runner->work += lb_sim_work_of(&course->work, range);
    if (!host)
        status = go_on(course, processor, before);
    else if (runner->condition == BUSY)
        status = plan_more(course, processor);
    return status == LB_OK ? wake_some(course, TRY_AGAIN) : status;
}

/* What the host had delivered of the range before it failed counts, where the strategy can do with the rest. Returns
 * where the rest begins. */
static enum lb_status keep(struct lb_sim_course *course, uint32_t processor, const struct lb_sim_hand *hand,
                           struct lb_range *rest)
{
    const struct lb_sim_processor *one = &course->job->spec->processors[processor];
    struct lb_report_processor *report = &course->balance->processors[processor];
    double seconds = fmin(one->fails - one->link.latency, hand->end) - hand->begin;
    *rest = hand->range;
    if (course->job->settings.strategy->kept == NULL || !(seconds > 0) || rest->begin >= course->order.count)
        return LB_OK;
    uint64_t count = lb_sim_host_delivered(one, &course->work, *rest, seconds);
    count = count < rest->end - rest->begin ? count : rest->end - rest->begin - 1;
    if (count == 0)
        return LB_OK;
    struct lb_range kept = {rest->begin, rest->begin + count};
    rest->begin = kept.end;
    if (!lb_sim_marks_set(&course->given, kept))
        return bad_range(course, "were given twice", kept);
    course->delivered += count;
    report->ranges++;
    report->pixels += lb_sim_work_pixels(&course->work, kept);
    report->positions += count;
    course->job->settings.strategy->kept(course->state, processor, kept,
                                         lb_sim_host_seconds(one, &course->work, kept));
    return LB_OK;
}

/* All that the host has in hand is another's; its loss is told with the last of it. */
static enum lb_status lose_host(struct lb_sim_course *course, uint32_t processor)
{
    struct lb_sim_remote *remote = &course->remotes[processor];
    struct lb_report_processor *report = &course->balance->processors[processor];
    const struct lb_strategy *strategy = course->job->settings.strategy;
    double fails = course->job->spec->processors[processor].fails;
    course->runners[processor].condition = LOST;
    report->lost = true;
    course->balance->lost++;
    if (remote->count == 0)
        strategy->failed(course->state, processor, (struct lb_range){0, 0}, true);
    for (; remote->count > 0; remote->count--) {
        const struct lb_sim_hand *front = &remote->hands[remote->first];
        struct lb_range rest;
        enum lb_status status = keep(course, processor, front, &rest);
        if (status != LB_OK)
            return status;
        remote->first = (remote->first + 1) % LB_SIM_IN_HAND;
        report->failed++;
        report->busy_seconds += fmax(fmin(fails, front->end) - front->begin, 0);
        strategy->failed(course->state, processor, rest, remote->count == 1);
    }
    return LB_OK;
}

static enum lb_status lose(struct lb_sim_course *course, uint32_t processor)
{
    struct lb_sim_runner *runner = &course->runners[processor];
    struct lb_report_processor *report = &course->balance->processors[processor];
    const struct lb_strategy *strategy = course->job->settings.strategy;
    struct lb_range range = {0, 0};
    bool rests =
        runner->condition == ENDED && !(is_host(course, processor) && course->remotes[processor].count > 0);
    if (runner->condition == LOST || rests)
        return LB_OK;
    if (is_host(course, processor)) {
        enum lb_status status = lose_host(course, processor);
        return status == LB_OK ? wake_some(course, course->waiting_count) : status;
    }
    if (runner->condition == BUSY) {
        course->busy_threads -= is_thread(course, processor);
        range = runner->range;
        report->failed++;
        report->busy_seconds += fmax(course->now - runner->begin, 0);
        if (runner->following.begin < runner->following.end) {
            strategy->failed(course->state, processor, range, false);
            range = runner->following;
            report->failed++;
        }
    }
    runner->condition = LOST;
    report->lost = true;
    course->balance->lost++;
    strategy->failed(course->state, processor, range, true);
    return wake_some(course, course->waiting_count);
}

/* A processor that has something in hand. */
static enum lb_status ask_for_more(struct lb_sim_course *course, uint32_t processor)
{
    bool host = is_host(course, processor);
    if (host)
        course->remotes[processor].asks = false;
    if (course->runners[processor].condition != BUSY ||
        (!host && course->runners[processor].asks != course->now))
        return LB_OK;
    course->runners[processor].asks = -1;
    return host ? ask(course, processor, lb_sim_course_counts(course).messages)
                : ask_ahead(course, processor);
}

/* Was it not lost meanwhile, and the range not cut? */
static bool is_done(const struct lb_sim_course *course, const struct lb_sim_event *event)
{
    const struct lb_sim_runner *runner = &course->runners[event->processor];
    bool host = is_host(course, event->processor);
    return runner->condition != LOST && (host || (runner->condition == BUSY && runner->end == event->time));
}

/* ---- ranges that are cut for those who wait ---- */

/* How many positions of the range in hand are done at the end of the one that the processor works on. */
static uint64_t done_so_far(const struct lb_sim_course *course, const struct lb_sim_runner *runner)
{
    uint64_t low = 0, high = runner->range.end - runner->range.begin;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (when_done(course, runner, middle) < course->now)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Asks the strategy whether the processor is to do the rest of its range. One that is shorter than a piece is rendered
 * without looking up. */
static enum lb_status cut(struct lb_sim_course *course, uint32_t processor)
{
    struct lb_sim_runner *runner = &course->runners[processor];
    struct lb_range range = runner->range;
    uint64_t done = done_so_far(course, runner);
    if (course->now < runner->begin + PIECE_SECONDS || done == 0 || done >= range.end - range.begin)
        return LB_OK;
    uint64_t end = course->job->settings.strategy->cut(course->state, processor, range, done,
                                                       when_done(course, runner, done) - runner->begin);
    if (end == range.end)
        return LB_OK;
    if (end < range.begin + done || end > range.end)
        return bad_range(course, "are no range", (struct lb_range){range.begin, end});
    course->balance->processors[processor].transfer_seconds -= transfer_seconds(course, range.end - end);
    runner->range.end = end;
    return plan_end(course, processor);
}

/* One who is at work ends a piece of what it has in hand, one after the other. */
static enum lb_status cut_next(struct lb_sim_course *course)
{
    uint32_t count = course->job->spec->count, k = course->looks_up, tries = 0;
    course->cuts = false;
    do
        k = (k + 1) % count;
    while (++tries < count && (course->runners[k].condition != BUSY || is_host(course, k)));
    course->looks_up = k;
    if (course->waiting_count == 0 || course->runners[k].condition != BUSY || is_host(course, k))
        return LB_OK;
    enum lb_status status = cut(course, k);
    return status == LB_OK ? wake_some(course, 0) : status;
}

/* As long as processors wait, those at work look up. */
static enum lb_status plan_cut(struct lb_sim_course *course)
{
    if (course->cuts || course->waiting_count == 0 || course->events.count == 0 ||
        course->job->settings.strategy->cut == NULL)
        return LB_OK;
    course->cuts = true;
    uint32_t working = course->job->spec->count - (uint32_t)course->waiting_count;
    double between = fmax(PIECE_SECONDS, LONG_FRAME * course->now);
    return add_event(course, course->now + between / (working > 0 ? working : 1), 0, CUT);
}

static enum lb_status happen(struct lb_sim_course *course, const struct lb_sim_event *event)
{
    struct lb_sim_runner *runner = &course->runners[event->processor];
    course->now = event->time;
    switch ((enum kind)event->kind) {
    case ASK:
        if (runner->condition != ABSENT)
            return LB_OK;
        return ask(course, event->processor, lb_sim_course_counts(course).messages);
    case DONE:
        return is_done(course, event) ? finish_range(course, event->processor) : LB_OK;
    case MORE:
        return ask_for_more(course, event->processor);
    case CUT:
        return cut_next(course);
    case ARRIVE:
        return runner->condition == LOST ? LB_OK : arrive(course, event->processor);
    default:
        return lose(course, event->processor);
    }
}

/* Lets events happen until there are none. Processors that still wait then ask once more, and learn that the frame has
 * ended. */
static enum lb_status run_events(struct lb_sim_course *course)
{
    struct lb_sim_event event;
    enum lb_status status = LB_OK;
    for (;;) {
        while (status == LB_OK && lb_sim_events_take(&course->events, &event))
            if ((status = happen(course, &event)) == LB_OK)
                status = plan_cut(course);
        size_t waiting = course->waiting_count;
        for (size_t i = 0; i < waiting && status == LB_OK; i++)
            status = wake(course);
        if (status != LB_OK || course->waiting_count == 0)
            return status;
        if (course->events.count == 0)
            return lb_error_set(course->error, LB_ERROR, "strategy %s: %zu processors wait for nothing",
                                course->job->settings.strategy->name, course->waiting_count);
    }
}

/* ---- the frame ---- */

static enum lb_status start_processors(struct lb_sim_course *course)
{
    const struct lb_sim_spec *spec = course->job->spec;
    double begin = 0, speed = 0;
    enum lb_status status = LB_OK;
    for (uint32_t k = 0; k < spec->count; k++)
        speed += lb_sim_course_speed(course, k);
    begin = course->probed / speed + course->gathered;
    for (uint32_t k = 0; k < spec->count && status == LB_OK; k++) {
        course->runners[k] = (struct lb_sim_runner){.condition = ABSENT};
        if (course->plan.last != NULL && course->plan.last[k].lost) {
            status = lose(course, k);
            continue;
        }
        const struct lb_sim_processor *one = &spec->processors[k];
        double late = one->joins > 0 && one->cores > 0 ? course->arrivals[k] : 0;
        status = add_event(course, begin + spec->start_up + one->joins + late, k, ASK);
        if (status == LB_OK && isfinite(one->fails))
            status = add_event(course, one->fails + (one->cores > 0 ? spec->silence : 0), k, FAIL);
    }
    return status;
}

/* Forgets what happened in the last frame. */
static void begin_frame(struct lb_sim_course *course)
{
    lb_sim_marks_clear(&course->given);
    course->events.count = 0;
    course->waiting_begin = course->waiting_count = 0;
    course->now = 0;
    course->delivered = 0;
    course->busy_threads = 0;
    course->primary_free = 0;
    course->cuts = false;
    if (course->remotes)
        memset(course->remotes, 0, course->job->spec->count * sizeof *course->remotes);
}

enum lb_status lb_sim_course_run(struct lb_sim_course *course)
{
    const struct lb_simulation *job = course->job;
    enum lb_status status;
    begin_frame(course);
    course->born = course->order.count;
    if (!lb_sim_marks_room(&course->given, course->born) ||
        (course->remotes && !lb_sim_work_index(&course->work)))
        return lb_error_memory(course->error, NULL);
    if ((status = start_processors(course)) != LB_OK || (status = run_events(course)) != LB_OK)
        return status;
    if (course->delivered == course->born)
        return LB_OK;
    if (course->balance->lost == job->spec->count)
        return lb_error_set(course->error, LB_ERROR, "strategy %s: every processor was lost by %.6g s",
                            job->settings.strategy->name, course->now);
    return lb_error_set(course->error, LB_ERROR, "strategy %s: %llu positions were never given",
                        job->settings.strategy->name, (unsigned long long)(course->born - course->delivered));
}

/* False: out of memory. */
static bool open_hosts(struct lb_sim_course *course)
{
    const struct lb_sim_spec *spec = course->job->spec;
    course->remotes = calloc(spec->count, sizeof *course->remotes);
    course->arrivals = calloc(spec->count, sizeof *course->arrivals);
    if (!course->remotes || !course->arrivals || !lb_sim_block_arrivals(spec, course->arrivals))
        return false;
    for (uint32_t k = 0; k < spec->count; k++)
        if (spec->processors[k].joins <= 0)
            course->gathered = fmax(course->gathered, course->arrivals[k]);
    return true;
}

enum lb_status lb_sim_course_open(struct lb_sim_course *course, const struct lb_simulation *job,
                                  struct lb_error *error)
{
    uint32_t count = job->spec->count;
    *course = (struct lb_sim_course){.job = job, .error = error};
    course->state = calloc(1, job->settings.strategy->state_size(count));
    course->runners = calloc(count, sizeof *course->runners);
    course->waiting = calloc(count, sizeof *course->waiting);
    bool hosts = false;
    for (uint32_t k = 0; k < count; k++) {
        course->threads += is_thread(course, k);
        hosts |= is_host(course, k);
    }
    if (!course->state || !course->runners || !course->waiting || (hosts && !open_hosts(course)))
        return lb_error_memory(error, NULL);
    return LB_OK;
}

void lb_sim_course_close(struct lb_sim_course *course)
{
    lb_sim_events_free(&course->events);
    lb_sim_work_free(&course->work);
    lb_sim_marks_free(&course->given);
    free(course->arrivals);
    free(course->remotes);
    free(course->waiting);
    free(course->runners);
    free(course->state);
}

double lb_sim_course_seen(const struct lb_sim_course *course, uint32_t processor)
{
    const struct lb_sim_runner *runner = &course->runners[processor];
    return runner->did.seconds > 0 ? runner->work / runner->did.seconds : 0;
}

double lb_sim_course_speed(const struct lb_sim_course *course, uint32_t processor)
{
    const struct lb_sim_processor *one = &course->job->spec->processors[processor];
    double speed = one->speed * (one->cores > 0 ? one->cores : 1);
    return speed / (is_thread(course, processor) ? slowdown(course, course->threads - 1) : 1);
}
