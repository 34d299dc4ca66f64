/* Memory of many pages. */
#ifndef LB_CORE_BASE_PAGES_H
#define LB_CORE_BASE_PAGES_H

#include <stddef.h>

/* calloc(), whose memory the kernel is asked to hold in huge pages where there is much of it: each page of 4 KB that is
 * touched for the first time interrupts the program, and the pictures of a pass have thousands. For free(). */
void *lb_pages_calloc(size_t count, size_t size);
/* Gives the whole pages among these bytes back to the system. The memory stays the caller's; what was in it is lost. */
void lb_pages_forget(void *memory, size_t bytes);

#endif
