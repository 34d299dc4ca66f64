/* Between which keys of an animation a time lies. */
#include "core/model/import_work.h"

#include <math.h>

unsigned lb_model_find_key(const void *times, size_t stride, unsigned count, double time, double *part)
{
    const char *bytes = times;
    unsigned low = 0, high = count;
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        if (*(const double *)(bytes + middle * stride) <= time)
            low = middle;
        else
            high = middle;
    }
    double begin = *(const double *)(bytes + low * stride);
    double end = low + 1 < count ? *(const double *)(bytes + (low + 1) * stride) : begin;
    *part = end > begin ? fmin(1.0, fmax(0.0, (time - begin) / (end - begin))) : 0.0;
    return low;
}
