/* The command line as one struct: each option of the table (cli/options/table.c) sets a field of it. */
#ifndef LB_CLI_OPTIONS_OPTIONS_H
#define LB_CLI_OPTIONS_OPTIONS_H

#include "cli/options/completion.h"
#include "core/base/steps.h"
#include "core/model/model.h"
#include "core/picture/picture.h"
#include "core/report/report_write.h"
#include "core/guiding/learn.h"
#include "core/run/pass/growth.h"
#include "core/scene/load.h"
#include "core/settings.h"

#include <argp.h>

enum cli_progress { CLI_PROGRESS_AUTO, CLI_PROGRESS_BAR, CLI_PROGRESS_LINES, CLI_PROGRESS_NONE };

enum cli_preview { CLI_PREVIEW_AUTO, CLI_PREVIEW_KITTY, CLI_PREVIEW_SIXEL, CLI_PREVIEW_PAGE };

enum cli_action {
    CLI_RENDER,
    CLI_LIST_STRATEGIES,
    CLI_LIST_DEVICES,
    CLI_REPORT_SCHEMA,
    CLI_COMPLETION,
    CLI_MAKE_KEY,
    CLI_MERGE,
    CLI_DESCRIBE
};

/* first, first + step, .. last, of `count` in the animation, or of LB_FRAMES_UNKNOWN. */
struct cli_frames {
    bool given;
    uint32_t first, last, step, count;
};

/* The options that deal with parts of pictures. */
struct cli_part_options {
    const char *part, *resume; /* or NULL */
    char *checkpoint;          /* or NULL; main's to free */
    double checkpoint_seconds;
    uint32_t share, shares;            /* share 0 .. shares - 1; shares 0: not given */
    const char *share_weights;         /* with commas between, or NULL: all alike */
    uint32_t sample_begin, sample_end; /* end 0: not given */
    bool partial;
};

enum { CLI_OPTIONS_MOST = 128, CLI_RACERS_MOST = 64, CLI_REPORTS_MOST = 4 };

struct cli_options {
    enum cli_action action;
    enum cli_shell shell;   /* of --completion */
    const char *scene;      /* the operand; "-": standard input; a simulation of --costs without one: those */
    const char *scene_file; /* the scene that was made of a model; NULL: `scene` is one itself */
    /* Of models. */
    struct lb_model_options model;
    const char *write_scene; /* where to, or NULL */
    double frame_rate;       /* frames a second of its animation; 0: not given */
    const char *output;      /* or NULL; "-": standard output, "none": no picture is written */
    /* How the picture is written; bits 0: as the film says, or the format's fewest. */
    struct lb_film_form form;
    bool format_given, compression_given, quality_given, channels_given; /* --channels: form.outputs */
    bool denoise;
    const char *denoise_library; /* its file, or NULL: wherever the dynamic linker finds it */
    /* --spp, --seed, --resolution, --cropwindow, --pixelbounds, --lenient, --bvh-quality. */
    struct lb_scene_options load;
    /* Which processors render. */
    const char *devices, *weights; /* or NULL */
    bool weights_measured;         /* --weights=measured; `weights` is NULL */
    uint32_t threads;              /* 0: not given; of several numbers the largest */
    struct lb_steps thread_steps;  /* that --compare races on; none: `threads` is one number */
    const char *isa;               /* or NULL: the best */
    /* Other hosts. */
    const char *serve, *join; /* addresses, or NULL */
    const char *ask;          /* of whom --list-devices asks; NULL: this machine */
    const char *key;          /* the file of a key, also of --make-key; or NULL */
    char *job_key;            /* the same, of the Slurm job; NULL: it is another, or none */
    uint32_t hosts;           /* that are waited for; 0: not given */
    uint32_t hosts_most;      /* that may join; 0: not given */
    bool insecure;
    double silence;  /* seconds after which a silent host is lost */
    double patience; /* seconds that a host is waited for at the start */
    double due;      /* seconds in which a host must deliver something of what it has */
    bool persist;    /* a worker waits for another primary when its own is lost */
    /* How the work is shared, and the rest of what goes to who runs frames; but the seed, which the scene may say. */
    struct lb_settings settings;
    struct lb_growth growth; /* passes 0: not given */
    bool noise_by;           /* was it given? */
    enum lb_guiding_wish guiding;
    bool no_cache;
    enum lb_around_wish around; /* LB_AROUND_AUTO where it was not given */
    bool around_given;
    /* Parts of pictures. */
    struct cli_part_options parts;
    char *const *operands; /* of --merge and --describe */
    uint32_t operand_count;
    /* Frames. */
    struct cli_frames frames;
    uint32_t turntable; /* how many frames: 0: it was not asked for */
    bool quick, dry_run;
    bool skip_existing;
    /* What is written beside the picture; NULL: not. */
    const char *reports[CLI_REPORTS_MOST]; /* in the order in which they were given */
    uint32_t report_count;
    bool report_format_given;
    enum lb_report_format report_format; /* of all of them */
    const char *trace, *partition_map, *cost_map;
    const char *display_server; /* whom pictures are shown to, or NULL */
    bool preview;               /* pictures are shown as the following says */
    enum cli_preview preview_as;
    uint32_t preview_port; /* of the page; 0: any */
    /* The simulator. */
    const char *simulate, *costs; /* or NULL */
    bool known_costs, compare;
    const struct lb_strategy *racers[CLI_RACERS_MOST]; /* of --compare */
    size_t racer_count;
    uint32_t repeats;      /* how often each of them runs, unless */
    double repeat_seconds; /* --repeat=auto: until ranks are settled, or for so long; 0: not given */
    /* What is said. */
    enum cli_progress progress;
    bool quiet, verbose;
    /* Which rows of the table (cli/options/table.h) were given; options that strategies declare are in `settings`. */
    bool given[CLI_OPTIONS_MOST];
    char *command; /* the whole command line, for reports */
};

/* Prints --help and --version and ends the program with status 0; with status 2 for what it does not understand. */
void cli_options_parse(int argc, char **argv, struct cli_options *options);

#endif
