/* Reading of a set of processors, for core/simulate alone; everybody else calls lb_sim_spec_parse or
 * lb_sim_sets_parse. */
#ifndef LB_CORE_SIMULATE_SIMULATE_SPEC_H
#define LB_CORE_SIMULATE_SIMULATE_SPEC_H

#include "core/simulate/simulate.h"

#include <jansson.h>

/* Is it the name of a JSON file? */
bool lb_sim_names_file(const char *text);
/* The file's value, to be released by json_decref. NULL: an error. */
json_t *lb_sim_load(const char *path, struct lb_error *error);
/* The set that a value of the file says, a text or an object; released by lb_sim_spec_free, also where it fails. */
enum lb_status lb_sim_spec_read(const char *path, json_t *value, struct lb_sim_spec *spec,
                                struct lb_error *error);

#endif
