/* What a part has and what it lacks, in a few figures and as text. */
#ifndef LB_CORE_PART_SUMMARY_H
#define LB_CORE_PART_SUMMARY_H

#include "core/part/part.h"

struct lb_part_summary {
    uint64_t pixels;           /* of the picture */
    uint64_t whole, begun;     /* pixels that have all samples; some */
    uint64_t samples, missing; /* of all pixels */
    uint32_t least, most;      /* samples of the pixels that have fewest and most */
    uint32_t x, y; /* the first pixel that lacks samples, and its first missing one; where any is missing */
    uint32_t sample;
};

void lb_part_summarise(const struct lb_part *part, struct lb_part_summary *summary);
/* "1200 of 4800 samples are missing: ..", a line without its end; "" where nothing is. */
void lb_part_missing(const struct lb_part_summary *summary, char *text, size_t size);

/* All of it, for --describe; `name` is the file's. The caller's to free; NULL: out of memory. */
char *lb_part_text(const char *name, const struct lb_part *part);
char *lb_part_json(const char *name, const struct lb_part *part);

#endif
