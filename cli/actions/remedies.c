#include "cli/actions/remedies.h"

#include "core/option.h"

#include <string.h>

/* The first of them that a strategy declares makes pieces of the picture smaller. */
static const struct {
    const char *option, *said;
} remedies[] = {{"task-size", "a smaller --task-size cuts the picture into more pieces"},
                {"region-size", "a smaller --region-size cuts the picture into more pieces"}};

const char *cli_remedy_for(const struct lb_strategy *strategy)
{
    for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++)
        for (const struct lb_option *const *o = strategy->options; o && *o; o++)
            if (!strcmp((*o)->name, remedies[i].option))
                return remedies[i].said;
    return !strcmp(strategy->name, "scanline")
               ? "it has as many pieces as the picture has rows: a higher --resolution"
               : NULL;
}
