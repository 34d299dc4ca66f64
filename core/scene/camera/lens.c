/* The lens of a realistic camera: put together of its elements, its focus, its stop and the places behind it through
 * which light gets to the film. */
#include "core/scene/camera/lens.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/camera/camera.h"

#include <string.h>

static enum lb_status build_extent(const struct lb_builder *builder, struct lb_lens_build *lens)
{
    const lb_film *film = &builder->head.film;
    float diagonal, aspect = (float)film->full_height / (float)film->full_width;
    enum lb_status status = lb_build_float(builder, &builder->description->film.parameters, "diagonal", 35.0f,
                                           1e-3f, 1e6f, &diagonal);
    diagonal *= LB_MILLIMETRE;
    lens->width = lb_sqrt(diagonal * diagonal / (1.0f + aspect * aspect));
    lens->height = aspect * lens->width;
    return status;
}

static enum lb_status keep(struct lb_builder *builder, const float *values, size_t count, uint64_t *first)
{
    *first = builder->arrays.tables.count;
    float *to = lb_vector_add(&builder->arrays.tables, count);
    if (!to)
        return lb_build_no_memory(builder);
    memcpy(to, values, count * sizeof *to);
    return LB_OK;
}

/* The plane z = 1 as the lens shows it near the axis. */
static void set_screen(const struct lb_lens_build *lens, lb_camera *camera)
{
    float half[2] = {(float)(0.5 * (double)lens->width / lens->image_distance),
                     (float)(0.5 * (double)lens->height / lens->image_distance)};
    for (int i = 0; i < 4; i++)
        camera->screen[i] = i % 2 ? half[i / 2] : -half[i / 2];
}

enum lb_status lb_build_lens(struct lb_builder *builder)
{
    const struct lb_parameters *parameters = &builder->description->camera.parameters;
    lb_camera *camera = &builder->head.camera;
    float zones[4 * LB_LENS_ZONES];
    struct lb_lens_build lens;
    enum lb_status status;
    memset(&lens, 0, sizeof lens);
    if ((status = build_extent(builder, &lens)) != LB_OK ||
        (status = lb_build_lens_elements(builder, parameters, &lens)) != LB_OK ||
        (status = lb_build_lens_focus(builder, parameters, &lens)) != LB_OK ||
        (status = lb_build_lens_stop(builder, parameters, &lens)) != LB_OK ||
        (status = lb_build_lens_zones(builder, parameters, &lens, zones)) != LB_OK ||
        (status = keep(builder, lens.elements, (size_t)LB_LENS_COLUMNS * lens.count,
                       &camera->lens.first_element)) != LB_OK ||
        (status = keep(builder, zones, sizeof zones / sizeof zones[0], &camera->lens.first_zone)) != LB_OK)
        return status;
    if (lens.stop)
        status =
            keep(builder, lens.stop, (size_t)lens.stop_size[0] * lens.stop_size[1], &camera->lens.first_stop);
    camera->lens.count = lens.count;
    memcpy(camera->lens.stop_size, lens.stop_size, sizeof lens.stop_size);
    camera->lens.width = lens.width;
    camera->lens.height = lens.height;
    camera->lens_radius = lens.elements[LB_LENS_COLUMNS * (lens.count - 1) + 3];
    set_screen(&lens, camera);
    return status;
}
