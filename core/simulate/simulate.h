/* The simulator: the strategies' own code under a virtual clock, on a map of what each pixel costs. */
#ifndef LB_CORE_SIMULATE_SIMULATE_H
#define LB_CORE_SIMULATE_SIMULATE_H

#include "core/base/error.h"
#include "core/report/report.h"
#include "core/settings.h"

/* Between the primary and another host, each way. */
struct lb_sim_link {
    double latency;   /* seconds of a message. 0 */
    double bandwidth; /* bytes a second; 0: no limit. 0 */
    double loss;      /* chance that a message must be sent again, some time later. 0 */
};

/* Times in seconds of the virtual clock. */
struct lb_sim_processor {
    enum lb_processor_kind kind; /* what strategies take it for */
    const char *type;            /* the name of its kind in reports */
    uint32_t group;
    double speed;   /* work a second; the unit of work is a second of speed 1 */
    double joins;   /* asks for its first range no sooner; a strategy does not know */
    double fails;   /* lost at this time, with what it has in hand; INFINITY: never */
    uint32_t cores; /* another host with so many processors of this speed; 0: it is a processor of this one */
    struct lb_sim_link link;
};

/* Work that is born at run time: a done range gives birth with this chance to a range of up to `most` positions, each
 * as dear as the mean pixel, until `positions` were born; those give birth in turn. All zero: none. Static strategies
 * have none. */
struct lb_sim_births {
    double chance;
    uint64_t most, positions;
};

struct lb_sim_spec {
    struct lb_sim_processor *processors; /* released by lb_sim_spec_free */
    uint32_t count;
    size_t capacity; /* that `processors` has room for */
    /* Work of the first frame; its map is scaled to it, the others by the same factor. By default 600. */
    double total_seconds;
    double start_up;       /* of every processor, before its first range. 0 */
    double range_overhead; /* of every range. 20e-6 */
    double latency;        /* of every message that a strategy counts, paid by who asked. 50e-6 */
    double bandwidth;      /* bytes a second for what a range delivers; 0: no limit. 0 */
    double jitter;         /* a range takes up to this fraction longer, by chance. 0 */
    /* A range takes a CPU thread so many times as long while all of them are at work, and in proportion where fewer
     * are: 1 + (contention - 1) (busy - 1) / (CPU threads - 1), by how many are when it begins. 1 */
    double contention;
    /* Of a pixel, each as dear as the next: into so many blocks strategies may split it, and a host its own part. With
     * other hosts strategies do not: a picture that others join in its midst is shared in whole pixels. 256 */
    uint32_t samples;
    /* Of other hosts. */
    double block;             /* bytes of the scene, which they have before the frame begins. 0 */
    double primary_bandwidth; /* bytes a second, each way, of the primary's own link; 0: no limit. 0 */
    double silence;           /* seconds until the loss of a host is noticed. 2 */
    struct lb_sim_births births;
};

/* `text` is counts and speeds ("64", "4x1,2x8.5": 64 of speed 1; 4 of speed 1 and 2 of 8.5) with "contention=1.2" among
 * them or not, or the name of a JSON file, which ends in .json: an object with "processors" (such a text, or an array
 * of objects with "count", "speed", "kind", "group", "joins", "fails"), "hosts" (an array of objects with "count",
 * "cores", "speed", "group", "latency", "bandwidth", "loss", "joins", "fails"), "births" (an object with "chance",
 * "most", "positions") and any of the numbers above by name. */
enum lb_status lb_sim_spec_parse(const char *text, struct lb_sim_spec *spec, struct lb_error *error);
/* The defaults and `count` processors of speed 1. */
enum lb_status lb_sim_spec_make(uint32_t count, struct lb_sim_spec *spec, struct lb_error *error);
void lb_sim_spec_free(struct lb_sim_spec *spec);

struct lb_simulation {
    const struct lb_sim_spec *spec;
    struct lb_settings settings;     /* the strategy, its options and the seed are read */
    uint32_t width, height;          /* of the picture */
    const double *weights;           /* a processor each, positive; NULL: equal, and not known */
    const struct lb_estimate *costs; /* frame_count true maps of the picture's size */
    /* For each kind of probe the frame_count maps that it finds, for strategies that want them; NULL: there are none.
     * The work of probing, in the unit of `costs`, is shared by all processors before the frame starts. */
    const struct lb_estimate *estimates[LB_PROBES];
    bool known_costs; /* the costs themselves are shown instead, for nothing */
    /* The picture's curve (lb_sim_hilbert), for who simulates often and makes it once; NULL: not made. */
    const uint32_t *hilbert;
    uint32_t frame_count;
    /* Every delivered range with its times, in the order of their ends; may be NULL. */
    void (*delivered)(void *user, uint32_t frame, const lb_order *order, uint32_t processor,
                      struct lb_range range, double begin, double end);
    void *user;
};

/* Fills frames[0 .. frame_count) (their arrays are released by lb_report_frame_free): one pass each, t_min being the
 * frame's work over all processors' speeds. `describe`, which may be NULL, gets the strategy's words on the last frame.
 * An error is a strategy's: a position given twice or never, or processors that wait for nothing; or all processors
 * were lost before the frame was done. */
enum lb_status lb_simulate(const struct lb_simulation *simulation, struct lb_report_frame *frames,
                           char *describe, size_t describe_size, struct lb_error *error);

#endif
