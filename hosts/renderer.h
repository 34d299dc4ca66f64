/* The thread of a worker that opens scenes and renders, so that the one that owns the socket always listens. It does
 * its tasks in the order in which it gets them, so that the next one is at hand when one is done. */
#ifndef LB_HOSTS_RENDERER_H
#define LB_HOSTS_RENDERER_H

#include "hosts/hosts.h"
#include "hosts/link.h"

#include <pthread.h>
#include <stdatomic.h>

enum lb_task_kind {
    LB_TASK_READ,   /* the scene's block, from the disk; not found: LB_ERROR */
    LB_TASK_OPEN,   /* the scene */
    LB_TASK_KEEP,   /* its block, on the disk */
    LB_TASK_RENDER, /* the work */
};

/* Positions of a task's result that were rendered and not yet sent. */
struct lb_rendered {
    struct lb_range *ranges;
    size_t count, capacity;
};

/* What the thread is given. It stays in the renderer, at one address, until it is dropped. */
struct lb_task {
    enum lb_task_kind kind;
    const lb_scene *scene; /* OPEN */
    char *block;           /* READ, KEEP: of `size` bytes, */
    uint64_t size;
    struct lb_scene_mark mark; /* and what tells it from others */
    uint64_t job;              /* RENDER: its number */
    void *message;             /* the JOB, which holds the order's rectangles */
    lb_order order;
    struct lb_work work; /* its order is `order`, its stop the renderer's */
    struct lb_result result;
    struct lb_remote_did *did; /* RENDER: what each processor of the host did */
    double seconds;            /* that it took */
    enum lb_status status;     /* what came of it */
    struct lb_error error;
    struct lb_rendered rendered; /* under the renderer's lock */
};

enum { LB_TASKS = LB_PIECES_IN_HAND };

struct lb_renderer {
    const struct lb_worker_site *site;
    const char *store;    /* the folder of the scenes that are kept; NULL: none are */
    struct lb_link *link; /* is woken when there is something to send */
    pthread_t thread;
    pthread_mutex_t lock; /* around all that follows, but what belongs to the task that is being done */
    pthread_cond_t changed;
    struct lb_task tasks[LB_TASKS]; /* first in, first out */
    uint32_t first, count, done;    /* of `count`, so many are done; the next one is being done */
    double woken;                   /* when the link was woken last */
    bool ends;                      /* the thread is to end */
    atomic_int stop;                /* not 0: the work in hand is to end soon */
};

enum lb_status lb_renderer_open(struct lb_renderer *renderer, const struct lb_worker_site *site,
                                struct lb_link *link, struct lb_error *error);
/* Ends what it does soon, and the thread. */
void lb_renderer_close(struct lb_renderer *renderer);

/* The following are for the thread that owns the socket alone. */

/* Gives it a task more; false: it has as many as it can. */
bool lb_renderer_add(struct lb_renderer *renderer, const struct lb_task *task);
/* Its first task, and whether that is done; NULL: it has none. */
const struct lb_task *lb_renderer_first(struct lb_renderer *renderer, bool *done);
/* Takes over what is to be sent of the first task by now; the caller frees the ranges. */
struct lb_rendered lb_renderer_take(struct lb_renderer *renderer);
/* Forgets the first task, which is done. */
void lb_renderer_drop(struct lb_renderer *renderer);
/* All that it has is to end soon. */
void lb_renderer_stop(struct lb_renderer *renderer);
/* Waits until it has ended all its tasks soon, and forgets them. */
void lb_renderer_drop_all(struct lb_renderer *renderer);
/* What a task of RENDER holds. */
void lb_task_free(struct lb_task *task);

#endif
