/* What directions of environment maps are drawn from. */
#include "core/scene/builder/messages.h"
#include "core/scene/builder/tables.h"
#include "core/scene/lights/lights.h"

enum lb_status lb_build_importance(struct lb_builder *builder, const float *values, uint32_t n,
                                   lb_light *light)
{
    size_t cells = (size_t)n * n;
    double sum = lb_build_add_distribution(builder, values, n, n, &light->marginal, &light->conditional);
    float *density = sum < 0.0 ? NULL : lb_build_add_table(builder, cells, &light->density);
    if (!density)
        return lb_build_no_memory(builder);
    double factor = sum > 0.0 ? (double)cells / sum : 0.0;
    for (size_t i = 0; i < cells; i++)
        density[i] = sum > 0.0 ? (float)((double)values[i] * factor) : 1.0f;
    light->map_size = n;
    return LB_OK;
}

enum lb_status lb_build_sums(struct lb_builder *builder, const double *values, uint32_t n, lb_array *sums)
{
    size_t stride = (size_t)n + 1;
    struct lb_vector rows = {.element = sizeof(double)};
    double *above = lb_vector_add(&rows, stride), all = 0.0; /* of one row of corners */
    float *pairs = above ? lb_build_add_table(builder, 2 * stride * stride, sums) : NULL;
    if (!pairs) {
        lb_vector_free(&rows);
        return lb_build_no_memory(builder);
    }
    for (size_t i = 0; i < (size_t)n * n; i++)
        all += values[i];
    for (size_t y = 0; y < n; y++) {
        double row = 0.0;
        for (size_t x = 0; x < n; x++) {
            row += values[y * n + x];
            above[x + 1] += row;
            double sum = all > 0.0 ? above[x + 1] / all : 0.0;
            float *pair = pairs + 2 * ((y + 1) * stride + x + 1);
            pair[0] = (float)sum;
            pair[1] = (float)(sum - (double)pair[0]);
        }
    }
    lb_vector_free(&rows);
    return LB_OK;
}
