/* Files as Assimp reads them: those that are there, and some whose bytes are in memory. */
#ifndef LB_CORE_MODEL_IMPORT_FILES_H
#define LB_CORE_MODEL_IMPORT_FILES_H

#include <assimp/cfileio.h>
#include <stddef.h>
#include <stdint.h>

/* A file in memory. A name without a slash is that of files in all folders. */
struct lb_model_bytes {
    const char *name;
    const uint8_t *data;
    size_t size;
};

/* These stand in for the files of their names. */
struct lb_model_files {
    struct lb_model_bytes items[2];
    size_t count;
};

/* What Assimp opens files by; `files` must outlive it. */
struct aiFileIO lb_model_files_make(const struct lb_model_files *files);

#endif
