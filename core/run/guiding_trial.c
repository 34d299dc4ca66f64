#include "core/run/guiding_trial.h"

#include "core/run/pass/pass_picture.h"

#include <stdlib.h>
#include <string.h>

/* One of so many pixels, those that differ most, is left out. */
enum { FAR_OFF = 200 };

static size_t pixels_of(const struct lb_guiding_trial *trial)
{
    return (size_t)trial->scene->film.width * trial->scene->film.height;
}

enum lb_status lb_guiding_trial_keep(const struct lb_guiding_trial *trial, const lb_film_pixel *pixels,
                                     lb_film_pixel **kept, struct lb_error *error)
{
    size_t size = pixels_of(trial) * sizeof *pixels;
    free(*kept);
    *kept = malloc(size);
    if (!*kept)
        return lb_error_memory(error, NULL);
    memcpy(*kept, pixels, size);
    return LB_OK;
}

void lb_guiding_trial_free(struct lb_guiding_trial *trial)
{
    free(trial->before);
    free(trial->between);
    trial->before = trial->between = NULL;
}

static int ascending(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* The mean of how much both passes differ in pixels that the guide leads, or in the others. */
static double mean_difference(const struct lb_guiding_trial *trial, const lb_film_pixel *pixels, bool led,
                              double *room)
{
    const lb_film *film = &trial->scene->film;
    size_t count = 0;
    for (uint32_t y = 0; y < film->height; y++)
        for (uint32_t x = 0; x < film->width; x++) {
            size_t i = (size_t)y * film->width + x;
            if (lb_guide_leads(LB_GUIDE_LEADS_HALF, x, y) != led || lb_outline_at(trial->scene, i))
                continue;
            lb_film_pixel first = trial->between[i], second = pixels[i];
            lb_pixels_subtract(&first, &trial->before[i], 1);
            lb_pixels_subtract(&second, &trial->between[i], 1);
            room[count++] = lb_pixels_differ(&first, &second);
        }
    qsort(room, count, sizeof *room, ascending);
    count -= count / FAR_OFF;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += room[i];
    return count > 0 ? sum / (double)count : 0;
}

/* Steps of a path with the guide over those of one without it. */
static double cost_of(const struct lb_guiding_trial *trial, const lb_guide_cost *costs)
{
    int64_t steps[2] = {0, 0};
    for (uint32_t i = 0; i < LB_GUIDE_COSTS; i++) {
        steps[0] += costs[i].steps[0];
        steps[1] += costs[i].steps[1];
    }
    uint64_t pixels = pixels_of(trial), led = (pixels + 1) / 2, alone = pixels - led;
    return steps[0] > 0 && alone > 0 ? (double)steps[1] / (double)led / ((double)steps[0] / (double)alone)
                                     : 1;
}

enum lb_status lb_guiding_trial_find(struct lb_guiding_trial *trial, const lb_film_pixel *pixels,
                                     const lb_guide_cost *costs, struct lb_guiding_found *found,
                                     struct lb_error *error)
{
    double *room = calloc(pixels_of(trial) + 1, sizeof *room);
    if (!room)
        return lb_error_memory(error, NULL);
    double led = mean_difference(trial, pixels, true, room),
           alone = mean_difference(trial, pixels, false, room);
    *found = (struct lb_guiding_found){led > 0 && alone > 0 ? alone / led : 1, cost_of(trial, costs)};
    free(room);
    lb_guiding_trial_free(trial);
    return LB_OK;
}
