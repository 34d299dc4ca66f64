/* Every strategy delivers every position exactly once and ends, whatever the sizes, processors, weights,
 * failures, losses and tasks born on the way. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/strategy.h"
#include "strategies/layout.h"
#include "strategies/skeleton.h"

/* Processors, and ranges that one may have in hand. */
enum { MOST = 64, MOST_AHEAD = 3 };

static uint64_t state = 0x13198a2e03707344u;

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

/* One frame under a random schedule. */
struct course {
    const struct lb_strategy *strategy;
    void *state;
    struct lb_plan plan;
    lb_order order;
    uint64_t born;                             /* positions, spawned ones included */
    unsigned char *delivered;                  /* a position each */
    struct lb_range in_hand[MOST];             /* the one that it renders, */
    struct lb_range further[MOST][MOST_AHEAD]; /* and those that it got ahead of time: `ahead` */
    uint32_t ahead[MOST];
    uint64_t told[MOST]; /* of the one that it renders: positions done, as the strategy was told */
    bool busy[MOST], lost[MOST], ended[MOST];
    double speed[MOST];
    uint32_t failing, losing, spawning; /* per mille of the ranges */
    uint32_t asking;                    /* in how many cases of 1000 a busy processor asks ahead */
    struct lb_measured measured[MOST];
};

static uint32_t alive(const struct course *course)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < course->plan.processor_count; k++)
        count += !course->lost[k];
    return count;
}

static void mark_delivered(struct course *course, struct lb_range range)
{
    for (uint64_t i = range.begin; i < range.end; i++) {
        assert_true(i < course->born);
        assert_int_equal(course->delivered[i], 0);
        course->delivered[i] = 1;
    }
}

static void deliver(struct course *course, uint32_t k)
{
    struct lb_range range = course->in_hand[k];
    double seconds = (double)(range.end - range.begin) / course->speed[k];
    mark_delivered(course, range);
    if (course->strategy->spawn != NULL && draw(1000) < course->spawning &&
        course->born < 2 * course->order.count) {
        struct lb_range child = {course->born, course->born + 1 + draw(30)};
        course->born = child.end;
        course->delivered = realloc(course->delivered, course->born);
        memset(course->delivered + child.begin, 0, child.end - child.begin);
        course->strategy->spawn(course->state, k, child);
    }
    course->measured[k].seconds += seconds;
    course->measured[k].positions += range.end - range.begin;
    course->strategy->done(course->state, k, range, seconds);
}

/* What it has in hand is not delivered: all of it, or all but the first part. */
static void give_back(struct course *course, uint32_t k, bool lost)
{
    struct lb_range range = course->in_hand[k];
    uint64_t least = course->told[k], most = range.end - range.begin - 1;
    if (course->strategy->kept != NULL && most > least && draw(2)) {
        struct lb_range kept = {range.begin, range.begin + least + 1 + draw((uint32_t)(most - least))};
        mark_delivered(course, kept);
        course->strategy->kept(course->state, k, kept, (double)(kept.end - kept.begin) / course->speed[k]);
        range.begin = kept.end;
    }
    course->strategy->failed(course->state, k, range, lost);
}

/* How far it has come in the range that it renders, if it can tell. */
static void tell_progress(struct course *course, uint32_t k)
{
    const struct lb_range *range = &course->in_hand[k];
    uint64_t positions = range->end - range->begin - 1;
    if (course->strategy->progress == NULL || positions <= course->told[k])
        return;
    course->told[k] += 1 + draw((uint32_t)(positions - course->told[k]));
    course->strategy->progress(course->state, k, *range, course->told[k],
                               (double)course->told[k] / course->speed[k]);
}

/* The strategy may take the rest of what it renders for others. */
static void cut(struct course *course, uint32_t k)
{
    struct lb_range *range = &course->in_hand[k];
    uint64_t positions = range->end - range->begin;
    if (course->strategy->cut == NULL || positions <= course->told[k] + 1)
        return;
    course->told[k] += 1 + draw((uint32_t)(positions - course->told[k] - 1));
    uint64_t end = course->strategy->cut(course->state, k, *range, course->told[k],
                                         (double)course->told[k] / course->speed[k]);
    assert_true(end >= range->begin + course->told[k] && end <= range->end);
    range->end = end;
}

