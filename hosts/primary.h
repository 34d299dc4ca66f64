/* The primary's own state, which its thread and the processors of its hosts share. */
#ifndef LB_HOSTS_PRIMARY_H
#define LB_HOSTS_PRIMARY_H

#include "hosts/hosts.h"
#include "hosts/link.h"

#include <pthread.h>

/* A work that a worker has, or is to get. A range that is given to another worker after a loss is another job: what
 * the first one may still send is of a number that nobody knows any more. */
struct lb_host_job {
    uint64_t number;
    struct lb_work work;
    struct lb_result result;
    uint64_t *received; /* a bit for each position whose pixels have come; NULL: the JOB was not sent yet */
    uint64_t left;      /* positions whose pixels have not */
    double sent;        /* when the JOB was, */
    bool ended;         /* and whether its DONE has come */
};

/* What the processor of a host has in hand, first in, first out. The processor owns it; the place of its worker points
 * at it while that worker is there. */
struct lb_host_jobs {
    struct lb_host_job jobs[LB_PIECES_IN_HAND];
    uint32_t first, count;
    bool wants_stop, stopped; /* all are to end soon; the STOP was sent */
    bool lost;                /* the worker is gone, */
    char why[256];            /* for this reason */
    /* For the speed: positions and the seconds that the worker took for them, over the jobs that are done. */
    double positions, seconds;
    double moved; /* when a job was sent to who had none, or a pixel came, last */
    double pause; /* the longest time between two such */
    /* Since there was nothing in hand: when the first one came, and what the worker rendered of them all. */
    double taken, rendered;
};

/* Where a worker may be: host0, host1 .. */
struct lb_place {
    bool taken;
    uint64_t occupant; /* the number of the worker that is or was here, from 1; 0: nobody ever was */
    struct lb_peer peer;
    char name[64];
    uint32_t processors;
    bool uncounted;
    uint32_t attempt;                 /* how often the worker had begun anew when it came */
    bool attended;                    /* a processor was opened for it */
    struct lb_scene_mark told, ready; /* the scene that it was told to get, and the one that it renders */
    double heard;                     /* when a message of it came last */
    struct lb_remote remote;          /* of whoever is or was here; counts since they were told last */
    uint32_t port;                    /* where it gives its scene to others; 0: it does not, */
    bool shy;                         /* or one of them could not get it there */
    uint64_t source;                  /* the occupant that gives it the scene; 0: the primary does */
    uint32_t follower;         /* 1 + the place of the last one that was to get it from this one; 0: none */
    uint32_t depth;            /* so many are between it and the primary */
    struct lb_host_jobs *jobs; /* of the processor that stands for it; NULL: there is none */
    char why[256];             /* the last occupant's end */
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
    atomic_int *renewed;             /* of lb_primary_watch, */
    double told_renewal;             /* and when something was written there last */
    struct lb_remote_processor *own; /* the primary's own processors, */
    uint32_t own_count;              /* so many */
    uint32_t answered;               /* what was answered to strangers lately */
    struct lb_place *places;         /* options.hosts */
    uint64_t occupants, jobs;
    const lb_scene *scene;     /* that is offered, or NULL */
    struct lb_scene_mark mark; /* its own; zero: none */
};

/* Under the primary's lock: what a peer said, which may be anything. */
void lb_primary_hear(struct lb_primary *primary, const struct lb_peer *peer, const void *data, size_t size);
/* Under the primary's lock: sleeps until something has changed, or so many seconds. */
void lb_primary_nap(struct lb_primary *primary, double seconds);

#endif
