/* A team's threads and the ranges that they render, which its files share. Private to core/run. */
#ifndef LB_CORE_RUN_PASS_PORTION_TEAM_H
#define LB_CORE_RUN_PASS_PORTION_TEAM_H

#include "core/run/pass/hand.h"
#include "core/run/pass/portion.h"

#include <pthread.h>

/* A range, and its strategy. The arrays have an element for each member that was left when it began. */
struct lb_portion {
    const struct lb_strategy *strategy;
    uint32_t count;
    uint32_t *number; /* of the member, */
    uint32_t *index;  /* and, for each member of the team, where it is in these arrays; `count`: nowhere */
    struct lb_processor **processors;
    struct lb_processor_info *infos;
    struct lb_tally *tallies;
    struct lb_progress *progress;
    bool *over;            /* the strategy has nothing for it any more, or it was lost */
    void *options, *state; /* the strategy's */
    bool planned;
    struct lb_schedule schedule;
    struct lb_asking asking;
    lb_order whole; /* of whole pixels, */
    lb_order order; /* and of the blocks that their samples are split into, if any */
    /* The framebuffers of these blocks; no pixels: there is one block, the result itself. */
    struct lb_result split;
    /* Under the team's lock: */
    uint64_t left;      /* positions that were not delivered */
    uint32_t rendering; /* members that are at it */
    bool ended;         /* nobody will render any more of it, */
    bool stalled;       /* as the strategy lets everybody wait for nothing */
    struct lb_portion *next;
};

struct lb_team_thread {
    struct lb_portion_team *team;
    uint32_t number;     /* of the member */
    struct lb_hand hand; /* of the portion that it is at; keeps the size of its pieces from one to the next */
    struct lb_portion *portion; /* at that, */
    uint64_t delivered;         /* of which it had rendered so many positions before, */
    uint32_t each;              /* of so many samples, */
    uint64_t events;            /* and lb_asking_seen() was this */
    pthread_t id;
    bool made; /* there is that thread */
    /* Of what it did of this scene, under the team's lock: */
    double samples, seconds;
};

struct lb_portion_team {
    struct lb_settings settings;
    struct lb_member *members;
    struct lb_team_thread *threads;
    uint32_t count;
    pthread_mutex_t lock;     /* around all that follows */
    pthread_cond_t changed;   /* `events` has moved, or the team ends */
    pthread_cond_t ended;     /* a portion has ended */
    uint32_t alive;           /* members that have a thread and are not lost */
    uint64_t events;          /* whatever may let somebody find something to do moves it; */
    uint32_t settled;         /* so many have found nothing since it moved last */
    bool closes;              /* the threads are to end */
    struct lb_portion *first; /* in the order in which they began */
};

/* Has the team's threads render the portion until it has ended. */
void lb_portion_perform(struct lb_portion_team *team, struct lb_portion *portion);

#endif
