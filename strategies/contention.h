/* What it costs CPU threads that all of them run: alpha. One thread renders some pieces while the others wait, and
 * later, beside the others, twins of them: the same pixels' other samples, or the pixels next to them where those have
 * no other samples to render. All of it is work of the frame. Times and positions in, ranges out. */
#ifndef LB_STRATEGIES_CONTENTION_H
#define LB_STRATEGIES_CONTENTION_H

#include "strategies/backlog.h"

enum { LB_CONTENTION_ROUNDS = 4 };

enum lb_contention_part { LB_CONTENTION_ALONE, LB_CONTENTION_BESIDE };

/* All zero: there is no trial. */
struct lb_contention {
    uint64_t size;              /* of the shortest piece, in positions; 0: there is no trial */
    uint64_t piece;             /* where the first begins; the others follow it */
    uint64_t twin, step;        /* where its first twin begins, and from there to its second one */
    uint32_t twins;             /* of each piece: 1 or 2 */
    uint32_t given[2], done[2]; /* pieces alone, and twins of them beside the others */
    double seconds[2][LB_CONTENTION_ROUNDS];
    bool in_hand; /* a piece or a twin of it is being rendered */
    enum lb_contention_part part;
};

/* Lays the trial of one of `threads` into an order with a tail: single pixels out of each of the tail's regions. What
 * others would have rendered while one is alone is less than a hundredth of the picture. Where a pixel's `samples` are
 * even, the order is split into two blocks of them; else pieces have the pixels before and behind theirs for twins.
 * *kept: the positions of the first block that are the trial's; where there are two blocks, the same of the second are
 * the trial's too. What it does not need of all these it leaves in `rest`. With one thread or few regions there is no
 * trial and *kept is empty, at the order's end. */
void lb_contention_lay(struct lb_contention *trial, lb_order *order, uint32_t threads, uint32_t samples,
                       struct lb_range *kept, struct lb_backlog *rest);
/* The next piece, or the next twin of those that were done; false: there is none. The thread has one at a time. */
bool lb_contention_take(struct lb_contention *trial, enum lb_contention_part part, struct lb_range *range);
/* Positions that were rendered alone. */
uint64_t lb_contention_alone(const struct lb_contention *trial);
/* The piece in hand took so long. */
void lb_contention_done(struct lb_contention *trial, double seconds);
/* Has it nothing in hand, and are all twins of what was rendered alone done? */
bool lb_contention_complete(const struct lb_contention *trial);
/* What was not given out goes to everybody. */
void lb_contention_end(struct lb_contention *trial, struct lb_backlog *rest);
/* The piece in hand was not delivered: it has nothing to be compared with, and no other follows. */
void lb_contention_give_up(struct lb_contention *trial, struct lb_backlog *rest);
/* Alpha: how much longer the twins took than their pieces, for the same work and not counting what any range takes;
 * 0: it was not measured. *spread: its error as the pieces show it, two of which hold the truth in 90 of 100 cases;
 * 0: not known. */
double lb_contention_measured(const struct lb_contention *trial, double *spread);

#endif
