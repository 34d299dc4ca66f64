/* The part of Open Image Denoise's C API that is used here. Its library is found at run time: nothing of it is needed
 * to build, and these declarations follow its documentation (https://www.openimagedenoise.org/documentation.html). */
#ifndef LB_CORE_IMAGE_OIDN_H
#define LB_CORE_IMAGE_OIDN_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The values of its enumerations. */
enum { LB_OIDN_DEVICE_CPU = 1, LB_OIDN_FLOAT3 = 3, LB_OIDN_NO_ERROR = 0 };

/* Its functions; what it hands out are pointers that only it understands. Of those that version 2 renamed, version 1
 * has the older name of the same function. */
struct lb_oidn {
    /* NULL: that kind of device cannot be had. */
    void *(*new_device)(int type);
    void (*release_device)(void *device);
    void (*set_device_bool)(void *device, const char *name, bool value);
    void (*set_device_int)(void *device, const char *name, int value);
    int (*get_device_int)(void *device, const char *name);
    void (*commit_device)(void *device);
    /* The first error of this thread that was not asked for yet; `device` NULL: why there is none. */
    int (*get_device_error)(void *device, const char **message);
    void *(*new_filter)(void *device, const char *type);
    void (*release_filter)(void *filter);
    void (*set_filter_bool)(void *filter, const char *name, bool value);
    /* Steps of 0: pixels and rows follow each other. */
    void (*set_filter_image)(void *filter, const char *name, void *values, int format, size_t width,
                             size_t height, size_t offset, size_t pixel_step, size_t row_step);
    void (*commit_filter)(void *filter);
    void (*execute_filter)(void *filter);
};

/* Finds the functions in the library `file`; NULL: in libOpenImageDenoise.so.2 or .so.1, where the dynamic linker
 * finds one. The library stays until the program ends: the threads that it starts may outlive every call. */
enum lb_status lb_oidn_load(const char *file, struct lb_oidn *api, struct lb_error *error);

#endif
