#include "core/processors/type.h"

const struct lb_processor_type *const lb_processor_types[] = {
    &lb_cpu_type, &lb_cuda_type, &lb_null_type, &lb_wave_type, &lb_host_type,
};
const size_t lb_processor_type_count = sizeof lb_processor_types / sizeof *lb_processor_types;

const struct lb_processor_type *lb_processor_type_find(struct lb_slice name)
{
    for (size_t i = 0; i < lb_processor_type_count; i++)
        if (lb_slice_is(name, lb_processor_types[i]->name))
            return lb_processor_types[i];
    return NULL;
}

uint32_t lb_processor_type_number(const struct lb_processor_type *type)
{
    uint32_t number = 0;
    while (lb_processor_types[number] != type)
        number++;
    return number;
}
