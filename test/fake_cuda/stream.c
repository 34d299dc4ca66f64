/* Streams and events of the played devices: work is queued, and is done when somebody waits for it, as late as CUDA
 * allows, or at once. */
#include "state.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

bool fake_pending(int device)
{
    bool pending = fake.device[device].zero.first != NULL;
    for (const struct fake_stream *s = fake.device[device].streams; s; s = s->next)
        pending = pending || s->first;
    return pending;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Did the kernel that ran last trace rays? */
static _Thread_local bool took_turn;

void fake_cuda_take_turn(void)
{
    took_turn = true;
}

/* A kernel, or what became of it: it may fail, or never end. */
static void run_kernel(struct device *d, int device, const struct operation *o)
{
    cudaError_t error = fake_enter("kernel", device);
    if (error == cudaSuccess) {
        took_turn = false;
        o->body(o->held);
        if (took_turn && fake.setup.turn > 0)
            d->busy_until = now() + fake.setup.turn;
    } else if ((int)error == FAKE_HANGS) {
        d->hangs = fake.seen.hangs = true;
    } else if (d->lost == cudaSuccess) {
        d->lost = cudaErrorLaunchFailure;
    }
}

static void perform(struct device *d, int device, struct operation *o)
{
    if (o->kind == EVENT) {
        o->event->reached = o->record;
        o->event->time = now();
    } else if (d->lost == cudaSuccess) {
        if (o->kind == COPY) {
            memcpy(o->to, o->from ? o->from : o->held, o->size);
        } else if (o->kind == SET) {
            memset(o->to, o->value, o->size);
        } else {
            run_kernel(d, device, o);
        }
    }
}

/* Is the device still at a kernel? If so, and if the caller `waits`, it sleeps until that is over. */
static bool is_busy(const struct device *d, bool waits)
{
    double left = d->busy_until - now();
    if (d->busy_until <= 0 || left <= 0)
        return false;
    if (!waits)
        return true;
    struct timespec nap = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
    while (nanosleep(&nap, &nap) != 0)
        continue;
    return false;
}

/* Works a stream off, up to an event's record or all of it. Who does not wait for a device that takes its time goes
 * when that is busy. */
static void work_off(cudaStream_t stream, const struct fake_event *until, uint64_t record, bool waits)
{
    struct device *d = &fake.device[stream->device];
    fenv_t environment;
    bool works = false;
    pthread_mutex_lock(&d->lock);
    fegetenv(&environment);
    fesetenv(FE_DFL_ENV);
    while (stream->first && !d->hangs && !(until && until->reached >= record) && !is_busy(d, waits)) {
        struct operation *o = stream->first;
        if (!works)
            fake_allow(stream->device, PROT_READ | PROT_WRITE);
        works = true;
        perform(d, stream->device, o);
        if (d->hangs)
            break;
        stream->first = o->next;
        if (!stream->first)
            stream->last = &stream->first;
        free(o);
    }
    fesetenv(&environment);
    if (works)
        fake_allow(stream->device, PROT_NONE);
    pthread_mutex_unlock(&d->lock);
}

static void drop_operations(struct fake_stream *stream)
{
    while (stream->first) {
        struct operation *o = stream->first;
        stream->first = o->next;
        free(o);
    }
}

void fake_drop_streams(void)
{
    for (int i = 0; i < FAKE_MOST_DEVICES; i++) {
        drop_operations(&fake.device[i].zero);
        while (fake.device[i].streams) {
            struct fake_stream *stream = fake.device[i].streams;
            fake.device[i].streams = stream->next;
            drop_operations(stream);
            free(stream);
        }
    }
    while (fake.events) {
        struct fake_event *event = fake.events;
        fake.events = event->next;
        free(event);
    }
}

static void push(cudaStream_t stream, struct operation *o)
{
    *stream->last = o;
    stream->last = &o->next;
    if (!fake.setup.lazy)
        work_off(stream, NULL, 0, false);
}

static struct operation *new_operation(enum operation_kind kind, const void *held, size_t size)
{
    struct operation *o = calloc(1, sizeof *o + size);
    o->kind = kind;
    if (held)
        memcpy(o->held, held, size);
    return o;
}

/* NULL is the current device's default stream. */
static cudaStream_t real(cudaStream_t stream)
{
    return stream ? stream : &fake.device[fake_current].zero;
}

/* All of a stream; waiting does that even where a test lets it fail. */
static cudaError_t finish(cudaStream_t stream)
{
    work_off(stream, NULL, 0, true);
    return fake_answer(fake.device[stream->device].lost);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    ENTER(fake_current);
    if (flags != cudaStreamNonBlocking)
        return fake_answer(
            cudaErrorInvalidValue); /* others would wait for the default stream: not played here */
    *stream = calloc(1, sizeof **stream);
    (*stream)->device = fake_current;
    (*stream)->last = &(*stream)->first;
    (*stream)->next = fake.device[fake_current].streams;
    fake.device[fake_current].streams = *stream;
    fake_live(1);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    int device = stream->device;
    struct fake_stream **at = &fake.device[device].streams;
    work_off(stream, NULL, 0, true);
    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
    free(stream);
    fake_live(-1);
    return fake_answer(fake_enter(__func__, device));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    stream = real(stream);
    cudaError_t error = fake_enter(__func__, stream->device), late = finish(stream);
    return fake_answer(error != cudaSuccess ? error : late);
}

cudaError_t cudaDeviceSynchronize(void)
{
    cudaError_t error = fake_enter(__func__, fake_current);
    for (struct fake_stream *s = fake.device[fake_current].streams; s; s = s->next)
        work_off(s, NULL, 0, true);
    cudaError_t late = finish(&fake.device[fake_current].zero);
    return fake_answer(error != cudaSuccess ? error : late);
}

/* The copy is queued where it comes from or goes to pinned memory; from pageable memory it is staged first. */
static cudaError_t queue_copy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    const void *there = kind == cudaMemcpyHostToDevice ? to : from,
               *here = kind == cudaMemcpyHostToDevice ? from : to;
    if (size > 0 && fake_owner(there, size) != stream->device) {
        fake_misuse("a copy beyond the device's allocation");
        return fake_answer(cudaErrorInvalidValue);
    }
    bool staged = kind == cudaMemcpyHostToDevice && fake_owner(here, size) != -1;
    struct operation *o = new_operation(COPY, staged ? from : NULL, staged ? size : 0);
    o->to = to;
    o->from = staged ? NULL : from;
    o->size = size;
    push(stream, o);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    stream = real(stream);
    ENTER(stream->device);
    if (kind == cudaMemcpyDeviceToHost && fake_owner(to, size) != -1)
        fake_misuse("an asynchronous copy to memory that is not pinned");
    return queue_copy(to, from, size, kind, stream);
}

