/* Numbers in text, independent of the locale. */
#ifndef LB_CORE_BASE_NUMBER_H
#define LB_CORE_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* The decimal number that all of text[0 .. length) is: sign, digits with a point, exponent; also "nan", "inf"
 * and "infinity" in any case, and what is too large is infinite. False for anything else. The nearest double.
 */
bool lb_number_parse(const char *text, size_t length, double *number);

#endif
