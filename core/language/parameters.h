/* Looks parameters up in a directive's list. Each look-up marks what it found as used (lb_parameter.used), so that
 * what nobody read can be named. */
#ifndef LB_CORE_LANGUAGE_PARAMETERS_H
#define LB_CORE_LANGUAGE_PARAMETERS_H

#include "core/base/guess.h"
#include "core/language/description.h"

/* The type's name as scene files have it: "point3" for instance. */
const char *lb_parameter_type_name(enum lb_parameter_type type);
/* Reads such a name, of `length` bytes. False: there is no such type. */
bool lb_parameter_type_parse(const char *text, size_t length, enum lb_parameter_type *type);
/* How many floats make one value of this type: 1, 2 or 3; 0 for types without floats. */
unsigned lb_parameter_type_floats(enum lb_parameter_type type);

/* Returns the parameter of that name, whatever its type, or NULL. The list's own parameters count before the defaults
 * of Attribute directives, and the last of several of one name counts. */
struct lb_parameter *lb_parameters_find(const struct lb_parameters *parameters, const char *name);

/* Each of these writes the parameter's only value, or `fallback` where there is none of that name. Another type, or
 * another number of values than one, is an error that names the parameter's place. */
enum lb_status lb_parameters_float(const struct lb_parameters *parameters, const char *name, float fallback,
                                   float *value, struct lb_error *error);
enum lb_status lb_parameters_integer(const struct lb_parameters *parameters, const char *name,
                                     int32_t fallback, int32_t *value, struct lb_error *error);
enum lb_status lb_parameters_bool(const struct lb_parameters *parameters, const char *name, bool fallback,
                                  bool *value, struct lb_error *error);
enum lb_status lb_parameters_string(const struct lb_parameters *parameters, const char *name,
                                    const char *fallback, const char **value, struct lb_error *error);
/* The same for three floats of the given type, which is that of point3, vector3 or normal3. */
enum lb_status lb_parameters_triple(const struct lb_parameters *parameters, const char *name,
                                    enum lb_parameter_type type, const float fallback[3], float value[3],
                                    struct lb_error *error);
/* Each of these gives the whole array, or `*count` 0 and `*values` NULL where there is no parameter of that name.
 * `*count` is of single floats or integers. */
enum lb_status lb_parameters_floats(const struct lb_parameters *parameters, const char *name,
                                    enum lb_parameter_type type, const float **values, size_t *count,
                                    struct lb_error *error);
enum lb_status lb_parameters_integers(const struct lb_parameters *parameters, const char *name,
                                      const int32_t **values, size_t *count, struct lb_error *error);

/* Offers the names that were lately looked up in this list as guesses. */
void lb_parameters_guess(const struct lb_parameters *parameters, struct lb_guess *guess);

/* Makes the message "file:line:column: ..." and returns LB_ERROR. `error` may be NULL. */
enum lb_status lb_error_at(struct lb_error *error, const struct lb_location *location, const char *format,
                           ...) __attribute__((format(printf, 3, 4)));
/* Logs a message of the same form. */
void lb_log_at(const struct lb_log *log, enum lb_level level, const struct lb_location *location,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
