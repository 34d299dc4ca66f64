/* Curves: every segment a cubic Bezier curve, in as many pieces as help the tree. */
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/builder/transforms.h"
#include "core/scene/shapes/shapes.h"

#include "core/kernel/shapes/strand.h"

#include <string.h>

/* The halvings of a segment: 8 pieces at most. */
enum { HALVINGS = 3 };
/* A piece is halved while its box's surface is more than so many times that of a box as long and as thick as the piece
 * that lies along it: as measured (bench/results/curves.md). */
#define SPARE_BOX 16.0

struct curve {
    const lb_vec3 *points;
    const lb_vec3 *normals; /* of ribbons: one more than there are segments */
    size_t point_count, segments;
    uint32_t degree;
    bool spline;
    float width[2]; /* at the ends of the whole */
    lb_box box;     /* around all of it, in the space of its geometry */
};

/* ---- parameters ---- */

static enum lb_status read_points(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                  struct curve *curve)
{
    const float *floats;
    size_t count, degree = curve->degree;
    enum lb_status status =
        lb_parameters_floats(parameters, "P", LB_PARAMETER_POINT3, &floats, &count, builder->error);
    if (status != LB_OK)
        return status;
    curve->points = (const void *)floats;
    curve->point_count = count / 3;
    if (count % 3 != 0 || curve->point_count <= degree ||
        (!curve->spline && (curve->point_count - 1) % degree != 0))
        return lb_build_error(builder, lb_build_place(parameters, "P"),
                              "a curve of degree %zu has %zu points%s, not %zu", degree, degree + 1,
                              curve->spline ? " or more"
                              : degree == 2 ? ", or 2 more a segment"
                                            : ", or 3 more a segment",
                              curve->point_count);
    curve->segments = curve->spline ? curve->point_count - degree : (curve->point_count - 1) / degree;
    return LB_OK;
}

static enum lb_status read_normals(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                   bool ribbon, struct curve *curve)
{
    const float *floats;
    size_t count;
    enum lb_status status =
        lb_parameters_floats(parameters, "N", LB_PARAMETER_NORMAL3, &floats, &count, builder->error);
    if (status != LB_OK)
        return status;
    if (!ribbon) {
        if (count)
            lb_build_warn(builder, lb_build_place(parameters, "N"),
                          "\"N\" has no effect on a curve that is no ribbon");
        return LB_OK;
    }
    if (count != 3 * (curve->segments + 1))
        return lb_build_error(builder, lb_build_place(parameters, "N"),
                              "a ribbon of %zu segments has %zu normals \"N\", not %zu", curve->segments,
                              curve->segments + 1, count / 3);
    curve->normals = (const void *)floats;
    return LB_OK;
}

static enum lb_status read_curve(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                 lb_shape *shape, struct curve *curve)
{
    static const char *const types[] = {"flat", "cylinder", "ribbon"};
    static const char *const bases[] = {"bezier", "bspline"};
    uint32_t basis;
    int32_t degree;
    float width;
    enum lb_status status;
    if ((status = lb_build_word(builder, parameters, "type", "curve type", types, 3, &shape->strand_type)) !=
            LB_OK ||
        (status = lb_build_word(builder, parameters, "basis", "curve basis", bases, 2, &basis)) != LB_OK ||
        (status = lb_build_integer(builder, parameters, "degree", 3, 2, 3, &degree)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "width", 1.0f, 0.0f, 1e18f, &width)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "width0", width, 0.0f, 1e18f, &curve->width[0])) !=
            LB_OK ||
        (status = lb_build_float(builder, parameters, "width1", width, 0.0f, 1e18f, &curve->width[1])) !=
            LB_OK)
        return status;
    curve->degree = (uint32_t)degree;
    curve->spline = basis == 1;
    if ((status = read_points(builder, parameters, curve)) != LB_OK)
        return status;
    return read_normals(builder, parameters, shape->strand_type == LB_STRAND_RIBBON, curve);
}

/* ---- segments and their pieces ---- */

/* A cubic Bezier curve in double. */
struct bezier {
    double p[4][3];
};

