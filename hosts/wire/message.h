/* What primary and workers tell each other. Each message is a struct of plain numbers and the bytes that follow it. A
 * message whose length does not fit its kind is refused before anything in it is believed. */
#ifndef LB_HOSTS_WIRE_MESSAGE_H
#define LB_HOSTS_WIRE_MESSAGE_H

#include "core/processor.h"

enum lb_message_kind {
    /* ---- A worker says these. ---- */

    /* Tells what the worker is. A struct lb_message_hello follows, and then its processors. */
    LB_MESSAGE_HELLO = 1,
    /* Asks the primary, or another worker, for `count` bytes of the scene `scene` from `begin` on. They may come
     * packed where `packed` is not 0. */
    LB_MESSAGE_WANT,
    /* The worker has the scene `scene`, and can render ranges of it from now on. */
    LB_MESSAGE_READY,
    /* `count` positions from `begin` on of job `job`, counted from 0, are rendered. Their pixels follow, and then their
     * sums of channels and their costs, where the job wants these. */
    LB_MESSAGE_PIXELS,
    /* All of job `job` was sent. `samples`, `counters`, `seconds` and `stopped` are those of its result. A struct
     * lb_remote_did follows for each of the processors that HELLO told of. */
    LB_MESSAGE_DONE,
    /* The worker can render no more and leaves. The reason follows as a text. */
    LB_MESSAGE_FAILED,
    /* The worker leaves because it was asked to. */
    LB_MESSAGE_LEAVE,

    /* ---- Anybody may say this. ---- */

    /* Asks the primary for a LIST of its hosts from number `begin` on. A struct lb_build follows. */
    LB_MESSAGE_ASK,

    /* ---- The primary says these. ---- */

    /* The worker is let in. */
    LB_MESSAGE_WELCOME,
    /* The worker is not let in, or has to leave. The reason follows as a text. */
    LB_MESSAGE_REFUSED,
    /* The worker is to get the scene `scene` of `count` bytes, or, where that is 0, to forget the last one. The address
     * of another worker that gives the scene follows as a text; where nothing follows, the primary gives it. */
    LB_MESSAGE_SCENE,
    /* The answer to a WANT, which another worker may give, too: `count` bytes of the scene `scene` from `begin` on
     * follow. */
    LB_MESSAGE_BYTES,
    /* The worker is to render job `job` of the scene `scene` after those that it has. A struct lb_message_job follows,
     * and then the arrays of its order. */
    LB_MESSAGE_JOB,
    /* The worker is to end all its jobs soon. */
    LB_MESSAGE_STOP,
    /* The primary does not know the worker, which is to say HELLO again. */
    LB_MESSAGE_WHO,
    /* There is nothing more to do, and the worker may leave. */
    LB_MESSAGE_HOME,
    /* The answer to an ASK: some of the primary's `count` hosts, from number `begin` on. Number 0 is the primary
     * itself. A struct lb_message_listed follows for each host, with its processors. */
    LB_MESSAGE_LIST,

    /* ---- Both say this, and workers to each other. ---- */

    /* A sign of life. The primary's has its clock in `begin`, and a worker answers it at once with the same `begin`.
     * A worker's that it has read or received `count` bytes of the scene `scene`. A worker says it to another
     * one that waits for bytes which have not come here yet. */
    LB_MESSAGE_ALIVE,
    LB_MESSAGE_KINDS
};

/* Tells a scene from others: the 128 bits of XXH3 of its block. All zero stands for no scene. */
struct lb_scene_mark {
    uint64_t low, high;
};

struct lb_message {
    uint32_t kind;
    uint32_t stopped;
    uint32_t packed;   /* of PIXELS and BYTES: what follows was packed (hosts/wire/pack.h) */
    uint32_t reserved; /* 0 */
    uint64_t job;
    struct lb_scene_mark scene;
    uint64_t begin, count;
    uint64_t samples;
    double seconds; /* how long rendering took */
    lb_counters counters;
};

/* What follows a JOB. Behind it are those of the order's rectangles that hold the range, and then, where pixels
 * are left out, a bit for each pixel of the picture. */
struct lb_message_job {
    lb_order order;                    /* its pointers mean nothing */
    struct lb_range range;             /* the positions to render, */
    uint32_t sample_begin, sample_end; /* and the samples of each */
    /* Each of these is true where it is not 0: */
    uint32_t coverage;        /* only what a camera ray hits is found out (struct lb_work) */
    uint32_t want_sums;       /* the sums of channels are wanted, */
    uint32_t want_cost;       /* the costs are, */
    uint32_t cost_in_seconds; /* in seconds in place of steps */
    uint32_t leaves_out;      /* some pixels are left out */
};

/* Large transfers are cut into stripes of at most so many bytes, so that signs of life get through between them on
 * the slowest of links. No message is longer, but for a JOB with the arrays of its order. */
