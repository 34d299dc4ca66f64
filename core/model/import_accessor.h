/* The numbers of a glTF file's accessors. */
#ifndef LB_CORE_MODEL_IMPORT_ACCESSOR_H
#define LB_CORE_MODEL_IMPORT_ACCESSOR_H

#include "core/base/file.h"
#include "core/model/import_work.h"

/* The buffers of a file, in memory. */
struct lb_gltf_buffers {
    const struct lb_model_work *work;
    const struct lb_file *model; /* the bytes of the model's own file */
    struct lb_gltf_bytes {
        const uint8_t *data; /* NULL: it is not to be had */
        size_t size;
        struct lb_file file;
    } * items;
    size_t count;
};

/* Finds what there is of them; false: there is no memory. They are kept as long as the process. */
bool lb_gltf_buffers_open(struct lb_gltf_buffers *buffers, const struct lb_model_work *work,
                          const struct lb_file *model);

/* Reads an accessor of vectors as floats, those that are normalized from -1 or 0 to 1: `count` times `width`, which may
 * be fewer than it has, the caller's to free. NULL: its bytes are not all there, or it is sparse. */
float *lb_gltf_read(const struct lb_gltf_buffers *buffers, const json_t *accessor, size_t width,
                    size_t *count);

/* How many numbers each of its vectors has; 0: it has none that are vectors or numbers. */
size_t lb_gltf_width(const json_t *accessor);

/* A whole number that is not negative, as a size or place is; `otherwise` where there is none. */
size_t lb_gltf_size(const json_t *object, const char *key, size_t otherwise);

#endif
