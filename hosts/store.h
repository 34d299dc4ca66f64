/* Scenes that a worker keeps on its disk, by the hash of their blocks, so that the next run or frame with the same one
 * need not send it again. */
#ifndef LB_HOSTS_STORE_H
#define LB_HOSTS_STORE_H

#include "hosts/message.h"

/* Reads the block of `size` bytes into `bytes`. False: it is not kept, or is not what its name says. */
bool lb_store_read(const char *folder, struct lb_scene_mark mark, void *bytes, size_t size);
/* Keeps it, and removes those that were not used for the longest time where all together are too large. What cannot be
 * kept is not. */
void lb_store_write(const char *folder, struct lb_scene_mark mark, const void *bytes, size_t size);

#endif
