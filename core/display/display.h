/* Shows pictures in a viewer while they are rendered. A thread of the display's own asks what has changed and sends it;
 * whoever renders never waits for it, but for a moment at a picture's end. A slow viewer gets fewer updates. One that
 * closes the connection, or no longer takes anything, is let go with one warning, after which the calls below do
 * nothing. */
#ifndef LB_CORE_DISPLAY_DISPLAY_H
#define LB_CORE_DISPLAY_DISPLAY_H

#include "core/base/error.h"
#include "core/display/viewer.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct lb_display;

/* What the display has to know of a picture to begin it. */
struct lb_display_picture {
    const char *name; /* under which the viewer lists it */
    uint32_t width, height;
    bool alpha; /* does it have a channel A? */
    /* Called by the display's thread until the picture ends, a few times a second at most. It calls lb_display_put()
     * for every pixel that is new or has changed. */
    void (*look)(void *user, struct lb_display *display);
    void *user;
};

/* Connects to the viewer at "HOST:PORT". The display's thread takes one part in a hundred of the CPU time of `cpus`
 * CPUs at most. On an error `*display` is NULL. */
enum lb_status lb_display_open(const char *address, uint32_t cpus, const struct lb_log *log,
                               struct lb_display **display, struct lb_error *error);
/* How a colour, linear RGB, is shown by a viewer of the program's own. */
typedef void lb_display_encode(void *user, const float color[3], uint8_t rgb[3]);
/* The same for such a viewer, which is closed with the display, or at once on an error. Its thread takes five parts in
 * a hundred. */
enum lb_status lb_display_open_viewer(struct lb_viewer *viewer, lb_display_encode *encode, void *user,
                                      uint32_t cpus, const struct lb_log *log, struct lb_display **display,
                                      struct lb_error *error);
/* Closes the connection and frees the display, which may be NULL. A picture that is still shown ends as it is. */
void lb_display_close(struct lb_display *display);

/* Begins a picture, which is black at first. The one before it must have been ended. */
enum lb_status lb_display_begin(struct lb_display *display, const struct lb_display_picture *picture,
                                struct lb_error *error);
/* Gives a pixel's colour (linear RGB). Only the function `look` may call this. `pixel` counts row by row from the upper
 * left. */
void lb_display_put(struct lb_display *display, uint64_t pixel, const float color[3]);
/* Ends the picture, if one has been begun, and waits until all of it is sent: no longer than 10 s, or 2 s in which the
 * viewer takes nothing, or a tenth of a second of that once `*stop` is not 0. `color` is what the picture shows at
 * last, 3 floats for each pixel, and `alpha` one float for each; where they are NULL it stays as it is. */
void lb_display_end(struct lb_display *display, const float *color, const float *alpha,
                    const atomic_int *stop);

#endif
