/* Work that may crash, hang or take all memory, as a foreign library does with a damaged file: it runs in a process of
 * its own, under limits, and all that comes back is messages and a status. */
#ifndef LB_CORE_MODEL_CHILD_H
#define LB_CORE_MODEL_CHILD_H

#include "core/base/error.h"

#include <stdint.h>

struct lb_child_limits {
    uint64_t bytes;    /* of address space; 0: as much as this process may have */
    uint32_t seconds;  /* of processor time; 0: no limit */
    uint32_t patience; /* seconds in all, of which others may have most; 0: no limit */
};

/* Runs in the child, whose standard streams lead nowhere. Its log and its error go to the parent. */
typedef enum lb_status lb_child_work(void *user, const struct lb_log *log, struct lb_error *error);

/* Runs `work` and waits for it. Messages begin with `name`: they say so if it crashed, or met a limit. To be called
 * while the program has one thread. */
enum lb_status lb_child_run(const char *name, const struct lb_child_limits *limits, lb_child_work *work,
                            void *user, const struct lb_log *log, struct lb_error *error);

/* Gives the signals that programs catch or ignore their defaults again. */
void lb_child_reset_signals(void);

#endif