/* The control point that belongs to the arguments t[0 .. degree - 1]: knots are 0 and 1 of a Bezier curve, whole
 * numbers of a spline (its polar form). */
static void polar_point(const struct curve *curve, size_t segment, const double t[3], double point[3])
{
    uint32_t degree = curve->degree;
    const lb_vec3 *from = curve->points + (curve->spline ? segment : segment * degree);
    double p[4][3];
    for (uint32_t i = 0; i <= degree; i++) {
        p[i][0] = (double)from[i].x;
        p[i][1] = (double)from[i].y;
        p[i][2] = (double)from[i].z;
    }
    for (uint32_t level = 0; level < degree; level++)
        for (uint32_t i = 0; i < degree - level; i++) {
            /* Between the knots i - (degree - 1 - level) and i + 1 of a spline, of the segment from 0 to 1. */
            double low = curve->spline ? (double)i - (double)(degree - 1 - level) : 0.0;
            double high = curve->spline ? (double)i + 1.0 : 1.0;
            double part = (t[level] - low) / (high - low);
            for (int a = 0; a < 3; a++)
                p[i][a] = (1.0 - part) * p[i][a] + part * p[i + 1][a];
        }
    memcpy(point, p[0], sizeof p[0]);
}

/* The part of a segment from `a` to `b`, as a cubic Bezier curve. */
static struct bezier cut_segment(const struct curve *curve, size_t segment, double a, double b)
{
    const double arguments[4][3] = {{a, a, a}, {a, a, b}, {a, b, b}, {b, b, b}};
    struct bezier cut;
    if (curve->degree == 3) {
        for (int i = 0; i < 4; i++)
            polar_point(curve, segment, arguments[i], cut.p[i]);
        return cut;
    }
    double middle[3];
    polar_point(curve, segment, (const double[3]){a, a}, cut.p[0]);
    polar_point(curve, segment, (const double[3]){a, b}, middle);
    polar_point(curve, segment, (const double[3]){b, b}, cut.p[3]);
    for (int i = 0; i < 3; i++) {
        cut.p[1][i] = (cut.p[0][i] + 2.0 * middle[i]) / 3.0;
        cut.p[2][i] = (2.0 * middle[i] + cut.p[3][i]) / 3.0;
    }
    return cut;
}

static lb_strand make_piece(const struct curve *curve, size_t segment, uint32_t piece, uint32_t pieces)
{
    double u[2] = {(double)piece / pieces, (double)(piece + 1) / pieces};
    struct bezier cut = cut_segment(curve, segment, u[0], u[1]);
    lb_strand made;
    for (int i = 0; i < 4; i++)
        made.point[i] = lb_vec3_make((float)cut.p[i][0], (float)cut.p[i][1], (float)cut.p[i][2]);
    for (int i = 0; i < 2; i++) {
        double part = ((double)segment + u[i]) / (double)curve->segments;
        made.width[i] = (float)((1.0 - part) * (double)curve->width[0] + part * (double)curve->width[1]);
        made.u[i] = (float)u[i];
    }
    return made;
}

/* The box's surface over that of a box along the piece. */
static double spare_box(const lb_shape *shape, const lb_strand *piece)
{
    lb_box box = lb_strand_box(shape, piece);
    double side[3], length = 0.0;
    for (int a = 0; a < 3; a++)
        side[a] = (double)box.upper[a] - (double)box.lower[a];
    for (int i = 0; i < 3; i++)
        length += (double)lb_length(
            lb_transform_vector(&shape->world_from_object, lb_sub(piece->point[i + 1], piece->point[i])));
    double scale =
        (double)lb_pow((float)lb_abs_d(lb_build_determinant(&shape->world_from_object)), 1.0f / 3.0f);
    double width = scale * (double)lb_max(piece->width[0], piece->width[1]);
    double own = 2.0 * (length + width) * width + width * width;
    return (side[0] * side[1] + side[1] * side[2] + side[2] * side[0]) / own;
}

