/* A folder for a while, which is gone afterwards however this program ends. */
#ifndef LB_CORE_MODEL_FOLDER_H
#define LB_CORE_MODEL_FOLDER_H

#include "core/base/error.h"

#include <sys/types.h>

struct lb_folder {
    char *path;   /* NULL: there is none */
    pid_t keeper; /* a process that removes it when `life` is closed */
    int life;
};

/* Makes it in the folder `where`, under a name of this program's temporary files. To be called while the program has
 * one thread. */
enum lb_status lb_folder_open(struct lb_folder *folder, const char *where, struct lb_error *error);
/* Removes it with all that is in it. A zeroed struct is nothing to do. */
void lb_folder_close(struct lb_folder *folder);

#endif
