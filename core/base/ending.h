/* The endings of files' names. */
#ifndef LB_CORE_BASE_ENDING_H
#define LB_CORE_BASE_ENDING_H

#include <stdbool.h>

/* Does the name end so, as in ".png", in any case, with something before it? */
bool lb_ends_in(const char *name, const char *ending);

#endif
