/* What a part has and what it lacks, in a few figures and as text. */
#ifndef LB_CORE_PART_SUMMARY_H
#define LB_CORE_PART_SUMMARY_H

#include "core/part/part.h"

struct lb_part_summary {
    uint64_t pixels;           /* of the picture */
    uint64_t whole, begun;     /* pixels that have all samples; some */
    uint64_t samples, missing; /* of all pixels */
    bool undecided;       /* it ends by its noise, which its samples have not reached, or nobody looked */
    uint32_t least, most; /* samples of the pixels that have fewest and most */
    uint32_t x, y; /* the first pixel that lacks samples, and its first missing one; where any is missing */
    uint32_t sample;
    uint64_t *having; /* pixels that have each of the part's sets of samples */
};

/* Of no pixel yet of that picture, whose sets are there: as many pixels as it has are to be added in order. */
enum lb_status lb_part_summary_open(struct lb_part_summary *summary, const struct lb_part *part,
                                    struct lb_error *error);
/* Adds the next `count` pixels, which all have that set. */
void lb_part_summary_add(struct lb_part_summary *summary, const struct lb_part *part, uint32_t set,
                         uint64_t count);
/* Freeing twice, or freeing a zeroed struct, does nothing. */
void lb_part_summary_free(struct lb_part_summary *summary);
/* All pixels of a part. */
enum lb_status lb_part_summarise(const struct lb_part *part, struct lb_part_summary *summary,
                                 struct lb_error *error);
/* "1200 of 4800 samples are missing: ..", a line without its end; "" where nothing is. */
void lb_part_missing(const struct lb_part_summary *summary, char *text, size_t size);

/* All of it, for --describe; `name` is the file's, and the part's pixels are not asked. The caller's to free; NULL: out
 * of memory. */
char *lb_part_text(const char *name, const struct lb_part *part, const struct lb_part_summary *summary);
char *lb_part_json(const char *name, const struct lb_part *part, const struct lb_part_summary *summary);

#endif
