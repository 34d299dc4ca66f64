/* A path's parts: the folder that a file lies in, and its name there. */
#ifndef LB_CORE_BASE_PATH_H
#define LB_CORE_BASE_PATH_H

/* The length of the path's folder with its slash; 0: it has none. */
int lb_folder_length(const char *path);
/* What stands behind the folder. */
const char *lb_file_name(const char *path);

#endif
