/* A primary whose scene is damaged under its own right mark, as a hostile or broken one may send it. For
 * test/bats/hosts.bats.
 *
 * usage: damaged_primary SCENE.pbrt [FOLDER]
 *
 * It keeps the damaged scene in the folder, as a worker's cache, prints the address where it serves, lets one worker
 * in, has it render all of the picture, and prints what came of that. */
#include "core/kernel/order/make.h"
#include "core/scene/load.h"
#include "hosts/hosts.h"
#include "hosts/worker/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Gives all shapes a material that is not there. */
static void damage(lb_scene *scene)
{
    lb_shape *shapes = (lb_shape *)(void *)((char *)scene + scene->shapes.offset);
    for (uint64_t i = 0; i < scene->shapes.count; i++)
        shapes[i].material = 0x7fffffff;
}

static void keep(const char *folder, const lb_scene *scene)
{
    atomic_bool stop = false;
    lb_store_write(folder, lb_scene_mark_make(scene, scene->size), scene, scene->size, &stop);
}

static enum lb_status render(struct lb_primary *primary, const lb_scene *scene, struct lb_error *error)
{
    struct lb_processor *host;
    lb_order order = lb_order_curve(scene->film.width, scene->film.height, LB_CURVE_ROWS);
    struct lb_work work = {.scene = scene,
                           .order = &order,
                           .range = {0, order.count},
                           .whole = {0, order.count},
                           .sample_end = 1};
    struct lb_result result = {.pixels = calloc(order.count, sizeof *result.pixels)};
    bool lost;
    if (!result.pixels)
        return lb_error_memory(error, NULL);
    enum lb_status status = lb_host_processor_open(primary, 0, false, &host, error);
    if (status == LB_OK) {
        status = host->table->render(host, &work, &result, &lost, error);
        host->table->close(host);
    }
    free(result.pixels);
    return status;
}

int main(int argc, char **argv)
{
    struct lb_scene_options loading = {.threads = 1};
    struct lb_primary_options options = {.address = "tcp://127.0.0.1:0",
                                         .hosts = 1,
                                         .most = 1,
                                         .name = "damaged",
                                         .patience = 20,
                                         .silence = 5,
                                         .due = 20};
    struct lb_loaded loaded;
    struct lb_primary *primary;
    struct lb_error error;
    if (argc < 2 || argc > 3 || lb_scene_load(argv[1], &loading, NULL, &loaded, &error) != LB_OK ||
        lb_primary_open(&options, NULL, &primary, &error) != LB_OK)
        return 2;
    damage(loaded.scene);
    if (argc == 3)
        keep(argv[2], loaded.scene);
    printf("%s\n", lb_primary_address(primary));
    fflush(stdout);
    lb_primary_offer(primary, loaded.scene);
    lb_primary_wait(primary, 20, NULL);
    puts(render(primary, loaded.scene, &error) == LB_OK ? "rendered" : error.message);
    lb_primary_offer(primary, NULL);
    lb_primary_close(primary);
    lb_scene_free(&loaded);
    return 0;
}
