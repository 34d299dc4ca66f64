/* The pixel filter, and the tables from which offsets within it are drawn. */
#include "core/kernel/film/around.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/builder/tables.h"
#include "core/scene/film/film.h"

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

static uint32_t table_side(float radius)
{
    return (uint32_t)lb_clamp(64.0f * radius, 16.0f, 512.0f);
}

static enum lb_status build_filter_tables(struct lb_builder *builder, lb_filter *filter)
{
    filter->nx = table_side(filter->xradius);
    filter->ny = table_side(filter->yradius);
    size_t cells = (size_t)filter->nx * filter->ny;
    struct lb_vector sizes = {.element = sizeof(float)};
    float *size = lb_vector_add(&sizes, cells);
    float *value = size ? lb_build_add_table(builder, cells, &filter->values) : NULL;
    if (!value) {
        lb_vector_free(&sizes);
        return lb_build_no_memory(builder);
    }
    for (uint32_t y = 0; y < filter->ny; y++)
        for (uint32_t x = 0; x < filter->nx; x++) {
            size_t at = (size_t)y * filter->nx + x;
            value[at] = lb_filter_evaluate(filter, lb_filter_middle(x, filter->nx, filter->xradius),
                                           lb_filter_middle(y, filter->ny, filter->yradius));
            size[at] = lb_abs(value[at]);
        }
    double sum = lb_build_add_distribution(builder, size, filter->nx, filter->ny, &filter->marginal,
                                           &filter->conditional);
    lb_vector_free(&sizes);
    if (sum < 0.0)
        return lb_build_no_memory(builder);
    double cell = 4.0 * (double)filter->xradius * (double)filter->yradius / (double)cells;
    filter->integral = (float)(sum * cell);
    return LB_OK;
}

/* What a sample counts for the pixels around. */
static enum lb_status build_shares(struct lb_builder *builder, lb_filter *filter)
{
    float *columns = lb_build_add_table(builder, (size_t)filter->nx * LB_AROUND_SIDE, &filter->columns);
    if (columns)
        lb_around_table(filter, filter->xradius, filter->nx, columns);
    float *rows =
        columns ? lb_build_add_table(builder, (size_t)filter->ny * LB_AROUND_SIDE, &filter->rows) : NULL;
    if (!rows)
        return lb_build_no_memory(builder);
    lb_around_table(filter, filter->yradius, filter->ny, rows);
    return LB_OK;
}

enum lb_status lb_build_filter(struct lb_builder *builder)
{
    const struct lb_entity *entity = &builder->description->filter;
    const struct lb_parameters *parameters = &entity->parameters;
    lb_filter *filter = &builder->head.film.filter;
    const struct filter_kind *kind = lb_build_row(entity->type ? entity->type : "gaussian", LB_ROWS(filters));
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
    if (status == LB_OK)
        status = build_shares(builder, filter);
    return status == LB_OK ? lb_build_check_unused(builder, entity) : status;
}
