/* Tensor files: named arrays in one file, as Wenzel Jakob's RGL material database has them. */
#ifndef LB_CORE_SCENE_MATERIALS_TENSOR_H
#define LB_CORE_SCENE_MATERIALS_TENSOR_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LB_TENSOR_DIMENSIONS = 8 };

/* The types of elements that are of interest, by the file's numbers. */
enum lb_tensor_type { LB_TENSOR_BYTES = 1, LB_TENSOR_FLOATS = 10 };

struct lb_tensor {
    unsigned type; /* enum lb_tensor_type, or another */
    unsigned dimensions;
    uint64_t size[LB_TENSOR_DIMENSIONS];
    uint64_t count;      /* of elements: the product of the sizes */
    const uint8_t *data; /* little endian, in the file's memory, not aligned */
};

/* Finds the array of that name in the file's bytes. Elements of another type than those above have a count, and no
 * data. *found: whether it is there. Errors, of files that are cut or none of these, have no path in front. */
enum lb_status lb_tensor_find(const uint8_t *data, size_t size, const char *name, struct lb_tensor *tensor,
                              bool *found, struct lb_error *error);
/* Copies floats, `count` from number `first` on. */
void lb_tensor_floats(const struct lb_tensor *tensor, uint64_t first, uint64_t count, float *values);

#endif
