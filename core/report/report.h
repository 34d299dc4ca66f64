/* The report of a run as plain data, and its writers. They write to memory; only cli/ puts it anywhere. */
#ifndef LB_CORE_REPORT_REPORT_H
#define LB_CORE_REPORT_REPORT_H

#include "core/base/error.h"
#include "core/strategy.h"

/* Where a weight or a speed comes from. */
enum lb_source {
    LB_SOURCE_EQUAL,    /* nothing is known: all alike */
    LB_SOURCE_GIVEN,    /* --weights, --simulate */
    LB_SOURCE_CACHED,   /* an earlier run on this host */
    LB_SOURCE_MEASURED, /* this run */
};
const char *lb_source_name(enum lb_source source);               /* "equal", "given", "cached", "measured" */
const char *lb_processor_kind_name(enum lb_processor_kind kind); /* "cpu", "cuda", "null" */

struct lb_report_processor {
    char name[32];
    enum lb_processor_kind kind;
    uint32_t model; /* the number of the first processor like it */
    double weight;  /* the processors' weights sum to 1 */
    enum lb_source weight_source;
    double share;                          /* of the positions that were delivered, 0 .. 1 */
    uint64_t ranges, failed;               /* delivered; failed */
    uint64_t pixels, samples, rays, steps; /* delivered; a pixel counts once a pass; steps: cost units */
    uint64_t positions, bad_samples;
    double busy_seconds, busy_cpu_seconds, idle_seconds, transfer_seconds;
    double finish_seconds;       /* from the start to its last range's end; 0: it did nothing */
    double speed;                /* cost units a second while busy; 0: unknown */
    enum lb_source speed_source; /* MEASURED, or where the guess for one that did nothing comes from */
    bool lost;
};

/* How well a frame or a pass was balanced (DESIGN: T, Tmin, imbalance, efficiency). */
struct lb_report_balance {
    bool in_rays;    /* a cost unit is a ray, as a GPU counts, not a step */
    double t, t_min; /* seconds */
    double imbalance, efficiency;
    struct lb_strategy_counts counts;
    uint32_t lost; /* processors */
    uint64_t bad_samples;
    struct lb_report_processor *processors;
    uint32_t processor_count;
    char described[320]; /* of a pass: what the strategy says of itself; "": nothing */
};

struct lb_report_frame {
    uint32_t frame;
    struct lb_report_balance all; /* over its passes */
    struct lb_report_balance *passes;
    uint32_t pass_count;
    const char *file;  /* written for it, or NULL */
    uint32_t checksum; /* CRC-32C of the picture */
    double wall_seconds;
};

struct lb_report {
    const char *scene, *strategy;
    const char *chosen; /* what `auto` chose, or NULL */
    bool simulated;
    double wall_seconds, load_seconds;
    uint32_t width, height, samples, seed;
    struct lb_report_frame *frames;
    uint32_t frame_count;
    uint32_t most_rows; /* of processors in the text; 0: all */
};

/* Did it do anything that its speed can be told from? */
bool lb_report_measured(const struct lb_report_processor *processor);
/* From each processor's pixels, samples, steps, busy and finish times, and t: shares, idle times, speeds, t_min,
 * imbalance, efficiency, bad_samples. A processor that did nothing is taken to be as fast as its weight says beside the
 * others. */
void lb_balance_finish(struct lb_report_balance *balance);
/* Adds a pass to the sum of its frame, whose arrays are as long; `t` adds up too. Call lb_balance_finish afterwards. */
void lb_balance_add(struct lb_report_balance *sum, const struct lb_report_balance *pass);
void lb_report_frame_free(struct lb_report_frame *frame); /* its arrays */

enum lb_report_format { LB_REPORT_TEXT, LB_REPORT_JSON, LB_REPORT_CSV };

/* The whole report, with a 0 at its end; released by free(). NULL: out of memory. */
char *lb_report_write(const struct lb_report *report, enum lb_report_format format);
/* The writers behind it, a file each. */
char *lb_report_text(const struct lb_report *report);
char *lb_report_json(const struct lb_report *report);
char *lb_report_csv(const struct lb_report *report);

#endif
