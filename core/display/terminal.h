/* Pictures in a terminal, while they are rendered. */
#ifndef LB_CORE_DISPLAY_TERMINAL_H
#define LB_CORE_DISPLAY_TERMINAL_H

#include "core/display/inline_picture.h"

#include <pthread.h>

/* In which form the terminal behind the file descriptor shows pictures; LB_INLINE_NONE: it is no terminal, or says of
 * none. kitty and its like are known by their environment; others are asked for what they can do, and have 0.3 s to
 * answer. */
enum lb_inline_form lb_terminal_form(int terminal);
/* Shows pictures there, smaller where they would not fit, while it holds `lock`, which whoever else writes there takes
 * too. NULL: out of memory. */
struct lb_viewer *lb_terminal_open(int terminal, enum lb_inline_form form, pthread_mutex_t *lock);

#endif
