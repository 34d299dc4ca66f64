/* Several hosts render one picture. One of them, the primary, loads the scene, plans the frame and puts the picture
 * together. The others, the workers, join the primary over the network, get the loaded scene from it, and render the
 * ranges that its scheduler hands to the processors that stand for them. Where there is no libzmq, none.c takes the
 * place of all of this and says so. */
#ifndef LB_HOSTS_HOSTS_H
#define LB_HOSTS_HOSTS_H

#include "core/base/error.h"
#include "core/interrupt.h"
#include "core/processor.h"

#include <stdatomic.h>

/* ---- the primary ---- */

/* The most workers that a primary lets in, and the port where it serves if its address names none. */
enum { LB_HOSTS_MOST = 4096, LB_HOSTS_PORT = 7878 };
/* Files that a program has open at most besides the connections of its workers. */
enum { LB_HOSTS_FILES = 64 };

struct lb_primary; /* the socket that workers join, and the thread that serves it */

struct lb_primary_options {
    const char *address; /* "tcp://ADDRESS[:PORT]"; the ADDRESS * stands for all addresses of this machine */
    const char *key;     /* the file of the key that workers must hold; NULL: they need none */
    bool insecure;       /* without a key it may serve beyond the loopback, too */
    uint32_t hosts; /* how many places for workers there are at first, which lb_primary_wait() waits for */
    uint32_t most;  /* how many workers it lets in at most, hosts .. LB_HOSTS_MOST */
    char name[64];  /* this host's name, which it tells to who asks for its processors */
    /* Its own processors, an array of `processors`, which it tells to who asks. They are copied when it is opened. */
    const struct lb_remote_processor *own;
    uint32_t processors;
    double patience; /* seconds after the offer of a scene in which a worker without it holds up the others */
    double silence;  /* seconds without a sign of life after which a worker is lost */
    double due; /* seconds after which a worker is lost that gets no further with its scene or its work */
};

/* Opens a primary, which serves from now on, in a thread of its own, until lb_primary_close. `log` is told of workers
 * that come, go and are refused, and must outlive the primary. LB_ERROR_USAGE: the address is wrong. LB_ERROR: the
 * address cannot be served, or the key's file cannot be used. */
enum lb_status lb_primary_open(const struct lb_primary_options *options, const struct lb_log *log,
                               struct lb_primary **primary, struct lb_error *error);
/* The address by which a worker on this machine joins it, with the port that was chosen. It stays the primary's. */
const char *lb_primary_address(const struct lb_primary *primary);
/* How many places for workers there are by now: more come where more workers come, and none goes. */
uint32_t lb_primary_places(struct lb_primary *primary);
/* Waits until options.hosts workers are there, or `seconds` have gone by, or *stop is set (NULL: it never is). Returns
 * how many workers are there. */
uint32_t lb_primary_wait(struct lb_primary *primary, double seconds, const int *stop);
/* Offers the scene to all workers, those that join later included, in place of the last one. It must stay until the
 * next call; NULL takes the last one back. */
void lb_primary_offer(struct lb_primary *primary, const lb_scene *scene);
/* Sends all workers home, for at most half a second, and frees the primary. NULL: does nothing. */
void lb_primary_close(struct lb_primary *primary);

/* From now on, whenever a worker has the scene for which no processor was opened yet, the pass is ended for a renewal,
 * so that the worker can take part. NULL ends that. */
void lb_primary_watch(struct lb_primary *primary, struct lb_interrupt *interrupt);
/* Waits until there is such a worker, or `seconds` have gone by, or a signal is noted. */
void lb_primary_await_return(struct lb_primary *primary, double seconds,
                             const struct lb_interrupt *interrupt);

/* Opens the processor that stands for the worker in place `index`, below lb_primary_places(). Unless the worker is
 * wanted `at_once`, the call waits until it has the offered scene: for `patience` seconds after the offer, and longer
 * where nobody else could render meanwhile. A worker that gets no further with the scene for `due` seconds is lost.
 * LB_ERROR: nobody in that place has the scene; the message says why. */
