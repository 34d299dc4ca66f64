/* Parts in files, as lbrender-part(5) describes them. */
#ifndef LB_CORE_PART_PART_FILE_H
#define LB_CORE_PART_PART_FILE_H

#include "core/part/part.h"
#include "core/part/summary.h"

/* Appears at `path` whole, by rename, or not at all; `*bytes` is how large it is, where that is not NULL. */
enum lb_status lb_part_write(const char *path, const struct lb_part *part, uint64_t *bytes,
                             struct lb_error *error);

/* More pixels than any picture has. */
#define LB_PART_MOST_PIXELS ((uint64_t)1 << 32)

/* Messages begin with `path`, or `name`. A picture of more than `most` pixels is an error, before there is memory for
 * it. */
enum lb_status lb_part_read(const char *path, struct lb_part *part, struct lb_error *error);
enum lb_status lb_part_parse(const char *name, const uint8_t *data, size_t size, uint64_t most,
                             struct lb_part *part, struct lb_error *error);
/* Reads all of a file as lb_part_read() does, and keeps of it what the part is of, its sets of samples and how many
 * pixels have each; its pixels take no memory. Both are the caller's to free, also on errors. */
enum lb_status lb_part_survey(const char *path, struct lb_part *part, struct lb_part_summary *summary,
                              struct lb_error *error);

/* From how many paths the guide of the part's picture has learned (lb_scene.guide), 0 for none; of the file nothing but
 * its header is read. False: there is no such file, or it is damaged, of which lb_part_read() tells more. */
bool lb_part_guided(const char *path, uint32_t *paths);

#endif
