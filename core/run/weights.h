/* Weights that measure themselves: refined from pass to pass, kept from run to run. */
#ifndef LB_CORE_RUN_WEIGHTS_H
#define LB_CORE_RUN_WEIGHTS_H

#include "core/base/error.h"
#include "core/report/report.h"

/* From speeds measured in a pass (balance->processors) to the weights of the next: half of the way to what was
 * measured, and none where that is less than a fiftieth (Cycles' work balancer damps and ignores likewise); all of the
 * way at first, when `first`. Processors that did nothing keep theirs beside the others. `weights`: a processor each,
 * sum 1 afterwards. */
void lb_weights_refine(const struct lb_report_balance *balance, bool first, double *weights);

/* The file of measured speeds for a host and a scene: $XDG_CACHE_HOME/lbrender, or `home`/.cache/lbrender, and a
 * readable name with a checksum of the scene's real path. The caller's to free; NULL: there is no such folder to be
 * had, or no memory. */
char *lb_weights_file(const char *cache_home, const char *home, const char *scene);
/* Fills `speeds` (cost units a second) where the file holds one for every name, as one set; false where not. A file
 * that cannot be understood is a warning. */
bool lb_weights_read(const char *file, const char *const *names, uint32_t count, const struct lb_log *log,
                     double *speeds);
/* Makes the folders on the way. Failing is a note: a cache is not a result. */
void lb_weights_write(const char *file, const char *scene, const char *const *names, uint32_t count,
                      const double *speeds, const struct lb_log *log);

#endif
