/* 4 x 4 matrices with their inverses, in double, of which the current transformation is made. */
#ifndef LB_CORE_LANGUAGE_MATRIX_H
#define LB_CORE_LANGUAGE_MATRIX_H

#include "core/language/description.h"

/* Makes the identity. */
void lb_matrix_identity(struct lb_matrix *matrix);
/* Returns a * b, which applies b to a point first. The inverse is composed of the two inverses, not computed anew. */
struct lb_matrix lb_matrix_product(const struct lb_matrix *a, const struct lb_matrix *b);
/* Returns the matrix with its two halves exchanged. */
struct lb_matrix lb_matrix_inverse(const struct lb_matrix *matrix);

/* Each of these makes one matrix. False: it has no inverse whose elements a float can hold; the matrix itself may still
 * be what was asked for. */
bool lb_matrix_translate(const double by[3], struct lb_matrix *matrix);
bool lb_matrix_scale(const double by[3], struct lb_matrix *matrix);
/* Turns counter-clockwise about `axis`, which has any length but 0, as seen in a right-handed view. Quarter turns are
 * exact. */
bool lb_matrix_rotate(double degrees, const double axis[3], struct lb_matrix *matrix);
/* Maps world to camera, left-handed: x points to the right, y up, and the camera looks along +z. */
bool lb_matrix_look_at(const double eye[3], const double target[3], const double up[3],
                       struct lb_matrix *matrix);
/* Takes 16 numbers as scene files have them, column by column. A last row of 0 0 0 w is divided out. Where there is no
 * inverse, its elements are NaN. */
bool lb_matrix_from_columns(const double columns[16], struct lb_matrix *matrix);
/* Returns the affine map that does near the origin what a projective one does; an affine matrix as it is. */
struct lb_matrix lb_matrix_affine(const struct lb_matrix *matrix);
/* Is the last row 0 0 0 1? */
bool lb_matrix_is_affine(const struct lb_matrix *matrix);
/* Are all elements of the matrix and its inverse finite as floats? */
bool lb_matrix_is_usable(const struct lb_matrix *matrix);

#endif
