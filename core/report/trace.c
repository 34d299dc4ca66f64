#include "core/report/trace.h"

#include "core/base/text.h"
#include "core/report/json_text.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

struct lb_trace {
    json_t *events;
    uint32_t named; /* how many processors' names were written */
};

struct lb_trace *lb_trace_open(void)
{
    struct lb_trace *trace = calloc(1, sizeof *trace);
    if (trace)
        trace->events = json_array();
    return trace;
}

static bool name_processors(struct lb_trace *trace, const struct lb_report_balance *balance)
{
    for (; trace->named < balance->processor_count; trace->named++) {
        const struct lb_report_processor *p = &balance->processors[trace->named];
        struct lb_text name = {0};
        lb_text_add(&name, "%s", p->name);
        if (p->host && *p->host->host_name)
            lb_text_add(&name, " (%s)", p->host->host_name);
        json_t *event =
            json_pack("{s:s, s:s, s:i, s:i, s:{s:o}}", "name", "thread_name", "ph", "M", "pid", 1, "tid",
                      (int)trace->named, "args", "name", lb_json_name(name.data ? name.data : ""));
        free(name.data);
        if (json_array_append_new(trace->events, event))
            return false;
    }
    return true;
}

bool lb_trace_add(struct lb_trace *trace, const struct lb_report_frame *frame,
                  const struct lb_frame_span *spans, size_t count, double start)
{
    if (!name_processors(trace, &frame->all))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct lb_frame_span *s = &spans[i];
        const char *kind = s->span.delivered ? "range" : "failed";
        char name[64];
        snprintf(name, sizeof name, "%s %llu-%llu", kind, (unsigned long long)s->span.range.begin,
                 (unsigned long long)s->span.range.end);
        json_t *event = json_pack("{s:s, s:s, s:s, s:f, s:f, s:i, s:i, s:{s:s, s:i, s:i, s:I, s:I}}", "name",
                                  name, "cat", kind, "ph", "X", "ts", 1e6 * (start + s->span.begin), "dur",
                                  1e6 * (s->span.end - s->span.begin), "pid", 1, "tid", (int)s->processor,
                                  "args", "processor", frame->all.processors[s->processor].name, "frame",
                                  (int)frame->frame, "pass", (int)s->pass, "begin",
                                  (json_int_t)s->span.range.begin, "end", (json_int_t)s->span.range.end);
        if (json_array_append_new(trace->events, event))
            return false;
    }
    return true;
}

char *lb_trace_text(const struct lb_trace *trace)
{
    json_t *root = json_pack("{s:O, s:s}", "traceEvents", trace->events, "displayTimeUnit", "ms");
    char *text = root ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
    json_decref(root);
    return text;
}

void lb_trace_close(struct lb_trace *trace)
{
    if (!trace)
        return;
    json_decref(trace->events);
    free(trace);
}
