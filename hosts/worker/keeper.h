/* Keeps a worker's scene on its disk in a thread of its own, as nobody who waits for pixels should wait for a slow
 * disk. */
#ifndef LB_HOSTS_WORKER_KEEPER_H
#define LB_HOSTS_WORKER_KEEPER_H

#include "hosts/wire/message.h"

#include <pthread.h>
#include <stdatomic.h>

struct lb_keeper {
    bool running;      /* there is a thread, */
    pthread_t thread;  /* which is this one */
    atomic_bool stop;  /* the thread is to end soon */
    atomic_bool ended; /* it has */
    const char *folder;
    struct lb_scene_mark mark;
    const void *bytes;
    size_t size;
};

/* Begins to keep a block in the folder. Both must stay until lb_keeper_stop. What was begun before is given up, unless
 * it was done. Where the system gives no thread, the block is not kept. */
void lb_keeper_begin(struct lb_keeper *keeper, const char *folder, struct lb_scene_mark mark,
                     const void *bytes, size_t size);
/* Waits until the block is kept, or *stop is not 0 any more. */
void lb_keeper_await(struct lb_keeper *keeper, const int *stop);
/* Ends soon, whether the block is kept or not. */
void lb_keeper_stop(struct lb_keeper *keeper);

#endif
