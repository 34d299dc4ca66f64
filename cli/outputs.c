#include "cli/outputs.h"

#include "cli/names.h"
#include "cli/rescue.h"
#include "core/base/grow.h"
#include "core/image/image.h"
#include "core/image/replace.h"
#include "core/report/film_picture.h"
#include "core/report/maps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_in_pfm(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && !strcasecmp(name + length - 4, ".pfm");
}

bool cli_outputs_estimates(const struct cli_options *options)
{
    return options->cost_map && ends_in_pfm(options->cost_map);
}

char *cli_outputs_estimate_name(const char *cost_map, enum lb_probe probe)
{
    const char *kind = probe == LB_PROBE_COVERAGE ? "coverage" : "estimate";
    size_t stem = strlen(cost_map) - 4, size = stem + sizeof ".estimate.pfm";
    char *name = malloc(size);
    if (name)
        snprintf(name, size, "%.*s.%s.pfm", (int)stem, cost_map, kind);
    return name;
}

/* ---- before the first frame ---- */

/* A file of the command line. */
struct named {
    const char *option;
    char *file; /* NULL: not wanted */
};

/* Those that each frame has anew come first, and of these those that are pictures of the film's size. */
enum { PICTURES = 5, OUTPUTS = 9, INPUTS = 4 };

/* --part, --checkpoint and --resume among them. */
enum { KEPT = 7, KEPT_OFTEN = 8, RESUMED = 3 };

/* The files of one frame. */
struct frame_files {
    struct named outputs[OUTPUTS], inputs[INPUTS];
    bool complete; /* there was memory for all */
};

static char *keep(struct frame_files *f, const char *wanted, char *name)
{
    f->complete = f->complete && (!wanted || name);
    return name;
}

static char *name_frame(struct frame_files *f, const char *name, const struct cli_options *o, uint32_t number)
{
    return keep(f, name, name ? cli_name_frame(name, number, o->frames.given) : NULL);
}

/* Of what stands beside the cost map, which has its name. */
static char *name_estimate(struct frame_files *f, const struct cli_options *o, enum lb_probe probe)
{
    const char *map = f->outputs[2].file;
    return map && cli_outputs_estimates(o) ? keep(f, map, cli_outputs_estimate_name(map, probe)) : NULL;
}

static struct frame_files name_files(const struct cli_options *o, const char *output, uint32_t number)
{
    struct frame_files f = {.complete = true};
    struct named *out = f.outputs, *in = f.inputs;
    out[0] = (struct named){"the picture", name_frame(&f, output, o, number)};
    out[1] = (struct named){"--partition-map", name_frame(&f, o->partition_map, o, number)};
    out[2] = (struct named){"--cost-map", name_frame(&f, o->cost_map, o, number)};
    out[3] = (struct named){"--cost-map's estimate", name_estimate(&f, o, LB_PROBE_COST)};
    out[4] = (struct named){"--cost-map's coverage", name_estimate(&f, o, LB_PROBE_COVERAGE)};
    out[KEPT] = (struct named){"--part", name_frame(&f, o->parts.part, o, number)};
    out[KEPT_OFTEN] = (struct named){"--checkpoint", name_frame(&f, o->parts.checkpoint, o, number)};
    out[5] = (struct named){"--report", keep(&f, o->report, o->report ? strdup(o->report) : NULL)};
    out[6] = (struct named){"--trace", keep(&f, o->trace, o->trace ? strdup(o->trace) : NULL)};
    in[0] =
        (struct named){"the scene", keep(&f, o->scene, cli_name_scene(o->scene, number, o->frames.given))};
    in[1] = (struct named){"--costs", name_frame(&f, o->costs, o, number)};
    in[2] = (struct named){"--simulate", keep(&f, o->simulate, o->simulate ? strdup(o->simulate) : NULL)};
    in[RESUMED] = (struct named){"--resume", name_frame(&f, o->parts.resume, o, number)};
    return f;
}