enum lb_status lb_host_processor_open(struct lb_primary *primary, uint32_t index, bool at_once,
                                      struct lb_processor **processor, struct lb_error *error);

/* ---- asking a running primary ---- */

/* A host of a running primary. */
struct lb_listed_host {
    char name[64];
    bool here;                              /* a worker is in this place */
    bool ready;                             /* it has the scene that the primary offers */
    uint32_t processors;                    /* how many processors it has */
    const struct lb_remote_processor *told; /* the first `count` of them */
    uint32_t count;
    double round_trip_seconds; /* how long a message there and back takes; 0: that is not known */
};

/* The primary itself, followed by its places for workers, taken or not. */
struct lb_listing {
    struct lb_listed_host *hosts;
    uint32_t count;
};

struct lb_ask_options {
    const char *address; /* "tcp://HOST[:PORT]" */
    const char *key;     /* the file of the primary's key; NULL: it has none */
    double patience;     /* seconds in which the primary has to answer */
};

/* Asks a primary which hosts and processors it has. Nothing changes there. What comes is to be released by
 * lb_listing_free; after an error there is nothing to release. LB_ERROR_USAGE: the address is wrong. LB_ERROR: nobody
 * answers in time, or what answers is no primary of this version. */
enum lb_status lb_primary_ask(const struct lb_ask_options *options, struct lb_listing *listing,
                              struct lb_error *error);
void lb_listing_free(struct lb_listing *listing);

/* ---- a worker ---- */

struct lb_worker_options {
    const char *address;                   /* "tcp://HOST[:PORT]" */
    const char *key;                       /* the file of the primary's key; NULL: it has none */
    const char *name;                      /* this host's name, which messages and reports show */
    const struct lb_remote_processor *own; /* the CPU threads and devices that it renders with, */
    uint32_t processors;                   /* an array of so many */
    bool uncounted;    /* some of them fill no costs and count neither nodes nor groups, as GPUs */
    double silence;    /* seconds without a sign of life after which the primary is lost */
    double patience;   /* seconds in which the primary has to answer the first time */
    bool insecure;     /* without a key it may pass the scene on to other workers over any network, too */
    bool persists;     /* when the primary is lost, it waits `patience` seconds for another one */
    const char *store; /* the folder where it keeps scenes; NULL: it keeps none */
    const int *stop;   /* when this is not 0 any more, the worker leaves soon */
};

/* What a worker renders with. Its functions are called by any thread: open() never while another call runs, render() by
 * several at once. */
struct lb_worker_site {
    void *user;
    /* From now on ranges of `scene` are rendered, which stays until the next call. NULL: none will be, and the call
     * cannot fail. */
    enum lb_status (*open)(void *user, const lb_scene *scene, struct lb_error *error);
    /* Renders a work as a processor's render() does (core/processor.h), tells the listener of each piece that is
     * rendered, and adds to `did`, which has an element for each of the host's processors, what each of them did.
     * result->render_seconds is how long the host takes for such a work where it always has more in hand. After an
     * error this host can render no more. */
    enum lb_status (*render)(void *user, const struct lb_work *work, const struct lb_listener *listener,
                             struct lb_result *result, struct lb_remote_did *did, struct lb_error *error);
};

/* Works for the primary until that one sends it home or *stop is set, both of which are LB_OK. LB_ERROR_USAGE: the
 * address is wrong. LB_ERROR: the primary cannot be reached, refused this worker or was lost, or this host can render
 * no more. */
enum lb_status lb_worker_run(const struct lb_worker_options *options, const struct lb_worker_site *site,
                             const struct lb_log *log, struct lb_error *error);

/* ---- trust ---- */

/* Makes a key for a primary and its workers, in a new file that its owner alone can read. LB_ERROR: the file is there
 * already or cannot be written, or this libzmq has no encryption. */
enum lb_status lb_key_make(const char *path, struct lb_error *error);

#endif
