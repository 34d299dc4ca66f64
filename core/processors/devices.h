/* Which processors a run uses: --devices, --threads and --weights made into one list. */
#ifndef LB_CORE_PROCESSORS_DEVICES_H
#define LB_CORE_PROCESSORS_DEVICES_H

#include "core/base/error.h"
#include "core/strategy.h"

enum { LB_MAX_PROCESSORS = 4096 };

struct lb_device {
    enum lb_processor_kind kind;
    uint32_t index;    /* of its kind: CPU thread, CUDA device, null device */
    double weight;     /* as given, normalised to sum 1 over the list; equal without --weights */
    double null_speed; /* samples a second; 0: no limit */
    double null_fail;  /* probability that a range fails */
    bool null_wave;    /* it runs the GPU's pipeline on the host in place of the CPU's code */
    double slow;       /* CUDA: factor by which the host delays it; 1: none */
    double patience;   /* CUDA: seconds without an answer after which it is lost */
};

struct lb_device_list {
    struct lb_device *items; /* released by lb_devices_free */
    uint32_t count;
};

/* What was asked for, and what the machine has. */
struct lb_device_request {
    const char *devices;     /* --devices, or NULL */
    uint32_t threads;        /* --threads, 0: not given */
    const char *weights;     /* --weights, or NULL */
    uint32_t cpus;           /* that may be used (lb_cpus_find) */
    uint32_t cuda_count;     /* visible GPUs */
    const char *cuda_reason; /* why there are none */
    bool counted; /* costs are to be measured: by processors that count steps alone, hence no GPU */
};

/* Wrong texts and numbers of weights are usage errors; a GPU that is asked for and not there is LB_ERROR. Notes of more
 * CPU threads than CPUs go to `log`. */
enum lb_status lb_devices_parse(const struct lb_device_request *request, const struct lb_log *log,
                                struct lb_device_list *list, struct lb_error *error);
/* "0.1,2,3.5": positive numbers, made to sum 1; *weights is the caller's to free, also after an error. */
enum lb_status lb_weights_parse(const char *text, double **weights, uint32_t *count, struct lb_error *error);
void lb_devices_free(struct lb_device_list *list);

#endif
