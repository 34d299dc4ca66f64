#include "cli/options/part_options.h"

#include "core/base/number.h"

#include <stdlib.h>
#include <string.h>

/* Reads text[0 .. length) as two whole numbers with `separator` between them. False: it is not that. */
static bool parse_pair(const char *text, size_t length, char separator, int64_t low, int64_t high,
                       int64_t pair[2])
{
    const char *middle = memchr(text, separator, length);
    size_t first = middle ? (size_t)(middle - text) : length;
    return middle && lb_number_whole(text, first, low, high, &pair[0]) &&
           lb_number_whole(middle + 1, length - first - 1, low, high, &pair[1]);
}

bool cli_share_parse(const char *value, struct cli_part_options *options)
{
    enum { MOST_SHARES = 65536 };
    int64_t pair[2];
    size_t length = strcspn(value, ",");
    if (!parse_pair(value, length, '/', 1, MOST_SHARES, pair) || pair[0] > pair[1])
        return false;
    options->share = (uint32_t)pair[0] - 1;
    options->shares = (uint32_t)pair[1];
    options->share_weights = value[length] ? value + length + 1 : NULL;
    return true;
}

bool cli_checkpoint_parse(const char *value, struct cli_part_options *options)
{
    const char *comma = strrchr(value, ',');
    double seconds = 60;
    bool told =
        comma && comma > value && lb_number_real(comma + 1, strlen(comma + 1), &seconds) && seconds > 0;
    free(options->checkpoint);
    options->checkpoint = strndup(value, told ? (size_t)(comma - value) : strlen(value));
    options->checkpoint_seconds = told ? seconds : 60;
    return options->checkpoint != NULL;
}

bool cli_samples_parse(const char *value, struct cli_part_options *options)
{
    enum { MOST_SAMPLES = 1 << 24 };
    int64_t pair[2];
    if (!parse_pair(value, strlen(value), ':', 0, MOST_SAMPLES, pair) || pair[0] >= pair[1])
        return false;
    options->sample_begin = (uint32_t)pair[0];
    options->sample_end = (uint32_t)pair[1];
    return true;
}

bool cli_part_options_some(const struct cli_part_options *options)
{
    return options->shares > 0 || options->sample_end > 0;
}
