/* Cumulative tables, which the kernel draws from. Private to core/scene. */
#ifndef LB_CORE_SCENE_BUILDER_TABLES_H
#define LB_CORE_SCENE_BUILDER_TABLES_H

#include "core/scene/builder/builder.h"

/* `count` floats more at the end of the tables; `array` says where. NULL: out of memory. */
float *lb_build_add_table(struct lb_builder *builder, size_t count, lb_array *array);
/* Adds the marginal and the conditional distributions of ny rows of nx values. Returns the sum of all values; a
 * negative number when out of memory. */
double lb_build_add_distribution(struct lb_builder *builder, const float *values, size_t nx, size_t ny,
                                 lb_array *marginal, lb_array *conditional);

#endif
