/* Several hosts on one picture. The primary loads the scene, plans and assembles; workers join it over the network,
 * get the loaded scene, and render the ranges that the primary's scheduler hands to the host processors that stand
 * for them. Where there is no libzmq, none.c says so in place of all of this. */
#ifndef LB_HOSTS_HOSTS_H
#define LB_HOSTS_HOSTS_H

#include "core/base/error.h"
#include "core/processor.h"

#include <stdatomic.h>

/* ---- the primary ---- */

enum { LB_HOSTS_MOST = 1024, LB_HOSTS_PORT = 7878 };

struct lb_primary; /* the socket that workers join, and the thread that serves it */

struct lb_primary_options {
    const char *address; /* "tcp://ADDRESS[:PORT]"; ADDRESS * is all of this machine's */
    const char *key;     /* the file of the key that workers must hold, or NULL */
    bool insecure;       /* an address beyond the loopback may be served without a key */
    uint32_t hosts;      /* at most so many workers are let in, 1 .. LB_HOSTS_MOST */
    char name[64];       /* of this host, for who asks */
    const struct lb_remote_processor
        *own;            /* its own processors, for who asks; may go when the primary is open */
    uint32_t processors; /* so many */
    double silence;      /* seconds without a sign of life after which a worker is lost */
    double due;          /* seconds in which one that has work must deliver something of it */
};

/* Serves from now on, until it is closed. Errors: a wrong address (LB_ERROR_USAGE), or one that cannot be had. Workers
 * that are refused, come and go are told to `log`, which must outlive the primary. */
enum lb_status lb_primary_open(const struct lb_primary_options *options, const struct lb_log *log,
                               struct lb_primary **primary, struct lb_error *error);
/* Where it serves, as a worker on this machine would join it. */
const char *lb_primary_address(const struct lb_primary *primary);
/* Waits until the asked-for number of workers have joined, or `seconds` have gone by, or *stop; how many have. */
uint32_t lb_primary_wait(struct lb_primary *primary, double seconds, const int *stop);
/* The scene that workers are to have from now on; it must stay until the next one, or NULL. */
void lb_primary_offer(struct lb_primary *primary, const lb_scene *scene);
/* Sends all workers home. NULL: nothing. */
void lb_primary_close(struct lb_primary *primary);

/* From now on LB_RENEW is written to *stop, where that is 0, when a worker has the scene for which no processor was
 * opened yet. NULL: no longer. */
void lb_primary_watch(struct lb_primary *primary, atomic_int *stop);
/* Waits until there is such a worker, or `seconds` have gone by, or *stop. */
void lb_primary_await_return(struct lb_primary *primary, double seconds, const atomic_int *stop);

/* The processor that stands for the worker in place `index` of the primary's. Waits until that worker has the offered
 * scene, unless it is wanted `at_once`. An error: nobody who has it is in that place. */
enum lb_status lb_host_processor_open(struct lb_primary *primary, uint32_t index, bool at_once,
                                      struct lb_processor **processor, struct lb_error *error);

/* ---- who asks ---- */

/* A host of a running primary. */
struct lb_listed_host {
    char name[64];
    bool here, ready; /* somebody is there; and renders the scene that the primary offers */
    uint32_t processors;
    const struct lb_remote_processor *told; /* the first `count` of them */
    uint32_t count;
    double round_trip_seconds; /* of a message there and back; 0: not known */
};

struct lb_listing {
    struct lb_listed_host *hosts; /* the primary itself, then its places */
    uint32_t count;
};

struct lb_ask_options {
    const char *address; /* "tcp://HOST[:PORT]" */
    const char *key;     /* the file of the primary's key, or NULL: it has none */
    double patience;     /* seconds in which it has to answer */
};

/* Asks a primary for its processors, and changes nothing there. lb_listing_free() releases what came; after an error
 * that is nothing. */
enum lb_status lb_primary_ask(const struct lb_ask_options *options, struct lb_listing *listing,
                              struct lb_error *error);
void lb_listing_free(struct lb_listing *listing);

/* ---- a worker ---- */

struct lb_worker_options {
    const char *address;                   /* "tcp://HOST[:PORT]" */
    const char *key;                       /* the file of the primary's key, or NULL: it has none */
    const char *name;                      /* of this host, for messages */
    const struct lb_remote_processor *own; /* the CPU threads and devices that it brings, */
    uint32_t processors;                   /* so many */
    bool uncounted;    /* some of them fill no costs and count neither nodes nor groups, as GPUs */
    double silence;    /* seconds without a sign of life after which the primary is lost */
    double patience;   /* seconds in which the primary has to answer the first time */
    bool insecure;     /* other workers may get the scene from here without a key, over any network */
    bool persists;     /* when the primary is lost, so long for another one, too */
    const char *store; /* the folder where it keeps scenes; NULL: nowhere */
    const int *stop;   /* not 0: leave soon */
};

/* What a worker renders with. Both are called by any thread, never at once. */
struct lb_worker_site {
    void *user;
    /* From now on ranges of `scene` are rendered, which stays until the next call; NULL: there will be none, which
     * cannot fail. */
    enum lb_status (*open)(void *user, const lb_scene *scene, struct lb_error *error);
    /* As a processor's render() (core/processor.h), and tells the listener of what is rendered already, and of each of
     * the host's processors what it did. An error: this host can render no more. */
    enum lb_status (*render)(void *user, const struct lb_work *work, const struct lb_listener *listener,
                             struct lb_result *result, struct lb_remote_did *did, struct lb_error *error);
};

/* Works for the primary until that one sends it home (LB_OK), or *stop (LB_OK too), or is lost. */
enum lb_status lb_worker_run(const struct lb_worker_options *options, const struct lb_worker_site *site,
                             const struct lb_log *log, struct lb_error *error);

/* ---- trust ---- */

/* Makes a key for a primary and its workers, in a file that must not be there yet and that its owner alone can
 * read. */
enum lb_status lb_key_make(const char *path, struct lb_error *error);

#endif
