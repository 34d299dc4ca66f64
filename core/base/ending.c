#include "core/base/ending.h"

#include <string.h>
#include <strings.h>

bool lb_ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && !strcasecmp(name + length - tail, ending);
}
