/* Rising numbers in a few letters, as options take them: "1..64" or, in powers, "1..1024*2". */
#ifndef LB_CORE_BASE_STEPS_H
#define LB_CORE_BASE_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lb_steps {
    int64_t first, last; /* first 0: there are none */
    int64_t factor;      /* each number is so many times the one before it; 1: one more than it */
};

/* Reads all of the `length` letters: A..B, or A..B*K with K from 2 to 1000; 1 <= A <= B <= `most`. False: they say
 * something else. */
bool lb_steps_parse(const char *text, size_t length, int64_t most, struct lb_steps *steps);
/* The number after `at`; 0: there is none. Of 0 the first. */
int64_t lb_steps_next(const struct lb_steps *steps, int64_t at);

#endif
