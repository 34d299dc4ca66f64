/* The small files in which the system tells about itself. */
#ifndef LB_CORE_MACHINE_LINE_H
#define LB_CORE_MACHINE_LINE_H

#include <stdbool.h>
#include <stdio.h>

/* The first line of a small file; false where there is none. */
static inline bool lb_machine_line(char *line, size_t size, const char *path)
{
    FILE *file = fopen(path, "r");
    bool read = file && fgets(line, (int)size, file);
    if (file)
        fclose(file);
    return read;
}

#endif
