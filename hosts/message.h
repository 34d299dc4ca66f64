/* What primary and workers tell each other: each message is a struct of plain numbers, and behind it bytes whose
 * number it tells. A message that does not hold what its kind must is refused before anything in it is believed. */
#ifndef LB_HOSTS_MESSAGE_H
#define LB_HOSTS_MESSAGE_H

#include "core/processor.h"

enum lb_message_kind {
    /* ---- A worker says these. ---- */

    /* Says what the worker is. A struct lb_message_hello follows, and then its processors. */
    LB_MESSAGE_HELLO = 1,
    /* Asks the primary, or another worker, for `count` bytes of the scene `scene` from `begin` on. They may come
     * `packed`. */
    LB_MESSAGE_WANT,
    /* The worker renders the scene `scene` from now on. */
    LB_MESSAGE_READY,
    /* Positions `begin` .. + `count` of job `job`, sent as soon as they are rendered. Their pixels follow, then their
     * sums of channels and their costs, where the job wants these. */
    LB_MESSAGE_PIXELS,
    /* All of job `job` was sent. `samples`, `counters`, `seconds` and `stopped` are those of its result; what each of
     * the processors did that HELLO told of follows. */
    LB_MESSAGE_DONE,
    /* The worker can render no more, and leaves. The reason follows. */
    LB_MESSAGE_FAILED,
    /* The worker leaves, as it was asked to. */
    LB_MESSAGE_LEAVE,

    /* ---- Anybody may say this. ---- */

    /* Asks for the hosts from number `begin` on. A struct lb_build follows. */
    LB_MESSAGE_ASK,

    /* ---- The primary says these. ---- */

    /* The worker is let in. */
    LB_MESSAGE_WELCOME,
    /* The worker is not let in, or has to leave. The reason follows. */
    LB_MESSAGE_REFUSED,
    /* The worker is to get the scene `scene` of `count` bytes; where that is 0, it is to forget the last one. The
     * address of another worker that gives the scene follows; where nothing does, the primary gives it. */
    LB_MESSAGE_SCENE,
    /* The answer to a WANT, also of a worker: `count` bytes of the scene `scene` from `begin` on follow. */
    LB_MESSAGE_BYTES,
    /* The worker is to render this job after those that it has. A struct lb_message_job follows, and then its
     * rectangles. */
    LB_MESSAGE_JOB,
    /* The worker is to end all jobs soon. */
    LB_MESSAGE_STOP,
    /* The primary does not know who speaks, who is to say HELLO again. */
    LB_MESSAGE_WHO,
    /* There is nothing more to do. */
    LB_MESSAGE_HOME,
    /* Some hosts of `count`, from number `begin` on, which is 0 for the primary. A struct lb_message_listed follows for
     * each, with its processors. */
    LB_MESSAGE_LIST,

    /* ---- Both say this. ---- */

    /* A sign of life. A worker answers the primary's at once, with the same `begin`. */
    LB_MESSAGE_ALIVE,
    LB_MESSAGE_KINDS
};

/* Tells a scene from others: XXH3 of its block, 128 bits. All zero: none. */
struct lb_scene_mark {
    uint64_t low, high;
};

struct lb_message {
    uint32_t kind;
    uint32_t stopped;
    uint32_t packed; /* of PIXELS and BYTES: what is behind it is smaller than it was (hosts/pack.h) */
    uint32_t reserved;
    uint64_t job;
    struct lb_scene_mark scene;
    uint64_t begin, count;
    uint64_t samples;
    double seconds; /* that rendering took */
    lb_counters counters;
};

/* Behind a JOB. The order's rectangles are those that hold the range, and stand behind this; then the pixels that
 * are left out, all of the picture's, where there are such. */
struct lb_message_job {
    lb_order order; /* its pointers are nobody's */
    struct lb_range range;
    uint32_t sample_begin, sample_end;
    uint32_t coverage, want_sums, want_cost, cost_in_seconds;
    uint32_t leaves_out; /* not 0: pixels are left out */
};

/* Large transfers are cut into stripes of at most so many bytes, so that signs of life get through between them on
 * the slowest of links. */
