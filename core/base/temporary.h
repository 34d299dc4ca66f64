/* Temporary files: names, locks, and the removal of what was left behind. Who writes a file uses
 * core/base/replace.h. */
#ifndef LB_CORE_BASE_TEMPORARY_H
#define LB_CORE_BASE_TEMPORARY_H

/* What the names of temporary files begin with. */
#define LB_TEMPORARY_PREFIX ".lbrender-"

/* A file of the folder of `final` that has no name yet; -1, with errno 0: the file system cannot do that, else
 * another error. */
int lb_temporary_unnamed(const char *final);
/* Such a file with a name, which becomes the caller's to free; -1: errno says why. */
int lb_temporary_named(const char *final, char **name);
/* Gives an unnamed file a name, which becomes the caller's to free. Returns 0, or -1 where errno says why it failed. */
int lb_temporary_link(int file, const char *final, char **name);
/* The file's entry in /proc, by which it can be linked. */
void lb_temporary_entry(int file, char entry[32]);
/* Removes temporary files from the folder of `final` whose writers ended without removing them. */
void lb_temporary_sweep(const char *final);

#endif
