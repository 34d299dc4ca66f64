/* How a test sets the played devices of test/fake_cuda up and what they saw. The program that is linked with them reads
 * the same from the environment: FAKE_CUDA="devices=2 memory=64000000 driver=13000 ptx=0 lazy=1 turn=0.1
 * guard=1 fail=cudaMalloc:3:2:0",
 * and writes what they saw to the file that FAKE_CUDA_LOG names. */
#ifndef LB_TEST_FAKE_CUDA_DEVICE_H
#define LB_TEST_FAKE_CUDA_DEVICE_H

#include "cuda_runtime.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FAKE_MOST_DEVICES = 4, FAKE_MOST_CALLS = 64 };

enum { FAKE_HANGS = -1 }; /* of "kernel": it never ends */

struct fake_setup {
    int devices;
    size_t memory; /* bytes a device */
    int driver;    /* as cudaDriverGetVersion has it: 13000; 0: there is none */
    bool ptx;      /* there is PTX alone, which a driver would compile */
    bool lazy;     /* a stream works only when somebody waits for it; else at once */
    bool open;     /* the host may touch a device's memory: guarding much of it takes most of the time */
    const char
        *fail_call;   /* this function, or "kernel" for one that fails while it runs; NULL: none fails .. */
    uint64_t fail_at; /* .. at this call of it, from 1 */
    int fail_code;    /* or FAKE_HANGS */
    double turn;      /* seconds that the device takes for a kernel that traces rays; others take none */
    int fail_device;  /* calls on this device count alone; -1: on any */
};
/* Before the first call and between uses; all that was allocated must have been released. */
void fake_cuda_set(const struct fake_setup *setup);

struct fake_seen {
    uint64_t live;   /* allocations, streams and events that are not released */
    uint64_t misuse; /* calls that hardware may answer with a wrong picture; the first is in `what` */
    char what[160];
    bool failed; /* the failure that was asked for has happened */
    bool hangs;  /* it was a kernel that never ends: what the device holds cannot be released */
};
void fake_cuda_seen(struct fake_seen *seen);
/* Name of the n-th function that was called, and how often; NULL: no more. */
const char *fake_cuda_calls(size_t n, uint64_t *count);

bool fake_cuda_ptx(void); /* as set up */

/* Said by a kernel's body: it keeps the device busy for as long as was set up, and what is queued behind it waits. */
void fake_cuda_take_turn(void);

/* Queues body(argument) on a stream, as a kernel's launch does: `size` bytes of argument are copied. */
void fake_cuda_launch(cudaStream_t stream, void (*body)(const void *argument), const void *argument,
                      size_t size);

#ifdef __cplusplus
}
#endif

#endif
