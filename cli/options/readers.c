#include "cli/options/readers.h"

#include "core/processors/device_list.h"
#include "core/base/guess.h"
#include "core/base/number.h"
#include "core/display/connection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- parts of values ---- */

/* Cuts off and returns the text up to `separator`; `*length` is its length, 0 also when there is none. */
static const char *cut(const char **text, char separator, size_t *length)
{
    const char *begin = *text, *end = begin ? strchr(begin, separator) : NULL;
    *length = end ? (size_t)(end - begin) : begin ? strlen(begin) : 0;
    *text = end ? end + 1 : NULL;
    return begin;
}

/* Reads four numbers with commas between them. False: the text is not that. */
static bool parse_four(const char *value, double four[4])
{
    const char *left = value;
    for (int i = 0; i < 4; i++) {
        size_t length;
        const char *word = cut(&left, ',', &length);
        if (!word || !lb_number_real(word, length, &four[i]))
            return false;
    }
    return !left;
}

/* Reads text[0 .. length) as two whole numbers with `separator` between them. False: it is not that. */
static bool parse_pair(const char *text, size_t length, char separator, int64_t low, int64_t high,
                       int64_t pair[2])
{
    const char *middle = memchr(text, separator, length);
    size_t first = middle ? (size_t)(middle - text) : length;
    return middle && lb_number_whole(text, first, low, high, &pair[0]) &&
           lb_number_whole(middle + 1, length - first - 1, low, high, &pair[1]);
}

/* ---- the picture ---- */

enum lb_status cli_read_channels(const char *value, struct cli_options *options, struct lb_error *error)
{
    if (strcmp(value, "rgb"))
        return lb_outputs_parse(value, &options->form.outputs, error);
    options->form.outputs = 0;
    return LB_OK;
}

enum lb_status cli_read_resolution(const char *value, struct cli_options *options, struct lb_error *error)
{
    const char *left = value;
    size_t length[2];
    size_t size = strlen(value);
    if (size > 1 && value[size - 1] == '%')
        return lb_number_share(value, size, &options->load.scale) && options->load.scale > 0 ? LB_OK
                                                                                             : LB_ERROR;
    const char *width = cut(&left, 'x', &length[0]), *height = cut(&left, 'x', &length[1]);
    int64_t w = 0, h = 0;
    (void)error;
    if (left || !lb_number_whole(width, length[0], 1, 65535, &w) || !height ||
        !lb_number_whole(height, length[1], 1, 65535, &h))
        return LB_ERROR;
    options->load.scale = 0;
    options->load.width = (uint32_t)w;
    options->load.height = (uint32_t)h;
    return LB_OK;
}

/* Three numbers with commas between them. */
static bool parse_point(const char *text, size_t length, double point[3])
{
    const char *end = text + length;
    for (int i = 0; i < 3; i++) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        size_t size = (size_t)((comma ? comma : end) - text);
        if (!lb_number_real(text, size, &point[i]) || (comma == NULL) != (i == 2))
            return false;
        text = comma ? comma + 1 : end;
    }
    return true;
}

enum lb_status cli_read_look_at(const char *value, struct cli_options *options, struct lb_error *error)
{
    struct lb_scene_steering *steering = &options->load.steering;
    const char *left = value;
    size_t length[3] = {0};
    const char *eye = cut(&left, '/', &length[0]), *target = cut(&left, '/', &length[1]),
               *up = cut(&left, '/', &length[2]);
    (void)error;
    steering->has_look = true;
    steering->has_up = up != NULL;
    return !left && target && parse_point(eye, length[0], steering->eye) &&
                   parse_point(target, length[1], steering->target) &&
                   (!up || parse_point(up, length[2], steering->up))
               ? LB_OK
               : LB_ERROR;
}

enum lb_status cli_read_crop_window(const char *value, struct cli_options *options, struct lb_error *error)
{
    double four[4] = {0};
    (void)error;
    if (!parse_four(value, four) || four[0] < 0 || four[1] > 1 || four[2] < 0 || four[3] > 1 ||
        four[0] >= four[1] || four[2] >= four[3])
        return LB_ERROR;
    for (int i = 0; i < 4; i++)
        options->load.crop[i] = (float)four[i];
    return LB_OK;
}

