#include "core/run/adaptive_target.h"

#include "core/base/pages.h"
#include "core/run/adaptive.h"
#include "core/run/noise_around.h"

#include <math.h>
#include <stdlib.h>

/* Samples of a round, if the mean allows as many: few, as a pixel of little noise needs no more than those of all
 * rounds, and enough for eighty pixels to tell of noise that one sample of some hundreds has. */
enum { ROUND = 4, ROUNDS = 4 };
/* How often it is gone back to pixels with fewer samples: each time there are fewer of them. */
enum { SWEEPS = 16 };
/* Where no pixel may have more noise, they get so many times the samples that follow from what is known, so that few
 * look noisier once more is known. */
static const double SPARE = 1.05;

static uint32_t round_of(const struct lb_target *target)
{
    uint32_t most = target->mean / LB_ADAPTIVE_LEAST;
    return most < ROUND ? most : ROUND;
}

enum lb_status lb_target_open(struct lb_target *target, struct lb_part_target *now, uint32_t width,
                              uint32_t height, uint32_t mean, struct lb_error *error)
{
    size_t count = (size_t)width * height;
    *target = (struct lb_target){.width = width, .height = height, .mean = mean, .now = now};
    target->counts = calloc(count, sizeof *target->counts);
    target->due = calloc(count, sizeof *target->due);
    if (!now->squares)
        *now = (struct lb_part_target){
            .end = round_of(target), .noise = -1, .squares = lb_pages_calloc(count, sizeof *now->squares)};
    return target->counts && target->due && now->squares ? LB_OK : lb_error_memory(error, NULL);
}

void lb_target_free(struct lb_target *target)
{
    free(target->counts);
    free(target->due);
    *target = (struct lb_target){.now = NULL};
}

/* ---- numbers of samples ---- */

static uint32_t rounds_end(const struct lb_target *target)
{
    return ROUNDS * round_of(target);
}

static uint32_t most_of(const struct lb_target *target)
{
    return target->mean * LB_ADAPTIVE_MOST;
}

/* The number of samples after `at`: the rounds' ends, then these times 1.5, 2, 3, 4, 6 .. up to the most that a pixel
 * may get. */
static uint32_t next_after(const struct lb_target *target, uint32_t at)
{
    uint64_t end = rounds_end(target), most = most_of(target);
    if (at < end)
        return at + round_of(target);
    while (end * 2 <= at)
        end *= 2;
    end = end + end / 2 > at ? end + end / 2 : end * 2;
    return (uint32_t)(end < most ? end : most);
}

/* ---- what the passes tell ---- */

/* By pixel the root of a sample's variance beside the brightness around it, the mean of the colours. NULL: out of
 * memory; else the caller's to free. */
static float *noise_of_samples(const struct lb_target *target, const lb_film_pixel *pixels)
{
    size_t count = (size_t)target->width * target->height;
    double *variance = malloc(count * sizeof *variance), unit = 0x1p-30 / 3;
    float *noise = malloc(count * sizeof *noise);
    for (size_t i = 0; variance && i < count; i++)
        variance[i] = target->now->squares[i] * unit / (target->counts[i] - round_of(target));
    if (variance && noise && lb_noise_around(target->width, target->height, pixels, variance, noise, NULL)) {
        free(variance);
        return noise;
    }
    free(variance);
    free(noise);
    return NULL;
}

/* ---- who goes on ---- */

struct choice {
    const struct lb_target *target;
    const float *noise; /* of a sample, by pixel */
    const float *worth; /* of a sample; where no pixel may have more noise than is wanted, that noise */
    uint64_t pixels;    /* of the picture */
    /* Pixels with `at` samples get those before `end`; both 0: not known yet. */
    uint32_t at, end;
};

/* The square of the noise of a pixel with as many samples. */
static double square_of(float noise, double samples)
{
    return (double)noise * (double)noise / samples;
}

static double find_noise(const struct choice *c)
{
    double sum = 0, largest = 0;
    for (uint64_t i = 0; i < c->pixels; i++) {
        double square = square_of(c->noise[i], c->target->counts[i]);
        sum += square;
        largest = square > largest ? square : largest;
    }
    return sqrt(c->target->by_largest ? largest : sum / (double)c->pixels);
}

