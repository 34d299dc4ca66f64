/* Letters of dots, for legends of maps: small letters, digits, and . , % + - */
#ifndef LB_CORE_MAPS_LETTERS_H
#define LB_CORE_MAPS_LETTERS_H

#include <stdbool.h>
#include <stdint.h>

enum { LB_LETTER_WIDTH = 5, LB_LETTER_HEIGHT = 7 };

/* Is the dot inked? 0 <= x < LB_LETTER_WIDTH, 0 <= y < LB_LETTER_HEIGHT, from the upper left. What is no such letter is
 * blank. */
bool lb_letter_dot(char letter, uint32_t x, uint32_t y);

#endif
