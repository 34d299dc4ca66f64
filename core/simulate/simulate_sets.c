#include "core/simulate/simulate_sets.h"

#include "core/base/steps.h"
#include "core/base/text.h"
#include "core/simulate/simulate_spec.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PROCESSORS = 10000000 };

/* Room for one more; NULL: there are too many, or no memory. */
static struct lb_sim_spec *make_room(struct lb_sim_sets *sets, struct lb_error *error)
{
    if (sets->count == LB_SIM_SETS_MOST) {
        lb_error_set(error, LB_ERROR_USAGE, "--simulate: more than %d sets of processors", LB_SIM_SETS_MOST);
        return NULL;
    }
    struct lb_sim_spec *items = reallocarray(sets->items, sets->count + 1, sizeof *items);
    if (!items) {
        lb_error_memory(error, NULL);
        return NULL;
    }
    sets->items = items;
    items[sets->count] = (struct lb_sim_spec){.count = 0};
    return &items[sets->count];
}

static enum lb_status add_text(struct lb_sim_sets *sets, const char *text, struct lb_error *error)
{
    struct lb_sim_spec *spec = make_room(sets, error);
    enum lb_status status = spec ? lb_sim_spec_parse(text, spec, error) : error->status;
    sets->count += status == LB_OK;
    return status;
}

/* ---- ranges ---- */

/* `steps`, each before what all sets have besides: "" or from its comma on. */
static enum lb_status add_steps(struct lb_sim_sets *sets, const struct lb_steps *steps, const char *rest,
                                struct lb_error *error)
{
    enum lb_status status = LB_OK;
    for (int64_t at = lb_steps_next(steps, 0); at && status == LB_OK; at = lb_steps_next(steps, at)) {
        struct lb_text text = {0};
        lb_text_add(&text, "%lld%s", (long long)at, rest);
        char *set = lb_text_take(&text);
        status = set ? add_text(sets, set, error) : lb_error_memory(error, NULL);
        free(set);
    }
    return status;
}

/* ---- files ---- */

static enum lb_status add_array(struct lb_sim_sets *sets, const char *path, json_t *array,
                                struct lb_error *error)
{
    enum lb_status status = LB_OK;
    if (json_array_size(array) == 0)
        return lb_error_set(error, LB_ERROR, "%s: an empty list of sets of processors", path);
    for (size_t i = 0; i < json_array_size(array) && status == LB_OK; i++) {
        struct lb_sim_spec *spec = make_room(sets, error);
        status = spec ? lb_sim_spec_read(path, json_array_get(array, i), spec, error) : error->status;
        if (spec && status != LB_OK)
            lb_sim_spec_free(spec);
        sets->count += status == LB_OK;
    }
    return status;
}

static enum lb_status add_file(struct lb_sim_sets *sets, const char *path, struct lb_error *error)
{
    json_t *root = lb_sim_load(path, error);
    if (!root)
        return error->status;
    sets->several = json_is_array(root);
    enum lb_status status = sets->several ? add_array(sets, path, root, error) : add_text(sets, path, error);
    json_decref(root);
    return status;
}

enum lb_status lb_sim_sets_parse(const char *text, struct lb_sim_sets *sets, struct lb_error *error)
{
    struct lb_steps steps;
    size_t length = strcspn(text, ",");
    enum lb_status status;
    *sets = (struct lb_sim_sets){.items = NULL};
    if (lb_sim_names_file(text)) {
        status = add_file(sets, text, error);
    } else if (strstr(text, "..")) {
        sets->several = true;
        status = lb_steps_parse(text, length, MOST_PROCESSORS, &steps)
                     ? add_steps(sets, &steps, text + length, error)
                     : lb_error_set(
                           error, LB_ERROR_USAGE,
                           "--simulate: \"%s\": wanted numbers of processors as in 1..64 or 1..1024*2", text);
    } else {
        status = add_text(sets, text, error);
    }
    if (status != LB_OK)
        lb_sim_sets_free(sets);
    return status;
}

void lb_sim_sets_free(struct lb_sim_sets *sets)
{
    for (uint32_t i = 0; i < sets->count; i++)
        lb_sim_spec_free(&sets->items[i]);
    free(sets->items);
    *sets = (struct lb_sim_sets){.items = NULL};
}
