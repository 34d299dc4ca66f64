/* What paths have learned of where light comes from, and by which later ones choose their directions ("path guiding";
 * Mueller, Gross, Novak 2017): space is cut into cells, and each has a histogram over the sphere of directions. Cells
 * are kept for six classes of surfaces, by the axis that their normal is closest to, so that what a wall gets and what
 * the floor beside it gets do not mix, and so that the cosine at the surface is learned, too.
 *
 * A guide is made before the picture is (core/guiding): while paths are rendered for it alone, they read nodes and
 * cells, which nobody changes, and add integers to the sums; between two passes new nodes and cells are made of them.
 * So what is learned depends on no order, thread or processor. What it is in the end stands in the scene's block, from
 * which all processors read it alike.
 *
 * Directions stand on a square: the octahedron |x| + |y| + |z| = 1, unfolded. */
#ifndef LB_CORE_KERNEL_GUIDING_GUIDE_H
#define LB_CORE_KERNEL_GUIDING_GUIDE_H

#include "core/kernel/sampling.h"
#include "core/kernel/scene/scene.h"

/* The probabilities of which a cell finds out the best: with each, a path scatters by the material alone. */
#define LB_GUIDE_CHANCES 4u

/* The pixels whose paths a guide leads. It learns of all. */
#define LB_GUIDE_LEADS_NONE 0u
#define LB_GUIDE_LEADS_SOME 1u /* one of LB_GUIDE_SOME, in a lattice */
#define LB_GUIDE_LEADS_ALL  2u
#define LB_GUIDE_SOME       4u
/* Squares of light are added to a tally in units of 2^-LB_GUIDE_SQUARE_BITS of the film's unit. */
#define LB_GUIDE_SQUARE_BITS 12u
/* A vertex that draws by its cell costs so many steps (lb_counters_steps) more than another: what 64 samples take with
 * and without a guide on eight scenes is the same as the steps with 5 to 11 (bench/results/quality.md). */
#define LB_GUIDE_STEPS 8u

/* What has been learned in a cell, in units that core/kernel/guiding/trail.h says. */
typedef struct lb_guide_sums {
    int64_t count; /* of directions that were drawn */
    int64_t chances[LB_GUIDE_CHANCES], unused[3];
    int64_t bins[LB_GUIDE_BINS];
} lb_guide_sums;

/* What a trial asks of a pixel's samples. */
typedef struct lb_guide_tally {
    int64_t light;  /* what they have brought, in the film's unit, summed over the colours */
    int64_t square; /* the sum of its squares, LB_GUIDE_SQUARE_BITS finer */
    int64_t more;   /* by how much more that would be on average, had the guide not led them */
    int64_t steps;  /* what they have cost */
} lb_guide_tally;

typedef struct lb_guide {
    lb_guide_grid grid;
    const uint32_t *ways; /* on from the grid's steps: those of each class of surfaces follow each other */
    const lb_guide_node *nodes;
    const lb_guide_cell *cells;
    lb_guide_sums *sums; /* one for each cell; several threads add to them at once */
    /* One for each pixel of the film, row by row, to which threads add as well; NULL: there is no trial. */
    lb_guide_tally *tallies;
    double bound;    /* no more is added at once to a cell's sums (lb_film_fixed) */
    double tallied;  /* the same for tallies */
    float brightest; /* what a tally takes of a sample's light at most */
    float scale;     /* from radiance to what the film keeps */
    uint32_t leads;  /* LB_GUIDE_LEADS_.. */
} lb_guide;

/* The guide that stands in a scene's block, of which nothing more is learned. */
LB_INLINE lb_guide lb_guide_of(const lb_scene *scene)
{
    lb_guide guide;
    guide.grid = scene->guide;
    guide.ways = LB_ARRAY(scene, guide_ways, uint32_t);
    guide.nodes = LB_ARRAY(scene, guide_nodes, lb_guide_node);
    guide.cells = LB_ARRAY(scene, guide_cells, lb_guide_cell);
    guide.sums = NULL;
    guide.tallies = NULL;
    guide.bound = guide.tallied = 0.0;
    guide.brightest = guide.scale = 0.0f;
    guide.leads = LB_GUIDE_LEADS_ALL;
    return guide;
}

/* Is pixel (x, y) among those that a guide leads, where it leads these? */
LB_INLINE bool lb_guide_leads(uint32_t which, uint32_t x, uint32_t y)
{
    return which == LB_GUIDE_LEADS_ALL || (which == LB_GUIDE_LEADS_SOME && (x + 2u * y) % LB_GUIDE_SOME == 0);
}

/* The probability number i that cells choose among. */
LB_INLINE float lb_guide_chance(uint32_t i)
{
    return 0.25f + 0.2f * (float)(int32_t)i;
}

/* The class of a surface with this normal. */
LB_INLINE uint32_t lb_guide_class(lb_vec3 n)
{
    float x = lb_abs(n.x), y = lb_abs(n.y), z = lb_abs(n.z);
    if (x >= y && x >= z)
        return n.x < 0.0f ? 1u : 0u;
    if (y >= z)
        return n.y < 0.0f ? 3u : 2u;
    return n.z < 0.0f ? 5u : 4u;
}

