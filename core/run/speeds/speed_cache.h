/* How fast kinds of processors were at a scene, kept from run to run on a host. */
#ifndef LB_CORE_RUN_SPEEDS_SPEED_CACHE_H
#define LB_CORE_RUN_SPEEDS_SPEED_CACHE_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* The folder for what is kept from run to run, under $XDG_CACHE_HOME, else `home`/.cache; the caller's to free. NULL:
 * neither is an absolute path, or there is no memory. */
char *lb_cache_folder(const char *cache_home, const char *home);
/* The file in that folder for this host and a scene: a readable name with a checksum of the scene's real path. The
 * caller's to free. NULL: `folder` is NULL, there is no such scene, or no memory. */
char *lb_speeds_file(const char *folder, const char *scene);
/* Fills `speeds` where the file holds a speed of each model (a name a processor: equal ones are alike), all in one
 * unit; false where not. A file that is none, is large or cannot be understood is a warning. */
bool lb_speeds_read(const char *file, const char *const *models, uint32_t count, const struct lb_log *log,
                    double *speeds);
/* Keeps a mean speed of each model, in `unit`s a second, beside what the file holds; makes the folders on the way, and
 * removes the oldest files of this host where a new one would be more than 256.
 * Failing is a note: a cache is not a result. What could not be read is a warning, and written anew; what is no file
 * stays. */
void lb_speeds_write(const char *file, const char *scene, const char *unit, const char *const *models,
                     uint32_t count, const double *speeds, const struct lb_log *log);

#endif
