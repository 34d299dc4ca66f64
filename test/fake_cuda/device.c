/* Devices that this host plays: their number, calls, errors; misuse is what hardware may punish at random. */
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake fake = {.lock = PTHREAD_MUTEX_INITIALIZER};
_Thread_local int fake_current;
static _Thread_local cudaError_t last_error;

/* ---- set up and seen ---- */

void fake_misuse(const char *what)
{
    pthread_mutex_lock(&fake.lock);
    if (fake.seen.misuse++ == 0)
        snprintf(fake.seen.what, sizeof fake.seen.what, "%s", what);
    pthread_mutex_unlock(&fake.lock);
}

void fake_live(int change)
{
    pthread_mutex_lock(&fake.lock);
    fake.seen.live = (uint64_t)((int64_t)fake.seen.live + change);
    pthread_mutex_unlock(&fake.lock);
}

void fake_cuda_set(const struct fake_setup *setup)
{
    if (fake.seen.hangs) {
        fake_drop_streams();
        fake_drop_memory();
    }
    fake.setup = *setup;
    fake.seen = (struct fake_seen){0};
    memset(fake.call, 0, sizeof fake.call);
    fake.matched = 0;
    for (int i = 0; i < FAKE_MOST_DEVICES; i++) {
        fake.device[i] = (struct device){.lock = PTHREAD_MUTEX_INITIALIZER};
        fake.device[i].zero.device = i;
        fake.device[i].zero.last = &fake.device[i].zero.first;
    }
    fake_current = 0;
    last_error = cudaSuccess;
}

void fake_cuda_seen(struct fake_seen *seen)
{
    pthread_mutex_lock(&fake.lock);
    *seen = fake.seen;
    pthread_mutex_unlock(&fake.lock);
}

bool fake_cuda_ptx(void)
{
    return fake.setup.ptx;
}

const char *fake_cuda_calls(size_t n, uint64_t *count)
{
    if (n >= FAKE_MOST_CALLS || !fake.call[n].name)
        return NULL;
    *count = fake.call[n].count;
    return fake.call[n].name;
}

static void write_log(void)
{
    const char *path = getenv("FAKE_CUDA_LOG");
    FILE *log = path ? fopen(path, "w") : NULL;
    uint64_t count;
    if (!log)
        return;
    fprintf(log, "live %llu\nmisuse %llu %s\nfailed %d\nhangs %d\n", (unsigned long long)fake.seen.live,
            (unsigned long long)fake.seen.misuse, fake.seen.what, fake.seen.failed, fake.seen.hangs);
    for (size_t i = 0; fake_cuda_calls(i, &count); i++)
        fprintf(log, "%s %llu\n", fake.call[i].name, (unsigned long long)count);
    fclose(log);
}

/* The runtime's own part of exit() gives everything back, and may wait for a kernel that never ends. */
static void end(void)
{
    if (fake.seen.hangs)
        fake_misuse("the program's end may wait for a device that hangs");
    write_log();
}

/* The environment's setting, before main. */
__attribute__((constructor)) static void read_environment(void)
{
    static char call[64];
    struct fake_setup setup = {
        .devices = 1, .memory = 96u << 20, .driver = 13000, .lazy = true, .fail_device = -1};
    const char *text = getenv("FAKE_CUDA");
    for (; text && *text; text += strcspn(text, " "), text += strspn(text, " ")) {
        int number = 0, code = 0, device = -1;
        unsigned long long large = 0;
        if (sscanf(text, "devices=%d", &number) == 1)
            setup.devices = number;
        else if (sscanf(text, "memory=%llu", &large) == 1)
            setup.memory = large;
        else if (sscanf(text, "driver=%d", &number) == 1)
            setup.driver = number;
        else if (sscanf(text, "ptx=%d", &number) == 1)
            setup.ptx = number != 0;
        else if (sscanf(text, "turn=%lf", &setup.turn) == 1)
            continue;
        else if (sscanf(text, "lazy=%d", &number) == 1)
            setup.lazy = number != 0;
        else if (sscanf(text, "guard=%d", &number) == 1)
            setup.open = number == 0;
        else if (sscanf(text, "fail=%63[^:]:%llu:%d:%d", call, &large, &code, &device) >= 3)
            setup.fail_call = call, setup.fail_at = large, setup.fail_code = code, setup.fail_device = device;
    }
    fake_cuda_set(&setup);
    atexit(end);
}

