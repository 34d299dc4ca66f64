/* Triangles as they are seen from a point: the solid angle, and directions that are spread evenly over it. */
#ifndef LB_CORE_KERNEL_LIGHTS_LIGHT_TRIANGLE_H
#define LB_CORE_KERNEL_LIGHTS_LIGHT_TRIANGLE_H

#include "core/kernel/shapes/surface.h"

/* A triangle as it is seen from a point. */
typedef struct lb_seen_triangle {
    lb_vec3 p[3];    /* its corners, from the point */
    float length[3]; /* their distances */
    lb_vec3 n; /* the cross product of two edges, which is twice as long as the triangle's area is large */
    /* The solid angle that it is seen under, in steradians; 0 where points on it are better drawn by area. */
    float solid_angle;
} lb_seen_triangle;

/* Below the first of these solid angles, in steradians, directions would show how they are rounded; above the second
 * the point lies in the triangle, or nearly. */
#define LB_SOLID_ANGLE_LEAST 3e-4f
#define LB_SOLID_ANGLE_MOST  6.2f

/* The solid angle of the triangle that is seen, by van Oosterom and Strackee 1983. */
LB_FUNCTION float lb_triangle_solid_angle(const lb_seen_triangle *seen)
{
    const lb_vec3 *p = seen->p;
    float a = seen->length[0], b = seen->length[1], c = seen->length[2];
    float below = a * b * c + lb_dot(p[0], p[1]) * c + lb_dot(p[1], p[2]) * a + lb_dot(p[2], p[0]) * b;
    return 2.0f * lb_atan2(lb_abs(lb_dot(p[0], seen->n)), below);
}

/* Looks at the triangle of three corners from the point. */
LB_FUNCTION void lb_triangle_see(const lb_vec3 *corners, lb_vec3 from, lb_seen_triangle *seen)
{
    for (uint32_t i = 0; i < 3; i++) {
        seen->p[i] = lb_sub(corners[i], from);
        seen->length[i] = lb_length(seen->p[i]);
    }
    seen->n = lb_cross(lb_sub(corners[1], corners[0]), lb_sub(corners[2], corners[0]));
    float solid_angle = lb_triangle_solid_angle(seen);
    bool kept = solid_angle > LB_SOLID_ANGLE_LEAST && solid_angle < LB_SOLID_ANGLE_MOST;
    seen->solid_angle = kept ? solid_angle : 0.0f;
}

/* Draws a direction, of about unit length, of those in which the triangle is seen, all alike, where its solid angle is
 * known (Arvo 1995). A part u.x of the solid angle is cut off by a new corner d between the first, a, and the third.
 * With x the unit vector from a towards the third that is orthogonal to a, d is cos t a + sin t x, and half the solid
 * angle e of a, b and d has
 *
 *     tan(e / 2) = [a b d] / (1 + ab + bd + da) = tan(t / 2) [a b x] / (1 + ab + tan(t / 2) bx).
 *
 * Then a direction between b and d is drawn so that its cosine to b is spread evenly. */
LB_FUNCTION lb_vec3 lb_triangle_direction(const lb_seen_triangle *seen, lb_vec2 u)
{
    lb_vec3 a = lb_scale(seen->p[0], 1.0f / seen->length[0]);
    lb_vec3 b = lb_scale(seen->p[1], 1.0f / seen->length[1]);
    lb_vec3 x = lb_normalize(lb_add_scaled(seen->p[2], a, -lb_dot(a, seen->p[2])));
    float sine, cosine;
    lb_sincos(0.5f * u.x * seen->solid_angle, &sine, &cosine);
    /* The tangent of t / 2 is q over p. */
    float p = cosine * lb_abs(lb_dot(lb_cross(a, b), x)) - sine * lb_dot(b, x);
    float q = sine * (1.0f + lb_dot(a, b)), scale = 1.0f / (p * p + q * q);
    lb_vec3 d = lb_add(lb_scale(a, (p * p - q * q) * scale), lb_scale(x, 2.0f * p * q * scale));
    /* 1 - cosine is taken from the distance, as d and b may be so close that nothing would be left of it. */
    lb_vec3 way = lb_sub(d, b);
    float whole = 0.5f * lb_dot(way, way), part = u.y * whole, square = whole * (2.0f - whole);
    if (!(square > 0.0f))
        return b;
    lb_vec3 across = lb_add_scaled(way, b, whole); /* orthogonal to b, as long as the root of `square` */
    return lb_add(lb_scale(b, 1.0f - part), lb_scale(across, lb_sqrt(part * (2.0f - part) / square)));
}

/* Where the ray from the point in this direction meets the triangle's plane: barycentric weights, moved into the
 * triangle where rounding put them out of it. */
LB_FUNCTION void lb_triangle_weights(const lb_seen_triangle *seen, lb_vec3 direction, float *b1, float *b2)
{
    lb_vec3 e1 = lb_sub(seen->p[1], seen->p[0]), e2 = lb_sub(seen->p[2], seen->p[0]);
    lb_vec3 moved = lb_cross(seen->p[0], direction);
    float scale = 1.0f / lb_dot(direction, seen->n);
    *b1 = lb_clamp(lb_dot(moved, e2) * scale, 0.0f, 1.0f);
    *b2 = lb_clamp(-lb_dot(moved, e1) * scale, 0.0f, 1.0f - *b1);
}

#endif
