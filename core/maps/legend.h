/* Legends below maps: whose colour is whose, and what a colour costs. */
#ifndef LB_CORE_MAPS_LEGEND_H
#define LB_CORE_MAPS_LEGEND_H

#include "core/maps/canvas.h"
#include "core/report/report.h"

/* A canvas whose upper left `width` x `height` pixels are left to the map, with the legend below; it is wider than the
 * map where the legend would not fit in otherwise. False: out of memory. */

/* Each processor's colour, name, weight and share, of the first ones where there are many. */
bool lb_legend_owners(struct lb_canvas *canvas, uint32_t width, uint32_t height,
                      const struct lb_report_balance *balance);
/* The colours from nothing to `white`, in `unit`. */
bool lb_legend_costs(struct lb_canvas *canvas, uint32_t width, uint32_t height, double white,
                     const char *unit);

#endif
