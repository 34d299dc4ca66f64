/* Any bytes as a scene: a block that other hosts would take, or an error with its place in one line. */
#include "core/scene/check/check.h"
#include "core/scene/load.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

/* What the check of other hosts' scenes leaves open: curves that rise, and lights that shine. */
static void check_values(const lb_scene *scene)
{
    const lb_shape *shapes = LB_ARRAY(scene, shapes, lb_shape);
    const lb_strand *strands = LB_ARRAY(scene, strands, lb_strand);
    const lb_light *lights = LB_ARRAY(scene, lights, lb_light);
    const lb_alias *alias = LB_ARRAY(scene, light_choice, lb_alias);
    demand(scene->radius > 0.0f);
    for (uint64_t i = 0; i < scene->strands.count; i++)
        demand(strands[i].u[0] >= 0.0f && strands[i].u[0] < strands[i].u[1] && strands[i].u[1] <= 1.0f &&
               strands[i].width[0] >= 0.0f && strands[i].width[1] >= 0.0f);
    for (uint64_t i = 0; i < scene->lights.count; i++)
        demand(!lb_rgb_is_black(lights[i].emission) && lb_is_finite(lb_rgb_max(lights[i].emission)));
    for (uint64_t i = 0; i < scene->light_choice.count; i++)
        demand(alias[i].threshold >= 0.0f && alias[i].threshold <= 1.0f && alias[i].probability >= 0.0f &&
               alias[i].probability <= 1.0f);
    for (uint64_t i = 0; i < scene->shapes.count; i++)
        demand(shapes[i].first_light == LB_NONE || lights[shapes[i].first_light].kind == LB_LIGHT_AREA);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int file = memfd_create("scene", 0);
    char path[64] = "/proc/self/fd/";
    demand(file >= 0 && file < 1000 && write(file, data, size) == (ssize_t)size);
    size_t length = strlen(path);
    for (int unit = 100; unit > 0; unit /= 10)
        path[length++] = (char)('0' + file / unit % 10);
    /* The system knows it without leading zeros only. */
    while (path[14] == '0' && path[15])
        memmove(path + 14, path + 15, strlen(path + 14));
    struct lb_scene_options options = {.lenient = size % 2};
    struct lb_loaded loaded;
    struct lb_error error;
    enum lb_status status = lb_scene_load(path, &options, NULL, &loaded, &error);
    if (status == LB_OK) {
        demand(lb_scene_check(loaded.scene, loaded.scene->size, &error) == LB_OK);
        check_values(loaded.scene);
        lb_scene_free(&loaded);
    } else {
        demand(strlen(error.message) > 0 && !strchr(error.message, '\n') && !loaded.scene);
    }
    close(file);
    return 0;
}
