/* Text that came from outside (names of files, members of JSON files, options) as it may be shown: no character of
 * it moves a cursor, rings, recolours, breaks a line or turns the reading direction around. */
#ifndef LB_CORE_BASE_PRINTABLE_H
#define LB_CORE_BASE_PRINTABLE_H

#include "core/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest that a character is shown, "\U000E0001", with a 0 at its end. */
enum { LB_SHOWN_MOST = 12 };

/* The character that begins at text[0] and the `*size` bytes (1 .. 4) that it takes; false, and 1, where they are
 * not UTF-8: overlong, a surrogate, beyond U+10FFFF or cut off at `length`, which is at least 1. */
bool lb_utf8_decode(const char *text, size_t length, uint32_t *character, size_t *size);
/* Is it a control character (C0, DEL, C1), a line or paragraph separator, or one that is invisible or steers the
 * direction of writing? */
bool lb_character_controls(uint32_t character);

/* Writes what begins at text[0] as it may be shown, with a 0 at its end, and returns the bytes that it takes:
 * letters of any script as they are; a control character of ASCII as \n, \r, \t or \x1B; a byte that is not UTF-8
 * as \xE9, too; any other character that controls as \u202E. */
size_t lb_printable_next(const char *text, size_t length, char shown[LB_SHOWN_MOST]);
/* Adds the first `most` characters of `name` (SIZE_MAX: all) as they may be shown. */
void lb_text_add_printable(struct lb_text *text, const char *name, size_t most);
/* A text with its control characters, in which only bytes that are not UTF-8 are shown as \xE9: for formats that
 * have escapes of their own, as JSON. The caller's to free; NULL: out of memory. */
char *lb_utf8_text(const char *text);

#endif