/* ---- errors ---- */

cudaError_t fake_answer(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

/* These leave nothing of the device's context to work with. */
static bool is_sticky(cudaError_t error)
{
    return error == cudaErrorIllegalAddress || error == cudaErrorLaunchFailure ||
           error == cudaErrorECCUncorrectable || error == cudaErrorUnknown;
}

/* The end may come without end(). */
static void log_so_far(void)
{
    pthread_mutex_lock(&fake.lock);
    write_log();
    pthread_mutex_unlock(&fake.lock);
}

/* Whether the call returns when the device hangs. */
static bool never_waits(const char *name)
{
    return !strcmp(name, "cudaEventQuery") || !strcmp(name, "cudaSetDevice");
}

/* Counts a call on `device`; the failure that is due at it, or what the device has been lost with. */
cudaError_t fake_enter(const char *name, int device)
{
    cudaError_t error = cudaSuccess;
    pthread_mutex_lock(&fake.lock);
    size_t n = 0;
    while (n < FAKE_MOST_CALLS - 1 && fake.call[n].name && strcmp(fake.call[n].name, name))
        n++;
    fake.call[n].name = name;
    fake.call[n].count++;
    const struct fake_setup *setup = &fake.setup;
    if (setup->fail_call && !strcmp(setup->fail_call, name) &&
        (setup->fail_device < 0 || setup->fail_device == device) && ++fake.matched == setup->fail_at) {
        error = (cudaError_t)setup->fail_code;
        fake.seen.failed = true;
    }
    pthread_mutex_unlock(&fake.lock);
    struct device *d = &fake.device[device];
    if (d->hangs && !never_waits(name))
        fake_misuse("a call that may wait for a device that hangs");
    if (fake.seen.hangs)
        log_so_far();
    if (is_sticky(error))
        d->lost = error;
    return error != cudaSuccess ? error : d->lost;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

static const struct {
    cudaError_t code;
    const char *name, *text;
} errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorDevicesUnavailable, "cudaErrorDevicesUnavailable",
     "CUDA-capable device(s) is/are busy or unavailable"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {cudaErrorECCUncorrectable, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
};

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == error)
            return errors[i].text;
    return "unknown error";
}

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == error)
            return errors[i].name;
    return "cudaErrorUnknown";
}

/* ---- devices ---- */

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = fake.setup.driver;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    ENTER(0);
    *count = fake.setup.devices;
    if (fake.setup.driver < 13000)
        return fake_answer(cudaErrorInsufficientDriver);
    return fake_answer(fake.setup.devices > 0 ? cudaSuccess : cudaErrorNoDevice);
}

static bool is_device(int device)
{
    return device >= 0 && device < fake.setup.devices;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device)
{
    if (!is_device(device))
        return fake_answer(cudaErrorInvalidDevice);
    ENTER(device);
    *properties = (cudaDeviceProp){"this host, playing a GPU", fake.setup.memory, 9, 0, 2};
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    if (!is_device(device))
        return fake_answer(cudaErrorInvalidDevice);
    ENTER(device);
    *value = attribute == cudaDevAttrMultiProcessorCount ? 2 : 256;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    if (!is_device(device))
        return fake_answer(cudaErrorInvalidDevice);
    fake_current = device;
    ENTER(device);
    return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    (void)flags;
    ENTER(fake_current);
    return cudaSuccess;
}