static void free_files(struct frame_files *f)
{
    for (size_t i = 0; i < OUTPUTS; i++)
        free(f->outputs[i].file);
    for (size_t i = 0; i < INPUTS; i++)
        free(f->inputs[i].file);
}

static bool is_standard(const char *file)
{
    return !strcmp(file, "-");
}

/* No two are the same, and none is what is read. Two that both go to standard output come one after the other. */
static enum lb_status check_clashes(const struct frame_files *f, size_t i, struct lb_error *error)
{
    const struct named *own = &f->outputs[i];
    const char *file = is_standard(own->file) ? "/dev/stdout" : own->file;
    for (size_t j = 0; j < i; j++) {
        const char *other = f->outputs[j].file;
        if (!other || (is_standard(other) && is_standard(own->file)))
            continue;
        if (cli_name_same(file, is_standard(other) ? "/dev/stdout" : other))
            return lb_error_set(error, LB_ERROR_USAGE, "%s and %s are the same file: %s",
                                f->outputs[j].option, own->option, own->file);
    }
    for (size_t j = 0; j < INPUTS; j++) {
        const char *other = f->inputs[j].file;
        bool goes_on = j == RESUMED && (i == KEPT || i == KEPT_OFTEN); /* it is read before it is written */
        if (other && !goes_on && cli_name_same(file, is_standard(other) ? "/dev/stdin" : other))
            return lb_error_set(error, LB_ERROR_USAGE, "%s would overwrite %s: %s", own->option,
                                f->inputs[j].option, own->file);
    }
    return LB_OK;
}

/* The regular files among those that the scene names; `items` NULL: there was no memory. */
struct read_files {
    struct stat *items;
    size_t count;
};

static struct read_files find_read(const struct lb_loaded *scene)
{
    size_t count = scene ? scene->file_count : 0;
    struct read_files read = {.items = calloc(count + 1, sizeof *read.items)};
    for (size_t i = 0; read.items && i < count; i++)
        if (stat(scene->files[i], &read.items[read.count]) == 0 && S_ISREG(read.items[read.count].st_mode))
            read.count++;
    return read;
}

static enum lb_status check_read(const struct named *output, const struct read_files *read,
                                 struct lb_error *error)
{
    struct stat about;
    if (read->count == 0 || stat(is_standard(output->file) ? "/dev/stdout" : output->file, &about) != 0)
        return LB_OK;
    for (size_t i = 0; i < read->count; i++)
        if (read->items[i].st_dev == about.st_dev && read->items[i].st_ino == about.st_ino)
            return lb_error_set(error, LB_ERROR_USAGE, "%s would overwrite a file that the scene names: %s",
                                output->option, output->file);
    return LB_OK;
}

/* `form`: of the picture; NULL: there is none. */
static enum lb_status check_files(const struct frame_files *f, const struct lb_film_form *form,
                                  const lb_film *film, const struct read_files *read, struct lb_error *error)
{
    enum lb_status status = f->complete ? LB_OK : lb_error_memory(error, NULL);
    for (size_t i = 0; i < OUTPUTS && status == LB_OK; i++) {
        const char *file = f->outputs[i].file;
        struct lb_film_form of_map = {.bits = 8};
        if (i > 0 && file && !lb_film_format_of(file, &of_map.format))
            of_map.format = LB_FILM_NONE;
        if (file && !is_standard(file))
            status = cli_name_check(file, error);
        if (status == LB_OK && file && film && i < PICTURES)
            status = lb_film_check(file, i > 0 ? &of_map : form, film->width, film->height, error);
    }
    for (size_t i = 0; i < OUTPUTS && status == LB_OK; i++)
        if (f->outputs[i].file) {
            status = check_clashes(f, i, error);
            status = status == LB_OK ? check_read(&f->outputs[i], read, error) : status;
        }
    return status;
}

