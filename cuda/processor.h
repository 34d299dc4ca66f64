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

/* A work in hand. Its batches are started in order, on whichever lane is idle, and end in any order. */
struct lb_cuda_work {
    struct lb_work work;
    struct lb_result result;
    uint64_t next;  /* the position that the next batch begins with */
    uint64_t left;  /* positions that are not delivered */
    double seconds; /* that the device was busy with it, as far as they are reckoned up */
};

/* The works in hand, first in, first out. */
struct lb_cuda_works {
    struct lb_cuda_work ring[LB_PIECES_IN_HAND];
    uint32_t first, count;
    const lb_order *order; /* that the lanes have; NULL: it is to be placed before the next batch */
    double since;          /* lb_cuda_now() up to which the device's time is reckoned up, */
    uint64_t reckoned[LB_CUDA_LANES]; /* and how much each lane had done of its batch by then */
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
    int stepped;                     /* the lane that has made the last step */
    uint32_t work_of[LB_CUDA_LANES]; /* the place in the ring of the work that a lane's batch is of */
    struct lb_cuda_works works;
};

/* How such a processor renders and is closed: one that is given works ahead, and one that is delayed. */
extern const struct lb_processor_table lb_cuda_processor_table, lb_cuda_slow_table;

/* Puts a work behind those in hand, of which there are fewer than LB_PIECES_IN_HAND. What it and its result point at
 * must stay until it has ended. */
void lb_cuda_works_begin(struct lb_cuda_processor *own, const struct lb_work *work,
                         const struct lb_result *result);
/* Has the first work ended? */
bool lb_cuda_works_ended(const struct lb_cuda_processor *own);
/* Has all that is in hand been started, and comes to its end? Asked sooner, a strategy would know less of how fast the
 * device is, and give smaller ranges. */
bool lb_cuda_works_drain(struct lb_cuda_processor *own);
/* Goes one step on: starts batches on lanes that are idle, sleeps until a lane has come to what it waits for, and
 * delivers. cudaErrorNotReady: the device hangs. */
cudaError_t lb_cuda_works_step(struct lb_cuda_processor *own);
/* Ends all works in hand early, as stopped. cudaErrorNotReady: as above. */
cudaError_t lb_cuda_works_stop(struct lb_cuda_processor *own);
/* Takes the first work, which has ended, and tells for how long the device was busy with it. */
struct lb_result lb_cuda_works_take(struct lb_cuda_processor *own);

/* Makes a message of a CUDA error. The runtime keeps an error until somebody asks for it, and would report it for the
 * next launch of another GPU in this thread: hence the question here. `what`: what the call was to do. */
enum lb_status lb_cuda_fail(const struct lb_cuda_processor *own, const char *what, cudaError_t status,
                            struct lb_error *error);

#endif
