/* The text of --devices. */
#ifndef LB_CORE_PROCESSORS_WORDS_H
#define LB_CORE_PROCESSORS_WORDS_H

#include "core/processors/device_list.h"

/* Appends the processors that request->devices names. `fed`: how many processors of the whole list keep a CPU thread
 * busy, which "cpu" leaves out. Errors name the word at fault. */
enum lb_status lb_words_append(const struct lb_device_request *request, uint32_t fed,
                               struct lb_device_list *list, struct lb_error *error);

#endif