/* Of many frames the first ones, and the last, whose number may be the longest. */
static enum lb_status check_frames(const struct cli_options *o, const struct cli_picture *picture,
                                   const struct lb_loaded *scene, struct lb_error *error)
{
    enum { MOST_CHECKED = 1000 };
    uint64_t step = o->frames.given ? o->frames.step : 1, first = o->frames.first;
    uint64_t count = (o->frames.last - first) / step + 1;
    struct read_files read = find_read(scene);
    enum lb_status status = read.items ? LB_OK : lb_error_memory(error, NULL);
    for (uint64_t i = 0; i < count && status == LB_OK; i++) {
        i = i < MOST_CHECKED ? i : count - 1;
        struct frame_files f = name_files(o, picture ? picture->output : NULL, (uint32_t)(first + i * step));
        bool left_out = o->skip_existing && f.outputs[0].file && access(f.outputs[0].file, F_OK) == 0;
        if (!left_out)
            status = check_files(&f, picture ? &picture->form : NULL, scene ? &scene->scene->film : NULL,
                                 &read, error);
        free_files(&f);
    }
    free(read.items);
    return status;
}

/* The least that a file takes, by a guess where it is compressed. */
static uint64_t least_bytes(const char *file, const lb_film *film, bool is_picture)
{
    enum { LEAST = 4096 };
    enum lb_film_format format = LB_FILM_NONE;
    uint64_t pixels = film && is_picture ? (uint64_t)film->width * film->height : 0;
    lb_film_format_of(file, &format);
    uint64_t bytes = format == LB_FILM_PFM ? pixels * 12 : pixels / 4;
    return bytes > LEAST ? bytes : LEAST;
}

/* A full disk is found before the work, not after it. Of many frames the first one's files are tried. */
static enum lb_status try_files(const struct cli_options *o, const char *output, const lb_film *film,
                                struct lb_error *error)
{
    struct frame_files f = name_files(o, output, o->frames.first);
    enum lb_status status = LB_OK;
    for (size_t i = 0; i < OUTPUTS && status == LB_OK; i++) {
        const char *file = f.outputs[i].file;
        bool left_out = i == 0 && o->skip_existing && file && access(file, F_OK) == 0;
        if (file && !is_standard(file) && !left_out)
            status = lb_replace_try(file, least_bytes(file, film, i < PICTURES), error);
    }
    free_files(&f);
    return status;
}

/* Each folder once, where it goes by one name. */
static void sweep_folders(const struct cli_options *o, const struct cli_picture *picture)
{
    struct frame_files f = name_files(o, picture ? picture->output : NULL, o->frames.first);
    const char *last = NULL;
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char *file = f.outputs[i].file;
        if (!file || is_standard(file) || (last && cli_name_beside(file, last)))
            continue;
        lb_replace_sweep(file);
        last = file;
    }
    free_files(&f);
}

enum lb_status cli_outputs_open(struct cli_outputs *outputs, const struct cli_options *options,
                                const struct cli_picture *picture, const struct lb_loaded *scene,
                                struct lb_error *error)
{
    enum lb_status status = check_frames(options, picture, scene, error);
    if (status != LB_OK)
        return status;
    sweep_folders(options, picture);
    status = try_files(options, picture ? picture->output : NULL, scene ? &scene->scene->film : NULL, error);
    if (status != LB_OK)
        return status;
    if (options->trace)
        outputs->trace = lb_trace_open();
    return outputs->trace || !options->trace ? LB_OK : lb_error_memory(error, NULL);
}

enum lb_status cli_outputs_spare(const struct cli_options *options, const struct lb_loaded *scene,
                                 struct lb_error *error)
{
    return check_frames(options, NULL, scene, error);
}

/* ---- a frame ---- */

static enum lb_status write_estimate(const char *file, const void *what, struct lb_error *error)
{
    const struct lb_estimate *found = what;
    return lb_cost_map_write(file, found->width, found->height, found->cost, "", error);
}

/* What a probe found, beside the cost map `name`. */
static enum lb_status keep_estimate(struct cli_console *console, const char *name,
                                    const struct lb_estimate *found, enum lb_probe probe,
                                    struct lb_error *error)
{
    if (!ends_in_pfm(name) || !found->cost)
        return LB_OK;
    char *beside = cli_outputs_estimate_name(name, probe);
    enum lb_status status = beside ? cli_rescue_write(console, beside, write_estimate, found, NULL, error)
                                   : lb_error_memory(error, NULL);
    free(beside);
    return status;
}