/* A range more for one that has something to render already, as other hosts ask for. */
static void ask_ahead(struct course *course, uint32_t k)
{
    if (draw(2))
        tell_progress(course, k);
    struct lb_range *range = &course->further[k][course->ahead[k]];
    if (course->strategy->next(course->state, k, range) != LB_NEXT_RANGE)
        return;
    assert_true(range->begin < range->end);
    course->ahead[k]++;
}

/* The range in hand was delivered or failed: the next one in hand, if there is one. */
static void go_on(struct course *course, uint32_t k)
{
    course->told[k] = 0;
    course->busy[k] = course->ahead[k] > 0;
    if (!course->busy[k])
        return;
    course->in_hand[k] = course->further[k][0];
    memmove(course->further[k], course->further[k] + 1, --course->ahead[k] * sizeof course->further[k][0]);
}

/* A processor that is lost delivers nothing of what it has in hand; the last of it is told as its loss. */
static void lose(struct course *course, uint32_t k)
{
    while (course->ahead[k] > 0) {
        give_back(course, k, false);
        go_on(course, k);
    }
    give_back(course, k, true);
    course->busy[k] = false;
    course->told[k] = 0;
    course->lost[k] = true;
}

static void step(struct course *course, uint32_t k)
{
    if (course->busy[k] && course->ahead[k] < MOST_AHEAD && draw(1000) < course->asking) {
        ask_ahead(course, k);
    } else if (course->busy[k]) {
        if (draw(1000) < course->losing && alive(course) > 1) {
            lose(course, k);
            return;
        }
        if (draw(4) == 0)
            cut(course, k);
        if (draw(1000) < course->failing)
            give_back(course, k, false);
        else
            deliver(course, k);
        go_on(course, k);
    } else if (draw(1000) < course->losing && alive(course) > 1) {
        course->strategy->failed(course->state, k, (struct lb_range){0, 0}, true);
        course->lost[k] = true;
    } else {
        enum lb_next next = course->strategy->next(course->state, k, &course->in_hand[k]);
        course->busy[k] = next == LB_NEXT_RANGE;
        course->ended[k] = next == LB_NEXT_END;
        assert_true(next != LB_NEXT_RANGE || course->in_hand[k].begin < course->in_hand[k].end);
    }
}

static void run_frame(struct course *course)
{
    uint32_t p = course->plan.processor_count;
    uint64_t steps = 0, most;
    assert_int_equal(course->strategy->plan(course->state, &course->plan, &course->order, NULL), LB_OK);
    course->born = course->order.count;
    course->delivered = calloc(course->born, 1);
    memset(course->busy, 0, sizeof course->busy);
    memset(course->ahead, 0, sizeof course->ahead);
    memset(course->told, 0, sizeof course->told);
    memset(course->ended, 0, sizeof course->ended);
    memset(course->measured, 0, sizeof course->measured);
    most = 1000 * (course->born + 1000) * (p + 1);
    for (uint32_t going = alive(course); going > 0;) {
        uint32_t k = draw(p);
        if (++steps >= most)
            fail_msg("%s never ends", course->strategy->name);
        if (course->lost[k] || course->ended[k])
            continue;
        step(course, k);
        going = 0;
        for (uint32_t i = 0; i < p; i++)
            going += !course->lost[i] && !course->ended[i];
    }
    for (uint64_t i = 0; i < course->born; i++)
        assert_int_equal(course->delivered[i], 1);
    for (uint32_t k = 0; k < p; k++) {
        assert_false(course->busy[k]);
        course->measured[k].finish = course->measured[k].seconds;
        course->measured[k].lost = course->lost[k];
    }
    free(course->delivered);
}

static float *random_estimate(uint32_t width, uint32_t height)
{
    float *cost = calloc((size_t)width * height, sizeof *cost);
    for (uint32_t i = 0; i < width * height; i++)
        cost[i] = draw(4) ? (float)draw(3) - 1 : (float)draw(1000);
    return cost;
}

