/* The thread of a worker that opens scenes and renders, so that the one that owns the socket always listens. It has one
 * thing to do at a time. */
#ifndef LB_HOSTS_RENDERER_H
#define LB_HOSTS_RENDERER_H

#include "hosts/hosts.h"
#include "hosts/link.h"

#include <pthread.h>
#include <stdatomic.h>

enum lb_task_kind {
    LB_TASK_NONE,   /* it has nothing to do */
    LB_TASK_OPEN,   /* the scene */
    LB_TASK_RENDER, /* the work */
    LB_TASK_END,    /* the thread */
};

/* What the thread is given, and hands back when it is done. All of it belongs to one side at a time. */
struct lb_task {
    enum lb_task_kind kind;
    const lb_scene *scene; /* OPEN; NULL: no scene any more */
    uint64_t job;          /* RENDER: its number */
    void *message;         /* the JOB, which holds the order's rectangles */
    lb_order order;
    struct lb_work work; /* its order is `order`, its stop the renderer's */
    struct lb_result result;
    enum lb_status status; /* what came of it */
    struct lb_error error;
};

struct lb_renderer {
    const struct lb_worker_site *site;
    struct lb_link *link; /* is woken when a task is done */
    pthread_t thread;
    pthread_mutex_t lock; /* around `busy` and `task` while they change hands */
    pthread_cond_t changed;
    bool busy;
    struct lb_task task;
    atomic_int stop; /* not 0: the work in hand is to end soon */
};

enum lb_status lb_renderer_open(struct lb_renderer *renderer, const struct lb_worker_site *site,
                                struct lb_link *link, struct lb_error *error);
/* Ends what it does soon, and the thread. */
void lb_renderer_close(struct lb_renderer *renderer);

bool lb_renderer_is_busy(struct lb_renderer *renderer);
/* Gives it a task; it must have none. */
void lb_renderer_start(struct lb_renderer *renderer, const struct lb_task *task);
/* The task that it has done, once; false: there is none. */
bool lb_renderer_finished(struct lb_renderer *renderer, struct lb_task *task);
/* Waits until it has done its task, which is to end soon; what it was is dropped. */
void lb_renderer_drop(struct lb_renderer *renderer);
/* What a task of RENDER holds. */
void lb_task_free(struct lb_task *task);

#endif
