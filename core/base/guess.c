#include "core/base/guess.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAMES = 10000 };

void lb_guess_start(struct lb_guess *guess, const char *word, size_t length)
{
    /* How many changes may lie between a word of this length and one that was meant. */
    static const unsigned char near[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    guess->text[0] = 0;
    guess->wrong = word;
    guess->length = length < LB_GUESS_LONGEST ? length : 0;
    for (size_t i = 0; i < guess->length; i++)
        guess->word[i] = (char)tolower((unsigned char)word[i]);
    guess->distance = (guess->length < sizeof near ? near[guess->length] : 3) + 1;
}

/* Damerau and Levenshtein's distance, where no part is changed twice: rows of the table of distances between the
 * beginnings of both words. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][LB_GUESS_LONGEST + 1];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];
    for (unsigned j = 0; j <= b_length; j++)
        last[j] = j;
    for (unsigned i = 1; i <= a_length; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned least = last[j - 1] + (a[i - 1] != b[j - 1]);
            least = last[j] + 1 < least ? last[j] + 1 : least;
            least = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < least)
                least = before[j - 2] + 1;
            row[j] = least;
        }
        unsigned *spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[b_length];
}

void lb_guess_try(struct lb_guess *guess, const char *known)
{
    char word[LB_GUESS_LONGEST];
    size_t length = strlen(known);
    if (guess->length == 0 || length == 0 || length >= LB_GUESS_LONGEST ||
        (length == guess->length && memcmp(known, guess->wrong, length) == 0) ||
        length + guess->distance <= guess->length || guess->length + guess->distance <= length)
        return;
    for (size_t i = 0; i < length; i++)
        word[i] = (char)tolower((unsigned char)known[i]);
    unsigned found = distance(guess->word, guess->length, word, length);
    if (found >= guess->distance)
        return;
    guess->distance = found;
    snprintf(guess->text, sizeof guess->text, "; did you mean \"%s\"?", known);
}

void lb_guess_try_rows(struct lb_guess *guess, const void *rows, size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        const char *word;
        memcpy(&word, (const char *)rows + i * size, sizeof word);
        lb_guess_try(guess, word);
    }
}

void lb_guess_try_names(struct lb_guess *guess, const struct lb_names *names)
{
    for (size_t i = 0; i < names->capacity && names->count <= MOST_NAMES; i++)
        if (names->slots[i].text && names->slots[i].index != UINT32_MAX)
            lb_guess_try(guess, names->slots[i].text);
}
