/* When a range was rendered, and by whom: what a trace is drawn from. */
#ifndef LB_CORE_REPORT_SPAN_H
#define LB_CORE_REPORT_SPAN_H

#include "core/strategy.h"

/* A range, or a piece of one, as it was rendered. */
struct lb_span {
    struct lb_range range;
    double begin, end; /* seconds since the pass began */
    bool delivered;    /* false: it failed */
};

/* A span of one of a frame's processors; its times count from the frame's beginning. */
struct lb_frame_span {
    uint32_t processor, pass;
    struct lb_span span;
};

#endif
