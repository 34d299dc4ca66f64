#include "core/scene/check/parts.h"

LB_CHECK_SIZE(lb_guide_grid, 40);

/* Does the way lead to a cell, or to a node behind that of the number `before`? So no way goes round in a circle. */
static bool way_leads_on(const lb_scene *scene, uint32_t way, int64_t before)
{
    uint64_t number = way / 4;
    return way % 4 == LB_GUIDE_LEAF ? number < scene->guide_cells.count
                                    : number < scene->guide_nodes.count && (int64_t)number > before;
}

const char *lb_check_guide_way(struct lb_check *check, uint64_t number)
{
    uint32_t way = LB_ARRAY(check->scene, guide_ways, uint32_t)[number];
    return way_leads_on(check->scene, way, -1) ? NULL : "end";
}

LB_CHECK_SIZE(lb_guide_node, 12);
const char *lb_check_guide_node(struct lb_check *check, uint64_t number)
{
    const lb_guide_node *node = LB_ARRAY(check->scene, guide_nodes, lb_guide_node) + number;
    for (int half = 0; half < 2; half++)
        if (!way_leads_on(check->scene, node->ways[half], (int64_t)number))
            return "way";
    return NULL;
}

/* Does each of the parts begin where the one before does or behind, and the first at 0? */
static bool parts_ascend(const uint16_t starts[LB_GUIDE_SIDE])
{
    bool ascend = starts[0] == 0;
    for (uint32_t i = 1; i < LB_GUIDE_SIDE; i++)
        ascend = ascend && starts[i] >= starts[i - 1];
    return ascend;
}

LB_CHECK_SIZE(lb_guide_cell, 576);
const char *lb_check_guide_cell(struct lb_check *check, uint64_t number)
{
    const lb_guide_cell *cell = LB_ARRAY(check->scene, guide_cells, lb_guide_cell) + number;
    if (!(cell->chance > 0.0f && cell->chance <= 1.0f))
        return "chance";
    bool sound = parts_ascend(cell->rows);
    for (uint32_t row = 0; row < LB_GUIDE_SIDE; row++)
        sound = sound && parts_ascend(cell->columns + row * LB_GUIDE_SIDE);
    return sound ? NULL : "histogram";
}
