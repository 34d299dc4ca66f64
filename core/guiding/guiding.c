#include "core/guiding/guiding.h"

#include <stdlib.h>
#include <string.h>

/* A cell in which more directions were drawn is cut in two. */
static const int64_t MUCH = 2048;
/* A cell draws directions itself once so many were drawn in it. */
static const int64_t ENOUGH = 128;

/* ---- cells ---- */

_Static_assert(sizeof(lb_guide_cell) % LB_GUIDE_LINE == 0 && sizeof(lb_guide_sums) % LB_GUIDE_LINE == 0,
               "cells begin with cache lines");

/* As reallocarray, which keeps no alignment. */
static void *grow_lines(void *array, size_t count, size_t room, size_t size)
{
    void *grown = aligned_alloc(LB_GUIDE_LINE, room * size);
    if (!grown)
        return NULL;
    if (array)
        memcpy(grown, array, count * size);
    free(array);
    return grown;
}

static enum lb_status make_room(struct lb_guiding *g, struct lb_error *error)
{
    if (g->cell_count < g->cell_room)
        return LB_OK;
    uint32_t room = g->cell_room ? 2 * g->cell_room : 64;
    lb_guide_cell *cells = grow_lines(g->cells, g->cell_count, room, sizeof *cells);
    g->cells = cells ? cells : g->cells;
    lb_guide_sums *sums = grow_lines(g->sums, g->cell_count, room, sizeof *sums);
    g->sums = sums ? sums : g->sums;
    lb_box *boxes = reallocarray(g->boxes, room, sizeof *boxes);
    g->boxes = boxes ? boxes : g->boxes;
    uint32_t *leaves = reallocarray(g->leaves, room, sizeof *leaves);
    g->leaves = leaves ? leaves : g->leaves;
    /* Each cut makes a cell and a node, and there are more cells from the beginning. */
    lb_guide_node *nodes = reallocarray(g->nodes, room, sizeof *nodes);
    g->nodes = nodes ? nodes : g->nodes;
    if (!cells || !sums || !boxes || !leaves || !nodes)
        return lb_error_memory(error, NULL);
    g->cell_room = room;
    return LB_OK;
}

/* Where the way to a half of a node is kept. */
static uint32_t *way_at(struct lb_guiding *g, uint32_t half)
{
    return &g->nodes[half / 2].ways[half % 2];
}

/* The way on to the point, after no more than LB_GUIDE_GRID_BITS steps. */
static uint32_t way_to(const struct lb_guiding *g, uint32_t way, const float point[3])
{
    for (uint32_t depth = 0; depth < LB_GUIDE_GRID_BITS && way % 4 != LB_GUIDE_LEAF; depth++) {
        const lb_guide_node *node = &g->nodes[way / 4];
        way = node->ways[point[way % 4] < node->at ? 0 : 1];
    }
    return way;
}

/* Cells are cut in the middle, and so a step of the grid lies in one node of that depth. */
static void fill_grid(struct lb_guiding *g)
{
    const uint32_t *bits = g->guide.grid.bits;
    const float lower[3] = {g->guide.grid.lower.x, g->guide.grid.lower.y, g->guide.grid.lower.z},
                inverse[3] = {g->guide.grid.inverse.x, g->guide.grid.inverse.y, g->guide.grid.inverse.z};
    for (uint32_t i = 0; i < LB_GUIDE_CLASSES << LB_GUIDE_GRID_BITS; i++) {
        float middle[3];
        for (uint32_t axis = 0, rest = i; axis < 3; rest >>= bits[axis++]) {
            float step = (float)(rest & ((1u << bits[axis]) - 1)) + 0.5f;
            middle[axis] = lower[axis] + (inverse[axis] > 0 ? step / inverse[axis] : 0);
        }
        g->ways[i] = way_to(g, *way_at(g, i >> LB_GUIDE_GRID_BITS), middle);
    }
}

static void point_to_arrays(struct lb_guiding *g)
{
    g->guide.nodes = g->nodes;
    g->guide.cells = g->cells;
    g->guide.sums = g->sums;
    g->guide.ways = g->ways;
}

