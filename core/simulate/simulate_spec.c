#include "core/simulate/simulate_spec.h"

#include "core/base/grow.h"
#include "core/base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most positions that may be born in a frame; each takes a bit of memory. */
enum { MOST_BIRTHS = 1000000000 };
static const double LEAST_CONTENTION = 0.01, MOST_CONTENTION = 1000;
enum { MOST_PROCESSORS = 10000000, MOST_SAMPLES = 1 << 24, MOST_CORES = 1 << 20 };

/* Bounds of speeds, such that times over them and their ratios are far from the largest and smallest doubles. */
static const double LEAST_SPEED = 1e-9, MOST_SPEED = 1e9;

static void set_defaults(struct lb_sim_spec *spec)
{
    *spec = (struct lb_sim_spec){.total_seconds = 600,
                                 .range_overhead = 20e-6,
                                 .latency = 50e-6,
                                 .contention = 1,
                                 .samples = 256,
                                 .silence = 2};
}

/* Adds `count` processors that are like `one`. */
static enum lb_status add(struct lb_sim_spec *spec, uint32_t count, const struct lb_sim_processor *one,
                          struct lb_error *error)
{
    size_t sum = (size_t)spec->count + count;
    if (sum > MOST_PROCESSORS)
        return lb_error_set(error, LB_ERROR_USAGE, "more than %d processors", MOST_PROCESSORS);
    struct lb_sim_processor *all = lb_grow(spec->processors, &spec->capacity, sum, sizeof *all);
    if (all == NULL)
        return lb_error_memory(error, NULL);
    for (size_t i = spec->count; i < sum; i++)
        all[i] = *one;
    spec->processors = all;
    spec->count = (uint32_t)sum;
    return LB_OK;
}

/* Reads "4" or "4x1": a count and a speed. */
static bool parse_count(const char *text, size_t length, int64_t *count, double *speed)
{
    const char *x = memchr(text, 'x', length);
    size_t digits = x ? (size_t)(x - text) : length;
    return lb_number_whole(text, digits, 1, MOST_PROCESSORS, count) &&
           (!x || (lb_number_real(x + 1, length - digits - 1, speed) && *speed > 0));
}

static enum lb_status wanted(const char *text, struct lb_error *error)
{
    return lb_error_set(
        error, LB_ERROR_USAGE,
        "--simulate: \"%s\": wanted counts and speeds as in 64 or 4x1,2x8.5, a .json file, or "
        "contention=1.2 among them",
        text);
}

/* "contention=1.2". False: it is something else. */
static bool is_contention(const char *at, size_t length, const char **number, size_t *number_length)
{
    static const char name[] = "contention=";
    if (length < sizeof name - 1 || memcmp(at, name, sizeof name - 1) != 0)
        return false;
    *number = at + sizeof name - 1;
    *number_length = length - (sizeof name - 1);
    return true;
}

static enum lb_status parse_contention(const char *number, size_t length, struct lb_sim_spec *spec,
                                       struct lb_error *error)
{
    double *value = &spec->contention;
    if (lb_number_real(number, length, value) && *value >= LEAST_CONTENTION && *value <= MOST_CONTENTION)
        return LB_OK;
    return lb_error_set(error, LB_ERROR_USAGE, "--simulate: contention must be in %g .. %g", LEAST_CONTENTION,
                        MOST_CONTENTION);
}

/* "4x1,2x8.5,contention=1.2" */
static enum lb_status parse_counts(const char *text, struct lb_sim_spec *spec, struct lb_error *error)
{
    const char *at = text;
    for (;;) {
        struct lb_sim_processor one = {.type = "cpu", .speed = 1, .fails = INFINITY};
        size_t length = strcspn(at, ","), number_length;
        const char *number;
        int64_t count;
        enum lb_status status;
        if (is_contention(at, length, &number, &number_length))
            status = parse_contention(number, number_length, spec, error);
        else if (!parse_count(at, length, &count, &one.speed))
            return wanted(text, error);
        else if (!(one.speed >= LEAST_SPEED && one.speed <= MOST_SPEED))
            return lb_error_set(error, LB_ERROR_USAGE, "--simulate: \"%.*s\": speeds must be in %g .. %g",
                                (int)length, at, LEAST_SPEED, MOST_SPEED);
        else
            status = add(spec, (uint32_t)count, &one, error);
        if (status != LB_OK)
            return status;
        if (at[length] == 0)
            return spec->count > 0 ? LB_OK : wanted(text, error);
        at += length + 1;
    }
}

