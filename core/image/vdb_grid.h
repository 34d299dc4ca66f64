/* Grids of NanoVDB files by NanoVDB's own headers, for C: no exception leaves this function. */
#ifndef LB_CORE_IMAGE_VDB_GRID_H
#define LB_CORE_IMAGE_VDB_GRID_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
extern "C" {
#else
#include <stddef.h>
#include <stdint.h>
#endif

/* The samples of a grid within the box of its active ones; outside it is 0. */
struct lb_vdb_grid {
    int32_t lower[3]; /* index of the first sample */
    uint32_t size[3];
    float *values; /* x fastest, then y, then z; released by free() */
    double index_from_world[3][4];
    double world_box[2][3]; /* of all its samples, each as large as a voxel from its own place on */
};

enum lb_vdb_result { LB_VDB_OK, LB_VDB_NO_GRID, LB_VDB_DAMAGED, LB_VDB_MEMORY, LB_VDB_ABSENT };

/* The grid of that name in a file in memory, of floats and of class fog volume or unknown; of at most `most` samples.
 * LB_VDB_DAMAGED: `reason` says in one line of less than `room` bytes why it cannot be read. LB_VDB_ABSENT: the program
 * was built without NanoVDB's headers. */
enum lb_vdb_result lb_vdb_read(const uint8_t *data, size_t size, const char *name, uint64_t most,
                               struct lb_vdb_grid *grid, char *reason, size_t room);

#ifdef __cplusplus
}
#endif

#endif
