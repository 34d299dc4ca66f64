#include "core/processors/given_weights.h"

#include "core/base/number.h"
#include "core/processors/device_list.h"

#include <stdlib.h>
#include <string.h>

static const double LEAST_WEIGHT = 1e-30;

/* Scales weights so that their sum is 1. They are divided by the largest one first, so that the sum cannot overflow;
 * none becomes so small that it is 0. */
static void normalise(double *weights, uint32_t count)
{
    double largest = 0, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        largest = weights[i] > largest ? weights[i] : largest;
    for (uint32_t i = 0; i < count; i++) {
        double weight = weights[i] / largest;
        weights[i] = weight > LEAST_WEIGHT ? weight : LEAST_WEIGHT;
        sum += weights[i];
    }
    for (uint32_t i = 0; i < count; i++)
        weights[i] /= sum;
}

enum lb_status lb_weights_parse(const char *option, const char *text, double **weights, uint32_t *count,
                                struct lb_error *error)
{
    uint32_t number = 1;
    for (const char *at = text; *at; at++)
        number += *at == ',';
    if (number > LB_MAX_PROCESSORS)
        return lb_error_set(error, LB_ERROR_USAGE, "%s: more than %d weights", option, LB_MAX_PROCESSORS);
    *weights = malloc(number * sizeof **weights);
    if (!*weights)
        return lb_error_memory(error, NULL);
    for (uint32_t i = 0; i < number; i++) {
        size_t length = strcspn(text, ",");
        if (!lb_number_share(text, length, &(*weights)[i]) || (*weights)[i] <= 0)
            return lb_error_set(error, LB_ERROR_USAGE, "%s: \"%.*s\" is not a positive number", option,
                                (int)length, text);
        text += length + 1;
    }
    normalise(*weights, number);
    *count = number;
    return LB_OK;
}
