/* Smaller versions of images, for textures that are filtered (core/kernel/textures/mipmap.h). */
#include "core/scene/builder/messages.h"
#include "core/scene/textures/textures.h"

/* What a texel of the smaller image covers along one axis: the texels [first, last] of the larger one, of which the
 * outer ones may be covered in part. */
struct cover {
    uint32_t first, last;
    double first_part, last_part;
};

/* Covers texel i of `count` that share `all` texels of the larger image; all >= count. */
static struct cover cover_of(uint32_t i, uint32_t count, uint32_t all)
{
    uint64_t begin = (uint64_t)i * all, end = begin + all; /* in parts of 1 / count */
    struct cover cover = {(uint32_t)(begin / count), (uint32_t)((end - 1) / count), 1.0, 1.0};
    cover.first_part = (double)(((uint64_t)cover.first + 1) * count - begin) / (double)count;
    cover.last_part = (double)(end - (uint64_t)cover.last * count) / (double)count;
    return cover;
}

/* How much of texel i is covered. A texel that is both the first and the last is covered whole, as images do not
 * grow. */
static double part_of(const struct cover *cover, uint32_t i)
{
    if (cover->first == cover->last)
        return 1.0;
    return i == cover->first ? cover->first_part : i == cover->last ? cover->last_part : 1.0;
}

static void make_texel(const struct lb_builder *builder, const lb_image *from, const struct cover *columns,
                       const struct cover *rows, float *values)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0}, area = 0.0;
    for (uint32_t y = rows->first; y <= rows->last; y++)
        for (uint32_t x = columns->first; x <= columns->last; x++) {
            double part = part_of(rows, y) * part_of(columns, x);
            float texel[4];
            lb_build_texel(builder, from, x, y, texel);
            area += part;
            for (uint32_t c = 0; c < from->channels; c++)
                sum[c] += part * (double)texel[c];
        }
    for (uint32_t c = 0; c < from->channels; c++)
        values[c] = (float)(sum[c] / area);
}

/* Adds an image of width x height to the images: `from`, made smaller. */
static enum lb_status add_smaller(struct lb_builder *builder, const lb_image *from, uint32_t width,
                                  uint32_t height, lb_image *made)
{
    size_t count = (size_t)width * height * from->channels;
    uint64_t offset = builder->arrays.texels.count;
    lb_image *image = lb_vector_add(&builder->arrays.images, 1);
    float *values = image ? lb_vector_add(&builder->arrays.texels, count * sizeof *values) : NULL;
    if (!values)
        return lb_build_no_memory(builder);
    for (uint32_t y = 0; y < height; y++) {
        struct cover rows = cover_of(y, height, from->height);
        for (uint32_t x = 0; x < width; x++, values += from->channels) {
            struct cover columns = cover_of(x, width, from->width);
            make_texel(builder, from, &columns, &rows, values);
        }
    }
    image->width = width;
    image->height = height;
    image->channels = from->channels;
    image->texel = LB_TEXEL_FLOAT;
    image->gamma = 1.0f;
    image->offset = offset;
    *made = *image;
    return LB_OK;
}

static uint32_t power_of_two(uint32_t least)
{
    uint32_t power = 1;
    while (power < least)
        power *= 2;
    return power;
}

enum lb_status lb_build_smaller(struct lb_builder *builder, uint32_t image)
{
    lb_image from = ((const lb_image *)builder->arrays.images.data)[image];
    uint32_t first = (uint32_t)builder->arrays.images.count, made = 0;
    uint32_t width = power_of_two(from.width), height = power_of_two(from.height);
    if (from.smaller > 0)
        return LB_OK;
    for (; width > 1 || height > 1; made++) {
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
        enum lb_status status = add_smaller(builder, &from, width, height, &from);
        if (status != LB_OK)
            return status;
    }
    lb_image *built = (lb_image *)builder->arrays.images.data + image;
    built->smaller = made;
    built->first_smaller = first;
    return LB_OK;
}
