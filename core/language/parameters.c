#include "core/language/parameters.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned floats_per_value; /* 0 for types without floats */
} types[] = {
    [LB_PARAMETER_BOOL] = {"bool", 0},         [LB_PARAMETER_INTEGER] = {"integer", 0},
    [LB_PARAMETER_FLOAT] = {"float", 1},       [LB_PARAMETER_POINT2] = {"point2", 2},
    [LB_PARAMETER_VECTOR2] = {"vector2", 2},   [LB_PARAMETER_POINT3] = {"point3", 3},
    [LB_PARAMETER_VECTOR3] = {"vector3", 3},   [LB_PARAMETER_NORMAL3] = {"normal", 3},
    [LB_PARAMETER_RGB] = {"rgb", 3},           [LB_PARAMETER_BLACKBODY] = {"blackbody", 1},
    [LB_PARAMETER_SPECTRUM] = {"spectrum", 2}, [LB_PARAMETER_STRING] = {"string", 0},
    [LB_PARAMETER_TEXTURE] = {"texture", 0},
};

enum { TYPES = sizeof types / sizeof types[0] };

const char *lb_parameter_type_name(enum lb_parameter_type type)
{
    return types[type].name;
}

bool lb_parameter_type_parse(const char *text, size_t length, enum lb_parameter_type *type)
{
    for (unsigned i = 0; i < TYPES; i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, text, length) == 0) {
            *type = (enum lb_parameter_type)i;
            return true;
        }
    return false;
}

unsigned lb_parameter_type_floats(enum lb_parameter_type type)
{
    return types[type].floats_per_value;
}

static struct lb_parameter *find_last(struct lb_parameter *items, size_t count, const char *name)
{
    for (size_t i = count; i-- > 0;)
        if (strcmp(items[i].name, name) == 0)
            return &items[i];
    return NULL;
}

struct lb_parameter *lb_parameters_find(const struct lb_parameters *parameters, const char *name)
{
    struct lb_lookups *lookups = parameters->lookups;
    if (lookups) {
        lookups->latest[lookups->next].list = parameters->items;
        lookups->latest[lookups->next++].name = name;
    }
    struct lb_parameter *found = find_last(parameters->items, parameters->count, name);
    if (!found)
        found = find_last(parameters->defaults, parameters->default_count, name);
    if (found)
        found->used = true;
    return found;
}

/* Finds a parameter of this type. `*found` is NULL where there is none of that name. */
static enum lb_status find_typed(const struct lb_parameters *parameters, const char *name,
                                 enum lb_parameter_type type, const struct lb_parameter **found,
                                 struct lb_error *error)
{
    const struct lb_parameter *parameter = lb_parameters_find(parameters, name);
    *found = parameter;
    if (parameter && parameter->type != type)
        return lb_error_at(error, &parameter->location, "\"%s %s\" must be of type %s",
                           types[parameter->type].name, name, types[type].name);
    return LB_OK;
}

/* The same for a parameter that must have just one value, which is made of `elements` numbers or strings. */
static enum lb_status find_one(const struct lb_parameters *parameters, const char *name,
                               enum lb_parameter_type type, size_t elements,
                               const struct lb_parameter **found, struct lb_error *error)
{
    enum lb_status status = find_typed(parameters, name, type, found, error);
    if (status == LB_OK && *found && (*found)->count != elements)
        return lb_error_at(error, &(*found)->location, "\"%s %s\" has %zu values where it must have 1",
                           types[type].name, name, (*found)->count / elements);
    return status;
}

enum lb_status lb_parameters_float(const struct lb_parameters *parameters, const char *name, float fallback,
                                   float *value, struct lb_error *error)
{
    const struct lb_parameter *found;
    enum lb_status status = find_one(parameters, name, LB_PARAMETER_FLOAT, 1, &found, error);
    if (status == LB_OK)
        *value = found ? found->floats[0] : fallback;
    return status;
}

enum lb_status lb_parameters_integer(const struct lb_parameters *parameters, const char *name,
                                     int32_t fallback, int32_t *value, struct lb_error *error)
{
    const struct lb_parameter *found;
    enum lb_status status = find_one(parameters, name, LB_PARAMETER_INTEGER, 1, &found, error);
    if (status == LB_OK)
        *value = found ? found->integers[0] : fallback;
    return status;
}

enum lb_status lb_parameters_bool(const struct lb_parameters *parameters, const char *name, bool fallback,
                                  bool *value, struct lb_error *error)
{
    const struct lb_parameter *found;
    enum lb_status status = find_one(parameters, name, LB_PARAMETER_BOOL, 1, &found, error);
    if (status == LB_OK)
        *value = found ? found->bools[0] : fallback;
    return status;
}

enum lb_status lb_parameters_string(const struct lb_parameters *parameters, const char *name,
                                    const char *fallback, const char **value, struct lb_error *error)
{
    const struct lb_parameter *found;
    enum lb_status status = find_one(parameters, name, LB_PARAMETER_STRING, 1, &found, error);
    if (status == LB_OK)
        *value = found ? found->strings[0] : fallback;
    return status;
}

enum lb_status lb_parameters_triple(const struct lb_parameters *parameters, const char *name,
                                    enum lb_parameter_type type, const float fallback[3], float value[3],
                                    struct lb_error *error)
{
    const struct lb_parameter *found;
    enum lb_status status = find_one(parameters, name, type, 3, &found, error);
    if (status == LB_OK)
        memmove(value, found ? found->floats : fallback, 3 * sizeof *value);
    return status;
}

enum lb_status lb_parameters_floats(const struct lb_parameters *parameters, const char *name,
                                    enum lb_parameter_type type, const float **values, size_t *count,
                                    struct lb_error *error)
{
    const struct lb_parameter *found;
    enum lb_status status = find_typed(parameters, name, type, &found, error);
    if (status == LB_OK) {
        *values = found ? found->floats : NULL;
        *count = *values ? found->count : 0;
    }
    return status;
}

enum lb_status lb_parameters_integers(const struct lb_parameters *parameters, const char *name,
                                      const int32_t **values, size_t *count, struct lb_error *error)
{
    const struct lb_parameter *found;
    enum lb_status status = find_typed(parameters, name, LB_PARAMETER_INTEGER, &found, error);
    if (status == LB_OK) {
        *values = found ? found->integers : NULL;
        *count = found ? found->count : 0;
    }
    return status;
}

void lb_parameters_guess(const struct lb_parameters *parameters, struct lb_guess *guess)
{
    const struct lb_lookups *lookups = parameters->lookups;
    for (size_t i = 0; lookups && i < sizeof lookups->latest / sizeof lookups->latest[0]; i++)
        if (lookups->latest[i].name && lookups->latest[i].list == parameters->items)
            lb_guess_try(guess, lookups->latest[i].name);
}