static uint32_t longest_side(const lb_box *box, float *middle)
{
    const float *low = box->lower, *high = box->upper;
    uint32_t axis = 0;
    for (uint32_t i = 1; i < 3; i++)
        axis = high[i] - low[i] > high[axis] - low[axis] ? i : axis;
    *middle = 0.5f * low[axis] + 0.5f * high[axis];
    return axis;
}

/* One over the side of a step of the grid. */
static float inverse_of(const lb_box *box, uint32_t axis)
{
    float side = box->upper[axis] - box->lower[axis];
    return side > 0 ? 1 / side : 0;
}

/* The grid's steps are the boxes of cells that were cut LB_GUIDE_GRID_BITS times. */
static void lay_grid(struct lb_guiding *g, const lb_box *bounds)
{
    lb_box box = *bounds;
    for (uint32_t i = 0; i < LB_GUIDE_GRID_BITS; i++) {
        float middle;
        uint32_t axis = longest_side(&box, &middle);
        box.upper[axis] = middle;
        g->guide.grid.bits[axis]++;
    }
    g->guide.grid.lower = lb_vec3_make(box.lower[0], box.lower[1], box.lower[2]);
    g->guide.grid.inverse = lb_vec3_make(inverse_of(&box, 0), inverse_of(&box, 1), inverse_of(&box, 2));
    fill_grid(g);
}

enum lb_status lb_guiding_open(struct lb_guiding *g, const lb_scene *scene, double directions,
                               struct lb_error *error)
{
    *g = (struct lb_guiding){.node_count = LB_GUIDE_CLASSES / 2};
    enum lb_status status = make_room(g, error);
    g->ways = calloc(LB_GUIDE_CLASSES << LB_GUIDE_GRID_BITS, sizeof *g->ways);
    if (status != LB_OK || !g->ways)
        return status != LB_OK ? status : lb_error_memory(error, NULL);
    g->guide.bound = 0x1p62 / directions;
    g->guide.scale = scene->film.imaging_ratio;
    for (uint32_t i = 0; i < LB_GUIDE_CLASSES; i++) {
        g->nodes[i / 2].at = 0;
        *way_at(g, i) = 4 * i + LB_GUIDE_LEAF;
        g->cells[i] = (lb_guide_cell){.chance = 1};
        g->sums[i] = (lb_guide_sums){.count = 0};
        g->boxes[i] = scene->bounds;
        g->leaves[i] = i;
        g->cell_count++;
    }
    lay_grid(g, &scene->bounds);
    point_to_arrays(g);
    return LB_OK;
}

void lb_guiding_close(struct lb_guiding *g)
{
    free(g->nodes);
    free(g->cells);
    free(g->sums);
    free(g->boxes);
    free(g->leaves);
    free(g->ways);
    *g = (struct lb_guiding){.node_count = 0};
}

/* ---- cutting ---- */

static void halve(lb_guide_sums *sums)
{
    for (uint32_t i = 0; i < LB_GUIDE_BINS; i++)
        sums->bins[i] /= 2;
    for (uint32_t i = 0; i < LB_GUIDE_CHANCES; i++)
        sums->chances[i] /= 2;
    sums->count /= 2;
}

/* Cuts the cell in two, each of which has learned half of what it had. */
static enum lb_status cut(struct lb_guiding *g, uint32_t cell, struct lb_error *error)
{
    enum lb_status status = make_room(g, error);
    if (status != LB_OK)
        return status;
    uint32_t second = g->cell_count++, node = g->node_count++;
    float middle;
    uint32_t axis = longest_side(&g->boxes[cell], &middle);
    halve(&g->sums[cell]);
    g->sums[second] = g->sums[cell];
    g->cells[second] = g->cells[cell];
    g->boxes[second] = g->boxes[cell];
    g->boxes[cell].upper[axis] = g->boxes[second].lower[axis] = middle;
    g->nodes[node] = (lb_guide_node){middle, {4 * cell + LB_GUIDE_LEAF, 4 * second + LB_GUIDE_LEAF}};
    *way_at(g, g->leaves[cell]) = 4 * node + axis;
    g->leaves[cell] = 2 * node;
    g->leaves[second] = 2 * node + 1;
    return LB_OK;
}

