#include "cli/options/values.h"

#include "cli/options/table.h"
#include "core/base/ending.h"
#include "core/base/guess.h"
#include "core/base/number.h"

#include <string.h>

/* argp_error does not return while a command line is parsed. */
void cli_value_refuse(const struct argp_state *state, int key, const char *wanted, const char *got)
{
    argp_error(state, "--%s needs %s, not \"%s\"", cli_option_name(key), wanted, got);
}

union lb_option_value cli_value_declared(const struct argp_state *state, const struct lb_option *option,
                                         const char *text)
{
    union lb_option_value value = {0};
    struct lb_error error;
    if (lb_option_parse(option, text, &value, &error) != LB_OK)
        argp_error(state, "%s", error.message);
    return value;
}

unsigned cli_value_word(const struct argp_state *state, int key, const char *value, const char *const *words)
{
    struct lb_option option = {.name = cli_option_name(key), .type = LB_OPTION_WORD, .words = words};
    return cli_value_declared(state, &option, value).word;
}

uint64_t cli_value_whole(const struct argp_state *state, int key, const char *value, uint32_t low,
                         uint32_t high)
{
    struct lb_option option = {
        .name = cli_option_name(key), .type = LB_OPTION_WHOLE, .low = low, .high = high};
    return cli_value_declared(state, &option, value).whole;
}

uint32_t cli_value_positive(const struct argp_state *state, int key, const char *value)
{
    return (uint32_t)cli_value_whole(state, key, value, 1, INT32_MAX);
}

/* Cuts off and returns the text up to `separator`; `*length` is its length, 0 also when there is none. */
static const char *cut(const char **text, char separator, size_t *length)
{
    const char *begin = *text, *end = begin ? strchr(begin, separator) : NULL;
    *length = end ? (size_t)(end - begin) : begin ? strlen(begin) : 0;
    *text = end ? end + 1 : NULL;
    return begin;
}

void cli_value_resolution(const struct argp_state *state, const char *value, struct lb_scene_options *load)
{
    const char *left = value;
    size_t length[2];
    const char *width = cut(&left, 'x', &length[0]), *height = cut(&left, 'x', &length[1]);
    int64_t w = 0, h = 0;
    if (left || !lb_number_whole(width, length[0], 1, 65535, &w) || !height ||
        !lb_number_whole(height, length[1], 1, 65535, &h))
        cli_value_refuse(state, KEY_RESOLUTION, "WxH, each from 1 to 65535", value);
    load->width = (uint32_t)w;
    load->height = (uint32_t)h;
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

void cli_value_crop_window(const struct argp_state *state, const char *value, struct lb_scene_options *load)
{
    double four[4] = {0};
    if (!parse_four(value, four) || four[0] < 0 || four[1] > 1 || four[2] < 0 || four[3] > 1 ||
        four[0] >= four[1] || four[2] >= four[3])
        cli_value_refuse(state, KEY_CROP_WINDOW, "x0,x1,y0,y1 from 0 to 1 with x0 < x1 and y0 < y1", value);
    load->has_crop = true;
    for (int i = 0; i < 4; i++)
        load->crop[i] = (float)four[i];
}

void cli_value_pixel_bounds(const struct argp_state *state, const char *value, struct lb_scene_options *load)
{
    int64_t four[4] = {0};
    const char *left = value;
    bool right = true;
    for (int i = 0; i < 4 && right; i++) {
        size_t length;
        const char *word = cut(&left, ',', &length);
        right = word && lb_number_whole(word, length, 0, 65535, &four[i]);
    }
    if (!right || left || four[0] >= four[1] || four[2] >= four[3])
        cli_value_refuse(state, KEY_PIXEL_BOUNDS, "x0,x1,y0,y1 in pixels with x0 < x1 and y0 < y1", value);
    load->has_pixel_bounds = true;
    for (int i = 0; i < 4; i++)
        load->pixel_bounds[i] = (int32_t)four[i];
}

void cli_value_frames(const struct argp_state *state, const char *value, struct cli_frames *frames)
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
    if (!right)
        cli_value_refuse(state, KEY_FRAMES, "B-E, B-E,STEP or B-E,STEP/N with 0 <= B <= E < N <= 1000000",
                         value);
    *frames = (struct cli_frames){true, (uint32_t)first, (uint32_t)last, (uint32_t)step, (uint32_t)count};
}

const struct lb_strategy *cli_value_strategy(const struct argp_state *state, int key, const char *name)
{
    struct lb_guess guess;
    const struct lb_strategy *strategy = lb_strategy_find(name);
    if (strategy)
        return strategy;
    lb_guess_start(&guess, name, strlen(name));
    for (size_t i = 0; i < lb_strategy_count; i++)
        lb_guess_try(&guess, lb_strategies[i]->name);
    argp_error(state, "--%s: there is no \"%s\"%s", cli_option_name(key), name,
               *guess.text ? guess.text : "; see --list-strategies");
    return NULL;
}

static void add_racer(const struct argp_state *state, const struct lb_strategy *strategy,
                      struct cli_options *options)
{
    for (size_t i = 0; i < options->racer_count; i++)
        if (options->racers[i] == strategy)
            argp_error(state, "--compare: \"%s\" is named twice", strategy->name);
    if (options->racer_count < CLI_RACERS_MOST)
        options->racers[options->racer_count++] = strategy;
}

void cli_value_racers(const struct argp_state *state, const char *value, struct cli_options *options)
{
    const char *left = value;
    options->racer_count = 0;
    for (size_t i = 0; !value && i < lb_strategy_count; i++)
        add_racer(state, lb_strategies[i], options);
    while (left) {
        size_t length;
        char name[64];
        const char *word = cut(&left, ',', &length);
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), word);
        add_racer(state, cli_value_strategy(state, KEY_COMPARE, name), options);
    }
}

const char *cli_value_ending(const struct argp_state *state, int key, const char *value, const char *first,
                             const char *second)
{
    if (!lb_ends_in(value, first) && !lb_ends_in(value, second))
        argp_error(state, "--%s: \"%s\" must end in %s%s%s", cli_option_name(key), value, first,
                   strcmp(first, second) ? " or " : "", strcmp(first, second) ? second : "");
    return value;
}

void cli_value_exposure(const struct argp_state *state, const char *value, struct lb_film_form *form)
{
    double stops = 0;
    if (!lb_number_real(value, strlen(value), &stops) || stops < -100 || stops > 100)
        cli_value_refuse(state, KEY_EXPOSURE, "a number from -100 to 100", value);
    form->exposure = (float)stops;
}

void cli_value_channels(const struct argp_state *state, const char *value, struct cli_options *options)
{
    struct lb_error error;
    options->channels_given = true;
    if (!strcmp(value, "rgb"))
        options->form.outputs = 0;
    else if (lb_outputs_parse(value, &options->form.outputs, &error) != LB_OK)
        argp_error(state, "%s", error.message);
}

double cli_value_seconds(const struct argp_state *state, int key, const char *value, double least)
{
    struct lb_option option = {
        .name = cli_option_name(key), .type = LB_OPTION_REAL, .low = least, .high = 1e6};
    return cli_value_declared(state, &option, value).real;
}

double cli_value_above_zero(const struct argp_state *state, int key, const char *value)
{
    double number = 0;
    if (!lb_number_real(value, strlen(value), &number) || number <= 0)
        cli_value_refuse(state, key, "a number above 0", value);
    return number;
}
