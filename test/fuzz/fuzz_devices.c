/* --devices and --weights from any bytes: parsed or refused, and what is parsed makes sense. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/processors/devices.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t gpus;

static uint32_t count_gpus(const struct lb_processor_type *type, char *reason, size_t room)
{
    (void)type, (void)room;
    *reason = 0;
    return gpus;
}

/* The first byte: how many GPUs there are, and which option the rest is. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > 4096)
        return 0;
    char *text = malloc(size);
    if (!text)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    struct lb_device_request request = {.cpus = 4, .count = count_gpus};
    gpus = data[0] & 3;
    if (data[0] & 4)
        request.weights = text;
    else
        request.devices = text;
    struct lb_device_list list;
    struct lb_error error;
    if (lb_devices_parse(&request, NULL, &list, &error) == LB_OK) {
        double sum = 0;
        for (uint32_t i = 0; i < list.count; i++)
            sum += list.items[i].weight;
        if (list.count == 0 || list.count > LB_MAX_PROCESSORS || fabs(sum - 1) > 1e-9)
            abort();
        lb_devices_free(&list);
    }
    free(text);
    return 0;
}
