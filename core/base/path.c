#include "core/base/path.h"

#include <string.h>

int lb_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

const char *lb_file_name(const char *path)
{
    return path + lb_folder_length(path);
}
