/* The list of processors while it is made: from defaults (devices.c) and from words (words.c). */
#ifndef LB_CORE_PROCESSORS_APPEND_H
#define LB_CORE_PROCESSORS_APPEND_H

#include "core/processors/devices.h"

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

/* Reads --devices (words.c). */
enum lb_status lb_words_append(const struct lb_device_request *request, uint32_t fed,
                               struct lb_device_list *list, struct lb_error *error);

#endif
