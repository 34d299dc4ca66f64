/* p large tiles, one each: book 10.3.1, Figure 10-1 left. They are about square: four are 2 x 2 but in a wide
 * picture. */
#include "strategies/shares.h"

#include <stdlib.h>

struct naive {
    struct lb_shares shares; /* first */
    lb_rectangle *tiles;
    uint32_t capacity;
};

static size_t naive_state_size(uint32_t processors)
{
    (void)processors;
    return sizeof(struct naive);
}

/* So many rows of tiles that tiles are about as wide as high; never more than there are rows of pixels,
 * unless the columns would not do either. */
static uint32_t tile_rows(const struct lb_plan *plan)
{
    uint32_t p = plan->processor_count, best = 1;
    double least = 1e300;
    for (uint32_t rows = 1; rows <= p && rows <= plan->height && (uint64_t)rows * rows <= 4294967295u;
         rows++) {
        uint32_t columns = (p + rows - 1) / rows;
        double w = (double)plan->width / columns, h = (double)plan->height / rows;
        double off = (w > h ? w / h : h / w) * (p % rows == 0 ? 1.0 : 1.25);
        if (off < least) {
            least = off;
            best = rows;
        }
    }
    return best;
}

/* Lays the tiles; where p is not a multiple of the rows, the first rows have one tile more and tiles differ
 * in width. Tiles without a pixel are left out of the table. */
static enum lb_status naive_plan(void *state, const struct lb_plan *plan, struct lb_order *order,
                                 struct lb_error *error)
{
    struct naive *naive = state;
    uint32_t p = plan->processor_count, rows = tile_rows(plan), tile = 0, count = 0;
    uint64_t begin = 0;
    enum lb_status status = lb_shares_start(&naive->shares, plan, error);
    if (status != LB_OK)
        return status;
    if (p > naive->capacity) {
        free(naive->tiles);
        naive->tiles = calloc(p, sizeof *naive->tiles);
        naive->capacity = naive->tiles == NULL ? 0 : p;
        if (naive->tiles == NULL)
            return lb_error_memory(error, NULL);
    }
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t columns = p / rows + (row < p % rows ? 1 : 0);
        uint32_t y = (uint32_t)((uint64_t)plan->height * row / rows);
        uint32_t height = (uint32_t)((uint64_t)plan->height * (row + 1) / rows) - y;
        for (uint32_t column = 0; column < columns; column++, tile++) {
            uint32_t x = (uint32_t)((uint64_t)plan->width * column / columns);
            uint32_t width = (uint32_t)((uint64_t)plan->width * (column + 1) / columns) - x;
            uint64_t area = (uint64_t)width * height;
            lb_shares_set(&naive->shares, tile, begin, begin + area, width == 0 ? 1 : width);
            if (area > 0)
                naive->tiles[count++] = (lb_rectangle){begin, x, y, width, height};
            begin += area;
        }
    }
    *order = lb_order_rectangles(plan->width, plan->height, naive->tiles, count);
    return LB_OK;
}

static void naive_end(void *state)
{
    struct naive *naive = state;
    free(naive->tiles);
    naive->tiles = NULL;
    naive->capacity = 0;
    lb_shares_end(state);
}

const struct lb_strategy lb_strategy_naive = {
    .name = "naive",
    .summary = "one large tile each",
    .weights = LB_WEIGHTS_IGNORED,
    .state_size = naive_state_size,
    .plan = naive_plan,
    .next = lb_shares_next,
    .done = lb_shares_done,
    .failed = lb_shares_failed,
    .ready = lb_shares_ready,
    .end = naive_end,
};
