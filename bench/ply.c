/* How long PLY files take to read: bench/ply FILE.ply ...
 * `--make N FILE` writes a grid of N triangles as binary PLY (float x, y, z; a byte and three ints a face). */
#include "bench/timing.h"
#include "core/scene/ply/ply.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 15 };

static void write_triangle(FILE *file, uint32_t a, uint32_t b, uint32_t c)
{
    fputc(3, file);
    fwrite((uint32_t[3]){a, b, c}, 4, 3, file);
}

static int make_grid(unsigned triangles, const char *path)
{
    unsigned columns = 1000, rows = triangles / (2 * columns);
    FILE *file = rows ? fopen(path, "wb") : NULL;
    if (!file)
        return 1;
    fprintf(file,
            "ply\nformat binary_little_endian 1.0\nelement vertex %u\nproperty float x\nproperty float y\n"
            "property float z\nelement face %u\nproperty list uchar int vertex_indices\nend_header\n",
            (columns + 1) * (rows + 1), rows * columns * 2);
    for (unsigned y = 0; y <= rows; y++)
        for (unsigned x = 0; x <= columns; x++)
            fwrite((float[3]){(float)x, (float)y, (float)((x * y) % 7)}, 4, 3, file);
    for (unsigned y = 0; y < rows; y++) {
        for (unsigned x = 0; x < columns; x++) {
            uint32_t a = y * (columns + 1) + x, b = a + columns + 1;
            write_triangle(file, a, a + 1, b);
            write_triangle(file, a + 1, b + 1, b);
        }
    }
    return fclose(file) ? 1 : 0;
}

static int measure(const char *path)
{
    double seconds[RUNS], cpu[RUNS];
    struct lb_ply ply = {0};
    struct lb_error error;
    for (int run = 0; run < RUNS; run++) {
        lb_ply_free(&ply);
        double start = now(CLOCK_MONOTONIC), cpu_start = now(CLOCK_PROCESS_CPUTIME_ID);
        if (lb_ply_read(path, NULL, &ply, &error) != LB_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        seconds[run] = now(CLOCK_MONOTONIC) - start;
        cpu[run] = now(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
    }
    qsort(seconds, RUNS, sizeof *seconds, compare_seconds);
    qsort(cpu, RUNS, sizeof *cpu, compare_seconds);
    printf("%s: %llu triangles, %u vertices: median %.4f s (%.4f to %.4f, %d runs; CPU %.4f s)\n", path,
           (unsigned long long)ply.triangle_count, ply.vertex_count, seconds[RUNS / 2], seconds[0],
           seconds[RUNS - 1], RUNS, cpu[RUNS / 2]);
    lb_ply_free(&ply);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--make") == 0)
        return make_grid((unsigned)strtoul(argv[2], NULL, 10), argv[3]);
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= measure(argv[i]);
    return failed;
}
