#include "core/processors/devices.h"

#include "core/processors/given_weights.h"
#include "core/processors/words.h"

#include <stdlib.h>

static void clear(struct lb_device_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        free(list->items[i].options);
    list->count = 0;
}

void lb_devices_free(struct lb_device_list *list)
{
    clear(list);
    free(list->items);
    list->items = NULL;
}

static uint32_t count_fed(const struct lb_device_list *list)
{
    uint32_t fed = 0;
    for (uint32_t i = 0; i < list->count; i++)
        fed += list->items[i].type->fed;
    return fed;
}

/* Reads --devices twice, since "cpu" means all threads but those that feed other processors of the list: the first
 * time, with as few CPU threads as can be, tells how many these are. */
static enum lb_status append_words(const struct lb_device_request *request, struct lb_device_list *list,
                                   struct lb_error *error)
{
    enum lb_status status = lb_words_append(request, request->cpus, list, error);
    if (status != LB_OK)
        return status;
    uint32_t fed = count_fed(list);
    clear(list);
    return lb_words_append(request, fed, list, error);
}

static enum lb_status append_threads(const struct lb_device_request *request, uint32_t threads,
                                     struct lb_device_list *list, struct lb_error *error)
{
    struct lb_device_group group;
    enum lb_status status = threads ? lb_group_begin(&group, &lb_cpu_type, error) : LB_OK;
    if (status != LB_OK || !threads)
        return status;
    group.number = threads;
    status = lb_group_append(&group, request, 0, list, error);
    lb_group_free(&group);
    return status;
}

/* Appends up to `most` processors of a type that takes part without being named. */
static enum lb_status append_default(const struct lb_device_request *request,
                                     const struct lb_processor_type *type, uint32_t most,
                                     struct lb_device_list *list, struct lb_error *error)
{
    struct lb_device_group group;
    char reason[256];
    uint32_t count = lb_devices_count(request, type, reason, sizeof reason);
    enum lb_status status = lb_group_begin(&group, type, error);
    if (status != LB_OK)
        return status;
    for (group.number = 0; group.number < count && group.number < most && status == LB_OK; group.number++)
        status = lb_group_append(&group, request, 0, list, error);
    lb_group_free(&group);
    return status;
}

/* Makes the list that holds without --devices: all processors that take part without being named, then CPU threads. */
static enum lb_status append_defaults(const struct lb_device_request *request, uint32_t weights,
                                      const struct lb_log *log, struct lb_device_list *list,
                                      struct lb_error *error)
{
    enum lb_status status = LB_OK;
    char reason[256];
    for (size_t i = 0; i < lb_processor_type_count && status == LB_OK; i++) {
        const struct lb_processor_type *type = lb_processor_types[i];
        if (!type->by_default)
            continue;
        if (request->unfit && type->kind == LB_PROCESSOR_GPU) {
            if (lb_devices_count(request, type, reason, sizeof reason))
                lb_log_write(log, LB_NEWS, "GPUs are left out: %s", request->unfit);
        } else if (!request->counted || type->counts_steps)
            status = append_default(request, type, weights ? weights - list->count : LB_MAX_PROCESSORS, list,
                                    error);
        else if (lb_devices_count(request, type, reason, sizeof reason))
            lb_log_write(log, LB_WARNING, "GPUs are left out: CPU threads alone measure what a pixel costs");
    }
    uint32_t fed = count_fed(list), cpus = request->cpus > fed ? request->cpus - fed : 0;
    uint32_t threads = list->count == 0 && cpus == 0 ? 1 : cpus; /* 0 only beside other processors */
    return status == LB_OK ? append_threads(request, weights ? weights - list->count : threads, list, error)
                           : status;
}

/* Appends the processors of this machine, as they were asked for. */
static enum lb_status choose_local(const struct lb_device_request *request, uint32_t weights,
                                   const struct lb_log *log, struct lb_device_list *list,
                                   struct lb_error *error)
{
    if (request->devices)
        return append_words(request, list, error);
    if (request->threads)
        return append_threads(request, request->threads, list, error);
    return append_defaults(request, weights, log, list, error);
}

/* Appends the hosts of --hosts, unless --devices has named hosts. The last of the weights are theirs. */
static enum lb_status choose(const struct lb_device_request *request, uint32_t weights,
                             const struct lb_log *log, struct lb_device_list *list, struct lb_error *error)
{
    uint32_t hosts = request->hosts;
    enum lb_status status =
        choose_local(request, weights > hosts ? weights - hosts : weights, log, list, error);
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].type == &lb_host_type)
            hosts = 0;
    struct lb_device_group group;
    if (status != LB_OK || hosts == 0)
        return status;
    status = lb_group_begin(&group, &lb_host_type, error);
    group.times = hosts;
    if (status == LB_OK)
        status = lb_group_append(&group, request, 0, list, error);
    lb_group_free(&group);
    return status;
}

/* Warns where more threads compute than there are CPUs. */
static void note_threads(const struct lb_device_request *request, const struct lb_device_list *list,
                         const struct lb_log *log)
{
    uint32_t threads = 0;
    for (uint32_t i = 0; i < list->count; i++)
        threads += list->items[i].type->on_thread;
    if (threads > request->cpus)
        lb_log_write(log, LB_WARNING, "%u CPU threads on %u CPUs: they will take turns", threads,
                     request->cpus);
}

enum lb_status lb_devices_parse(const struct lb_device_request *request, const struct lb_log *log,
                                struct lb_device_list *list, struct lb_error *error)
{
    double *weights = NULL;
    uint32_t weight_count = 0;
    list->count = 0;
    list->items = calloc(LB_MAX_PROCESSORS, sizeof *list->items);
    enum lb_status status = list->items ? LB_OK : lb_error_memory(error, NULL);
    if (status == LB_OK && request->weights)
        status = lb_weights_parse("--weights", request->weights, &weights, &weight_count, error);
    if (status == LB_OK)
        status = choose(request, weight_count, log, list, error);
    if (status == LB_OK && weight_count && weight_count != list->count)
        status =
            lb_error_set(error, LB_ERROR_USAGE, "%u weights for %u processors", weight_count, list->count);
    if (status == LB_OK) {
        for (uint32_t i = 0; i < list->count; i++)
            list->items[i].weight = weights ? weights[i] : 1.0 / list->count;
        note_threads(request, list, log);
    } else {
        lb_devices_free(list);
    }
    free(weights);
    return status;
}