enum lb_status cli_read_pixel_bounds(const char *value, struct cli_options *options, struct lb_error *error)
{
    int64_t four[4] = {0};
    const char *left = value;
    bool right = true;
    (void)error;
    for (int i = 0; i < 4 && right; i++) {
        size_t length;
        const char *word = cut(&left, ',', &length);
        right = word && lb_number_whole(word, length, 0, 65535, &four[i]);
    }
    if (!right || left || four[0] >= four[1] || four[2] >= four[3])
        return LB_ERROR;
    for (int i = 0; i < 4; i++)
        options->load.pixel_bounds[i] = (int32_t)four[i];
    return LB_OK;
}

enum lb_status cli_read_display_server(const char *value, struct cli_options *options, struct lb_error *error)
{
    (void)error;
    options->display_server = value;
    return lb_connection_names(value) ? LB_OK : LB_ERROR;
}

enum lb_status cli_read_preview(const char *value, struct cli_options *options, struct lb_error *error)
{
    static const char *const words[] = {"auto", "kitty", "sixel", "page"};
    int64_t port = 0;
    size_t length = value ? strcspn(value, ":") : 0;
    (void)error;
    options->preview_as = CLI_PREVIEW_AUTO;
    options->preview_port = 0;
    if (!value)
        return LB_OK;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (length != strlen(words[i]) || memcmp(value, words[i], length) != 0)
            continue;
        options->preview_as = (enum cli_preview)i;
        if (!value[length])
            return LB_OK;
        if (i != CLI_PREVIEW_PAGE ||
            !lb_number_whole(value + length + 1, strlen(value + length + 1), 1, 65535, &port))
            return LB_ERROR;
        options->preview_port = (uint32_t)port;
        return LB_OK;
    }
    return LB_ERROR;
}

enum lb_status cli_read_guiding(const char *value, struct cli_options *options, struct lb_error *error)
{
    static const char *const words[] = {
        [LB_GUIDING_AUTO] = "auto",
        [LB_GUIDING_TRIAL] = "trial",
        [LB_GUIDING_ALWAYS] = "always",
        [LB_GUIDING_NEVER] = "no",
    };
    (void)error;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(value ? value : "trial", words[i]) == 0) {
            options->guiding = (enum lb_guiding_wish)i;
            return LB_OK;
        }
    return LB_ERROR;
}

enum lb_status cli_read_report(const char *value, struct cli_options *options, struct lb_error *error)
{
    if (options->report_count == CLI_REPORTS_MOST)
        return lb_error_set(error, LB_ERROR_USAGE, "--report: \"%s\" is one more than %d reports", value,
                            CLI_REPORTS_MOST);
    options->reports[options->report_count++] = value;
    return LB_OK;
}

/* ---- the balance ---- */

enum lb_status cli_read_weights(const char *value, struct cli_options *options, struct lb_error *error)
{
    (void)error;
    options->weights_measured = !strcmp(value, "measured");
    options->weights = options->weights_measured ? NULL : value;
    return LB_OK;
}

/* The strategy of this name; else NULL, and an error of the option `option`. */
static const struct lb_strategy *find_strategy(const char *option, const char *name, struct lb_error *error)
{
    struct lb_guess guess;
    const struct lb_strategy *strategy = lb_strategy_find(name);
    if (strategy)
        return strategy;
    lb_guess_start(&guess, name, strlen(name));
    for (size_t i = 0; i < lb_strategy_count; i++)
        lb_guess_try(&guess, lb_strategies[i]->name);
    lb_error_set(error, LB_ERROR_USAGE, "--%s: there is no \"%s\"%s", option, name,
                 *guess.text ? guess.text : "; see --list-strategies");
    return NULL;
}

enum lb_status cli_read_strategy(const char *value, struct cli_options *options, struct lb_error *error)
{
    options->settings.strategy = find_strategy("strategy", value, error);
    return options->settings.strategy ? LB_OK : LB_ERROR_USAGE;
}

static enum lb_status add_racer(const struct lb_strategy *strategy, struct cli_options *options,
                                struct lb_error *error)
{
    for (size_t i = 0; i < options->racer_count; i++)
        if (options->racers[i] == strategy)
            return lb_error_set(error, LB_ERROR_USAGE, "--compare: \"%s\" is named twice", strategy->name);
    if (options->racer_count < CLI_RACERS_MOST)
        options->racers[options->racer_count++] = strategy;
    return LB_OK;
}

enum lb_status cli_read_racers(const char *value, struct cli_options *options, struct lb_error *error)
{
    const char *left = value;
    enum lb_status status = LB_OK;
    options->racer_count = 0;
    for (size_t i = 0; !value && i < lb_strategy_count; i++)
        add_racer(lb_strategies[i], options, error);
    while (left && status == LB_OK) {
        size_t length;
        char name[64];
        const char *word = cut(&left, ',', &length);
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), word);
        const struct lb_strategy *strategy = find_strategy("compare", name, error);
        status = strategy ? add_racer(strategy, options, error) : LB_ERROR_USAGE;
    }
    return status;
}

