/* Numbers in text, rounded to nearest, whatever the process's locale. */
#ifndef LB_CORE_BASE_NUMBER_H
#define LB_CORE_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The decimal number that all of text[0 .. length) is: sign, digits with a point, exponent; also "nan", "inf" and
 * "infinity" in any case, and what is too large is infinite. False for anything else. */
bool lb_number_parse(const char *text, size_t length, double *number);

enum lb_number {
    LB_NUMBER_OK,
    LB_NUMBER_MALFORMED, /* not a number: also "nan", "inf", "1e" and what has more than 1023 characters */
    LB_NUMBER_TOO_LARGE, /* would be infinite, or fits no 32-bit integer */
};

/* As scene files have them: the same without the words, or an integer as 0x and hexadecimal digits. */
enum lb_number lb_number_float(const char *text, size_t length, float *value);
enum lb_number lb_number_double(const char *text, size_t length, double *value);
/* [+-] digits. */
enum lb_number lb_number_integer(const char *text, size_t length, int32_t *value);

/* As options have them: decimal and finite, else false, with *value as it was. */
bool lb_number_real(const char *text, size_t length, double *value);
/* Seconds: a number, or numbers with units from the largest to the smallest, as "90", "5m", "1h30m", "1.5h", "200ms":
 * d, h, m or min, s, ms. Each but the last is whole. */
bool lb_number_seconds(const char *text, size_t length, double *value);
/* A number, or one with a % behind it, which is a hundredth of it. */
bool lb_number_share(const char *text, size_t length, double *value);
/* [+-] digits, in low .. high. */
bool lb_number_whole(const char *text, size_t length, int64_t low, int64_t high, int64_t *value);
/* The same, or a number with a point or an exponent that is whole, as 1e3 or 1.5e6. */
bool lb_number_count(const char *text, size_t length, int64_t low, int64_t high, int64_t *value);

#endif
