/* Finds the files that a scene names. */
#include "core/language/description.h"

#include "core/language/parameters.h"

#include <string.h>
#include <unistd.h>

/* The path of `name` in the folder of the file `beside`. */
static const char *in_folder_of(const char *beside, const char *name, struct lb_arena *arena)
{
    const char *slash = strrchr(beside, '/');
    if (name[0] == '/' || !slash)
        return lb_arena_text(arena, name, strlen(name));
    return lb_arena_format(arena, "%.*s/%s", (int)(slash - beside), beside, name);
}

/* Adds a file to those that the scene names. Where there is no memory for that, the file is read all the same, and
 * merely missing from the list. */
static const char *note_file(const struct lb_description *description, const char *path,
                             struct lb_arena *arena)
{
    struct lb_named_files *files = description->files;
    struct lb_named_file *file = files && path ? lb_arena_alloc(arena, 1, sizeof *file) : NULL;
    if (file) {
        *file = (struct lb_named_file){path, files->latest};
        files->latest = file;
        files->count++;
    }
    return path;
}

const char *lb_description_path(const struct lb_description *description, const struct lb_location *location,
                                const char *name, struct lb_arena *arena, const struct lb_log *log)
{
    const char *path = in_folder_of(description->main_file, name, arena);
    if (!path || access(path, F_OK) == 0)
        return note_file(description, path, arena);
    const char *other = in_folder_of(location->file, name, arena);
    if (!other || access(other, F_OK) != 0)
        return note_file(description, path, arena);
    lb_log_at(log, LB_NOTE, location, "\"%s\" is not in the main file's folder; taken from beside this file",
              name);
    return note_file(description, other, arena);
}
