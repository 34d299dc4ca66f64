/* What it costs to check the block of a scene that came from another host (core/scene/check/check.h), beside loading
 * it: check SCENE.pbrt ... prints a line of CSV for each. The time of the check is the median of several. */
#include "bench/timing.h"
#include "core/scene/check/check.h"
#include "core/scene/load.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 7 };

static double time_check(const struct lb_loaded *loaded, struct lb_error *error)
{
    double seconds[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        double begin = now(CLOCK_MONOTONIC);
        if (lb_scene_check(loaded->scene, loaded->scene->size, error) != LB_OK)
            return -1;
        seconds[round] = now(CLOCK_MONOTONIC) - begin;
    }
    qsort(seconds, ROUNDS, sizeof *seconds, compare_seconds);
    return seconds[ROUNDS / 2];
}

int main(int count, char **paths)
{
    int status = 0;
    printf("scene,megabytes,load_seconds,check_seconds,percent\n");
    for (int i = 1; i < count; i++) {
        struct lb_scene_options options = {.lenient = true, .threads = 2};
        struct lb_loaded loaded;
        struct lb_error error;
        if (lb_scene_load(paths[i], &options, NULL, &loaded, &error) != LB_OK) {
            fprintf(stderr, "%s\n", error.message);
            continue;
        }
        double load = loaded.parse_seconds + loaded.build_seconds, check = time_check(&loaded, &error);
        if (check < 0) {
            fprintf(stderr, "%s: %s\n", paths[i], error.message);
            status = 1;
        }
        printf("%s,%.1f,%.4f,%.6f,%.2f\n", paths[i], (double)loaded.scene->size * 1e-6, load, check,
               100 * check / load);
        lb_scene_free(&loaded);
    }
    return status;
}