/* ---- what cells draw by ---- */

/* What is known of a bin is little where few directions were drawn: the mean of its neighbourhood has a share in it,
 * which in turn has a share of a larger one. */
static void smooth(const lb_guide_sums *sums, double bins[LB_GUIDE_BINS])
{
    double each = (double)sums->count / LB_GUIDE_BINS, level[LB_GUIDE_BINS], wide[LB_GUIDE_BINS];
    double total = 0;
    for (uint32_t i = 0; i < LB_GUIDE_BINS; i++)
        total += (double)sums->bins[i];
    wide[0] = total / LB_GUIDE_BINS;
    for (uint32_t side = 2; side <= LB_GUIDE_SIDE; side *= 2) {
        uint32_t step = LB_GUIDE_SIDE / side;
        memset(level, 0, sizeof level);
        for (uint32_t i = 0; i < LB_GUIDE_BINS; i++)
            level[i / LB_GUIDE_SIDE / step * side + i % LB_GUIDE_SIDE / step] += (double)sums->bins[i];
        double drawn = each * step * step, own = drawn / (drawn + 1);
        for (uint32_t i = 0; i < side * side; i++) {
            double around = wide[i / side / 2 * (side / 2) + i % side / 2];
            bins[i] = own * (level[i] / (step * step)) + (1 - own) * around;
        }
        memcpy(wide, bins, side * side * sizeof *wide);
    }
}

/* Where each part begins, in units of 2^-16. */
static void begin_parts(uint16_t starts[LB_GUIDE_SIDE], const double parts[LB_GUIDE_SIDE])
{
    double sum = 0, so_far = 0;
    for (uint32_t i = 0; i < LB_GUIDE_SIDE; i++)
        sum += parts[i];
    for (uint32_t i = 0; i < LB_GUIDE_SIDE; i++) {
        double start = sum > 0 ? so_far / sum * 65536 : i * (65536.0 / LB_GUIDE_SIDE);
        starts[i] = (uint16_t)(start < 65535 ? start : 65535);
        so_far += parts[i];
    }
}

static void fill(lb_guide_cell *cell, const double bins[LB_GUIDE_BINS])
{
    double rows[LB_GUIDE_SIDE] = {0};
    for (uint32_t i = 0; i < LB_GUIDE_BINS; i++)
        rows[i / LB_GUIDE_SIDE] += bins[i];
    begin_parts(cell->rows, rows);
    for (uint32_t row = 0; row < LB_GUIDE_SIDE; row++)
        begin_parts(cell->columns + row * LB_GUIDE_SIDE, bins + row * LB_GUIDE_SIDE);
}

/* The probability with which what was drawn would have been least noisy. */
static float best_chance(const lb_guide_sums *sums)
{
    uint32_t best = 1;
    for (uint32_t i = 0; i < LB_GUIDE_CHANCES; i++)
        best = sums->chances[i] < sums->chances[best] ? i : best;
    return lb_guide_chance(best);
}

static void teach(lb_guide_cell *cell, const lb_guide_sums *sums)
{
    double bins[LB_GUIDE_BINS], total = 0;
    if (sums->count < ENOUGH)
        return;
    smooth(sums, bins);
    for (uint32_t i = 0; i < LB_GUIDE_BINS; i++)
        total += bins[i];
    if (!(total > 0))
        return;
    fill(cell, bins);
    cell->chance = best_chance(sums);
}

enum lb_status lb_guiding_refine(struct lb_guiding *g, struct lb_error *error)
{
    enum lb_status status = LB_OK;
    for (uint32_t i = 0; i < g->cell_count && status == LB_OK; i++)
        while (g->sums[i].count > MUCH && g->cell_count < LB_GUIDE_MOST_CELLS && status == LB_OK)
            status = cut(g, i, error);
    for (uint32_t i = 0; i < g->cell_count && status == LB_OK; i++)
        teach(&g->cells[i], &g->sums[i]);
    fill_grid(g);
    point_to_arrays(g);
    return status;
}
