/* The report of a run as plain data; core/report/report_write.h makes text of it. */
#ifndef LB_CORE_REPORT_REPORT_H
#define LB_CORE_REPORT_REPORT_H

#include "core/base/error.h"
#include "core/kernel/scene/scene.h"
#include "core/report/figures.h"
#include "core/report/view.h"
#include "core/strategy.h"

/* Where a weight or a speed comes from. */
enum lb_source {
    LB_SOURCE_EQUAL,    /* nothing is known: all alike */
    LB_SOURCE_GIVEN,    /* --weights, --simulate */
    LB_SOURCE_CACHED,   /* an earlier run on this host */
    LB_SOURCE_MEASURED, /* this run */
};
const char *lb_source_name(enum lb_source source); /* "equal", "given", "cached", "measured" */

/* A field for each figure of the tables. */
#define LB_FIELD_NAME(field)    char field[32];
#define LB_FIELD_WORD(field)    char field[32];
#define LB_FIELD_TEXT(field)    const char *field;
#define LB_FIELD_LABEL(field)   char field[64];
#define LB_FIELD_DEVICE(field)  const char *field;
#define LB_FIELD_SOURCE(field)  enum lb_source field;
#define LB_FIELD_COUNT(field)   uint64_t field;
#define LB_FIELD_SECONDS(field) double field;
#define LB_FIELD_WEIGHT(field)  double field;
#define LB_FIELD_SHARE(field)   double field;
#define LB_FIELD_RATIO(field)   double field;
#define LB_FIELD_NUMBER(field)  double field;
#define LB_FIELD_FLAG(field)    bool field;

#define LB_FIELD(kind, field, passes, told, column) LB_FIELD_##kind(field)
#define LB_NO_FIELD(place, name, told, column)

struct lb_report_host_processor {
    LB_HOST_PROCESSOR_FIGURES(LB_FIELD, LB_NO_FIELD)
};

/* What is told of a processor that is another host. */
struct lb_report_host {
    LB_HOST_FIGURES(LB_FIELD, LB_NO_FIELD)
    struct lb_report_host_processor *processors; /* its own */
    uint32_t processor_count;
};

/* What a processor did in a range, a pass or a frame. All zero: nothing. */
struct lb_report_processor {
    LB_PROCESSOR_FIGURES(LB_FIELD, LB_NO_FIELD)
    lb_counters counters;
    uint32_t model;              /* the number of the first processor like it */
    struct lb_report_host *host; /* a balance's own; NULL: it is no other host */
};

/* How well a frame or a pass was balanced. */
struct lb_report_balance {
    LB_BALANCE_FIGURES(LB_FIELD, LB_NO_FIELD)
    struct lb_strategy_counts counts;
    bool in_rays; /* a cost unit is a ray, as a GPU counts, not a step */
    struct lb_report_processor *processors;
    uint32_t processor_count;
    char described[320]; /* of a pass: what the strategy says of itself; "": nothing */
};

struct lb_report_frame {
    uint32_t frame;
    struct lb_report_balance all; /* over its passes */
    struct lb_report_balance *passes;
    uint32_t pass_count;
    bool incomplete;   /* it was stopped, or all were lost: the figures are of what was rendered until then */
    char *file;        /* written for it, or NULL; who sets it frees it */
    uint32_t checksum; /* CRC-32C of the picture */
    char denoised_by
        [64]; /* what cleaned the picture, whose bytes are then not promised elsewhere; "": nothing */
    double denoise_seconds;
    struct lb_view *view; /* what a page shows beside the figures; NULL: nothing */
    double wall_seconds;
};

/* Which run it was. */
struct lb_report_run {
    LB_RUN_FIGURES(LB_FIELD, LB_NO_FIELD)
};

struct lb_report {
    struct lb_report_run run;
    const char *strategy;
    const char *chosen; /* what `auto` chose, or NULL */
    bool simulated;
    double assumed_seconds; /* of a simulation: what the first frame's work takes at speed 1 */
    struct lb_report_frame *frames;
    uint32_t frame_count;
};

/* What people call the scene: its file's name without a folder. */
const char *lb_report_scene_name(const struct lb_report_run *run);
/* Did it do anything that its speed can be told from? */
bool lb_report_measured(const struct lb_report_processor *processor);
/* Is it a CPU thread whose CPU time is known beside its busy time? */
bool lb_report_has_cpu_time(const struct lb_report_processor *processor);
/* The processors that did nothing, and were not lost. */
uint32_t lb_report_without(const struct lb_report_balance *balance);
/* From each processor's pixels, samples, steps, busy and finish times, and t: shares, idle times, speeds, t_min,
 * imbalance, efficiency, bad_samples, and what t is made of. A processor that did nothing is taken to be as fast as its
 * weight says beside the others. */
void lb_balance_finish(struct lb_report_balance *balance);
/* What T is made of, from what lb_balance_finish or a simulator set: t = rendering + slowed_seconds +
 * overhead_seconds + imbalance_seconds, where the first two are t_min. Each is the mean over the processors of what
 * they had of it, weighted by their speeds, as t - t_min is of their idle times. Only CPU threads whose CPU time is
 * known are slowed. */
void lb_balance_divide(struct lb_report_balance *balance);
/* Before lb_balance_finish of a pass, from its t and the processors' finish times: how long each waited for the last
 * one. */
void lb_balance_wait(struct lb_report_balance *balance);
/* Adds what a processor did in a part to its sum of the whole; `offset`: seconds from the whole's beginning to the
 * part's. What lb_balance_finish finds is left as it was. */
void lb_report_add(struct lb_report_processor *sum, const struct lb_report_processor *part, double offset);
/* Adds a pass to the sum of its frame, whose arrays are as long; `t` adds up too. Call lb_balance_finish afterwards.
 * False: there was no memory for all that other hosts told. */
bool lb_balance_add(struct lb_report_balance *sum, const struct lb_report_balance *pass);
void lb_balance_free(struct lb_report_balance *balance);  /* its processors */
void lb_report_frame_free(struct lb_report_frame *frame); /* its arrays and its view */

#endif