enum lb_status cli_read_threads(const char *value, struct cli_options *options, struct lb_error *error)
{
    size_t length = strlen(value);
    int64_t count;
    (void)error;
    if (lb_steps_parse(value, length, LB_MAX_PROCESSORS, &options->thread_steps))
        count = options->thread_steps.last;
    else if (!lb_number_whole(value, length, 1, LB_MAX_PROCESSORS, &count))
        return LB_ERROR;
    options->threads = (uint32_t)count;
    return LB_OK;
}

enum lb_status cli_read_repeat(const char *value, struct cli_options *options, struct lb_error *error)
{
    enum { MOST_REPEATS = 10000 };
    const char *left = value;
    size_t length;
    const char *word = cut(&left, ',', &length);
    int64_t count = 1;
    double seconds = 120;
    (void)error;
    bool is_auto = length == 4 && !memcmp(word, "auto", 4);
    if (is_auto && left && !(lb_number_seconds(left, strlen(left), &seconds) && seconds > 0))
        return LB_ERROR;
    if (!is_auto && !lb_number_whole(value, strlen(value), 1, MOST_REPEATS, &count))
        return LB_ERROR;
    options->repeats = (uint32_t)count;
    options->repeat_seconds = is_auto ? seconds : 0;
    return LB_OK;
}

/* ---- frames, and parts of pictures ---- */

enum lb_status cli_read_frames(const char *value, struct cli_options *options, struct lb_error *error)
{
    int64_t first = 0, last, step = 1, count;
    size_t length, word;
    const char *all = value, *range = cut(&all, '/', &length);
    const char *stepped = memchr(range, ',', length);
    size_t span = stepped ? (size_t)(stepped - range) : length;
    const char *dash = memchr(range, '-', span);
    word = dash ? (size_t)(dash - range) : span;
    bool right = lb_number_whole(range, word, 0, 999999, &first);
    last = first;
    if (right && dash)
        right = lb_number_whole(dash + 1, span - word - 1, first, 999999, &last);
    if (right && stepped)
        right = lb_number_whole(stepped + 1, length - span - 1, 1, 999999, &step);
    count = LB_FRAMES_UNKNOWN;
    if (right && all)
        right = lb_number_whole(all, strlen(all), last + 1, 1000000, &count);
    (void)error;
    if (!right)
        return LB_ERROR;
    options->frames =
        (struct cli_frames){true, (uint32_t)first, (uint32_t)last, (uint32_t)step, (uint32_t)count};
    return LB_OK;
}

enum lb_status cli_read_checkpoint(const char *value, struct cli_options *options, struct lb_error *error)
{
    struct cli_part_options *parts = &options->parts;
    const char *comma = strrchr(value, ',');
    double seconds = 60;
    bool told =
        comma && comma > value && lb_number_seconds(comma + 1, strlen(comma + 1), &seconds) && seconds > 0;
    free(parts->checkpoint);
    parts->checkpoint = strndup(value, told ? (size_t)(comma - value) : strlen(value));
    parts->checkpoint_seconds = told ? seconds : 60;
    return parts->checkpoint ? LB_OK : lb_error_memory(error, NULL);
}

/* The weights are not looked at yet. */
enum lb_status cli_read_share(const char *value, struct cli_options *options, struct lb_error *error)
{
    enum { MOST_SHARES = 65536 };
    int64_t pair[2];
    size_t length = strcspn(value, ",");
    (void)error;
    if (!parse_pair(value, length, '/', 1, MOST_SHARES, pair) || pair[0] > pair[1])
        return LB_ERROR;
    options->parts.share = (uint32_t)pair[0] - 1;
    options->parts.shares = (uint32_t)pair[1];
    options->parts.share_weights = value[length] ? value + length + 1 : NULL;
    return LB_OK;
}

enum lb_status cli_read_samples(const char *value, struct cli_options *options, struct lb_error *error)
{
    enum { MOST_SAMPLES = 1 << 24 };
    int64_t pair[2];
    (void)error;
    if (!parse_pair(value, strlen(value), ':', 0, MOST_SAMPLES, pair) || pair[0] >= pair[1])
        return LB_ERROR;
    options->parts.sample_begin = (uint32_t)pair[0];
    options->parts.sample_end = (uint32_t)pair[1];
    return LB_OK;
}