/* How many samples a pixel is to have. One limit for the noise of all asks for as many as the square of a sample's
 * noise says; the mean of the squares is least where what is spent more would lessen it as much in every pixel, which
 * is where the numbers of samples follow what they are worth. */
static double goal(const struct choice *c, uint64_t pixel, double scale)
{
    double times = (double)c->worth[pixel] / scale;
    return c->target->by_largest ? SPARE * times * times : times;
}

/* Is the scale so small that more samples are taken than there are, in the end or in the next pass, or than are
 * wanted? */
static bool is_low(const struct choice *c, double scale)
{
    const struct lb_target *target = c->target;
    double most = most_of(target), samples = 0, now = 0, squares = 0, wanted = target->wanted;
    for (uint64_t i = 0; i < c->pixels; i++) {
        uint32_t has = target->counts[i];
        double count = goal(c, i, scale);
        now += has == c->at && count > has ? c->end : has;
        count = count < has ? has : count < most ? count : most;
        samples += count;
        squares += square_of(c->noise[i], count);
    }
    double budget = (double)target->mean * (double)c->pixels;
    return samples > budget || now > budget ||
           (!target->by_largest && squares < wanted * wanted * (double)c->pixels);
}

/* Finds the least scale, to a thousandth, that is not low. */
static double find_scale(const struct choice *c)
{
    double low = 1e-30, high = 1e30;
    while (high > low * 1.001) {
        double middle = sqrt(low * high);
        if (is_low(c, middle))
            low = middle;
        else
            high = middle;
    }
    return c->target->by_largest && high < c->target->wanted ? c->target->wanted : high;
}

/* The least number of samples, `from` or more, that some pixel has which is to have more; 0: there is none. */
static uint32_t least_to_go_on(const struct choice *c, double scale, uint32_t from)
{
    uint32_t least = 0;
    for (uint64_t i = 0; i < c->pixels; i++) {
        uint32_t has = c->target->counts[i];
        if (has >= from && (least == 0 || has < least) && has < most_of(c->target) && goal(c, i, scale) > has)
            least = has;
    }
    return least;
}

/* Chooses the next pass, and who takes part. */
static void choose(struct lb_target *target, struct choice *c)
{
    struct lb_part_target *now = target->now;
    double scale = find_scale(c);
    c->at = least_to_go_on(c, scale, now->end);
    if (c->at == 0 && ++now->sweeps <= SWEEPS)
        c->at = least_to_go_on(c, scale, 1);
    now->begin = now->end = c->at;
    if (c->at == 0)
        return;
    c->end = next_after(target, c->at);
    scale = find_scale(c);
    for (uint64_t i = 0; i < c->pixels; i++) {
        bool takes_part = target->counts[i] == c->at && goal(c, i, scale) > c->at;
        target->due[i] = takes_part ? c->end : 0;
        if (takes_part)
            target->counts[i] = now->end = c->end;
    }
}

/* After the rounds: finds the noise and, where it is more than is wanted, who goes on. */
static bool find_next(struct lb_target *target, const lb_film_pixel *pixels,
                      const struct lb_scattered *scattered, struct choice *c)
{
    struct lb_part_target *now = target->now;
    float *noise = noise_of_samples(target, pixels), *worth = malloc(c->pixels * sizeof *worth);
    bool made = noise && worth;
    if (made && !target->by_largest)
        made = lb_worth_of_samples(target->width, target->height, scattered, target->counts, 0, noise, worth);
    if (made) {
        c->noise = noise;
        c->worth = target->by_largest ? noise : worth;
        now->noise = find_noise(c);
        if (now->noise > target->wanted)
            choose(target, c);
        else
            now->begin = now->end;
    }
    free(noise);
    free(worth);
    return made;
}

enum lb_status lb_target_decide(struct lb_target *target, const lb_film_pixel *pixels,
                                const struct lb_scattered *scattered, struct lb_error *error)
{
    struct lb_part_target *now = target->now;
    struct choice c = {.target = target, .pixels = (uint64_t)target->width * target->height};
    for (uint64_t i = 0; now->noise < 0 && i < c.pixels; i++)
        target->counts[i] = now->end;
    if (now->end < rounds_end(target)) {
        now->begin = now->end;
        now->end = next_after(target, now->begin);
        return LB_OK;
    }
    return find_next(target, pixels, scattered, &c) ? LB_OK : lb_error_memory(error, NULL);
}
