/* Cumulative tables to draw from: the pixel filter's and the environment maps'. */
#include "core/kernel/filter.h"
#include "core/scene/build.h"

#include <string.h>

double lb_build_cumulate(const float *values, size_t n, float *cumulative)
{
    double sum = 0.0, part = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)values[i];
    for (size_t i = 0; i < n; i++) {
        cumulative[i] = sum > 0.0 ? (float)(part / sum) : (float)((double)i / (double)n);
        part += (double)values[i];
    }
    cumulative[n] = 1.0f;
    return sum;
}

/* `count` floats at the end of the tables; `array` says where. NULL: out of memory. */
static float *add_table(struct lb_builder *builder, size_t count, lb_array *array)
{
    array->offset = builder->arrays.tables.count;
    array->count = count;
    return lb_vector_add(&builder->arrays.tables, count);
}

static float *table_at(const struct lb_builder *builder, const lb_array *array)
{
    return (float *)builder->arrays.tables.data + array->offset;
}

/* Marginal and conditional distributions of ny rows of nx values, and the sum of all, negative: out of
 * memory. */
static double add_distribution(struct lb_builder *builder, const float *values, size_t nx, size_t ny,
                               lb_array *marginal, lb_array *conditional)
{
    struct lb_vector rows = {.element = sizeof(float)};
    float *sums = lb_vector_add(&rows, ny);
    if (!sums || !add_table(builder, ny + 1, marginal) || !add_table(builder, ny * (nx + 1), conditional)) {
        lb_vector_free(&rows);
        return -1.0;
    }
    double sum = 0.0;
    for (size_t y = 0; y < ny; y++) {
        double row = lb_build_cumulate(values + y * nx, nx, table_at(builder, conditional) + y * (nx + 1));
        sums[y] = (float)row;
        sum += row;
    }
    lb_build_cumulate(sums, ny, table_at(builder, marginal));
    lb_vector_free(&rows);
    return sum;
}

enum lb_status lb_build_importance(struct lb_builder *builder, const float *values, uint32_t n,
                                   lb_light *light)
{
    size_t cells = (size_t)n * n;
    double sum = add_distribution(builder, values, n, n, &light->marginal, &light->conditional);
    float *density = sum < 0.0 ? NULL : add_table(builder, cells, &light->density);
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
    float *pairs = above ? add_table(builder, 2 * stride * stride, sums) : NULL;
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

/* ---- pixel filter ---- */

struct filter_kind {
    const char *name;
    uint32_t kind;
    float radius;
    const char *a_name, *b_name; /* NULL: none */
    float a, b;
};

/* pbrt-v4's names and defaults. */
static const struct filter_kind filters[] = {
    {"gaussian", LB_FILTER_GAUSSIAN, 1.5f, "sigma", NULL, 0.5f, 0.0f},
    {"box", LB_FILTER_BOX, 0.5f, NULL, NULL, 0.0f, 0.0f},
    {"triangle", LB_FILTER_TRIANGLE, 2.0f, NULL, NULL, 0.0f, 0.0f},
    {"mitchell", LB_FILTER_MITCHELL, 2.0f, "B", "C", 1.0f / 3.0f, 1.0f / 3.0f},
    {"sinc", LB_FILTER_SINC, 4.0f, "tau", NULL, 3.0f, 0.0f},
};

static const struct filter_kind *find_filter(const char *name)
{
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++)
        if (strcmp(filters[i].name, name) == 0)
            return &filters[i];
    return NULL;
}

static uint32_t table_side(float radius)
{
    return (uint32_t)lb_clamp(64.0f * radius, 16.0f, 512.0f);
}

static float cell_centre(uint32_t i, uint32_t n, float radius)
{
    return (2.0f * ((float)i + 0.5f) / (float)n - 1.0f) * radius;
}

static enum lb_status build_filter_tables(struct lb_builder *builder, lb_filter *filter)
{
    filter->nx = table_side(filter->xradius);
    filter->ny = table_side(filter->yradius);
    size_t cells = (size_t)filter->nx * filter->ny;
    struct lb_vector sizes = {.element = sizeof(float)};
    float *size = lb_vector_add(&sizes, cells);
    float *value = size ? add_table(builder, cells, &filter->values) : NULL;
    if (!value) {
        lb_vector_free(&sizes);
        return lb_build_no_memory(builder);
    }
    for (uint32_t y = 0; y < filter->ny; y++)
        for (uint32_t x = 0; x < filter->nx; x++) {
            size_t at = (size_t)y * filter->nx + x;
            value[at] = lb_filter_evaluate(filter, cell_centre(x, filter->nx, filter->xradius),
                                           cell_centre(y, filter->ny, filter->yradius));
            size[at] = lb_abs(value[at]);
        }
    double sum =
        add_distribution(builder, size, filter->nx, filter->ny, &filter->marginal, &filter->conditional);
    lb_vector_free(&sizes);
    if (sum < 0.0)
        return lb_build_no_memory(builder);
    double cell = 4.0 * (double)filter->xradius * (double)filter->yradius / (double)cells;
    filter->integral = (float)(sum * cell);
    return LB_OK;
}

enum lb_status lb_build_filter(struct lb_builder *builder)
{
    const struct lb_entity *entity = &builder->description->filter;
    const struct lb_parameters *parameters = &entity->parameters;
    lb_filter *filter = &builder->head.film.filter;
    const struct filter_kind *kind = find_filter(entity->type ? entity->type : "gaussian");
    enum lb_status status;
    if (!kind)
        return lb_build_unknown(builder, &parameters->location, "filter", entity->type, LB_ROWS(filters));
    filter->kind = kind->kind;
    if ((status = lb_build_float(builder, parameters, "xradius", kind->radius, 1e-6f, 1000.0f,
                                 &filter->xradius)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "yradius", kind->radius, 1e-6f, 1000.0f,
                                 &filter->yradius)) != LB_OK)
        return status;
    if (kind->a_name)
        status = lb_build_float(builder, parameters, kind->a_name, kind->a,
                                kind->kind == LB_FILTER_MITCHELL ? -100.0f : 1e-6f, 1e6f, &filter->a);
    if (status == LB_OK && kind->b_name)
        status = lb_build_float(builder, parameters, kind->b_name, kind->b, -100.0f, 100.0f, &filter->b);
    if (status == LB_OK)
        status = build_filter_tables(builder, filter);
    return status == LB_OK ? lb_build_check_unused(builder, entity) : status;
}
