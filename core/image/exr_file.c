#include "core/base/replace.h"
#include "core/image/image.h"

#include <stdlib.h>

enum lb_status lb_exr_write(const char *path, const struct lb_exr_picture *picture, struct lb_error *error)
{
    char reason[512];
    size_t size;
    uint8_t *data = lb_exr_encode(picture, &size, reason, sizeof reason);
    if (!data)
        return *reason ? lb_error_set(error, LB_ERROR, "%s: cannot be made: %s", path, reason)
                       : lb_error_memory(error, path);
    enum lb_status status = lb_file_replace(path, data, size, error);
    free(data);
    return status;
}