/* The number of equal parts, a power of two, that a segment is cut into. */
static uint32_t count_pieces(const struct curve *curve, const lb_shape *shape, size_t segment)
{
    uint32_t pieces = 1;
    for (int i = 0; i < HALVINGS; i++, pieces *= 2) {
        lb_strand middle = make_piece(curve, segment, pieces / 2, pieces);
        if (!(spare_box(shape, &middle) > SPARE_BOX))
            break;
    }
    return pieces;
}

static enum lb_status add_piece(struct lb_builder *builder, const lb_strand *piece, const lb_vec3 normals[2],
                                lb_shape *shape)
{
    lb_strand *added = lb_vector_add(&builder->arrays.strands, 1);
    lb_vec3 *ends = normals ? lb_vector_add(&builder->arrays.normals, 2) : NULL;
    if (!added || (normals && !ends))
        return lb_build_no_memory(builder);
    *added = *piece;
    if (normals)
        memcpy(ends, normals, 2 * sizeof *ends);
    shape->primitive_count++;
    return LB_OK;
}

static enum lb_status take_segment(struct lb_builder *builder, const struct lb_location *location,
                                   struct curve *curve, size_t segment, lb_shape *shape)
{
    uint32_t pieces = count_pieces(curve, shape, segment);
    lb_vec3 ends[2], normals[2];
    if (curve->normals)
        for (size_t i = 0; i < 2; i++)
            ends[i] = lb_normalize(curve->normals[segment + i]);
    for (uint32_t i = 0; i < pieces; i++) {
        lb_strand piece = make_piece(curve, segment, i, pieces);
        lb_box box = lb_strand_box(shape, &piece);
        if (!(lb_max(piece.width[0], piece.width[1]) > 0.0f)) /* nothing hits it */
            continue;
        if (!lb_box_is_regular(&box)) /* the message about it */
            return lb_build_reach(builder, location, &box);
        lb_box_add_box(&curve->box, &box);
        if (curve->normals) {
            normals[0] = lb_strand_normal(ends, piece.u[0]);
            normals[1] = lb_strand_normal(ends, piece.u[1]);
        }
        enum lb_status status = add_piece(builder, &piece, curve->normals ? normals : NULL, shape);
        if (status != LB_OK)
            return status;
    }
    return LB_OK;
}

enum lb_status lb_build_curve(struct lb_builder *builder, const struct lb_shape_entity *entity,
                              lb_shape *shape)
{
    static const char *const no_matter[] = {"splitdepth"};
    const struct lb_parameters *parameters = &entity->entity.parameters;
    struct curve curve;
    memset(&curve, 0, sizeof curve);
    curve.box = lb_box_empty();
    lb_build_ignore(&entity->entity, no_matter, 1);
    enum lb_status status = read_curve(builder, parameters, shape, &curve);
    if (status != LB_OK)
        return status;
    if (curve.segments > (UINT32_MAX - builder->primitives) >> HALVINGS)
        return lb_build_error(builder, &parameters->location, "the scene has more than 2^32 primitives");
    shape->kind = LB_SHAPE_CURVES;
    shape->first_strand = builder->arrays.strands.count;
    shape->first_normal = builder->arrays.normals.count;
    for (size_t i = 0; i < curve.segments && status == LB_OK; i++)
        status = take_segment(builder, &parameters->location, &curve, i, shape);
    if (status != LB_OK)
        return status;
    if (shape->primitive_count == 0) {
        lb_build_warn(builder, &parameters->location, "the shape has no area: it is left out");
        return LB_OK;
    }
    return lb_build_reach(builder, &parameters->location, &curve.box);
}

bool lb_build_joins(const lb_shape *before, const lb_shape *shape)
{
    lb_shape same = *shape;
    if (shape->kind != LB_SHAPE_CURVES ||
        before->first_strand + before->primitive_count != shape->first_strand)
        return false;
    same.first_strand = before->first_strand;
    same.first_normal = before->first_normal;
    same.first_primitive = before->first_primitive;
    same.primitive_count = before->primitive_count;
    return memcmp(before, &same, sizeof same) == 0;
}
