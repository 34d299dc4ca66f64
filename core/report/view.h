/* What a page shows of a frame beside its figures: small pictures, and when which range was rendered. */
#ifndef LB_CORE_REPORT_VIEW_H
#define LB_CORE_REPORT_VIEW_H

#include "core/kernel/film/film.h"
#include "core/report/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A PNG file in memory; data NULL: there is none. */
struct lb_view_png {
    uint8_t *data;
    size_t size;
};

struct lb_view {
    uint32_t width, height;                   /* of the pictures, */
    uint32_t reduced;                         /* which are so many times as small as the frame */
    struct lb_view_png picture, owners, cost; /* the picture; who rendered what; what it cost */
    double cost_white;                        /* the cost that is white */
    bool cost_in_seconds;                     /* not steps */
    struct lb_frame_span *spans;
    size_t span_count;
};

/* What it is made of; NULL: is not to be shown. */
struct lb_view_source {
    uint32_t width, height;
    const lb_film_pixel *pixels;
    const lb_channels *channels; /* of which the pixels have `sums`; both may be NULL */
    const int64_t *sums;
    const float *colors; /* linear RGB that is shown in place of the pixels', or NULL */
    const struct lb_owned *owned;
    const float *cost;
    bool cost_in_seconds;
    const struct lb_frame_span *spans;
    size_t span_count;
};

/* NULL: out of memory. */
struct lb_view *lb_view_make(const struct lb_view_source *source);
/* Bytes of its pictures. */
size_t lb_view_size(const struct lb_view *view);
void lb_view_free(struct lb_view *view); /* may be NULL */

#endif
