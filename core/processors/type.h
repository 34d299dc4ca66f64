/* The kinds of processors, a const table each: how --devices writes one, how many there are, what strategies take it
 * for, and how it is opened. A new kind is a file with such a table and a line in types.c. */
#ifndef LB_CORE_PROCESSORS_TYPE_H
#define LB_CORE_PROCESSORS_TYPE_H

#include "core/base/text.h"
#include "core/cpu/cpu.h"
#include "core/processor.h"

#include <string.h>

/* A part of a text that goes on behind it. */
struct lb_slice {
    const char *at;
    size_t length;
};

static inline bool lb_slice_is(struct lb_slice slice, const char *word)
{
    return slice.length == strlen(word) && !memcmp(slice.at, word, slice.length);
}

/* One processor of a run, before it is opened. */
struct lb_device {
    const struct lb_processor_type *type;
    /* What strategies take it for, and whether it fills costs and counts nodes and groups: as its type says, unless a
     * setting says otherwise. */
    enum lb_processor_kind kind;
    bool counts_steps;
    bool may_fail;  /* it was told to fail: a race opens it anew for every strategy */
    uint32_t index; /* of its type: CPU thread, CUDA device, null device */
    double weight;  /* as given, normalised to sum 1 over the list; equal without --weights */
    void *options;  /* its settings, which its type alone reads; NULL where it has none */
};

/* One "name=value" of a type. */
struct lb_device_setting {
    const char *name;
    const char *complaint; /* what is said of a value that set() refuses */
    bool (*set)(struct lb_device *device, struct lb_slice value);
};

/* What the number in "KIND:NUMBER" means. */
enum lb_device_number {
    LB_NUMBER_NONE,  /* there is none: the kind alone is one processor */
    LB_NUMBER_COUNT, /* how many; the kind alone is as many as CPUs are free */
    LB_NUMBER_INDEX, /* which, counted from 0; the kind alone is all that count() finds */
};

struct lb_primary; /* hosts/hosts.h */

/* What a processor is opened with. */
struct lb_site {
    const lb_scene *scene;      /* must outlive the processor */
    enum lb_isa isa;            /* of code that runs on CPUs */
    struct lb_primary *primary; /* whom other hosts join; NULL: none do */
    bool at_once;               /* a host that does not have the scene yet is not waited for */
};

struct lb_processor_type {
    const char *name;  /* as in --devices and in reports: "cpu" */
    const char *title; /* what count() counts: "CUDA device"; NULL where there is no count() */
    const char *noun;  /* who measures no costs, in messages: "a GPU"; NULL where all do */
    const char *form;  /* how --devices writes it: "cpu, cpu:N" */
    enum lb_processor_kind kind;
    enum lb_device_number number;
    bool counts_steps; /* it fills costs and counts nodes and groups */
    bool multiplied;   /* "N*KIND" is N of them */
    bool by_default;   /* all that count() finds take part where no option names processors */
    bool on_thread;    /* it computes on the CPU thread that calls it, which has its own CPU if it can */
    bool returns;      /* one that was lost may be back when the next scene is opened */
    bool fed;          /* a CPU thread is kept busy handing work to it, and is not free for "cpu" */
    /* Up to one without a name; NULL: it has none. */
    const struct lb_device_setting *settings;
    size_t options_size;
    const void *options; /* defaults of lb_device.options; NULL: zeros */
    /* How many this machine has; when 0, `reason` says why. Required where `number` is an index. */
    uint32_t (*count)(char *reason, size_t size);
    /* Writes one line about number `index`. Required where count is. */
    void (*describe)(uint32_t index, char *text, size_t size);
    /* Where opening number `index` for the first time may take as long as a minute, says why in a line, and returns
     * true. NULL: it never does. */
    bool (*forewarn)(uint32_t index, char *text, size_t size);
    /* Why it cannot render the scene, to stand behind "GPUs are left out: ", or NULL: it can. NULL in place of the
     * function: it renders all scenes. */
    const char *(*unfit)(const lb_scene *scene);
    /* Its model: processors of one model are as fast as each other, and kept speeds are filed under it. For what
     * computes on a thread, the number of threads and the type of core are added. Required. */
    void (*model)(const struct lb_device *device, enum lb_isa isa, struct lb_text *text);
    /* Required. The processor is named by the type and the device's index. */
    enum lb_status (*open)(const struct lb_device *device, const struct lb_site *site,
                           struct lb_processor **processor, struct lb_error *error);
};

extern const struct lb_processor_type lb_cpu_type, lb_cuda_type, lb_null_type, lb_wave_type, lb_host_type;

/* All of them (types.c), in the order of --list-devices and of the list that is made without --devices. */
extern const struct lb_processor_type *const lb_processor_types[];
extern const size_t lb_processor_type_count;

const struct lb_processor_type *lb_processor_type_find(struct lb_slice name); /* or NULL */
/* Its place in the table. */
uint32_t lb_processor_type_number(const struct lb_processor_type *type);

#endif
