/* The jobs of a worker: how they are taken, and how what comes of them is sent while they are rendered. */
#ifndef LB_HOSTS_WORKER_LABOUR_H
#define LB_HOSTS_WORKER_LABOUR_H

#include "hosts/worker/worker_state.h"

/* Takes a JOB message, which has `size` bytes at `data` in all. */
void lb_worker_take_job(struct lb_worker *w, const struct lb_message *message, const void *data, size_t size);
/* Sends what the renderer has rendered by now, and ends its tasks that are done. */
void lb_worker_deliver(struct lb_worker *w);

#endif
