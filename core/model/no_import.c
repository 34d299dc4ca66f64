/* In place of import.c, where Assimp's headers are not installed. */
#include "core/model/import.h"

bool lb_model_can_import(struct lb_error *error)
{
    lb_error_set(error, LB_ERROR, "this program was built without Assimp, which reads models");
    return false;
}

enum lb_status lb_model_import(const char *path, const struct lb_model_options *options, const char *folder,
                               const char *name, const struct lb_log *log, struct lb_error *error)
{
    (void)path, (void)options, (void)folder, (void)name, (void)log;
    return lb_model_can_import(error) ? LB_OK : LB_ERROR;
}
