/* The file of a realistic camera's lens: a row for each of its elements. */
#include "core/scene/camera/lens.h"

#include "core/kernel/math.h"
#include "core/scene/spectrum/number_file.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"

enum { ELEMENTS_MAX = 1000 };

static enum lb_status check_row(const struct lb_builder *builder, const struct lb_location *location,
                                const char *path, size_t row, const float *given)
{
    static const char *const names[] = {"radius", "thickness", "index", "diameter"};
    static const float least[] = {-1e6f, 0.0f, 0.0f, 1e-6f}, most[] = {1e6f, 1e6f, 100.0f, 1e6f};
    for (size_t i = 0; i < LB_LENS_COLUMNS; i++)
        if (!(given[i] >= least[i] && given[i] <= most[i]))
            return lb_build_error(builder, location, "%s: the %s of element %zu is %g, not between %g and %g",
                                  path, names[i], row + 1, (double)given[i], (double)least[i],
                                  (double)most[i]);
    return LB_OK;
}

/* Turns a row of the file, in millimetres, into an element; the stop gets `diameter`, if that is less than its own. */
static void make_element(const struct lb_builder *builder, const struct lb_parameters *parameters,
                         const float *given, float diameter, float *element)
{
    float opening = given[3];
    if (given[0] == 0.0f && diameter > opening)
        lb_build_warn(builder, lb_build_place(parameters, "aperturediameter"),
                      "\"aperturediameter\" is %g mm, more than the %g mm of the lens, which are taken",
                      (double)diameter, (double)opening);
    if (given[0] == 0.0f)
        opening = lb_min(opening, diameter);
    element[0] = given[0] * LB_MILLIMETRE;
    element[1] = given[1] * LB_MILLIMETRE;
    element[2] = given[2] == 0.0f ? 1.0f : given[2];
    element[3] = 0.5f * opening * LB_MILLIMETRE;
}

enum lb_status lb_build_lens_elements(const struct lb_builder *builder,
                                      const struct lb_parameters *parameters, struct lb_lens_build *lens)
{
    const struct lb_location *location = lb_build_place(parameters, "lensfile");
    struct lb_number_file file;
    struct lb_error reason;
    const char *path;
    float diameter;
    enum lb_status status = lb_build_file(builder, parameters, "lensfile", &path);
    if (status == LB_OK)
        status = lb_build_float(builder, parameters, "aperturediameter", 1.0f, 1e-6f, 1e6f, &diameter);
    if (status != LB_OK)
        return status;
    if (!path)
        return lb_build_error(builder, location, "a realistic camera needs a \"lensfile\"");
    if (lb_number_file_read(path, builder->arena, &file, &reason) != LB_OK)
        return lb_build_error(builder, location, "%s", reason.message);
    if (file.count == 0 || file.count % LB_LENS_COLUMNS != 0 ||
        file.count > (size_t)ELEMENTS_MAX * LB_LENS_COLUMNS)
        return lb_build_error(builder, location,
                              "%s: a lens has 1 to %d rows of four numbers, not %zu numbers in all", path,
                              ELEMENTS_MAX, file.count);
    lens->count = (uint32_t)(file.count / LB_LENS_COLUMNS);
    lens->elements = lb_arena_alloc(builder->arena, file.count, sizeof *lens->elements);
    if (!lens->elements)
        return lb_build_no_memory(builder);
    for (size_t row = 0; row < lens->count; row++) {
        const float *given = file.numbers + LB_LENS_COLUMNS * row;
        if ((status = check_row(builder, location, path, row, given)) != LB_OK)
            return status;
        make_element(builder, parameters, given, diameter, lens->elements + LB_LENS_COLUMNS * row);
    }
    return LB_OK;
}
