#include "core/image/oidn.h"

#include <dlfcn.h>
#include <string.h>

/* A function's place in the struct, and its names in versions 2 and 1. */
static const struct wanted {
    size_t place;
    const char *name, *older;
} wanted[] = {
    {offsetof(struct lb_oidn, new_device), "oidnNewDevice", NULL},
    {offsetof(struct lb_oidn, release_device), "oidnReleaseDevice", NULL},
    {offsetof(struct lb_oidn, set_device_bool), "oidnSetDeviceBool", "oidnSetDevice1b"},
    {offsetof(struct lb_oidn, set_device_int), "oidnSetDeviceInt", "oidnSetDevice1i"},
    {offsetof(struct lb_oidn, get_device_int), "oidnGetDeviceInt", "oidnGetDevice1i"},
    {offsetof(struct lb_oidn, commit_device), "oidnCommitDevice", NULL},
    {offsetof(struct lb_oidn, get_device_error), "oidnGetDeviceError", NULL},
    {offsetof(struct lb_oidn, new_filter), "oidnNewFilter", NULL},
    {offsetof(struct lb_oidn, release_filter), "oidnReleaseFilter", NULL},
    {offsetof(struct lb_oidn, set_filter_bool), "oidnSetFilterBool", "oidnSetFilter1b"},
    {offsetof(struct lb_oidn, set_filter_image), "oidnSetSharedFilterImage", NULL},
    {offsetof(struct lb_oidn, commit_filter), "oidnCommitFilter", NULL},
    {offsetof(struct lb_oidn, execute_filter), "oidnExecuteFilter", NULL},
};

static const char *why(void)
{
    const char *reason = dlerror();
    return reason ? reason : "no reason is known";
}

/* By the names that the linker goes by. Why the second is missing is only of interest where it is there. */
static void *open_anywhere(struct lb_error *error)
{
    static const char first[] = "libOpenImageDenoise.so.2", second[] = "libOpenImageDenoise.so.1";
    void *library = dlopen(first, RTLD_NOW | RTLD_LOCAL);
    if (library)
        return library;
    lb_error_set(error, LB_ERROR,
                 "--denoise: Open Image Denoise was not found (%.400s; nor is there a %s): name its library "
                 "by --denoise=FILE, or its folder by LD_LIBRARY_PATH; the project's releases and Python's "
                 "pyoidn have "
                 "it (in the sources: tools/setup.sh denoiser)",
                 why(), second);
    return dlopen(second, RTLD_NOW | RTLD_LOCAL);
}

static void *open_file(const char *file, struct lb_error *error)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        lb_error_set(error, LB_ERROR, "--denoise: Open Image Denoise cannot be loaded: %.700s", why());
    return library;
}

enum lb_status lb_oidn_load(const char *file, struct lb_oidn *api, struct lb_error *error)
{
    void *library = file ? open_file(file, error) : open_anywhere(error);
    if (!library)
        return LB_ERROR;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *found = dlsym(library, wanted[i].name);
        if (!found && wanted[i].older)
            found = dlsym(library, wanted[i].older);
        if (!found)
            return lb_error_set(error, LB_ERROR,
                                "--denoise: %.500s is no Open Image Denoise that is known: it has no %s",
                                file ? file : "its library", wanted[i].name);
        memcpy((char *)api + wanted[i].place, &found, sizeof found);
    }
    return LB_OK;
}
