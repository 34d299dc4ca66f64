/* How long 8-bit pictures of 4096 x 4096 take to write as PNG: bench/png [PICTURE.pfm ...]
 * Measured are a smooth gradient, the same with the noise of few samples, plain noise, and each PFM file given,
 * repeated to fill the picture with fresh noise of one unit, so that no repetition helps the compressor. What is
 * written is read back and compared. */
#include "bench/timing.h"
#include "core/image/image.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 4096, RUNS = 5 };

static float noise(uint64_t *state)
{
    float sum = -2;
    for (int i = 0; i < 4; i++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        sum += (float)(*state >> 40) * 0x1p-24f;
    }
    return sum;
}

static uint8_t to_byte(float value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value + 0.5f);
}

static void fill(uint8_t *pixels, const struct lb_picture *source, float smooth, float amount)
{
    uint64_t state = 1;
    for (size_t y = 0; y < SIDE; y++) {
        for (size_t x = 0; x < SIDE; x++) {
            for (size_t c = 0; c < 3; c++) {
                float value = smooth * (float)(x * (c + 1) + y) / (4 * SIDE) * 200 + 20;
                if (source && source->floats) {
                    size_t at = (y % source->height) * source->width + x % source->width;
                    float linear = source->floats[at * source->channels + c % source->channels];
                    value = 255 * powf(linear < 0 ? 0 : linear > 1 ? 1 : linear, 1 / 2.2f);
                }
                pixels[(y * SIDE + x) * 3 + c] = to_byte(value + amount * noise(&state));
            }
        }
    }
}

static int measure(const char *name, const uint8_t *pixels)
{
    const char *path = "/tmp/lbrender-bench.png";
    double seconds[RUNS], cpu[RUNS];
    struct lb_error error;
    for (int run = 0; run < RUNS; run++) {
        double start = now(CLOCK_MONOTONIC), cpu_start = now(CLOCK_PROCESS_CPUTIME_ID);
        if (lb_png_write(path, SIDE, SIDE, pixels, &error) != LB_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        seconds[run] = now(CLOCK_MONOTONIC) - start;
        cpu[run] = now(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
    }
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    double size = (double)ftell(file);
    fclose(file);
    qsort(seconds, RUNS, sizeof *seconds, compare_seconds);
    qsort(cpu, RUNS, sizeof *cpu, compare_seconds);
    struct lb_picture back;
    int wrong = lb_picture_read(path, &back, &error) != LB_OK || back.channels != 3 ||
                memcmp(back.bytes, pixels, (size_t)SIDE * SIDE * 3) != 0;
    lb_picture_free(&back);
    remove(path);
    printf("%-50s %6.2f MB: median %.3f s (%.3f to %.3f, %d runs; CPU %.3f s)%s\n", name, size * 1e-6,
           seconds[RUNS / 2], seconds[0], seconds[RUNS - 1], RUNS, cpu[RUNS / 2], wrong ? " WRONG" : "");
    return wrong;
}

int main(int argc, char **argv)
{
    uint8_t *pixels = malloc((size_t)SIDE * SIDE * 3);
    if (!pixels)
        return 1;
    int failed = 0;
    fill(pixels, NULL, 1, 0);
    failed |= measure("smooth", pixels);
    fill(pixels, NULL, 1, 4);
    failed |= measure("smooth with noise", pixels);
    fill(pixels, NULL, 0, 400);
    failed |= measure("noise", pixels);
    for (int i = 1; i < argc; i++) {
        struct lb_picture source;
        struct lb_error error;
        if (lb_picture_read(argv[i], &source, &error) != LB_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        fill(pixels, &source, 0, 1);
        failed |= measure(argv[i], pixels);
        lb_picture_free(&source);
    }
    free(pixels);
    return failed;
}
