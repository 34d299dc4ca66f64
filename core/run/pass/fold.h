/* What samples are to the pixels around their own, put into these once a pass has ended: nine tenths of the pass's
 * memory go back then, and what comes after the pass need know nothing of it. */
#ifndef LB_CORE_RUN_PASS_FOLD_H
#define LB_CORE_RUN_PASS_FOLD_H

#include "core/run/pass/pass_job.h"

/* The channels that a pass has once it is folded. */
lb_channels lb_channels_folded(const lb_channels *channels);

/* Puts the result's pixels and sums, which are laid out along an order of whole pixels, into the picture's order, each
 * pixel with what the samples of those around are to it (lb_around_gather); the sums are those of lb_channels_folded()
 * then, NULL where these are none. It takes that many threads at most. An error is a lack of memory, after which the
 * result is as it was. */
enum lb_status lb_pass_fold(const lb_order *order, const lb_channels *channels, uint32_t threads,
                            struct lb_pass_result *result, struct lb_error *error);

#endif
