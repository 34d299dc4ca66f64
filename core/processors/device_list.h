/* The list of processors while it is made: what was asked for, and groups of processors that are appended. */
#ifndef LB_CORE_PROCESSORS_DEVICE_LIST_H
#define LB_CORE_PROCESSORS_DEVICE_LIST_H

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
    uint32_t hosts;      /* --hosts: that take part besides, where `devices` names none; 0: none do */
    uint32_t cpus;       /* that may be used (lb_cpus_find) */
    bool counted;        /* costs are to be measured: by processors that count steps alone, hence no GPU */
    /* Why GPUs cannot do the work, after "GPUs are left out: "; NULL: they can. It is a note where no option names
     * processors; GPUs that are named are refused when they are opened. */
    const char *unfit;
    /* How many of a type this machine has, and why none, in place of the type's own count(): for tests. NULL: that. */
    uint32_t (*count)(const struct lb_processor_type *type, char *reason, size_t size);
};

/* How many of a type that counts its own there are; when 0, `reason` says why. */
uint32_t lb_devices_count(const struct lb_device_request *request, const struct lb_processor_type *type,
                          char *reason, size_t size);

/* One kind of the list: some processors that are alike but for their index. */
struct lb_device_group {
    struct lb_device device; /* its options are the group's own */
    int64_t number;          /* as written behind the colon; -1: none is */
    int64_t times;           /* "N*" before the kind; 1: none is */
};

/* A group of `type` with its defaults. LB_ERROR_MEMORY: nothing is to be released. */
enum lb_status lb_group_begin(struct lb_device_group *group, const struct lb_processor_type *type,
                              struct lb_error *error);
void lb_group_free(struct lb_device_group *group);
/* Appends all processors of `group`. `fed`: how many processors of the whole list keep a CPU thread busy. Errors: too
 * many, one of them twice, or one that is not there. */
enum lb_status lb_group_append(const struct lb_device_group *group, const struct lb_device_request *request,
                               uint32_t fed, struct lb_device_list *list, struct lb_error *error);

#endif
