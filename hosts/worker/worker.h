/* A worker's side of the conversation with the primary. */
#ifndef LB_HOSTS_WORKER_WORKER_H
#define LB_HOSTS_WORKER_WORKER_H

#include "hosts/worker/worker_state.h"

/* Takes what the primary said, which may be anything. */
void lb_worker_hear(struct lb_worker *w, const void *data, size_t size);

#endif
