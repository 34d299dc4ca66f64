/* The shape of a lens's stop: one that is drawn by its name, or a picture. */
#include "core/scene/camera/lens.h"

#include "core/kernel/math.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/textures/textures.h"

#include <string.h>

enum { STOP_SIDE = 256 };

/* How often a polygon goes around the point: 0, it is outside. */
static int windings(const float (*corner)[2], int count, float x, float y)
{
    int around = 0;
    for (int i = 0; i < count; i++) {
        const float *a = corner[i], *b = corner[(i + 1) % count];
        float side = (x - a[0]) * (b[1] - a[1]) - (y - a[1]) * (b[0] - a[0]);
        if (a[1] <= y && b[1] > y && side > 0.0f)
            around++;
        else if (a[1] > y && b[1] <= y && side < 0.0f)
            around--;
    }
    return around;
}

static float pentagon(float x, float y)
{
    const float five = lb_sqrt(5.0f), c1 = 0.2f * (five - 1.0f), c2 = 0.2f * (five + 1.0f);
    const float s1 = 0.2f * lb_sqrt(10.0f + 2.0f * five), s2 = 0.2f * lb_sqrt(10.0f - 2.0f * five);
    const float corner[5][2] = {{0.0f, 0.8f}, {s1, c1}, {s2, -c2}, {-s2, -c2}, {-s1, c1}};
    return windings(corner, 5, x, y) != 0 ? 1.0f : 0.0f;
}

static float star(float x, float y)
{
    const float inner = lb_cos(0.4f * LB_PI) / lb_cos(0.2f * LB_PI);
    float corner[10][2];
    for (int i = 0; i < 10; i++) {
        float radius = i % 2 ? 1.0f : inner, angle = LB_PI * (float)i / 5.0f;
        corner[9 - i][0] = radius * lb_cos(angle);
        corner[9 - i][1] = radius * lb_sin(angle);
    }
    return windings((const float(*)[2])corner, 10, x, y) != 0 ? 1.0f : 0.0f;
}

static float gaussian(float x, float y)
{
    return lb_max(0.0f, lb_exp(-(x * x + y * y)) - lb_exp(-1.0f));
}

static float square(float x, float y)
{
    return lb_abs(x) < 0.5f && lb_abs(y) < 0.5f ? 1.0f : 0.0f;
}

/* Shapes of [-1, 1]^2, y up in the picture that the camera takes. */
static const struct {
    const char *name;
    float (*passes)(float x, float y);
} shapes[] = {{"gaussian", gaussian}, {"square", square}, {"pentagon", pentagon}, {"star", star}};

static enum lb_status make_stop(const struct lb_builder *builder, uint32_t width, uint32_t height,
                                struct lb_lens_build *lens)
{
    lens->stop = lb_arena_alloc(builder->arena, (size_t)width * height, sizeof *lens->stop);
    lens->stop_size[0] = width;
    lens->stop_size[1] = height;
    return lens->stop ? LB_OK : lb_build_no_memory(builder);
}

/* Rows of stops go up, those of pictures down; pbrt turns both over, and lets shapes begin at the lower end too. */
static enum lb_status draw_stop(const struct lb_builder *builder, float (*passes)(float, float),
                                struct lb_lens_build *lens)
{
    enum lb_status status = make_stop(builder, STOP_SIDE, STOP_SIDE, lens);
    for (uint32_t i = 0; i < STOP_SIDE * STOP_SIDE && status == LB_OK; i++) {
        float x = ((float)(i % STOP_SIDE) + 0.5f) * (2.0f / STOP_SIDE) - 1.0f;
        float y = ((float)(i / STOP_SIDE) + 0.5f) * (2.0f / STOP_SIDE) - 1.0f;
        lens->stop[i] = passes(x, -y);
    }
    return status;
}

static enum lb_status read_stop(struct lb_builder *builder, const struct lb_location *location,
                                const char *name, struct lb_lens_build *lens)
{
    const char *path =
        lb_description_path(builder->description, location, name, builder->arena, builder->log);
    struct lb_encoding encoding = {NULL, location, LB_IMAGE_NUMBERS};
    uint32_t index;
    if (!path)
        return lb_build_no_memory(builder);
    enum lb_status status = lb_build_image(builder, path, &encoding, &index);
    if (status != LB_OK)
        return status;
    const lb_image *image = (const lb_image *)builder->arrays.images.data + index;
    if ((status = make_stop(builder, image->width, image->height, lens)) != LB_OK)
        return status;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++) {
            float values[4];
            lb_build_texel(builder, image, x, image->height - 1 - y, values);
            float value = image->channels == 1 ? values[0] : (values[0] + values[1] + values[2]) / 3.0f;
            lens->stop[(size_t)y * image->width + x] = lb_max(value, 0.0f);
        }
    return LB_OK;
}

/* As much light is to pass as through a round stop. */
static enum lb_status scale_stop(const struct lb_builder *builder, const struct lb_location *location,
                                 struct lb_lens_build *lens)
{
    size_t count = (size_t)lens->stop_size[0] * lens->stop_size[1];
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)lens->stop[i];
    if (!(sum > 0))
        return lb_build_error(builder, location, "no light passes the aperture");
    for (size_t i = 0; i < count; i++)
        lens->stop[i] = (float)((double)lens->stop[i] * (0.78539816339744831 * (double)count / sum));
    return LB_OK;
}

enum lb_status lb_build_lens_stop(struct lb_builder *builder, const struct lb_parameters *parameters,
                                  struct lb_lens_build *lens)
{
    const struct lb_location *location = lb_build_place(parameters, "aperture");
    const char *name;
    enum lb_status status = lb_parameters_string(parameters, "aperture", "", &name, builder->error);
    if (status != LB_OK || !*name)
        return status;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (strcmp(shapes[i].name, name) == 0) {
            status = draw_stop(builder, shapes[i].passes, lens);
            return status == LB_OK ? scale_stop(builder, location, lens) : status;
        }
    status = read_stop(builder, location, name, lens);
    return status == LB_OK ? scale_stop(builder, location, lens) : status;
}