/* To the device it returns when the source was read: the rest goes on in the default stream, for which no other
 * waits. */
cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind)
{
    ENTER(fake_current);
    struct fake_stream *zero = &fake.device[fake_current].zero;
    work_off(zero, NULL, 0, true);
    cudaError_t error = queue_copy(to, from, size, kind, zero);
    return error == cudaSuccess && kind == cudaMemcpyDeviceToHost ? finish(zero) : fake_answer(error);
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t size, cudaStream_t stream)
{
    stream = real(stream);
    ENTER(stream->device);
    if (size > 0 && fake_owner(pointer, size) != stream->device) {
        fake_misuse("memory is set beyond the device's allocation");
        return fake_answer(cudaErrorInvalidValue);
    }
    struct operation *o = new_operation(SET, NULL, 0);
    o->to = pointer;
    o->value = value;
    o->size = size;
    push(stream, o);
    return cudaSuccess;
}

void fake_cuda_launch(cudaStream_t stream, void (*body)(const void *argument), const void *argument,
                      size_t size)
{
    stream = real(stream);
    cudaError_t error = fake_enter("cudaLaunchKernel", stream->device);
    if (error == cudaSuccess && stream->device != fake_current)
        error = cudaErrorInvalidResourceHandle;
    if (fake_answer(error) != cudaSuccess)
        return;
    struct operation *o = new_operation(KERNEL, argument, size);
    o->body = body;
    push(stream, o);
}

/* ---- events ---- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    ENTER(fake_current);
    *event = calloc(1, sizeof **event);
    (*event)->device = fake_current;
    (*event)->timed = !(flags & cudaEventDisableTiming);
    pthread_mutex_lock(&fake.lock);
    (*event)->next = fake.events;
    fake.events = *event;
    pthread_mutex_unlock(&fake.lock);
    fake_live(1);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    int device = event->device;
    if (event->reached < event->recorded && fake.device[device].lost == cudaSuccess)
        fake_misuse("an event is destroyed that is still to come");
    if (event->reached < event->recorded)
        work_off(event->stream, NULL, 0, true);
    pthread_mutex_lock(&fake.lock);
    struct fake_event **at = &fake.events;
    while (*at != event)
        at = &(*at)->next;
    *at = event->next;
    pthread_mutex_unlock(&fake.lock);
    free(event);
    fake_live(-1);
    return fake_answer(fake_enter(__func__, device));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    stream = real(stream);
    ENTER(stream->device);
    if (event->device != stream->device || stream->device != fake_current)
        return fake_answer(cudaErrorInvalidResourceHandle);
    struct operation *o = new_operation(EVENT, NULL, 0);
    event->stream = stream;
    o->event = event;
    o->record = ++event->recorded;
    push(stream, o);
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    cudaError_t error = fake_enter(__func__, event->device);
    if (event->stream)
        work_off(event->stream, event, event->recorded, true);
    return fake_answer(error != cudaSuccess ? error : fake.device[event->device].lost);
}

/* Not reached when it is asked for the first time, as on a device that takes its time. */
cudaError_t cudaEventQuery(cudaEvent_t event)
{
    cudaError_t error = fake_enter(__func__, event->device);
    if (error != cudaSuccess)
        return fake_answer(error);
    if (event->reached < event->recorded && event->asked == event->recorded)
        work_off(event->stream, event, event->recorded, false);
    event->asked = event->recorded;
    if (fake.device[event->device].lost != cudaSuccess)
        return fake_answer(fake.device[event->device].lost);
    return fake_answer(event->reached < event->recorded ? cudaErrorNotReady : cudaSuccess);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
    ENTER(begin->device);
    if (!begin->timed || !end->timed || !begin->recorded || !end->recorded)
        return fake_answer(cudaErrorInvalidResourceHandle);
    if (begin->reached < begin->recorded || end->reached < end->recorded)
        return fake_answer(cudaErrorNotReady);
    *milliseconds = (float)((end->time - begin->time) * 1e3);
    return cudaSuccess;
}
