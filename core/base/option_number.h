/* Numbers as users write them: all of the text or nothing. No hexadecimal, no "nan", no "inf", no blanks. */
#ifndef LB_CORE_BASE_OPTION_NUMBER_H
#define LB_CORE_BASE_OPTION_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first `length` characters of `text` as a finite number; false: they are not one, `*value` is untouched. */
bool lb_number_real(const char *text, size_t length, double *value);
/* A whole number in low .. high, digits and at most a sign. */
bool lb_number_whole(const char *text, size_t length, int64_t low, int64_t high, int64_t *value);

#endif
