/* Pictures in a viewer while they are rendered. A thread of its own looks at what there is and sends what changed; who
 * renders never waits for it, but for a moment at a picture's end. A viewer that is slow gets fewer updates; one that
 * goes, or no longer takes anything, is let go with one warning, and the calls below then do nothing. */
#ifndef LB_CORE_DISPLAY_DISPLAY_H
#define LB_CORE_DISPLAY_DISPLAY_H

#include "core/base/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct lb_display;

/* A picture that is begun. */
struct lb_display_picture {
    const char *name; /* under which the viewer lists it */
    uint32_t width, height;
    bool alpha; /* it has a channel A */
    /* Called by the display's thread, several times a second at most, until the picture's end: calls lb_display_put()
     * for what is new. */
    void (*look)(void *user, struct lb_display *display);
    void *user;
};

/* Connects to "HOST:PORT". The thread takes one part in a hundred of the CPU time of `cpus` at most. */
enum lb_status lb_display_open(const char *address, uint32_t cpus, const struct lb_log *log,
                               struct lb_display **display, struct lb_error *error);
/* Where a picture is begun, it ends as it is. `display` may be NULL. */
void lb_display_close(struct lb_display *display);

/* Begins a picture, all black; after one that was ended. */
enum lb_status lb_display_begin(struct lb_display *display, const struct lb_display_picture *picture,
                                struct lb_error *error);
/* A pixel's linear colour; by the function `look` alone. */
void lb_display_put(struct lb_display *display, uint64_t pixel, const float color[3]);
/* Ends the picture; nothing where none is begun. `color`: what it is at last, 3 floats a pixel, and `alpha` one; NULL:
 * as it is. Waits until all is sent: no longer than 10 s, or 2 s in which the viewer takes nothing, or a tenth of one
 * once `*stop` is not 0. */
void lb_display_end(struct lb_display *display, const float *color, const float *alpha,
                    const atomic_int *stop);

#endif