static union lb_option_value random_value(const struct lb_option *option)
{
    uint32_t words = 0;
    switch (option->type) {
    case LB_OPTION_WHOLE:
        return (union lb_option_value){.whole = (uint64_t)option->low + draw(draw(2) ? 40 : 100)};
    case LB_OPTION_REAL:
    case LB_OPTION_SHARE:
    case LB_OPTION_SECONDS:
        return (union lb_option_value){.real =
                                           option->low + (option->high - option->low) * draw(1001) / 1000};
    default:
        while (option->words[words] != NULL)
            words++;
        return (union lb_option_value){.word = draw(words)};
    }
}

/* Some of the options that the strategy declares, as plan.options; for free(). */
static void *random_options(const struct lb_strategy *strategy)
{
    struct lb_option_values values = {0};
    const struct lb_option *const *option = strategy->options;
    for (; option != NULL && *option != NULL; option++)
        if (draw(2) != 0)
            lb_option_give(&values, *option, random_value(*option));
    return lb_strategy_options_make(strategy, &values);
}

static void random_plan(struct lb_plan *plan, uint32_t p, uint32_t most)
{
    static const uint32_t sides[] = {1, 2, 3, 7, 16, 31};
    plan->width = draw(3) ? 1 + draw(most) : sides[draw(6)];
    plan->height = draw(3) ? 1 + draw(most) : sides[draw(6)];
    plan->processor_count = p;
    plan->seed = draw(1000);
    plan->weights_known = draw(2) == 0;
}

static void random_processors(struct lb_processor_info *processors, double *speed, const struct lb_plan *plan)
{
    uint32_t p = plan->processor_count;
    double sum = 0;
    for (uint32_t k = 0; k < p; k++) {
        speed[k] = draw(2) ? 1 : 1 + draw(20);
        sum += speed[k];
    }
    for (uint32_t k = 0; k < p; k++) {
        processors[k].weight = plan->weights_known ? speed[k] / sum : 1.0 / p;
        processors[k].kind = draw(4) == 0 ? LB_PROCESSOR_GPU : LB_PROCESSOR_CPU;
        processors[k].group = draw(3);
    }
}

static void run_course(const struct lb_strategy *strategy, uint32_t p, uint32_t failing, uint32_t losing,
                       uint32_t spawning)
{
    struct lb_processor_info processors[MOST];
    struct lb_measured last[MOST];
    struct course course = {.strategy = strategy, .failing = failing, .losing = losing, .spawning = spawning};
    uint32_t frames = 1 + draw(3);
    course.asking = !strategy->one_at_a_time && draw(2) ? draw(1000) : 0;
    random_plan(&course.plan, p, 40);
    random_processors(processors, course.speed, &course.plan);
    void *options = random_options(strategy);
    course.plan.processors = processors;
    course.plan.options = options;
    course.state = calloc(1, strategy->state_size(p));
    for (uint32_t frame = 0; frame < frames; frame++) {
        float *cost = random_estimate(course.plan.width, course.plan.height);
        struct lb_estimate estimate = {course.plan.width, course.plan.height, cost};
        bool known = strategy->known_costs || draw(2);
        course.plan.estimate = (strategy->probe || strategy->known_costs) && draw(3) ? &estimate : NULL;
        course.plan.estimate_of = known ? LB_PROBE_NONE : strategy->probe;
        course.plan.frame = frame;
        run_frame(&course);
        memcpy(last, course.measured, sizeof last);
        course.plan.last = last;
        for (uint32_t k = 0; k < p; k++)
            course.lost[k] = false;
        free(cost);
    }
    if (strategy->end != NULL)
        strategy->end(course.state);
    free(course.state);
    free(options);
}

static void every_position_once(void **unused)
{
    (void)unused;
    for (size_t s = 0; s < lb_strategy_count; s++)
        for (uint32_t p = 1; p <= MOST; p++) {
            run_course(lb_strategies[s], p, 0, 0, 0);
            run_course(lb_strategies[s], p, 0, 0, 50);
        }
}

