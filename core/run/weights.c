#include "core/run/weights.h"

#include "core/image/image.h"
#include "core/base/text.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double DEAD_BAND = 0.02, DAMPING = 0.5;

void lb_weights_refine(const struct lb_report_balance *balance, bool first, double *weights)
{
    double speed = 0, weight = 0, sum = 0;
    for (uint32_t i = 0; i < balance->processor_count; i++)
        if (lb_report_measured(&balance->processors[i])) {
            speed += balance->processors[i].speed;
            weight += weights[i];
        }
    for (uint32_t i = 0; i < balance->processor_count; i++) {
        const struct lb_report_processor *p = &balance->processors[i];
        if (lb_report_measured(p) && speed > 0) {
            double measured = weight * p->speed / speed;
            if (first)
                weights[i] = measured;
            else if (fabs(measured - weights[i]) > DEAD_BAND * weights[i])
                weights[i] += DAMPING * (measured - weights[i]);
        }
        sum += weights[i];
    }
    for (uint32_t i = 0; i < balance->processor_count; i++)
        weights[i] /= sum;
}

/* ---- the file ---- */

static void add_plain(struct lb_text *text, const char *name)
{
    for (; *name; name++)
        lb_text_add(text, "%c", strchr("/: \t\n", *name) ? '_' : *name);
}

char *lb_weights_file(const char *cache_home, const char *home, const char *scene)
{
    char host[HOST_NAME_MAX + 1] = "localhost";
    struct lb_text text = {0};
    bool given = cache_home && *cache_home == '/';
    char *path = realpath(scene, NULL);
    if ((!given && (!home || !*home)) || !path) {
        free(path);
        return NULL;
    }
    gethostname(host, sizeof host - 1);
    const char *slash = strrchr(path, '/');
    lb_text_add(&text, "%s%s/lbrender/", given ? cache_home : home, given ? "" : "/.cache");
    add_plain(&text, host);
    lb_text_add(&text, "-");
    add_plain(&text, slash ? slash + 1 : path);
    lb_text_add(&text, "-%08x.json", lb_crc32c(0, path, strlen(path)));
    free(path);
    return lb_text_take(&text);
}

/* The sets are told apart by their processors: four threads on two cores are slower than two. */
static char *set_name(const char *const *names, uint32_t count)
{
    struct lb_text text = {0};
    for (uint32_t i = 0; i < count; i++)
        lb_text_add(&text, "%s%s", i ? "," : "", names[i]);
    return lb_text_take(&text);
}

/* The file's object, or an empty one with a warning; NULL only when out of memory. */
static json_t *load(const char *file, const struct lb_log *log)
{
    json_error_t error;
    if (access(file, F_OK))
        return json_object();
    json_t *root = json_load_file(file, 0, &error);
    if (root && json_is_string(json_object_get(root, "schema")) &&
        json_is_object(json_object_get(root, "speeds")) &&
        !strcmp(json_string_value(json_object_get(root, "schema")), "lbrender-speeds/1"))
        return root;
    json_decref(root);
    lb_log_write(log, LB_WARNING, "%s is damaged and is not used", file);
    return json_object();
}

bool lb_weights_read(const char *file, const char *const *names, uint32_t count, const struct lb_log *log,
                     double *speeds)
{
    json_t *root = load(file, log);
    char *set = set_name(names, count);
    const json_t *list = set ? json_object_get(json_object_get(root, "speeds"), set) : NULL;
    bool whole = json_is_array(list) && json_array_size(list) == count;
    for (uint32_t i = 0; whole && i < count; i++) {
        speeds[i] = json_number_value(json_array_get(list, i));
        whole = isfinite(speeds[i]) && speeds[i] > 0;
    }
    if (list && !whole)
        lb_log_write(log, LB_WARNING, "%s holds speeds that are none: they are not used", file);
    free(set);
    json_decref(root);
    return whole;
}

static void make_folders(const char *file)
{
    char *path = strdup(file);
    for (char *slash = path; slash && (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    free(path);
}

void lb_weights_write(const char *file, const char *scene, const char *const *names, uint32_t count,
                      const double *speeds, const struct lb_log *log)
{
    struct lb_error error = {LB_OK, ""};
    json_t *root = load(file, NULL), *list = json_array();
    char *set = set_name(names, count);
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, json_real(speeds[i]));
    if (!json_is_object(json_object_get(root, "speeds")))
        json_object_set_new(root, "speeds", json_object());
    json_object_set_new(root, "schema", json_string("lbrender-speeds/1"));
    json_object_set_new(root, "scene", json_string(scene));
    json_object_set_new(root, "unit", json_string("cost units a second"));
    if (set)
        json_object_set_new(json_object_get(root, "speeds"), set, list);
    else
        json_decref(list);
    char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    make_folders(file);
    if (!set || !text || lb_file_replace(file, text, strlen(text), &error) != LB_OK)
        lb_log_write(log, LB_NOTE, "measured speeds were not kept: %s", error.message);
    free(text);
    free(set);
    json_decref(root);
}
