#include "cuda/cuda.h"

#include <stdio.h>

uint32_t lb_cuda_count(char *reason, size_t size)
{
    snprintf(reason, size, "this lbrender was built without CUDA");
    return 0;
}

void lb_cuda_describe(uint32_t index, char *text, size_t size)
{
    (void)index;
    snprintf(text, size, "no CUDA device");
}

bool lb_cuda_forewarn(uint32_t index, char *text, size_t size)
{
    (void)index, (void)text, (void)size;
    return false;
}

enum lb_status lb_cuda_processor_open(const lb_scene *scene, const struct lb_cuda_options *options,
                                      struct lb_processor **processor, struct lb_error *error)
{
    (void)scene, (void)processor;
    return lb_error_set(error, LB_ERROR, "no CUDA device %u: this lbrender was built without CUDA",
                        options->index);
}
