/* Reading a model with Assimp, and writing a scene of it. Only lb_model_open() and lb_model_write() call this, in a
 * process of its own. */
#ifndef LB_CORE_MODEL_IMPORT_H
#define LB_CORE_MODEL_IMPORT_H

#include "core/base/error.h"
#include "core/model/model.h"

#include <stdbool.h>

/* Was this program built with Assimp's headers? Where not, `error` says so. */
bool lb_model_can_import(struct lb_error *error);

/* Reads the model `path` and writes `folder`/`name`.pbrt with all that it needs into `folder`/`name`-parts, which is
 * there. Where frames of an animation are asked for it writes a scene for each in place of that one, as
 * `folder`/`name`-0042.pbrt. Errors begin with `path`. */
enum lb_status lb_model_import(const char *path, const struct lb_model_options *options, const char *folder,
                               const char *name, const struct lb_log *log, struct lb_error *error);

#endif
