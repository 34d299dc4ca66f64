/* A library that plays Open Image Denoise: so small a part of its C interface as lbrender uses, with a filter that
 * anybody can foretell. The environment variable FAKE_OIDN makes it behave as real ones may:
 *   device      there is no device, and no reason
 *   hardware    there is none, since the hardware will not do
 *   old         it is of version 1.3.0
 *   filter      filters do not work
 *   slow        filters take two and a half seconds
 *   memory      filters find no memory when they run
 * Compiled with -DFAKE_OIDN_1 it has version 1's names, with -DFAKE_OIDN_PART it lacks a function. */
#define _POSIX_C_SOURCE 200809L
#include <fenv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#ifdef FAKE_OIDN_1
#define oidnSetDeviceBool oidnSetDevice1b
#define oidnSetDeviceInt  oidnSetDevice1i
#define oidnGetDeviceInt  oidnGetDevice1i
#define oidnSetFilterBool oidnSetFilter1b
enum { VERSION = 10401 };
#else
enum { VERSION = 20304 };
#endif

struct image {
    float *values;
    size_t count; /* of floats */
};

struct filter {
    struct image color, albedo, normal, output;
    bool hdr, clean, committed;
};

static int failed;
static const char *reason;
static int device;

static bool plays(const char *what)
{
    const char *told = getenv("FAKE_OIDN");
    return told && !strcmp(told, what);
}

static void fail(int code, const char *why)
{
    failed = code;
    reason = why;
}

void *oidnNewDevice(int type);
void oidnReleaseDevice(void *of);
void oidnSetDeviceBool(void *of, const char *name, bool value);
void oidnSetDeviceInt(void *of, const char *name, int value);
int oidnGetDeviceInt(void *of, const char *name);
void oidnCommitDevice(void *of);
int oidnGetDeviceError(void *of, const char **message);
void *oidnNewFilter(void *of, const char *type);
void oidnReleaseFilter(void *of);
void oidnSetFilterBool(void *of, const char *name, bool value);
void oidnSetSharedFilterImage(void *of, const char *name, void *values, int format, size_t width,
                              size_t height, size_t offset, size_t pixel_step, size_t row_step);
void oidnCommitFilter(void *of);
void oidnExecuteFilter(void *of);

void *oidnNewDevice(int type)
{
    if (plays("hardware"))
        fail(5, "CPU device not supported");
    return type == 1 && !plays("hardware") && !plays("device") ? &device : NULL;
}

void oidnReleaseDevice(void *of)
{
    (void)of;
}

void oidnSetDeviceBool(void *of, const char *name, bool value)
{
    (void)of;
    if (strcmp(name, "setAffinity") || value)
        fail(2, "a parameter that nobody knows");
}

void oidnSetDeviceInt(void *of, const char *name, int value)
{
    (void)of;
    if (strcmp(name, "numThreads") || value < 1)
        fail(2, "a parameter that nobody knows");
}

int oidnGetDeviceInt(void *of, const char *name)
{
    (void)of;
    return strcmp(name, "version") ? 0 : plays("old") ? 10300 : VERSION;
}

void oidnCommitDevice(void *of)
{
    (void)of;
}

#ifndef FAKE_OIDN_PART
int oidnGetDeviceError(void *of, const char **message)
{
    int code = failed;
    (void)of;
    *message = reason;
    failed = 0;
    reason = NULL;
    return code;
}
#endif

void *oidnNewFilter(void *of, const char *type)
{
    if (of != &device || strcmp(type, "RT") || plays("filter")) {
        fail(1, "no such filter");
        return NULL;
    }
    return calloc(1, sizeof(struct filter));
}

void oidnReleaseFilter(void *of)
{
    free(of);
}

void oidnSetFilterBool(void *of, const char *name, bool value)
{
    struct filter *filter = of;
    if (!strcmp(name, "hdr"))
        filter->hdr = value;
    else if (!strcmp(name, "cleanAux"))
        filter->clean = value;
    else
        fail(2, "a parameter that nobody knows");
}

void oidnSetSharedFilterImage(void *of, const char *name, void *values, int format, size_t width,
                              size_t height, size_t offset, size_t pixel_step, size_t row_step)
{
    struct filter *filter = of;
    const struct {
        const char *name;
        struct image *image;
    } all[] = {{"color", &filter->color},
               {"albedo", &filter->albedo},
               {"normal", &filter->normal},
               {"output", &filter->output}};
    if (format != 3 || offset || pixel_step || row_step)
        fail(2, "an image of another kind");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(name, all[i].name))
            *all[i].image = (struct image){values, 3 * width * height};
}

void oidnCommitFilter(void *of)
{
    struct filter *filter = of;
    filter->committed = true;
}

/* Leaves the processor's modes as libraries in haste do: tiny numbers are 0, and rounding goes elsewhere. */
static void spoil_modes(void)
{
#if defined(__SSE2__)
    _mm_setcsr(_mm_getcsr() | 0x8040u);
#endif
    fesetround(FE_UPWARD);
}

/* An image alone becomes half of itself; colours beside others, half of themselves and a quarter of each of those. */
void oidnExecuteFilter(void *of)
{
    struct filter *filter = of;
    if (plays("slow"))
        nanosleep(&(struct timespec){2, 500000000}, NULL);
    bool colors = filter->color.values != NULL;
    const struct image *first = colors                  ? &filter->color
                                : filter->albedo.values ? &filter->albedo
                                                        : &filter->normal;
    bool aided = colors && filter->albedo.values;
    if (plays("memory"))
        fail(4, "no memory for\na filter");
    else if (!filter->committed || !first->values || filter->output.count != first->count ||
             filter->hdr != colors || filter->clean != aided)
        fail(3, "the filter is not what it should be");
    for (size_t i = 0; i < first->count && !failed; i++) {
        float value = 0.5f * first->values[i];
        if (aided)
            value += 0.25f * filter->albedo.values[i] + 0.25f * filter->normal.values[i];
        filter->output.values[i] = value;
    }
    spoil_modes();
}
