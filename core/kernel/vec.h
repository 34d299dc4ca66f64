/* Vectors of three and two floats, colours, and affine transforms. Every function is a fixed sequence of IEEE
 * operations: sums run from x to z, and nothing is contracted (see the compiler flags in the Makefile). */
#ifndef LB_CORE_KERNEL_VEC_H
#define LB_CORE_KERNEL_VEC_H

#include "core/kernel/base.h"
#include "core/kernel/math.h"

typedef struct lb_vec3 {
    float x, y, z;
} lb_vec3;

typedef struct lb_vec2 {
    float x, y;
} lb_vec2;

/* Linear RGB with the primaries and the white of sRGB. */
typedef struct lb_rgb {
    float r, g, b;
} lb_rgb;

/* Functions without a comment do to each component what their name says. */
LB_INLINE lb_vec3 lb_vec3_make(float x, float y, float z)
{
    lb_vec3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

LB_INLINE lb_vec2 lb_vec2_make(float x, float y)
{
    lb_vec2 v;
    v.x = x;
    v.y = y;
    return v;
}

LB_INLINE lb_vec3 lb_add(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

LB_INLINE lb_vec3 lb_sub(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

LB_INLINE lb_vec3 lb_scale(lb_vec3 a, float s)
{
    return lb_vec3_make(a.x * s, a.y * s, a.z * s);
}

/* a + b * s */
LB_INLINE lb_vec3 lb_add_scaled(lb_vec3 a, lb_vec3 b, float s)
{
    return lb_vec3_make(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}

LB_INLINE lb_vec3 lb_negate(lb_vec3 a)
{
    return lb_vec3_make(-a.x, -a.y, -a.z);
}

LB_INLINE float lb_dot(lb_vec3 a, lb_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

LB_INLINE lb_vec3 lb_cross(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

LB_INLINE float lb_length(lb_vec3 a)
{
    return lb_sqrt(lb_dot(a, a));
}

/* The vector scaled to unit length; a zero vector stays zero. */
LB_INLINE lb_vec3 lb_normalize(lb_vec3 a)
{
    float length = lb_length(a);
    return length > 0.0f ? lb_scale(a, 1.0f / length) : a;
}

LB_INLINE bool lb_vec3_is_zero(lb_vec3 a)
{
    return a.x == 0.0f && a.y == 0.0f && a.z == 0.0f;
}

/* v, or -v if that lies in the half-space of n. */
LB_INLINE lb_vec3 lb_face_forward(lb_vec3 v, lb_vec3 n)
{
    return lb_dot(v, n) < 0.0f ? lb_negate(v) : v;
}

/* Two unit vectors that complete the unit vector n to a right-handed basis (Duff et al. 2017, but without copysign). */
LB_INLINE void lb_basis(lb_vec3 n, lb_vec3 *s, lb_vec3 *t)
{
    float sign = n.z < 0.0f ? -1.0f : 1.0f;
    float a = -1.0f / (sign + n.z);
    float b = n.x * n.y * a;
    *s = lb_vec3_make(1.0f + sign * (n.x * n.x * a), sign * b, -sign * n.x);
    *t = lb_vec3_make(b, sign + n.y * n.y * a, -n.y);
}

LB_INLINE lb_rgb lb_rgb_make(float r, float g, float b)
{
    lb_rgb c;
    c.r = r;
    c.g = g;
    c.b = b;
    return c;
}

LB_INLINE lb_rgb lb_rgb_grey(float v)
{
    return lb_rgb_make(v, v, v);
}

LB_INLINE lb_rgb lb_rgb_add(lb_rgb a, lb_rgb b)
{
    return lb_rgb_make(a.r + b.r, a.g + b.g, a.b + b.b);
}

LB_INLINE lb_rgb lb_rgb_sub(lb_rgb a, lb_rgb b)
{
    return lb_rgb_make(a.r - b.r, a.g - b.g, a.b - b.b);
}

LB_INLINE lb_rgb lb_rgb_mul(lb_rgb a, lb_rgb b)
{
    return lb_rgb_make(a.r * b.r, a.g * b.g, a.b * b.b);
}

LB_INLINE lb_rgb lb_rgb_scale(lb_rgb a, float s)
{
    return lb_rgb_make(a.r * s, a.g * s, a.b * s);
}

LB_INLINE float lb_rgb_max(lb_rgb a)
{
    return lb_max(lb_max(a.r, a.g), a.b);
}

LB_INLINE float lb_rgb_average(lb_rgb a)
{
    return (a.r + a.g + a.b) * (1.0f / 3.0f);
}

/* The luminance of a colour with sRGB's primaries. */
LB_INLINE float lb_rgb_luminance(lb_rgb a)
{
    return 0.2126f * a.r + 0.7152f * a.g + 0.0722f * a.b;
}

LB_INLINE bool lb_rgb_is_black(lb_rgb a)
{
    return a.r == 0.0f && a.g == 0.0f && a.b == 0.0f;
}

/* An affine transform, row by row: a point p goes to m * (p, 1), a vector v to m * (v, 0). */
typedef struct lb_transform {
    float m[3][4];
} lb_transform;

LB_INLINE lb_vec3 lb_transform_point(const lb_transform *t, lb_vec3 p)
{
    return lb_vec3_make(t->m[0][0] * p.x + t->m[0][1] * p.y + t->m[0][2] * p.z + t->m[0][3],
                        t->m[1][0] * p.x + t->m[1][1] * p.y + t->m[1][2] * p.z + t->m[1][3],
                        t->m[2][0] * p.x + t->m[2][1] * p.y + t->m[2][2] * p.z + t->m[2][3]);
}

LB_INLINE lb_vec3 lb_transform_vector(const lb_transform *t, lb_vec3 v)
{
    return lb_vec3_make(t->m[0][0] * v.x + t->m[0][1] * v.y + t->m[0][2] * v.z,
                        t->m[1][0] * v.x + t->m[1][1] * v.y + t->m[1][2] * v.z,
                        t->m[2][0] * v.x + t->m[2][1] * v.y + t->m[2][2] * v.z);
}

/* Normals take the transposed inverse: `inverse` is the inverse of the transform that points take. */
LB_INLINE lb_vec3 lb_transform_normal(const lb_transform *inverse, lb_vec3 n)
{
    return lb_vec3_make(inverse->m[0][0] * n.x + inverse->m[1][0] * n.y + inverse->m[2][0] * n.z,
                        inverse->m[0][1] * n.x + inverse->m[1][1] * n.y + inverse->m[2][1] * n.z,
                        inverse->m[0][2] * n.x + inverse->m[1][2] * n.y + inverse->m[2][2] * n.z);
}

#endif
