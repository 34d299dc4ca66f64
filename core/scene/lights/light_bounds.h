/* Bounds of lights, of which the light tree is made: where they are, where they send light to, and how much. */
#ifndef LB_CORE_SCENE_LIGHTS_LIGHT_BOUNDS_H
#define LB_CORE_SCENE_LIGHTS_LIGHT_BOUNDS_H

#include "core/scene/builder/builder.h"

/* Of one light or many. */
struct lb_light_bounds {
    lb_box box;     /* empty: of no light */
    lb_vec3 center; /* of one light: what stands for all of it */
    lb_vec3 axis;
    float normals;      /* radians: no light's normal is further from the axis */
    float cos_emission; /* cosine of the angle to a normal beyond which no light sends anything */
    bool twosided;      /* some light sends as much against its normal */
    double intensity;   /* sum of what each sends in the direction where it sends most */
};

/* Those of a light that is no LB_LIGHT_BOUNDLESS one. Its shape and, for its power, itself must be finished. */
struct lb_light_bounds lb_light_bounds_of(const struct lb_builder *builder, const lb_light *light);
struct lb_light_bounds lb_light_bounds_none(void);
/* The middle of the box along an axis, 0 to 2. */
float lb_light_bounds_middle(const struct lb_light_bounds *bounds, int axis);
/* Makes `bounds` those of both. */
void lb_light_bounds_add(struct lb_light_bounds *bounds, const struct lb_light_bounds *other);
/* How much of all directions the lights send something to, in steradians that count by the cosine to their normals
 * (M_Omega of Conty Estevez and Kulla 2018). */
double lb_light_bounds_directions(const struct lb_light_bounds *bounds);

#endif
