/* The primary's own state, which its thread and the processors that stand for its workers share. */
#ifndef LB_HOSTS_PRIMARY_PRIMARY_H
#define LB_HOSTS_PRIMARY_PRIMARY_H

#include "hosts/primary/expelled.h"
#include "hosts/hosts.h"
#include "hosts/wire/link.h"

#include <pthread.h>

/* A work that a worker has or is to get. When a range is given to another worker after a loss, it becomes another job
 * with a number of its own, so that whatever the first worker may still send is of a number that nobody knows. */
struct lb_host_job {
    uint64_t number;
    struct lb_work work;
    struct lb_result result;
    uint64_t *received; /* a bit for each position whose pixels have come; NULL: the JOB was not sent yet */
    uint64_t left;      /* how many positions' pixels have not come */
    double sent;        /* lb_clock_now() when the JOB was sent */
    bool ended;         /* its DONE has come */
};

/* What the processor that stands for a worker has in hand, first in, first out. The processor owns it, and the worker's
 * place points at it while that worker is there. Times are those of lb_clock_now(). */
struct lb_host_jobs {
    struct lb_host_job jobs[LB_PIECES_IN_HAND];
    uint32_t first, count;
    bool wants_stop; /* all jobs are to end soon */
    bool stopped;    /* and the worker was told so */
    bool lost;       /* the worker is gone, */
    char why[256];   /* for this reason */
    /* The positions of all jobs that are done and the seconds that the worker took for them, which tell its speed. */
    double positions, seconds;
    double moved;    /* when the worker last delivered something, or was given a job while it had none */
    double pause;    /* the longest time between two such moments so far, in seconds */
    double taken;    /* when the processor was last given a job while it had none */
    double rendered; /* seconds in which it rendered since then */
};

/* A place for a worker: host0, host1 .. Times are those of lb_clock_now(). */
struct lb_place {
    bool taken;          /* a worker is here */
    uint64_t occupant;   /* its number, or that of the last one, counted from 1; 0: nobody ever was here */
    struct lb_peer peer; /* its connection */
    uint64_t program;    /* tells the worker from others, whatever connection it has; 0: nothing does */
    char name[64];       /* of its host */
    uint32_t processors; /* how many it renders with */
    bool uncounted;      /* some of them fill no costs and count neither nodes nor groups */
    uint32_t attempt;    /* how often the worker had begun anew when it came */
    bool attended;       /* a processor was opened for it */
    struct lb_scene_mark told;  /* the scene that it was told to get */
    struct lb_scene_mark ready; /* the scene that it renders */
    uint64_t progress;       /* bytes of that scene that it has read from its disk or received, as it says */
    double progressed;       /* when these last changed, or it was told of the scene */
    double heard;            /* when its last message came */
    struct lb_remote remote; /* what the report tells of it; its counts begin when they were last told */
    uint32_t port;           /* where it passes its scene on to other workers; 0: it does not */
    uint64_t given;          /* bytes of the scene that it was given since it was last asked for a sign, */
    uint64_t unread;         /* those before that, which it may not have read yet, */
    uint64_t asked_sign;     /* and the time, in ns, that its sign is to repeat; 0: it was asked for none */
    bool shy;                /* another worker could not get the scene there */
    uint64_t source;         /* the occupant of another place that gives it the scene; 0: the primary does, */
    uint32_t source_place;   /* and the index of that place */
    uint32_t followers;      /* how many workers get the scene from it: set and used by lb_chain_join alone */
    uint32_t depth;          /* how many workers the scene has passed before it comes here */
    struct lb_host_jobs *jobs; /* what its processor has in hand; NULL: no processor stands for it */
    uint32_t unanswered;       /* jobs that it was sent and did not end, also those that were given up */
    char why[256];             /* how the last occupant ended */
};

struct lb_primary {
    struct lb_primary_options options;
    const struct lb_log *log;
    char address[300];               /* where workers join it */
    struct lb_link link;             /* the thread's own, but for lb_link_wake */
    pthread_t thread;                /* owns the link, and hears and tells */
    pthread_mutex_t lock;            /* around all that follows */
    pthread_cond_t changed;          /* a worker came or went, has its scene, or has ended a job */
    bool closing;                    /* the thread is to end */
    struct lb_interrupt *interrupt;  /* what lb_primary_watch was given, */
    double told_renewal;             /* and when a pass was last ended for a renewal */
    struct lb_remote_processor *own; /* the primary's own processors, */
    uint32_t own_count;              /* an array of so many */
    uint32_t answered;    /* how much was answered to strangers since the last sign of life was sent */
    double refused_since; /* when the seconds began in which refusals are counted, */
    uint32_t refused;     /* and how many there were in them */
    struct lb_expelled expelled[LB_EXPELLED_KEPT];
    struct lb_place *places;   /* an array of options.most, */
    uint32_t place_count;      /* of which there are so many by now */
    uint64_t occupants, jobs;  /* how many workers were let in, and how many jobs were made, so far */
    const lb_scene *scene;     /* the scene that is offered; NULL: none is */
    struct lb_scene_mark mark; /* what tells it from others; all zero: none is offered */
    double offered;            /* when it was offered */
};

/* Takes what a peer said, which may be anything. To be called under the primary's lock. */
void lb_primary_hear(struct lb_primary *primary, const struct lb_peer *peer, const void *data, size_t size);
/* Sleeps until something has changed, or for so many seconds, at most half a second. To be called under the primary's
 * lock, which is released meanwhile. */
void lb_primary_nap(struct lb_primary *primary, double seconds);

#endif