static void random_mixes_with_failures(void **unused)
{
    (void)unused;
    for (size_t s = 0; s < lb_strategy_count; s++)
        for (uint32_t i = 0; i < 1000; i++)
            run_course(lb_strategies[s], 1 + draw(draw(2) ? 6 : MOST), draw(2) ? draw(300) : 0,
                       draw(2) ? draw(100) : 0, draw(2) ? draw(200) : 0);
}

/* `k` asks at `now`; where it gets a range, it takes a time of its own whim, and end[k] is when it is done. */
static void ask(struct course *course, uint32_t k, double now, double *end)
{
    struct lb_range *range = &course->in_hand[k];
    course->busy[k] = course->strategy->next(course->state, k, range) == LB_NEXT_RANGE;
    if (!course->busy[k])
        return;
    course->speed[k] *= draw(2) ? 1 : draw(2) ? 3 : 0.3;
    course->measured[k].seconds = (double)(range->end - range->begin) / course->speed[k];
    end[k] = now + course->measured[k].seconds;
}

/* Who is done first, or MOST: nobody is busy. */
static uint32_t find_first(const struct course *course, const double *end)
{
    uint32_t first = MOST;
    for (uint32_t k = 0; k < course->plan.processor_count; k++)
        if (course->busy[k] && (first == MOST || end[k] < end[first]))
            first = k;
    return first;
}

/* One frame under a scheduler that believes ready(): who was told to wait is asked again only when it says so, as
 * threads are and the simulated. */
static void run_drifting_frame(struct course *course)
{
    uint32_t p = course->plan.processor_count;
    double end[MOST] = {0};
    assert_int_equal(course->strategy->plan(course->state, &course->plan, &course->order, NULL), LB_OK);
    uint64_t left = course->order.count;
    for (uint32_t k = 0; k < p; k++)
        ask(course, k, 0, end);
    while (left > 0) {
        uint32_t first = find_first(course, end);
        assert_true(first < MOST); /* else all wait for nothing */
        left -= course->in_hand[first].end - course->in_hand[first].begin;
        course->strategy->done(course->state, first, course->in_hand[first], course->measured[first].seconds);
        ask(course, first, end[first], end);
        for (uint32_t k = 0; k < p; k++)
            if (!course->busy[k] && course->strategy->ready(course->state))
                ask(course, k, end[first], end);
    }
}

/* A processor that leaves the rest to faster ones must not wait for these where they have become slower and leave it
 * to that processor. */
static void nobody_waits_for_nothing(void **unused)
{
    (void)unused;
    for (size_t s = 0; s < lb_strategy_count; s++)
        for (uint32_t i = 0; i < 2000 && lb_strategies[s]->dynamic && lb_strategies[s]->ready != NULL; i++) {
            struct lb_processor_info processors[MOST];
            struct course course = {.strategy = lb_strategies[s]};
            random_plan(&course.plan, 1 + draw(6), 40);
            random_processors(processors, course.speed, &course.plan);
            void *options = random_options(course.strategy);
            course.plan.processors = processors;
            course.plan.options = options;
            course.state = calloc(1, course.strategy->state_size(course.plan.processor_count));
            run_drifting_frame(&course);
            if (course.strategy->end != NULL)
                course.strategy->end(course.state);
            free(course.state);
            free(options);
        }
}

static void the_skeleton_works(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 300; i++)
        run_course(&lb_strategy_skeleton, 1 + draw(MOST), draw(300), draw(100), 0);
}

static void the_table_is_sound(void **unused)
{
    struct lb_error error = {0};
    (void)unused;
    assert_int_equal(lb_strategies_check(&error), LB_OK);
    assert_null(lb_strategy_find("no such"));
    for (size_t s = 0; s < lb_strategy_count; s++)
        assert_ptr_equal(lb_strategy_find(lb_strategies[s]->name), lb_strategies[s]);
}

