/* What the parts of test/fake_cuda share. For them alone. */
#ifndef LB_TEST_FAKE_CUDA_STATE_H
#define LB_TEST_FAKE_CUDA_STATE_H

#include "device.h"

#include <pthread.h>

struct block {
    struct block *next;
    char *map; /* device: between two pages that nobody may touch */
    size_t mapped;
    char *pointer;
    size_t size;
    int device; /* -1: pinned host memory */
};

enum operation_kind { COPY, SET, KERNEL, EVENT };

struct operation {
    struct operation *next;
    enum operation_kind kind;
    void *to;
    const void *from;
    size_t size;
    int value;
    void (*body)(const void *argument);
    cudaEvent_t event;
    uint64_t record;
    char held[]; /* a kernel's argument, or what a copy staged */
};

struct fake_stream {
    int device;
    struct fake_stream *next;
    struct operation *first, **last;
};

struct fake_event {
    struct fake_event *next;
    int device;
    bool timed;
    cudaStream_t stream; /* recorded on */
    uint64_t recorded, reached;
    uint64_t asked; /* the record that somebody has asked for in vain */
    double time;
};

struct device {
    pthread_mutex_t lock; /* whose thread runs the streams */
    struct fake_stream zero, *streams;
    cudaError_t lost; /* sticky */
    bool hangs;
    double busy_until; /* of the monotonic clock: what is queued waits until then */
    size_t used;
};

struct fake {
    pthread_mutex_t lock; /* around blocks, calls and seen */
    struct fake_setup setup;
    struct device device[FAKE_MOST_DEVICES];
    struct block *blocks;
    struct fake_event *events;
    struct fake_seen seen;
    struct {
        const char *name;
        uint64_t count;
    } call[FAKE_MOST_CALLS];
    uint64_t matched; /* calls of setup.fail_call */
};
extern struct fake fake;

extern _Thread_local int fake_current; /* this thread's device */

/* Counts what hardware may punish at random. */
void fake_misuse(const char *what);
/* Counts streams and events. */
void fake_live(int change);
/* Remembers the error for cudaGetLastError, and returns it. */
cudaError_t fake_answer(cudaError_t error);
/* Counts a call on `device`; the failure that is due at it, or what the device has been lost with. */
cudaError_t fake_enter(const char *name, int device);
#define ENTER(device)                                                                                        \
    do {                                                                                                     \
        cudaError_t error_ = fake_enter(__func__, device);                                                   \
        if (error_ != cudaSuccess)                                                                           \
            return fake_answer(error_);                                                                      \
    } while (0)

/* Device memory answers only while work runs. */
void fake_allow(int device, int protection);
/* Whose allocation the bytes lie in: a device's number, -1 pinned, -2 neither. */
int fake_owner(const void *pointer, size_t size);
/* What was left on a device that hangs, as the end of a program would release it. */
void fake_drop_memory(void);
void fake_drop_streams(void);

/* Is anything queued on the device? */
bool fake_pending(int device);

#endif
