/* Any bytes as a PLY file: a mesh whose indices are in range, or an error of one line. */
#include "core/scene/ply/ply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lb_ply ply;
    struct lb_error error = {0};
    if (lb_ply_parse("fuzz.ply", data, size, NULL, &ply, &error) == LB_OK) {
        if (ply.triangle_count == 0 || ply.vertex_count == 0)
            abort();
        for (uint64_t i = 0; i < ply.triangle_count * 3; i++)
            if (ply.indices[i] >= ply.vertex_count)
                abort();
        for (uint32_t i = 0; i < ply.vertex_count; i++)
            if (!isfinite(ply.positions[i].x) || !isfinite(ply.positions[i].y) ||
                !isfinite(ply.positions[i].z))
                abort();
    } else if (strncmp(error.message, "fuzz.ply:", 9) != 0 || strchr(error.message, '\n')) {
        abort();
    }
    lb_ply_free(&ply);
    return 0;
}
