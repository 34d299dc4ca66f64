/* Chrome's trace format: a run on a time line, to be looked at in chrome://tracing or Perfetto. */
#ifndef LB_CORE_REPORT_TRACE_H
#define LB_CORE_REPORT_TRACE_H

#include "core/report/report.h"
#include "core/report/span.h"

struct lb_trace;

struct lb_trace *lb_trace_open(void); /* NULL: out of memory */
/* Adds the `count` spans of a frame; `start`: seconds from the run's start to the frame's. False: out of memory. */
bool lb_trace_add(struct lb_trace *trace, const struct lb_report_frame *frame,
                  const struct lb_frame_span *spans, size_t count, double start);
/* The whole as JSON, with a 0 at its end; released by free(). NULL: out of memory. */
char *lb_trace_text(const struct lb_trace *trace);
void lb_trace_close(struct lb_trace *trace);

#endif
