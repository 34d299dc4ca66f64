/* Pictures in the bytes that a terminal gets, in the two forms that terminals know. */
#ifndef LB_CORE_DISPLAY_INLINE_PICTURE_H
#define LB_CORE_DISPLAY_INLINE_PICTURE_H

#include "core/display/viewer.h"

enum lb_inline_form {
    LB_INLINE_NONE,
    LB_INLINE_KITTY, /* kitty's graphics protocol: 24 bits a pixel, in base 64 */
    LB_INLINE_SIXEL  /* of DEC's VT340: here 216 colours, between which a pattern of 4 x 4 pixels mediates */
};

/* The bytes that show the picture where the cursor is; the caller's to free. NULL: out of memory. A picture of kitty's
 * takes the place of the one before. */
char *lb_inline_picture(enum lb_inline_form form, const struct lb_shown *picture, size_t *size);

#endif
