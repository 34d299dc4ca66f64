/* Text that grows in memory. */
#ifndef LB_CORE_BASE_TEXT_H
#define LB_CORE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A zeroed struct is an empty text. */
struct lb_text {
    char *data; /* with a 0 at its end; the owner's to free */
    size_t length, capacity;
    bool failed; /* there was no memory for some of it: the text is not whole */
};

void lb_text_add(struct lb_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The text, the caller's to free; NULL when it is not whole. `text` is empty afterwards. */
char *lb_text_take(struct lb_text *text);

/* Is it white space of the C locale: a blank, \t, \n, \v, \f or \r? */
static inline bool lb_is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

#endif
