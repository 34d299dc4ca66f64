/* Which processors a run uses: --devices, --threads and --weights made into one list. */
#ifndef LB_CORE_PROCESSORS_DEVICES_H
#define LB_CORE_PROCESSORS_DEVICES_H

#include "core/processors/device_list.h"

/* Wrong texts and numbers of weights are usage errors; a GPU that is asked for and not there is LB_ERROR. Notes of more
 * CPU threads than CPUs go to `log`. */
enum lb_status lb_devices_parse(const struct lb_device_request *request, const struct lb_log *log,
                                struct lb_device_list *list, struct lb_error *error);
void lb_devices_free(struct lb_device_list *list);

#endif
