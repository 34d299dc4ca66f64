/* A GPU as a processor, for the files that open it (open.cc), render on it (processor.cc) and measure it
 * (measure.cc). */
#ifndef LB_CUDA_PROCESSOR_H
#define LB_CUDA_PROCESSOR_H

extern "C" {
#include "cuda/cuda.h"
}
#include "cuda/lane.h"
#include "cuda/try.h"

enum {
    /* Batches in flight. While the last paths of one end and its pixels come back, the other keeps the device busy. */
    LB_CUDA_LANES = 2,
};

/* Memory of the device that grows as more is needed. */
struct lb_cuda_buffer {
    void *data;
    size_t room; /* bytes */
};

struct lb_cuda_processor {
    struct lb_processor base;
    const lb_scene *host_scene;
    struct lb_cuda_options options;
    int device, blocks;
    int lanes;                                  /* how many of them are used */
    cudaEvent_t zero;                           /* when measuring began, or NULL */
    void *scene, *tree;                         /* the device's copies of both */
    struct lb_cuda_buffer rectangles, left_out; /* what belongs to the order in hand */
    struct lb_lane lane[LB_CUDA_LANES];
};

/* How such a processor renders and is closed. */
extern const struct lb_processor_table lb_cuda_processor_table;

/* Makes a message of a CUDA error. The runtime keeps an error until somebody asks for it, and would report it for the
 * next launch of another GPU in this thread: hence the question here. `what`: what the call was to do. */
enum lb_status lb_cuda_fail(const struct lb_cuda_processor *own, const char *what, cudaError_t status,
                            struct lb_error *error);

#endif
