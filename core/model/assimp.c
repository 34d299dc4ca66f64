#include "core/model/assimp.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* The library whose structs the headers describe: LB_ASSIMP is their major version. */
#define TEXT_OF(number) #number
#define FILE_OF(major)  "libassimp.so." TEXT_OF(major)

enum lb_status lb_assimp_open(struct lb_assimp *assimp, struct lb_error *error)
{
    static const struct {
        const char *name;
        size_t offset;
    } functions[] = {{"aiImportFileExWithProperties", offsetof(struct lb_assimp, import)},
                     {"aiGetErrorString", offsetof(struct lb_assimp, error_string)},
                     {"aiCreatePropertyStore", offsetof(struct lb_assimp, make_properties)},
                     {"aiSetImportPropertyInteger", offsetof(struct lb_assimp, set_integer)},
                     {"aiGetMaterialFloatArray", offsetof(struct lb_assimp, floats)},
                     {"aiGetMaterialIntegerArray", offsetof(struct lb_assimp, integers)},
                     {"aiGetMaterialColor", offsetof(struct lb_assimp, color)},
                     {"aiGetMaterialString", offsetof(struct lb_assimp, string)}};
    const char *file = FILE_OF(LB_ASSIMP);
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return lb_error_set(error, LB_ERROR, "Assimp, which reads models, cannot be loaded: %s", dlerror());
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(library, functions[i].name);
        if (!found)
            return lb_error_set(error, LB_ERROR, "%s has no function %s", file, functions[i].name);
        memcpy((char *)assimp + functions[i].offset, &found, sizeof found);
    }
    return LB_OK;
}
