/* A page that shows a picture while it is rendered, to browsers on this machine alone. */
#ifndef LB_CORE_DISPLAY_PAGE_H
#define LB_CORE_DISPLAY_PAGE_H

#include "core/base/error.h"
#include "core/display/viewer.h"

/* Serves the page at 127.0.0.1, at any free port where `*port` is 0, which becomes its number. "/" is the page,
 * "/picture.bmp" the picture as it is now. The viewer's close() lets a browser that is looking fetch the last picture:
 * it takes 3 s at most. */
enum lb_status lb_page_open(uint16_t *port, struct lb_viewer **viewer, struct lb_error *error);

#endif