/* A file that is being read. */
struct spec_source {
    const char *path;
    struct lb_error *error;
};

/* Reads the number object[key], from low to high; leaves *value as it is where there is none. */
static enum lb_status read_number(const struct spec_source *source, json_t *object, const char *key,
                                  double low, double high, double *value)
{
    json_t *member = json_object_get(object, key);
    if (member == NULL)
        return LB_OK;
    if (!json_is_number(member) || !(json_number_value(member) >= low) ||
        !(json_number_value(member) <= high))
        return lb_error_set(source->error, LB_ERROR, "%s: \"%s\" must be a number in %g .. %g", source->path,
                            key, low, high);
    *value = json_number_value(member);
    return LB_OK;
}

/* The same for whole numbers. */
static enum lb_status read_whole(const struct spec_source *source, json_t *object, const char *key,
                                 uint32_t low, uint32_t high, uint32_t *value)
{
    double number = *value;
    enum lb_status status = read_number(source, object, key, low, high, &number);
    if (status == LB_OK && number != floor(number))
        status =
            lb_error_set(source->error, LB_ERROR, "%s: \"%s\" must be a whole number", source->path, key);
    *value = (uint32_t)number;
    return status;
}

/* The same for bytes a second: 0, for no limit, or at least 1. */
static enum lb_status read_rate(const struct spec_source *source, json_t *object, const char *key,
                                double *value)
{
    enum lb_status status = read_number(source, object, key, 0, 1e18, value);
    if (status == LB_OK && *value > 0 && *value < 1)
        status = lb_error_set(source->error, LB_ERROR, "%s: \"%s\" must be 0, for no limit, or at least 1",
                              source->path, key);
    return status;
}

static enum lb_status check_keys(const struct spec_source *source, json_t *object, const char *const *keys)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        size_t i = 0;
        while (keys[i] != NULL && strcmp(keys[i], key) != 0)
            i++;
        if (keys[i] == NULL)
            return lb_error_set(source->error, LB_ERROR, "%s: unknown member \"%s\"", source->path, key);
    }
    return LB_OK;
}