enum { LB_STRIPE_BYTES = 64 * 1024 };
/* The most bytes of a text that follows a message. */
enum { LB_MESSAGE_TEXT = 200 };

/* What must be the same of two programs that work together: the version, and the sizes in bytes of what crosses the
 * network. */
struct lb_build {
    char version[32];    /* with zeros behind it */
    uint32_t byte_order; /* 0x01020304 in the machine's own byte order */
    uint32_t message, job, pixel, scene;
};

/* A host tells of no more than so many of its processors, so that a DONE stays short. */
enum { LB_PROCESSORS_TOLD = 512 };

/* A processor that is told of. */
struct lb_message_processor {
    char name[32], kind[32]; /* with a 0 at their ends: "cpu0", "cpu" */
};

/* What follows a HELLO. */
struct lb_message_hello {
    struct lb_build build; /* first, so that a program of any version finds it there */
    uint32_t processors;   /* how many CPU threads and devices the worker has */
    uint32_t uncounted;    /* not 0: some of them fill no costs and count neither nodes nor groups */
    uint32_t attempt;      /* how often it has begun anew; what it had in hand before is gone */
    uint32_t port;         /* where it passes its scene on to other workers; 0: it does not */
    uint32_t told;         /* how many struct lb_message_processor follow */
    uint64_t program; /* a random number, which this worker has over all its connections; 0: it has none */
    char name[64];    /* of the host, with a 0 at its end */
};

/* A host of a LIST. `told` struct lb_message_processor follow it. */
struct lb_message_listed {
    char name[64];             /* with a 0 at its end */
    uint32_t here, ready;      /* as in struct lb_listed_host (hosts/hosts.h) */
    uint32_t processors, told; /* how many it has, and how many of them follow */
    double round_trip_seconds; /* 0: that is not known */
};

/* The build of this program. */
struct lb_build lb_build_own(void);
/* True where two programs of these builds can work together. */
bool lb_build_equal(const struct lb_build *a, const struct lb_build *b);

/* How many of `count` processors a host tells of. */
uint32_t lb_processors_told(uint32_t count);
/* Writes `count` processors as that many struct lb_message_processor. */
void lb_message_processors_write(const struct lb_remote_processor *processors, uint32_t count, void *into);
/* Reads `count` struct lb_message_processor. False: one has a name or kind that no processor has. */
bool lb_message_processors_read(const void *from, uint32_t count, struct lb_remote_processor *processors);
/* Reads what `count` processors did from the `size` bytes behind a DONE message, and adds it to processors[].did.
 * False: the size is wrong, or they claim more samples together than the `samples` of the whole. Of seconds, at
 * most `most` are believed of each. */
bool lb_message_did_read(const void *from, size_t size, uint32_t count, uint64_t samples, double most,
                         struct lb_remote_processor *processors);

/* What tells the scene of this block, which has `size` bytes, from others. */
struct lb_scene_mark lb_scene_mark_make(const void *block, size_t size);
bool lb_scene_mark_equal(struct lb_scene_mark a, struct lb_scene_mark b);

/* Reads the message at the beginning of `data`, which has `size` bytes. False: it is no message, or as many bytes
 * cannot follow one of its kind. */
bool lb_message_read(const void *data, size_t size, struct lb_message *message);
/* Writes a text of somebody else, which has `length` bytes or ends at its first 0, so that it may be shown: into
 * `shown`, which has `size` bytes, with a 0 at the end. */
void lb_message_text(const void *text, size_t length, char *shown, size_t size);
/* The bytes that follow the message. */
static inline const void *lb_message_rest(const void *data)
{
    return (const char *)data + sizeof(struct lb_message);
}

/* How many bytes follow the JOB message of a work. */
size_t lb_message_job_size(const struct lb_work *work);
/* Writes these bytes. The job wants pixels, and the sums and costs for which `result` has arrays. */
void lb_message_job_write(const struct lb_work *work, const struct lb_result *result, void *into);
/* Reads a JOB message that lb_message_read has let pass, of `size` bytes at `data`, into `job` and `work`.
 * work->order becomes `order`, whose arrays are those at `data`; work->scene and work->stop are not set. False:
 * the job does not fit the scene. */
bool lb_message_job_read(const void *data, size_t size, const lb_scene *scene, lb_order *order,
                         struct lb_work *work, struct lb_message_job *job);

/* How many bytes each position of such a result takes behind a PIXELS message. */
size_t lb_stripe_position(const struct lb_result *result);
/* Writes `count` positions of the result from `at` on as they follow a PIXELS message, and reads them back. */
void lb_stripe_write(const struct lb_result *result, uint64_t at, uint64_t count, char *into);
void lb_stripe_read(struct lb_result *result, uint64_t at, uint64_t count, const char *from);

#endif