struct cost_map {
    const struct lb_frame *frame;
    const char *unit;
};

static enum lb_status write_costs(const char *file, const void *what, struct lb_error *error)
{
    const struct cost_map *map = what;
    return lb_cost_map_write(file, map->frame->width, map->frame->height, map->frame->cost, map->unit, error);
}

static enum lb_status write_cost_map(struct cli_console *console, const struct cli_options *options,
                                     const struct lb_frame *frame, struct lb_error *error)
{
    struct cost_map map = {frame, options->settings.cost_in_seconds ? "s" : "steps"};
    char *name = cli_name_frame(options->cost_map, frame->report.frame, options->frames.given);
    if (!name)
        return lb_error_memory(error, NULL);
    enum lb_status status = cli_rescue_write(console, name, write_costs, &map, NULL, error);
    for (int probe = LB_PROBE_NONE + 1; probe < LB_PROBES && status == LB_OK; probe++)
        status = keep_estimate(console, name, &frame->estimates[probe], (enum lb_probe)probe, error);
    free(name);
    return status;
}

static enum lb_status write_owners(const char *file, const void *what, struct lb_error *error)
{
    const struct lb_frame *frame = what;
    return lb_partition_map_write(file, frame->width, frame->height, frame->owners, &frame->report.all,
                                  error);
}

static enum lb_status write_partition_map(struct cli_console *console, const struct cli_options *options,
                                          const struct lb_frame *frame, struct lb_error *error)
{
    char *name = cli_name_frame(options->partition_map, frame->report.frame, options->frames.given);
    enum lb_status status = name ? cli_rescue_write(console, name, write_owners, frame, NULL, error)
                                 : lb_error_memory(error, NULL);
    free(name);
    return status;
}

/* Of many frames the first ones have pictures: browsers do not like pages of more. */
static enum lb_status make_view(struct cli_outputs *outputs, const struct cli_options *options,
                                const struct lb_frame *frame, struct lb_error *error)
{
    enum { MOST_BYTES = 64 << 20 };
    bool room = outputs->view_bytes < MOST_BYTES;
    struct lb_view_source source = {.width = frame->width,
                                    .height = frame->height,
                                    .pixels = room ? frame->pixels : NULL,
                                    .owners = room ? frame->owners : NULL,
                                    .cost = room ? frame->cost : NULL,
                                    .cost_in_seconds = options->settings.cost_in_seconds,
                                    .spans = frame->spans,
                                    .span_count = frame->span_count};
    lb_view_free(outputs->view);
    outputs->view = lb_view_make(&source);
    if (!outputs->view)
        return lb_error_memory(error, NULL);
    outputs->view_bytes += lb_view_size(outputs->view);
    return LB_OK;
}

struct lb_view *cli_outputs_view(struct cli_outputs *outputs)
{
    struct lb_view *view = outputs->view;
    outputs->view = NULL;
    return view;
}

enum lb_status cli_outputs_frame(struct cli_outputs *outputs, const struct cli_options *options,
                                 const struct lb_frame *frame, double start, struct lb_error *error)
{
    enum lb_status status = LB_OK;
    if (options->partition_map && frame->owners)
        status = write_partition_map(outputs->console, options, frame, error);
    if (status == LB_OK && options->cost_map && frame->cost)
        status = write_cost_map(outputs->console, options, frame, error);
    if (status == LB_OK && outputs->trace &&
        !lb_trace_add(outputs->trace, &frame->report, frame->spans, frame->span_count, start))
        status = lb_error_memory(error, NULL);
    if (status == LB_OK && cli_options_want_page(options))
        status = make_view(outputs, options, frame, error);
    if (status == LB_OK && *frame->described) {
        free(outputs->described);
        outputs->described = strdup(frame->described);
    }
    return status;
}