enum { LB_STRIPE_BYTES = 64 * 1024 };
/* Nothing longer is ever sent, but for a JOB's rectangles and pixels that are left out. */
enum { LB_MESSAGE_TEXT = 200 };

/* What must be the same of two programs that work together: version, and the sizes of what crosses. */
struct lb_build {
    char version[32];
    uint32_t byte_order; /* 0x01020304 */
    uint32_t message, job, pixel, scene;
};

/* A host tells of no more than so many of its processors, so that a DONE stays short. */
enum { LB_PROCESSORS_TOLD = 512 };

/* A processor that is told of. */
struct lb_message_processor {
    char name[32], kind[32]; /* with a 0 at their ends: "cpu0", "cpu" */
};

/* Behind a HELLO. */
struct lb_message_hello {
    struct lb_build build; /* first, so that any program finds it there */
    uint32_t processors;   /* CPU threads and devices that it brings */
    uint32_t uncounted;    /* some of them fill no costs and count neither nodes nor groups */
    uint32_t attempt;      /* how often it has begun anew: what it had in hand before is gone */
    uint32_t port;         /* where it gives its scene to others; 0: it does not */
    uint32_t told;         /* so many struct lb_message_processor are behind this */
    char name[64];         /* of the host, with a 0 at its end */
};

/* Behind a LIST: one host, and `told` struct lb_message_processor behind it. */
struct lb_message_listed {
    char name[64];
    uint32_t here, ready; /* somebody is there; and renders the scene */
    uint32_t processors, told;
    double round_trip_seconds; /* 0: not known */
};

struct lb_build lb_build_own(void);
bool lb_build_equal(const struct lb_build *a, const struct lb_build *b);

/* Of `count` processors, so many are told of. */
uint32_t lb_processors_told(uint32_t count);
/* Writes them as messages have them. */
void lb_message_processors_write(const struct lb_remote_processor *processors, uint32_t count, void *into);
/* Reads `count` of them; false: one has a name or kind that no processor has. */
bool lb_message_processors_read(const void *from, uint32_t count, struct lb_remote_processor *processors);
/* Reads what `count` processors did, which are to have no more samples than there are in all and to have taken no more
 * than `most` seconds each; false: it is something else. What is in `did` is added to. */
bool lb_message_did_read(const void *from, size_t size, uint32_t count, uint64_t samples, double most,
                         struct lb_remote_processor *processors);

struct lb_scene_mark lb_scene_mark_make(const void *block, size_t size);
bool lb_scene_mark_equal(struct lb_scene_mark a, struct lb_scene_mark b);

/* The message that begins `data` of `size` bytes; false: it is none, or what is behind it is not what it must be. */
bool lb_message_read(const void *data, size_t size, struct lb_message *message);
/* `length` bytes of somebody else's text, up to its first 0, as they may be shown: at most `size` - 1 of them. */
void lb_message_text(const void *text, size_t length, char *shown, size_t size);
/* What is behind the message. */
static inline const void *lb_message_rest(const void *data)
{
    return (const char *)data + sizeof(struct lb_message);
}

/* Bytes that a job's message takes, and the job written there, which wants what `result` has arrays for. */
size_t lb_message_job_size(const struct lb_work *work);
void lb_message_job_write(const struct lb_work *work, const struct lb_result *result, void *into);
/* The job of a JOB message that lb_message_read has let pass. work->order is `order`, whose arrays are `data`'s;
 * work->scene and work->stop are left. False: it does not fit `scene`. */
bool lb_message_job_read(const void *data, size_t size, const lb_scene *scene, lb_order *order,
                         struct lb_work *work, struct lb_message_job *job);

/* Bytes that a position of the result takes behind a PIXELS; `count` positions from `at` on written there, and
 * read. */
size_t lb_stripe_position(const struct lb_result *result);
void lb_stripe_write(const struct lb_result *result, uint64_t at, uint64_t count, char *into);
void lb_stripe_read(struct lb_result *result, uint64_t at, uint64_t count, const char *from);

#endif
