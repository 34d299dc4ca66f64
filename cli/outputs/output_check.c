#include "cli/outputs/output_check.h"

#include "cli/options/rules.h"
#include "cli/outputs/names.h"
#include "core/base/replace.h"
#include "core/picture/picture.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that the command line names, and by which option. */
struct named {
    const char *option;
    char *file; /* NULL: not wanted */
};

/* How many outputs and inputs there may be. The first PICTURES outputs are pictures of the film's size. */
enum { PICTURES = 5, OUTPUTS = 8 + CLI_REPORTS_MOST, INPUTS = 4 };

/* The numbers of --trace, --part, --checkpoint and the first --report among the outputs, and of --resume among the
 * inputs. */
enum { TRACE = 5, KEPT, KEPT_OFTEN, REPORT, RESUMED = 3 };

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

/* The name of what a probe found, which is made of the cost map's. */
static char *name_estimate(struct frame_files *f, const struct cli_options *o, enum lb_probe probe)
{
    const char *map = f->outputs[2].file;
    return map && cli_options_want_estimates(o) ? keep(f, map, cli_name_estimate(map, probe)) : NULL;
}

static struct frame_files name_files(const struct cli_options *o, const char *output, uint32_t number)
{
    struct frame_files f = {.complete = true};
    struct named *out = f.outputs, *in = f.inputs;
    out[0] = (struct named){"the picture", name_frame(&f, output, o, number)};
    out[1] = (struct named){"--partition-map", name_frame(&f, o->partition_map, o, number)};
    if (o->compare && out[1].file) { /* the first strategy's stands for all */
        char *whole = out[1].file;
        out[1].file = keep(&f, whole, cli_name_racer(whole, o->racers[0]->name));
        free(whole);
    }
    out[2] = (struct named){"--cost-map", name_frame(&f, o->cost_map, o, number)};
    out[3] = (struct named){"--cost-map's estimate", name_estimate(&f, o, LB_PROBE_COST)};
    out[4] = (struct named){"--cost-map's coverage", name_estimate(&f, o, LB_PROBE_COVERAGE)};
    out[KEPT] = (struct named){"--part", name_frame(&f, o->parts.part, o, number)};
    out[KEPT_OFTEN] = (struct named){"--checkpoint", name_frame(&f, o->parts.checkpoint, o, number)};
    for (uint32_t i = 0; i < o->report_count; i++)
        out[REPORT + i] = (struct named){"--report", keep(&f, o->reports[i], strdup(o->reports[i]))};
    out[TRACE] = (struct named){"--trace", keep(&f, o->trace, o->trace ? strdup(o->trace) : NULL)};
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

/* An error where output i is the same file as an earlier one, or as an input. Two outputs may both go to standard
 * output, one after the other. */
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
        bool goes_on =
            j == RESUMED && (i == KEPT || i == KEPT_OFTEN); /* --resume is read before it is written */
        if (other && !goes_on && cli_name_same(file, is_standard(other) ? "/dev/stdin" : other))
            return lb_error_set(error, LB_ERROR_USAGE, "%s would overwrite %s: %s", own->option,
                                f->inputs[j].option, own->file);
    }
    return LB_OK;
}

/* What identifies the regular files that the scene names; `items` NULL: out of memory. */
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

/* Of many frames the first ones are checked, and the last, whose number may be the longest. */
enum lb_status cli_output_check(const struct cli_options *o, const struct cli_picture *picture,
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

/* The least number of bytes that a file takes; a guess where it is compressed. */
static uint64_t least_bytes(const char *file, const lb_film *film, bool is_picture)
{
    enum { LEAST = 4096 };
    enum lb_film_format format = LB_FILM_NONE;
    uint64_t pixels = film && is_picture ? (uint64_t)film->width * film->height : 0;
    lb_film_format_of(file, &format);
    uint64_t bytes = format == LB_FILM_NONE ? 0 : pixels * lb_film_formats[format]->least_bits / 8;
    return bytes > LEAST ? bytes : LEAST;
}

/* Makes sure that the disk has room for the first frame's files: better to know before the work than after it. */
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

/* Removes what earlier runs left in the folders of the outputs. Neighbours with one folder sweep it once. */
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

enum lb_status cli_output_check_begin(const struct cli_options *options, const struct cli_picture *picture,
                                      const struct lb_loaded *scene, struct lb_error *error)
{
    enum lb_status status = cli_output_check(options, picture, scene, error);
    if (status != LB_OK)
        return status;
    sweep_folders(options, picture);
    return try_files(options, picture ? picture->output : NULL, scene ? &scene->scene->film : NULL, error);
}