/* Which step of a grid a place is in, that is so many steps from where the grid begins. */
LB_INLINE uint32_t lb_guide_step(float steps, uint32_t bits)
{
    return (uint32_t)(int32_t)lb_clamp(steps, 0.0f, (float)(int32_t)((1u << bits) - 1u));
}

/* The number of the cell of a point on a surface. */
LB_INLINE uint32_t lb_guide_find(const lb_guide *guide, lb_vec3 point, lb_vec3 normal)
{
    const lb_guide_grid *grid = &guide->grid;
    uint32_t x = lb_guide_step((point.x - grid->lower.x) * grid->inverse.x, grid->bits[0]);
    uint32_t y = lb_guide_step((point.y - grid->lower.y) * grid->inverse.y, grid->bits[1]);
    uint32_t z = lb_guide_step((point.z - grid->lower.z) * grid->inverse.z, grid->bits[2]);
    uint32_t place =
        ((lb_guide_class(normal) << grid->bits[2] | z) << grid->bits[1] | y) << grid->bits[0] | x;
    uint32_t way = guide->ways[place];
    while ((way & 3u) != LB_GUIDE_LEAF) {
        const lb_guide_node *node = guide->nodes + (way >> 2);
        float along = (way & 3u) == 0 ? point.x : (way & 3u) == 1u ? point.y : point.z;
        way = node->ways[along < node->at ? 0 : 1];
    }
    return way >> 2;
}

/* ---- directions and the square ---- */

/* The place on the square of a unit vector. `*stretch` becomes by how much the square is larger there than the sphere
 * is, by area. */
LB_INLINE lb_vec2 lb_guide_square(lb_vec3 w, float *stretch)
{
    float sum = lb_abs(w.x) + lb_abs(w.y) + lb_abs(w.z), each = 1.0f / sum;
    float x = w.x * each, y = w.y * each;
    *stretch = 0.25f * each * each * each;
    if (w.z < 0.0f) {
        float folded = lb_copysign(1.0f - lb_abs(y), x);
        y = lb_copysign(1.0f - lb_abs(x), y);
        x = folded;
    }
    return lb_vec2_make(0.5f + 0.5f * x, 0.5f + 0.5f * y);
}

/* The unit vector at a place of the square. */
LB_INLINE lb_vec3 lb_guide_direction(lb_vec2 place)
{
    float x = 2.0f * place.x - 1.0f, y = 2.0f * place.y - 1.0f;
    float z = 1.0f - lb_abs(x) - lb_abs(y);
    if (z < 0.0f) {
        float unfolded = lb_copysign(1.0f - lb_abs(y), x);
        y = lb_copysign(1.0f - lb_abs(x), y);
        x = unfolded;
    }
    return lb_normalize(lb_vec3_make(x, y, z));
}

/* The bin that holds a place of the square. */
LB_INLINE uint32_t lb_guide_bin(lb_vec2 place)
{
    float last = (float)(LB_GUIDE_SIDE - 1);
    uint32_t column = (uint32_t)(int32_t)lb_clamp(place.x * (float)LB_GUIDE_SIDE, 0.0f, last);
    uint32_t row = (uint32_t)(int32_t)lb_clamp(place.y * (float)LB_GUIDE_SIDE, 0.0f, last);
    return row * LB_GUIDE_SIDE + column;
}

/* How much of 2^16 number i of LB_GUIDE_SIDE has. */
LB_INLINE float lb_guide_width(const uint16_t *starts, uint32_t i)
{
    uint32_t end = i + 1u < LB_GUIDE_SIDE ? starts[i + 1u] : 65536u;
    return (float)(int32_t)(end - starts[i]);
}

/* The density by solid angle with which the cell draws a direction. */
LB_INLINE float lb_guide_density(const lb_guide_cell *cell, lb_vec3 direction)
{
    float stretch;
    uint32_t bin = lb_guide_bin(lb_guide_square(direction, &stretch));
    uint32_t row = bin / LB_GUIDE_SIDE, column = bin % LB_GUIDE_SIDE;
    float chance =
        lb_guide_width(cell->rows, row) * lb_guide_width(cell->columns + row * LB_GUIDE_SIDE, column);
    return chance * (0x1p-32f * (float)LB_GUIDE_BINS) * stretch;
}

/* Chooses one of LB_GUIDE_SIDE; u becomes where in the chosen one it lies, 0 to 1. */
LB_INLINE uint32_t lb_guide_choose(const uint16_t *starts, float *u)
{
    float at = *u * 65536.0f;
    uint32_t whole = (uint32_t)(int32_t)at, behind = 0;
    for (uint32_t i = 0; i < LB_GUIDE_SIDE; i++)
        behind += starts[i] <= whole ? 1u : 0u;
    *u = (at - (float)starts[behind - 1u]) / lb_guide_width(starts, behind - 1u);
    return behind - 1u;
}

/* Draws a direction by u in [0, 1). */
LB_INLINE lb_vec3 lb_guide_draw(const lb_guide_cell *cell, lb_vec2 u)
{
    uint32_t row = lb_guide_choose(cell->rows, &u.y);
    uint32_t column = lb_guide_choose(cell->columns + row * LB_GUIDE_SIDE, &u.x);
    const float side = 1.0f / (float)LB_GUIDE_SIDE;
    return lb_guide_direction(lb_vec2_make(((float)column + u.x) * side, ((float)row + u.y) * side));
}

#endif
