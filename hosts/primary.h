/* The primary's own state, which its thread and the processors of its hosts share. */
#ifndef LB_HOSTS_PRIMARY_H
#define LB_HOSTS_PRIMARY_H

#include "hosts/hosts.h"
#include "hosts/link.h"

#include <pthread.h>

/* A range that a worker is to render; it stands on the stack of the processor's thread, which waits for its end. */
struct lb_host_job {
    uint64_t number;
    const struct lb_work *work;
    struct lb_result *result;
    uint64_t received;  /* positions whose pixels have come */
    bool sent, stopped; /* the JOB, the STOP was sent */
    bool wants_stop;
    bool ended;
    bool lost;     /* the worker was lost before it had delivered all */
    char why[256]; /* where it was */
};

/* Where a worker may be: host0, host1 .. */
struct lb_place {
    bool taken;
    uint64_t occupant; /* the number of the worker that is or was here, from 1 */
    struct lb_peer peer;
    char name[64];
    uint32_t processors;
    bool uncounted;
    struct lb_scene_mark told, ready; /* the scene that it was told to get, and the one that it renders */
    double heard;                     /* when a message of it came last */
    struct lb_host_job *job;
    char why[256]; /* the last occupant's end */
};

struct lb_primary {
    struct lb_primary_options options;
    const struct lb_log *log;
    char address[300];   /* where workers join it */
    struct lb_link link; /* the thread's own, but for its wake */
    pthread_t thread;
    pthread_mutex_t lock; /* around all that follows */
    pthread_cond_t changed;
    bool closing;
    struct lb_place *places; /* options.hosts */
    uint64_t occupants, jobs;
    const lb_scene *scene;     /* that is offered, or NULL */
    struct lb_scene_mark mark; /* its own; zero: none */
};

/* Under the primary's lock: sleeps until something has changed, or a twentieth of a second. */
void lb_primary_nap(struct lb_primary *primary);

#endif
