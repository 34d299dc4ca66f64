/* Which processors a run uses: --devices, --threads and --weights made into one list. */
#ifndef LB_CORE_PROCESSORS_DEVICES_H
#define LB_CORE_PROCESSORS_DEVICES_H

#include "core/base/error.h"
#include "core/processors/type.h"

enum { LB_MAX_PROCESSORS = 4096 };

struct lb_device_list {
    struct lb_device *items; /* released by lb_devices_free */
    uint32_t count;
};

/* What was asked for, and what the machine has. */
struct lb_device_request {
    const char *devices; /* --devices, or NULL */
    uint32_t threads;    /* --threads, 0: not given */
    const char *weights; /* --weights, or NULL */
    uint32_t cpus;       /* that may be used (lb_cpus_find) */
    bool counted;        /* costs are to be measured: by processors that count steps alone, hence no GPU */
    /* How many of a type this machine has, and why none, in place of the type's own count(): for tests. NULL: that. */
    uint32_t (*count)(const struct lb_processor_type *type, char *reason, size_t size);
};

/* How many of a type that counts its own there are; when 0, `reason` says why. */
uint32_t lb_devices_count(const struct lb_device_request *request, const struct lb_processor_type *type,
                          char *reason, size_t size);
/* Wrong texts and numbers of weights are usage errors; a GPU that is asked for and not there is LB_ERROR. Notes of more
 * CPU threads than CPUs go to `log`. */
enum lb_status lb_devices_parse(const struct lb_device_request *request, const struct lb_log *log,
                                struct lb_device_list *list, struct lb_error *error);
/* "0.1,2,3.5": positive numbers, made to sum 1; *weights is the caller's to free, also after an error. */
enum lb_status lb_weights_parse(const char *text, double **weights, uint32_t *count, struct lb_error *error);
void lb_devices_free(struct lb_device_list *list);

#endif
