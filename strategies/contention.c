#include "strategies/contention.h"

#include <math.h>

/* While one thread is alone the others wait: what they could have rendered meanwhile may be this part of the picture;
 * more where pixels are compared with others, which takes more of them. */
static const double LOSS = 0.004, LOSS_OF_OTHERS = 0.008;
/* Pieces are of two sizes: so alpha is how much the twins' times grow for each second more that their pieces take, and
 * what a range takes beyond its work, which is the same beside others, does not count. Here they begin and end, in
 * sizes of the shorter; short and long are mixed such that a steady drift of the clock speed does not count either. */
static const unsigned char BOUNDS[LB_CONTENTION_ROUNDS + 1] = {0, 1, 4, 7, 8};

void lb_contention_lay(struct lb_contention *trial, lb_order *order, uint32_t threads, uint32_t samples,
                       struct lb_range *kept, struct lb_backlog *rest)
{
    uint64_t row = ((uint64_t)1 << order->bits) - order->tail; /* a pixel of each of the tail's regions */
    uint64_t count = order->count;
    bool split = samples > 0 && samples % 2 == 0;
    uint64_t rows = split ? 1 : 3;
    *trial = (struct lb_contention){0};
    *kept = (struct lb_range){count, count};
    if (threads < 2 || order->region <= rows || row < BOUNDS[LB_CONTENTION_ROUNDS])
        return;
    *order = lb_order_split(*order, split ? 2 : 1);
    kept->begin = count - rows * row;
    double loss = split ? LOSS : LOSS_OF_OTHERS;
    uint64_t size = (uint64_t)((double)order->count * loss / (threads - 1) / BOUNDS[LB_CONTENTION_ROUNDS]),
             most = row / BOUNDS[LB_CONTENTION_ROUNDS];
    trial->size = size < 1 ? 1 : size > most ? most : size;
    trial->piece = split ? kept->begin : kept->begin + row;
    trial->twin = split ? kept->begin + count : kept->begin;
    trial->step = 2 * row;
    trial->twins = split ? 1 : 2;
    for (uint64_t begin = kept->begin; begin < order->count; begin += split ? count : row)
        lb_backlog_add(rest,
                       (struct lb_range){begin + BOUNDS[LB_CONTENTION_ROUNDS] * trial->size, begin + row});
}

static struct lb_range find_piece(const struct lb_contention *trial, enum lb_contention_part part,
                                  uint32_t number)
{
    uint64_t first = trial->piece;
    if (part == LB_CONTENTION_BESIDE) {
        first = trial->twin + number % trial->twins * trial->step;
        number /= trial->twins;
    }
    return (struct lb_range){first + BOUNDS[number] * trial->size, first + BOUNDS[number + 1] * trial->size};
}

uint64_t lb_contention_alone(const struct lb_contention *trial)
{
    return BOUNDS[trial->done[LB_CONTENTION_ALONE]] * trial->size;
}

bool lb_contention_take(struct lb_contention *trial, enum lb_contention_part part, struct lb_range *range)
{
    uint32_t most =
        part == LB_CONTENTION_ALONE ? LB_CONTENTION_ROUNDS : trial->twins * trial->done[LB_CONTENTION_ALONE];
    if (trial->size == 0 || trial->in_hand || trial->given[part] >= most)
        return false;
    trial->in_hand = true;
    trial->part = part;
    *range = find_piece(trial, part, trial->given[part]++);
    return true;
}

void lb_contention_done(struct lb_contention *trial, double seconds)
{
    uint32_t number = trial->done[trial->part]++;
    trial->seconds[trial->part][trial->part == LB_CONTENTION_BESIDE ? number / trial->twins : number] +=
        seconds;
    trial->in_hand = false;
}

bool lb_contention_complete(const struct lb_contention *trial)
{
    return !trial->in_hand &&
           trial->done[LB_CONTENTION_BESIDE] == trial->twins * trial->done[LB_CONTENTION_ALONE];
}

void lb_contention_end(struct lb_contention *trial, struct lb_backlog *rest)
{
    uint32_t all[2] = {LB_CONTENTION_ROUNDS, LB_CONTENTION_ROUNDS * trial->twins};
    for (int part = 0; part < 2 && trial->size > 0; part++)
        for (; trial->given[part] < all[part]; trial->given[part]++)
            lb_backlog_add(rest, find_piece(trial, (enum lb_contention_part)part, trial->given[part]));
}

void lb_contention_give_up(struct lb_contention *trial, struct lb_backlog *rest)
{
    if (trial->size == 0)
        return;
    lb_contention_end(trial, rest);
    uint32_t rounds = trial->done[LB_CONTENTION_BESIDE] / trial->twins;
    trial->in_hand = false;
    trial->done[LB_CONTENTION_ALONE] = rounds;
    trial->done[LB_CONTENTION_BESIDE] = trial->twins * rounds;
    trial->size = 0;
}

/* Of so few pieces the standard error says too little. Times these, two errors hold the truth in 90 of 100 cases, as
 * Student's t has it: 2.92 / 2 with two degrees of freedom, for a line through four pieces, 2.35 / 2 with three. */
static const double OF_LINE = 1.46, OF_RATIO = 1.18;

/* A line through the pieces' times alone and their twins': its slope. */
static double slope(const double *alone, const double *beside, double *spread)
{
    enum { N = LB_CONTENTION_ROUNDS };
    double x = 0, y = 0, xx = 0, xy = 0, off = 0;
    for (int i = 0; i < N; i++) {
        x += alone[i] / N;
        y += beside[i] / N;
    }
    for (int i = 0; i < N; i++) {
        xx += (alone[i] - x) * (alone[i] - x);
        xy += (alone[i] - x) * (beside[i] - y);
    }
    if (!(xx > 0) || !(xy > 0))
        return 0;
    for (int i = 0; i < N; i++)
        off += pow(beside[i] - y - xy / xx * (alone[i] - x), 2);
    *spread = OF_LINE * sqrt(off / (N - 2) / xx);
    return xy / xx;
}

/* The ratio of the sums: of pixels' neighbours, whose times scatter too much for a line, and of fewer pieces. */
static double ratio(const struct lb_contention *trial, uint32_t rounds, double *spread)
{
    double alone = 0, beside = 0, off = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        alone += trial->seconds[LB_CONTENTION_ALONE][i] * trial->twins;
        beside += trial->seconds[LB_CONTENTION_BESIDE][i];
    }
    if (!(alone > 0) || !(beside > 0))
        return 0;
    for (uint32_t i = 0; i < rounds; i++)
        off += pow(trial->seconds[LB_CONTENTION_BESIDE][i] -
                       beside / alone * trial->twins * trial->seconds[LB_CONTENTION_ALONE][i],
                   2);
    if (rounds > 1)
        *spread = OF_RATIO * sqrt(off * rounds / (rounds - 1)) / alone;
    return beside / alone;
}

double lb_contention_measured(const struct lb_contention *trial, double *spread)
{
    uint32_t rounds = trial->twins > 0 ? trial->done[LB_CONTENTION_BESIDE] / trial->twins : 0;
    double alpha = 0;
    *spread = 0;
    if (trial->twins == 1 && rounds == LB_CONTENTION_ROUNDS)
        alpha = slope(trial->seconds[LB_CONTENTION_ALONE], trial->seconds[LB_CONTENTION_BESIDE], spread);
    return alpha > 0 ? alpha : ratio(trial, rounds, spread);
}
