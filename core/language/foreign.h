/* Files that are known and are no scenes of this language, so that who names one is told what it is. */
#ifndef LB_CORE_LANGUAGE_FOREIGN_H
#define LB_CORE_LANGUAGE_FOREIGN_H

#include <stddef.h>

/* What to say of the file, by how it begins or by its name's ending, as "a PNG picture, not a scene". NULL: it may be a
 * scene, as far as can be seen; a byte of 0 shows that it is no text. */
const char *lb_foreign_kind(const char *name, const char *text, size_t length);

#endif
