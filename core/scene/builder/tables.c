#include "core/scene/builder/tables.h"

/* Cumulative distribution of n values, n + 1 numbers that begin with 0 and end with 1; returns the values' sum. All 0:
 * uniform. */
static double cumulate(const float *values, size_t n, float *cumulative)
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

float *lb_build_add_table(struct lb_builder *builder, size_t count, lb_array *array)
{
    array->offset = builder->arrays.tables.count;
    array->count = count;
    return lb_vector_add(&builder->arrays.tables, count);
}

static float *table_at(const struct lb_builder *builder, const lb_array *array)
{
    return (float *)builder->arrays.tables.data + array->offset;
}

double lb_build_add_distribution(struct lb_builder *builder, const float *values, size_t nx, size_t ny,
                                 lb_array *marginal, lb_array *conditional)
{
    struct lb_vector rows = {.element = sizeof(float)};
    float *sums = lb_vector_add(&rows, ny);
    if (!sums || !lb_build_add_table(builder, ny + 1, marginal) ||
        !lb_build_add_table(builder, ny * (nx + 1), conditional)) {
        lb_vector_free(&rows);
        return -1.0;
    }
    double sum = 0.0;
    for (size_t y = 0; y < ny; y++) {
        double row = cumulate(values + y * nx, nx, table_at(builder, conditional) + y * (nx + 1));
        sums[y] = (float)row;
        sum += row;
    }
    cumulate(sums, ny, table_at(builder, marginal));
    lb_vector_free(&rows);
    return sum;
}