static bool find_kind(json_t *kind, struct lb_sim_processor *found)
{
    static const struct {
        const char *name;
        enum lb_processor_kind kind;
    } kinds[] = {{"cpu", LB_PROCESSOR_CPU}, {"cuda", LB_PROCESSOR_GPU}, {"null", LB_PROCESSOR_CPU}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (json_is_string(kind) && strcmp(json_string_value(kind), kinds[i].name) == 0) {
            found->kind = kinds[i].kind;
            found->type = kinds[i].name;
            return true;
        }
    return kind == NULL;
}

static enum lb_status read_processor(const struct spec_source *source, json_t *object,
                                     struct lb_sim_spec *spec)
{
    static const char *const keys[] = {"count", "speed", "kind", "group", "joins", "fails", NULL};
    struct lb_sim_processor one = {.type = "cpu", .speed = 1, .fails = INFINITY};
    uint32_t count = 1;
    enum lb_status status;
    if (!json_is_object(object))
        return lb_error_set(source->error, LB_ERROR, "%s: a processor must be an object", source->path);
    if ((status = check_keys(source, object, keys)) != LB_OK ||
        (status = read_whole(source, object, "count", 1, MOST_PROCESSORS, &count)) != LB_OK ||
        (status = read_number(source, object, "speed", LEAST_SPEED, MOST_SPEED, &one.speed)) != LB_OK ||
        (status = read_whole(source, object, "group", 0, MOST_PROCESSORS, &one.group)) != LB_OK ||
        (status = read_number(source, object, "joins", 0, 1e9, &one.joins)) != LB_OK ||
        (status = read_number(source, object, "fails", 0, 1e9, &one.fails)) != LB_OK)
        return status;
    if (!find_kind(json_object_get(object, "kind"), &one))
        return lb_error_set(source->error, LB_ERROR, "%s: \"kind\" must be cpu, cuda or null", source->path);
    return add(spec, count, &one, source->error);
}

static enum lb_status read_processors(const struct spec_source *source, json_t *processors,
                                      struct lb_sim_spec *spec)
{
    enum lb_status status = LB_OK;
    if (json_is_string(processors))
        return parse_counts(json_string_value(processors), spec, source->error);
    if (!json_is_array(processors) || json_array_size(processors) == 0)
        return lb_error_set(source->error, LB_ERROR, "%s: \"processors\" must be a text or a list",
                            source->path);
    for (size_t i = 0; i < json_array_size(processors) && status == LB_OK; i++)
        status = read_processor(source, json_array_get(processors, i), spec);
    return status;
}

static enum lb_status read_host(const struct spec_source *source, json_t *object, struct lb_sim_spec *spec)
{
    static const char *const keys[] = {"count",     "cores", "speed", "group", "latency",
                                       "bandwidth", "loss",  "joins", "fails", NULL};
    struct lb_sim_processor one = {.type = "host", .speed = 1, .fails = INFINITY, .cores = 1};
    uint32_t count = 1;
    enum lb_status status;
    if (!json_is_object(object))
        return lb_error_set(source->error, LB_ERROR, "%s: a host must be an object", source->path);
    if ((status = check_keys(source, object, keys)) != LB_OK ||
        (status = read_whole(source, object, "count", 1, MOST_PROCESSORS, &count)) != LB_OK ||
        (status = read_whole(source, object, "cores", 1, MOST_CORES, &one.cores)) != LB_OK ||
        (status = read_number(source, object, "speed", LEAST_SPEED, MOST_SPEED, &one.speed)) != LB_OK ||
        (status = read_whole(source, object, "group", 0, MOST_PROCESSORS, &one.group)) != LB_OK ||
        (status = read_number(source, object, "latency", 0, 1e3, &one.link.latency)) != LB_OK ||
        (status = read_rate(source, object, "bandwidth", &one.link.bandwidth)) != LB_OK ||
        (status = read_number(source, object, "loss", 0, 0.5, &one.link.loss)) != LB_OK ||
        (status = read_number(source, object, "joins", 0, 1e9, &one.joins)) != LB_OK ||
        (status = read_number(source, object, "fails", 0, 1e9, &one.fails)) != LB_OK)
        return status;
    return add(spec, count, &one, source->error);
}

static enum lb_status read_hosts(const struct spec_source *source, json_t *hosts, struct lb_sim_spec *spec)
{
    enum lb_status status = LB_OK;
    if (hosts == NULL)
        return LB_OK;
    if (!json_is_array(hosts) || json_array_size(hosts) == 0)
        return lb_error_set(source->error, LB_ERROR, "%s: \"hosts\" must be a list", source->path);
    for (size_t i = 0; i < json_array_size(hosts) && status == LB_OK; i++)
        status = read_host(source, json_array_get(hosts, i), spec);
    return status;
}

static enum lb_status read_births(const struct spec_source *source, json_t *object,
                                  struct lb_sim_births *births)
{
    static const char *const keys[] = {"chance", "most", "positions", NULL};
    uint32_t most = 1, positions = 0;
    enum lb_status status;
    if (object == NULL)
        return LB_OK;
    if (!json_is_object(object))
        return lb_error_set(source->error, LB_ERROR, "%s: \"births\" must be an object", source->path);
    if ((status = check_keys(source, object, keys)) != LB_OK ||
        (status = read_number(source, object, "chance", 0, 1, &births->chance)) != LB_OK ||
        (status = read_whole(source, object, "most", 1, UINT32_MAX, &most)) != LB_OK ||
        (status = read_whole(source, object, "positions", 0, MOST_BIRTHS, &positions)) != LB_OK)
        return status;
    births->most = most;
    births->positions = positions;
    return LB_OK;
}

static enum lb_status read_spec(const struct spec_source *source, json_t *root, struct lb_sim_spec *spec)
{
    static const char *const keys[] = {"processors",        "total_seconds", "start_up", "range_overhead",
                                       "latency",           "bandwidth",     "jitter",   "contention",
                                       "samples",           "births",        "hosts",    "block",
                                       "primary_bandwidth", "silence",       NULL};
    enum lb_status status;
    if (!json_is_object(root))
        return lb_error_set(source->error, LB_ERROR, "%s: not an object", source->path);
    if ((status = check_keys(source, root, keys)) != LB_OK ||
        (status = read_number(source, root, "total_seconds", 1e-9, 1e12, &spec->total_seconds)) != LB_OK ||
        (status = read_number(source, root, "start_up", 0, 1e9, &spec->start_up)) != LB_OK ||
        (status = read_number(source, root, "range_overhead", 0, 1e9, &spec->range_overhead)) != LB_OK ||
        (status = read_number(source, root, "latency", 0, 1e9, &spec->latency)) != LB_OK ||
        (status = read_rate(source, root, "bandwidth", &spec->bandwidth)) != LB_OK ||
        (status = read_rate(source, root, "primary_bandwidth", &spec->primary_bandwidth)) != LB_OK ||
        (status = read_number(source, root, "block", 0, 1e15, &spec->block)) != LB_OK ||
        (status = read_number(source, root, "silence", 0, 1e9, &spec->silence)) != LB_OK ||
        (status = read_number(source, root, "jitter", 0, 1000, &spec->jitter)) != LB_OK ||
        (status = read_number(source, root, "contention", LEAST_CONTENTION, MOST_CONTENTION,
                              &spec->contention)) != LB_OK ||
        (status = read_whole(source, root, "samples", 1, MOST_SAMPLES, &spec->samples)) != LB_OK ||
        (status = read_births(source, json_object_get(root, "births"), &spec->births)) != LB_OK)
        return status;
    json_t *processors = json_object_get(root, "processors"), *hosts = json_object_get(root, "hosts");
    if (processors != NULL || hosts == NULL)
        status = read_processors(source, processors, spec);
    return status == LB_OK ? read_hosts(source, hosts, spec) : status;
}

json_t *lb_sim_load(const char *path, struct lb_error *error)
{
    json_error_t problem;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
    if (root == NULL && problem.line < 1) /* it could not be opened: the text says so */
        lb_error_set(error, LB_ERROR, "--simulate: %s", problem.text);
    else if (root == NULL)
        lb_error_set(error, LB_ERROR, "%s:%d:%d: %s", path, problem.line, problem.column, problem.text);
    return root;
}

enum lb_status lb_sim_spec_read(const char *path, json_t *value, struct lb_sim_spec *spec,
                                struct lb_error *error)
{
    struct spec_source source = {path, error};
    set_defaults(spec);
    if (json_is_string(value))
        return parse_counts(json_string_value(value), spec, error);
    return read_spec(&source, value, spec);
}

bool lb_sim_names_file(const char *text)
{
    size_t length = strlen(text);
    return length > 5 && strcmp(text + length - 5, ".json") == 0;
}

static enum lb_status parse_file(const char *path, struct lb_sim_spec *spec, struct lb_error *error)
{
    struct spec_source source = {path, error};
    json_t *root = lb_sim_load(path, error);
    if (root == NULL)
        return error->status;
    enum lb_status status = read_spec(&source, root, spec);
    json_decref(root);
    return status;
}

enum lb_status lb_sim_spec_parse(const char *text, struct lb_sim_spec *spec, struct lb_error *error)
{
    set_defaults(spec);
    enum lb_status status =
        lb_sim_names_file(text) ? parse_file(text, spec, error) : parse_counts(text, spec, error);
    if (status != LB_OK)
        lb_sim_spec_free(spec);
    return status;
}

enum lb_status lb_sim_spec_make(uint32_t count, struct lb_sim_spec *spec, struct lb_error *error)
{
    struct lb_sim_processor one = {.type = "cpu", .speed = 1, .fails = INFINITY};
    set_defaults(spec);
    return add(spec, count, &one, error);
}

void lb_sim_spec_free(struct lb_sim_spec *spec)
{
    free(spec->processors);
    spec->processors = NULL;
    spec->count = 0;
}
