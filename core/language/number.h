/* Numbers as pbrt-v4 reads them, rounded to nearest, whatever the process's locale. */
#ifndef LB_CORE_LANGUAGE_NUMBER_H
#define LB_CORE_LANGUAGE_NUMBER_H

#include <locale.h>
#include <stddef.h>
#include <stdint.h>

enum lb_number {
    LB_NUMBER_OK,
    LB_NUMBER_MALFORMED, /* not a number: also "nan", "inf", "1e" and what has more than 1023 characters */
    LB_NUMBER_TOO_LARGE, /* would be infinite, or fits no 32-bit integer */
};

/* The whole of text[0, length): [+-] digits [. digits] [e [+-] digits], or [+-] 0x hexadecimal digits.
 * `c_locale` is a "C" locale from newlocale(); it serves the few numbers that the fast way can't round. Too
 * small numbers become zero. */
enum lb_number lb_number_float(const char *text, size_t length, locale_t c_locale, float *value);
enum lb_number lb_number_double(const char *text, size_t length, locale_t c_locale, double *value);

/* [+-] digits. */
enum lb_number lb_number_integer(const char *text, size_t length, int32_t *value);

#endif
