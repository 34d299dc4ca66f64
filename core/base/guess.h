/* Guesses which known word was meant by a wrong one, for the end of a message. */
#ifndef LB_CORE_BASE_GUESS_H
#define LB_CORE_BASE_GUESS_H

#include "core/base/names.h"

#include <stddef.h>

enum {
    LB_GUESS_LONGEST = 48
}; /* bytes of the longest word that is compared; nothing is guessed for longer ones */

struct lb_guess {
    char text[LB_GUESS_LONGEST +
              24];               /* `; did you mean "sphere"?`, or "" where no word tried is near enough */
    const char *wrong;           /* the word, which must stay */
    char word[LB_GUESS_LONGEST]; /* the same in small letters */
    size_t length;
    unsigned distance; /* of the best so far */
};

/* Begins with the wrong word. Then lb_guess_try() is called with each known word. */
void lb_guess_start(struct lb_guess *guess, const char *word, size_t length);
/* Letters left out, put in, exchanged or swapped with their neighbour count 1, capital or small is the same. Of
 * words as near the first counts. The wrong word itself, which a table may hold, is no guess. */
void lb_guess_try(struct lb_guess *guess, const char *known);
/* `rows` are `count` of `size` bytes, each of which begins with a pointer to a word. */
void lb_guess_try_rows(struct lb_guess *guess, const void *rows, size_t count, size_t size);
/* All of the table, where there are not too many. */
void lb_guess_try_names(struct lb_guess *guess, const struct lb_names *names);

#endif
