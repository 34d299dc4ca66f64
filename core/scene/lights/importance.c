/* What directions of environment maps are drawn from. */
#include "core/scene/builder/messages.h"
#include "core/scene/builder/tables.h"
#include "core/scene/lights/lights.h"

#include "core/kernel/film/filter.h"

/* Copies what stands at each step of the rows of `conditional`. False: out of memory. */
static bool add_steps(struct lb_builder *builder, uint32_t n, lb_light *light)
{
    uint32_t count = lb_cdf_step_count(n);
    float *steps = lb_build_add_table(builder, (size_t)n * count, &light->steps);
    if (!steps)
        return false;
    const float *rows = (const float *)builder->arrays.tables.data + light->conditional.offset;
    for (size_t y = 0; y < n; y++)
        for (uint32_t i = 0; i < count; i++)
            steps[y * count + i] = rows[y * ((size_t)n + 1) + i * LB_CDF_STEP];
    return true;
}

enum lb_status lb_build_importance(struct lb_builder *builder, const float *values, uint32_t n,
                                   lb_light *light)
{
    size_t cells = (size_t)n * n;
    double sum = lb_build_add_distribution(builder, values, n, n, &light->marginal, &light->conditional);
    bool memory = sum >= 0.0 && add_steps(builder, n, light);
    float *density = memory ? lb_build_add_table(builder, cells, &light->density) : NULL;
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