enum lb_status cli_outputs_keep(struct cli_outputs *outputs, const struct lb_report_frame *frame,
                                const lb_scene *scene, struct lb_error *error)
{
    struct lb_report_frame *frames =
        lb_grow(outputs->frames, &outputs->frame_capacity, (size_t)outputs->frame_count + 1, sizeof *frames);
    if (!frames) {
        struct lb_report_frame dropped = *frame;
        lb_report_frame_free(&dropped);
        return lb_error_memory(error, NULL);
    }
    outputs->frames = frames;
    outputs->frames[outputs->frame_count] = *frame;
    outputs->frames[outputs->frame_count++].view = cli_outputs_view(outputs);
    outputs->width = scene->film.width;
    outputs->height = scene->film.height;
    outputs->samples = scene->integrator.samples;
    outputs->seed = scene->integrator.seed;
    return LB_OK;
}

/* ---- the end ---- */

static enum lb_status write_text(const char *file, const void *what, struct lb_error *error)
{
    return lb_file_replace(file, what, strlen(what), error);
}

enum lb_status cli_outputs_write(struct cli_console *console, const char *file, char *text,
                                 struct lb_error *error)
{
    enum lb_status status = LB_OK;
    if (!text)
        return lb_error_memory(error, NULL);
    if (strcmp(file, "-"))
        status = cli_rescue_write(console, file, write_text, text, NULL, error);
    else if (fputs(text, stdout) == EOF || fflush(stdout))
        status = lb_error_set(error, LB_ERROR, "standard output: %s", strerror(errno));
    free(text);
    return status;
}

/* All rows of a screenful or two; the files hold all. */
enum { MOST_ROWS = 256 };

enum lb_status cli_outputs_report(struct cli_outputs *outputs, const struct cli_options *options,
                                  struct cli_console *console, struct lb_report *report,
                                  struct lb_error *error)
{
    enum lb_status status = LB_OK;
    if (!console->quiet && report->frame_count) {
        report->most_rows = MOST_ROWS;
        char *text = lb_report_write(report, LB_REPORT_TEXT);
        report->most_rows = 0;
        if (!text)
            return lb_error_memory(error, NULL);
        cli_console_text(console, text);
        free(text);
    }
    if (options->report)
        status = cli_outputs_write(console, options->report,
                                   lb_report_write(report, cli_options_report_format(options)), error);
    /* One of them is better than none; the first error is told. */
    if (outputs->trace) {
        bool fine = status == LB_OK;
        enum lb_status traced =
            cli_outputs_write(console, options->trace, lb_trace_text(outputs->trace), fine ? error : NULL);
        status = fine ? traced : status;
    }
    return status;
}

static void fill_report(const struct cli_outputs *outputs, struct lb_report *report)
{
    report->frames = outputs->frames;
    report->frame_count = outputs->frame_count;
    report->run.width = outputs->width;
    report->run.height = outputs->height;
    report->run.spp = outputs->samples;
    report->run.seed = outputs->seed;
    report->chosen = outputs->described;
}

enum lb_status cli_outputs_so_far(struct cli_outputs *outputs, const struct cli_options *options,
                                  struct cli_console *console, struct lb_report *report,
                                  struct lb_error *error)
{
    if (!options->report || is_standard(options->report))
        return LB_OK;
    fill_report(outputs, report);
    return cli_outputs_write(console, options->report,
                             lb_report_write(report, cli_options_report_format(options)), error);
}

enum lb_status cli_outputs_finish(struct cli_outputs *outputs, const struct cli_options *options,
                                  struct cli_console *console, struct lb_report *report,
                                  struct lb_error *error)
{
    fill_report(outputs, report);
    return cli_outputs_report(outputs, options, console, report, error);
}

void cli_outputs_free(struct cli_outputs *outputs)
{
    for (uint32_t i = 0; i < outputs->frame_count; i++) {
        free(outputs->frames[i].file);
        lb_report_frame_free(&outputs->frames[i]);
    }
    free(outputs->frames);
    free(outputs->described);
    lb_view_free(outputs->view);
    lb_trace_close(outputs->trace);
}
