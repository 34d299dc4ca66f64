#include "core/processors/device_list.h"

#include <stdlib.h>
#include <string.h>

uint32_t lb_devices_count(const struct lb_device_request *request, const struct lb_processor_type *type,
                          char *reason, size_t size)
{
    return request->count ? request->count(type, reason, size) : type->count(reason, size);
}

/* A copy of a type's options. NULL: out of memory, or it has none. */
static void *copy_options(const struct lb_processor_type *type, const void *options)
{
    void *copy = type->options_size ? calloc(1, type->options_size) : NULL;
    if (copy && options)
        memcpy(copy, options, type->options_size);
    return copy;
}

enum lb_status lb_group_begin(struct lb_device_group *group, const struct lb_processor_type *type,
                              struct lb_error *error)
{
    *group = (struct lb_device_group){.device = {.type = type,
                                                 .kind = type->kind,
                                                 .counts_steps = type->counts_steps,
                                                 .options = copy_options(type, type->options)},
                                      .number = -1,
                                      .times = 1};
    return type->options_size && !group->device.options ? lb_error_memory(error, NULL) : LB_OK;
}

void lb_group_free(struct lb_device_group *group)
{
    free(group->device.options);
    group->device.options = NULL;
}

/* Appends a copy of `device`; its index counts on within its type unless its type's processors have numbers of their
 * own. */
static enum lb_status append(struct lb_device_list *list, struct lb_device device, struct lb_error *error)
{
    const struct lb_processor_type *type = device.type;
    if (list->count >= LB_MAX_PROCESSORS)
        return lb_error_set(error, LB_ERROR_USAGE, "more than %d processors", LB_MAX_PROCESSORS);
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i].type != type)
            continue;
        if (type->number != LB_NUMBER_INDEX)
            device.index = list->items[i].index + 1;
        else if (list->items[i].index == device.index)
            return lb_error_set(error, LB_ERROR_USAGE, "--devices: %s:%u is named twice", type->name,
                                device.index);
    }
    device.options = copy_options(type, device.options);
    if (type->options_size && !device.options)
        return lb_error_memory(error, NULL);
    list->items[list->count++] = device;
    return LB_OK;
}

/* CPU threads that are left when each of `fed` processors has one that feeds it. */
static uint32_t free_cpus(const struct lb_device_request *request, uint32_t fed)
{
    if (request->threads)
        return request->threads;
    return request->cpus > fed ? request->cpus - fed : 1;
}

/* Appends processors of a type that numbers its own: the one that was named, or all that there are. */
static enum lb_status append_found(const struct lb_device_group *group,
                                   const struct lb_device_request *request, struct lb_device_list *list,
                                   struct lb_error *error)
{
    struct lb_device device = group->device;
    char reason[256] = "";
    uint32_t found = lb_devices_count(request, device.type, reason, sizeof reason);
    if (found == 0)
        return lb_error_set(error, LB_ERROR, "no %s: %s", device.type->title, reason);
    if (group->number >= (int64_t)found)
        return lb_error_set(error, LB_ERROR, "no %s %d: %u visible, counted from 0", device.type->title,
                            (int)group->number, found);
    enum lb_status status = LB_OK;
    device.index = group->number < 0 ? 0 : (uint32_t)group->number;
    uint32_t end = group->number < 0 ? found : device.index + 1;
    for (; device.index < end && status == LB_OK; device.index++)
        status = append(list, device, error);
    return status;
}

enum lb_status lb_group_append(const struct lb_device_group *group, const struct lb_device_request *request,
                               uint32_t fed, struct lb_device_list *list, struct lb_error *error)
{
    enum lb_status status = LB_OK;
    int64_t count = group->times;
    if (group->device.type->number == LB_NUMBER_INDEX)
        return append_found(group, request, list, error);
    if (group->device.type->number == LB_NUMBER_COUNT)
        count *= group->number < 0 ? free_cpus(request, fed) : group->number;
    for (int64_t i = 0; i < count && status == LB_OK; i++)
        status = append(list, group->device, error);
    return status;
}