/* What every processor is given of a frame without failures. */
static void collect_shares(const char *name, const double *weights, uint32_t p, uint32_t width,
                           uint32_t height, uint64_t *shares, lb_order *order)
{
    const struct lb_strategy *strategy = lb_strategy_find(name);
    struct lb_processor_info processors[MOST] = {0};
    struct lb_option_values none = {0};
    void *options = lb_strategy_options_make(strategy, &none);
    struct lb_plan plan = {.width = width,
                           .height = height,
                           .processor_count = p,
                           .processors = processors,
                           .weights_known = true,
                           .options = options};
    void *own = calloc(1, strategy->state_size(p));
    for (uint32_t k = 0; k < p; k++)
        processors[k].weight = weights[k];
    assert_int_equal(strategy->plan(own, &plan, order, NULL), LB_OK);
    for (uint32_t k = 0; k < p; k++) {
        struct lb_range range;
        shares[k] = 0;
        while (strategy->next(own, k, &range) == LB_NEXT_RANGE) {
            shares[k] += range.end - range.begin;
            strategy->done(own, k, range, 1);
        }
    }
    if (strategy->end != NULL)
        strategy->end(own);
    free(own);
    free(options);
}

static void seven_weights_cover_8192_regions(void **unused)
{
    double weights[7] = {1, 1, 1, 1, 1, 1, 1};
    uint64_t shares[7], sum = 0;
    lb_order order;
    (void)unused;
    collect_shares("bitrev", weights, 7, 1920, 1080, shares, &order);
    assert_int_equal(order.bits, 13);
    for (uint32_t k = 0; k < 7; k++) {
        assert_int_equal(shares[k] % order.region, 0);
        sum += shares[k] / order.region;
    }
    assert_int_equal(sum, 8192);
}

/* Within one region of its due, and nothing lost, for random weights; many are too small for a region. */
static void running_sums_round_fairly(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 2000; i++) {
        uint32_t p = 1 + draw(MOST);
        double weights[MOST], total = 0;
        uint64_t shares[MOST], sum = 0;
        lb_order order;
        for (uint32_t k = 0; k < p; k++)
            total += weights[k] = draw(3) ? 1 + draw(1000) : 1e-6;
        collect_shares("bitrev", weights, p, 1 + draw(200), 1 + draw(200), shares, &order);
        for (uint32_t k = 0; k < p; k++) {
            double due = weights[k] / total * (double)order.count;
            assert_true((double)shares[k] <= due + (double)order.region);
            assert_true((double)shares[k] >= due - (double)order.region);
            sum += shares[k];
        }
        assert_int_equal(sum, order.count);
    }
}

static void shares_may_be_empty(void **unused)
{
    double weights[4] = {1, 1e-9, 1, 1e-9};
    uint64_t shares[4];
    lb_order order;
    (void)unused;
    collect_shares("bitrev", weights, 4, 64, 64, shares, &order);
    assert_int_equal(shares[1] + shares[3], 0);
    assert_int_equal(shares[0], shares[2]);
}

/* Where several processors have few pixels each, and never for one alone, whom it would only cost. */
static void samples_are_split_among_several(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 2000; i++) {
        struct lb_plan plan = {.width = 1 + draw(300),
                               .height = 1 + draw(300),
                               .processor_count = 1 + draw(MOST),
                               .samples = 2 + draw(100)};
        uint32_t pixels = plan.width * plan.height, blocks = lb_layout_blocks(&plan);
        assert_true(blocks >= 1 && blocks <= plan.samples);
        assert_int_equal(blocks > 1, plan.processor_count > 1 && pixels < 8192 * plan.processor_count);
        plan.processor_count = 1;
        assert_int_equal(lb_layout_blocks(&plan), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_sound),
        cmocka_unit_test(every_position_once),
        cmocka_unit_test(random_mixes_with_failures),
        cmocka_unit_test(seven_weights_cover_8192_regions),
        cmocka_unit_test(running_sums_round_fairly),
        cmocka_unit_test(shares_may_be_empty),
        cmocka_unit_test(samples_are_split_among_several),
        cmocka_unit_test(nobody_waits_for_nothing),
        cmocka_unit_test(the_skeleton_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
