#include "core/simulate/simulate_marks.h"

#include <stdlib.h>
#include <string.h>

bool lb_sim_marks_room(struct lb_sim_marks *marks, uint64_t positions)
{
    size_t before = marks->capacity;
    uint64_t *words = lb_grow(marks->words, &marks->capacity, (size_t)(positions / 64 + 1), sizeof *words);
    if (words == NULL)
        return false;
    memset(words + before, 0, (marks->capacity - before) * sizeof *words);
    marks->words = words;
    return true;
}

bool lb_sim_marks_set(struct lb_sim_marks *marks, struct lb_range range)
{
    uint64_t at = range.begin;
    while (at < range.end) {
        uint64_t low = at & 63, count = 64 - low < range.end - at ? 64 - low : range.end - at;
        uint64_t bits = (count == 64 ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1) << low;
        if ((marks->words[at >> 6] & bits) != 0)
            return false;
        marks->words[at >> 6] |= bits;
        at += count;
    }
    return true;
}

void lb_sim_marks_clear(struct lb_sim_marks *marks)
{
    if (marks->capacity > 0)
        memset(marks->words, 0, marks->capacity * sizeof *marks->words);
}

void lb_sim_marks_free(struct lb_sim_marks *marks)
{
    free(marks->words);
    *marks = (struct lb_sim_marks){0};
}
