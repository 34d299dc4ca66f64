/* Scenes that a worker keeps on its disk, named by the hash of their blocks, so that the next frame or run that has the
 * same scene need not send it again. */
#ifndef LB_HOSTS_WORKER_STORE_H
#define LB_HOSTS_WORKER_STORE_H

#include "hosts/wire/message.h"

#include <stdatomic.h>

/* Reads the block of `size` bytes that `mark` names into `bytes`, and adds to *progress how many bytes it has read by
 * now, for other threads. False: the folder does not have the block, the file is not what its name says, or *stop,
 * which is looked at now and then, is not 0 any more. */
bool lb_store_read(const char *folder, struct lb_scene_mark mark, void *bytes, size_t size,
                   atomic_uint_least64_t *progress, const atomic_int *stop);
/* Keeps the block in the folder, which is made where it is missing. Of all scenes there, those that were used least
 * recently are removed so that all together have 4 GiB at most; what was begun and never finished counts as one of
 * them. A block that cannot be kept is not, without a word; nor is one during which *stop became true. */
void lb_store_write(const char *folder, struct lb_scene_mark mark, const void *bytes, size_t size,
                    const atomic_bool *stop);

#endif
