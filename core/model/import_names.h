/* Things by their names. A model may have as many nodes as its animation has channels, so neither are looked for one by
 * one. */
#ifndef LB_CORE_MODEL_IMPORT_NAMES_H
#define LB_CORE_MODEL_IMPORT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct lb_model_named {
    const char *name;
    size_t order; /* how many were added before it */
    void *thing;
};

/* A zeroed struct is an empty list; free(list) ends it. */
struct lb_model_names {
    struct lb_model_named *list;
    size_t count, room;
};

/* The name is kept by its address; false: there is no memory. */
bool lb_model_add_name(struct lb_model_names *names, const char *name, void *thing);
/* To be called when all are there, before any is looked for. */
void lb_model_sort_names(struct lb_model_names *names);
/* The first that was added of this name; those of the same name follow it. names->count: there is none. */
size_t lb_model_first_named(const struct lb_model_names *names, const char *name);

#endif
