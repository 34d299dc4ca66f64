/* Look-ups in a parameter list. Each marks what it found as used, so that lb_parameters_unused can name what
 * nobody read. */
#ifndef LB_CORE_LANGUAGE_PARAMETERS_H
#define LB_CORE_LANGUAGE_PARAMETERS_H

#include "core/base/guess.h"
#include "core/language/description.h"

/* "point3", .. as scene files say. */
const char *lb_parameter_type_name(enum lb_parameter_type type);
bool lb_parameter_type_parse(const char *text, size_t length, enum lb_parameter_type *type);
/* How many floats make one value: 1, 2 or 3, and 0 for types without floats. */
unsigned lb_parameter_type_floats(enum lb_parameter_type type);

/* The parameter of that name, or NULL; of any type. The list's own count before the defaults of Attribute
 * directives, the last of several first. */
struct lb_parameter *lb_parameters_find(const struct lb_parameters *parameters, const char *name);

/* Each writes the parameter's one value, or `fallback` where the list has none of that name. Another type, or
 * another number of values than one, is an error with the parameter's place. */
enum lb_status lb_parameters_float(const struct lb_parameters *parameters, const char *name, float fallback,
                                   float *value, struct lb_error *error);
enum lb_status lb_parameters_integer(const struct lb_parameters *parameters, const char *name,
                                     int32_t fallback, int32_t *value, struct lb_error *error);
enum lb_status lb_parameters_bool(const struct lb_parameters *parameters, const char *name, bool fallback,
                                  bool *value, struct lb_error *error);
enum lb_status lb_parameters_string(const struct lb_parameters *parameters, const char *name,
                                    const char *fallback, const char **value, struct lb_error *error);
/* Three floats of the given type (point3, vector3, normal3). */
enum lb_status lb_parameters_triple(const struct lb_parameters *parameters, const char *name,
                                    enum lb_parameter_type type, const float fallback[3], float value[3],
                                    struct lb_error *error);
/* The whole array; *count 0 and *values NULL where there is none. count is of single floats or integers. */
enum lb_status lb_parameters_floats(const struct lb_parameters *parameters, const char *name,
                                    enum lb_parameter_type type, const float **values, size_t *count,
                                    struct lb_error *error);
enum lb_status lb_parameters_integers(const struct lb_parameters *parameters, const char *name,
                                      const int32_t **values, size_t *count, struct lb_error *error);

/* Tries the names that were looked up in the list of late. */
void lb_parameters_guess(const struct lb_parameters *parameters, struct lb_guess *guess);

/* The first parameter that no look-up touched, or NULL. Defaults are not asked for, and don't count. */
const struct lb_parameter *lb_parameters_unused(const struct lb_parameters *parameters);

/* "file:line:column: " and the message. Returns LB_ERROR. */
enum lb_status lb_error_at(struct lb_error *error, const struct lb_location *location, const char *format,
                           ...) __attribute__((format(printf, 3, 4)));
void lb_log_at(const struct lb_log *log, enum lb_level level, const struct lb_location *location,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
