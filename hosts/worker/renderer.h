/* The threads of a worker that open scenes and render, so that the thread that owns the socket can always listen. They
 * begin their tasks in the order in which they get them. Works are rendered at the same time, so that the processors
 * that have nothing more to do of one go on with the next; every other task is done alone. */
#ifndef LB_HOSTS_WORKER_RENDERER_H
#define LB_HOSTS_WORKER_RENDERER_H

#include "hosts/hosts.h"
#include "hosts/wire/link.h"

#include <pthread.h>
#include <stdatomic.h>

enum lb_task_kind {
    LB_TASK_READ,   /* reads the scene's block from the disk; where it is not there, the status is LB_ERROR */
    LB_TASK_OPEN,   /* opens the scene, so that ranges of it can be rendered */
    LB_TASK_RENDER, /* renders a work */
};

/* Positions of a task's result, counted from 0, that were rendered and not sent yet. */
struct lb_rendered {
    struct lb_range *ranges;
    size_t count, capacity;
};

/* What a thread is given to do. It is copied into the renderer and stays there, at one address, until it is
 * dropped. */
struct lb_task {
    enum lb_task_kind kind;
    const lb_scene *scene;     /* OPEN: the scene */
    char *block;               /* READ: the block, */
    uint64_t size;             /* its bytes, */
    struct lb_scene_mark mark; /* and what tells it from others */
    /* RENDER: */
    uint64_t job;                /* the job's number */
    void *message;               /* the JOB message, which holds the arrays of `order`; freed with the task */
    lb_order order;              /* the order of `work` */
    struct lb_work work;         /* what to render; its stop is the renderer's for this task */
    struct lb_result result;     /* with arrays of its own, freed with the task */
    struct lb_remote_did *did;   /* what each of the host's processors did; freed with the task */
    struct lb_rendered rendered; /* under the renderer's lock */
    /* What came of the task: */
    bool done; /* under the renderer's lock */
    enum lb_status status;
    struct lb_error error;
};

enum { LB_TASKS = LB_PIECES_IN_HAND };

struct lb_renderer {
    const struct lb_worker_site *site;
    const char *store;          /* the folder of the scenes that are kept; NULL: none are */
    struct lb_link *link;       /* is woken when there is something to send */
    atomic_uint_least64_t read; /* bytes that READ has read, since the owner of the socket set it to 0 */
    pthread_mutex_t lock;       /* around all that follows, but for tasks that are being done */
    pthread_cond_t changed;
    pthread_t threads[LB_TASKS];
    uint32_t made, idle;            /* so many threads there are, and so many have no task */
    struct lb_task tasks[LB_TASKS]; /* a ring, first in, first out: */
    uint32_t first, count, begun;   /* of `count` tasks from `first` on, `begun` are done or being done */
    double woken;                   /* when the link was last woken for pixels: lb_clock_now() */
    bool ends;                      /* the threads are to end */
    atomic_int stops[LB_TASKS];     /* one a task: not 0: it is to end soon */
};

/* Opens a renderer with a thread, and more of them where several works are in hand. They wake `link` when there is
 * something to send. LB_ERROR: the system gives no thread. */
enum lb_status lb_renderer_open(struct lb_renderer *renderer, const struct lb_worker_site *site,
                                struct lb_link *link, struct lb_error *error);
/* Stops what the threads do, and ends them. */
void lb_renderer_close(struct lb_renderer *renderer);

/* The following functions are for the thread that owns the socket alone. */

/* Gives the renderer one more task. False: it has as many as it can hold. */
bool lb_renderer_add(struct lb_renderer *renderer, const struct lb_task *task);
/* The index-th of its tasks, the first of which is number 0, and whether it is done; NULL: there are no so many. */
const struct lb_task *lb_renderer_task(struct lb_renderer *renderer, uint32_t index, bool *done);
/* Takes out what was rendered of the index-th task since the last call. The caller frees the ranges. */
struct lb_rendered lb_renderer_take(struct lb_renderer *renderer, uint32_t index);
/* Forgets the first task, which must be done. */
void lb_renderer_drop(struct lb_renderer *renderer);
/* Lets all works in hand end soon. Those that are added later go on, though what was in hand may still be busy. */
void lb_renderer_stop(struct lb_renderer *renderer);
/* Lets all works in hand end soon, waits until they have, and forgets all tasks. */
void lb_renderer_drop_all(struct lb_renderer *renderer);
/* Frees what a task holds. */
void lb_task_free(struct lb_task *task);

#endif
