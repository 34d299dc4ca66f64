/* How a worker gets the scene: from its disk, from another worker, or from the primary. */
#ifndef LB_HOSTS_WORKER_FETCH_H
#define LB_HOSTS_WORKER_FETCH_H

#include "hosts/worker/worker_state.h"

/* Takes a SCENE message: the primary offers another scene, or none any more. `size` bytes at `rest` are the address of
 * the worker that gives it. What is being rendered of the last scene is of no use any more. */
void lb_worker_take_scene(struct lb_worker *w, const struct lb_message *message, const void *rest,
                          size_t size);
/* The renderer has looked for the scene on the disk, and has read it or not. */
void lb_worker_looked(struct lb_worker *w, bool found);
/* Takes what the worker that gives the scene has said since the last call. Where it is silent, gives nothing, or says
 * what it should not, the primary gives the rest. */
void lb_worker_hear_source(struct lb_worker *w, double now);
/* Takes one message of that worker, which may be anything. */
void lb_worker_hear_other(struct lb_worker *w, const void *data, size_t size);
/* Takes a BYTES message of the primary, behind which are `size` bytes at `rest`. */
void lb_worker_take_bytes(struct lb_worker *w, const struct lb_message *message, const void *rest,
                          size_t size);
/* Tells the primary that ranges of the scene can be rendered from now on. */
void lb_worker_say_ready(struct lb_worker *w);
/* How many bytes of the scene were read from the disk or came over the network so far. */
uint64_t lb_worker_progress(struct lb_worker *w);
/* Frees the scene, which the renderer must not have any more. */
void lb_worker_forget_block(struct lb_worker *w);

#endif
