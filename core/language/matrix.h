/* 4 x 4 matrices with their inverses, in double: the current transformation. */
#ifndef LB_CORE_LANGUAGE_MATRIX_H
#define LB_CORE_LANGUAGE_MATRIX_H

#include "core/language/description.h"

void lb_matrix_identity(struct lb_matrix *matrix);
/* a * b: b is applied to a point first. The inverse is composed of the inverses, not computed anew. */
struct lb_matrix lb_matrix_product(const struct lb_matrix *a, const struct lb_matrix *b);
struct lb_matrix lb_matrix_inverse(const struct lb_matrix *matrix);

/* Each of these is false where no inverse exists in float's range. The matrix may still be what was asked for. */
bool lb_matrix_translate(const double by[3], struct lb_matrix *matrix);
bool lb_matrix_scale(const double by[3], struct lb_matrix *matrix);
/* Counter-clockwise about `axis` (of any length but 0) in a right-handed view; quarter turns are exact. */
bool lb_matrix_rotate(double degrees, const double axis[3], struct lb_matrix *matrix);
/* World to camera, left-handed: x is on the right, y up, and the camera looks along +z. */
bool lb_matrix_look_at(const double eye[3], const double target[3], const double up[3],
                       struct lb_matrix *matrix);
/* 16 numbers as scene files have them: column by column. A last row of 0 0 0 w is divided out. Where there is no
 * inverse its elements are not numbers. */
bool lb_matrix_from_columns(const double columns[16], struct lb_matrix *matrix);
/* The affine map that does near the origin what a projective one does. */
struct lb_matrix lb_matrix_affine(const struct lb_matrix *matrix);
bool lb_matrix_is_affine(const struct lb_matrix *matrix);
/* Are all elements of the matrix and its inverse finite as floats? */
bool lb_matrix_is_usable(const struct lb_matrix *matrix);

#endif
