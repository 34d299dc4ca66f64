/* Writes EXR files by OpenEXR's C++ library, for tests of kinds of files that its C core cannot write. */
#ifndef LB_TEST_UNIT_EXR_WRITE_H
#define LB_TEST_UNIT_EXR_WRITE_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
extern "C" {
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

/* How the file holds its pixels. */
enum exr_form {
    EXR_LINES,
    EXR_TILES,       /* in tiles of 16 x 8 pixels */
    EXR_MIPMAP,      /* in tiles of 16 x 16 pixels, at all levels of detail */
    EXR_CHROMA,      /* as luminance and, at half resolution, chroma */
    EXR_SECOND_PART, /* behind a part that holds depth and normals */
    EXR_COARSE,      /* with R, G and B at half resolution */
};

/* The kind of a file. */
struct exr_kind {
    enum exr_form form;
    int compression; /* by the format's numbers: 6 B44, 7 B44A, 8 DWAA, 9 DWAB */
    bool halves, alpha;
    int left, top, width, height; /* the data window, of even numbers where something is at half resolution */
};

/* The value of a channel in a column and row of the picture, not of the window. It changes smoothly, so that
 * compression loses little. */
float exr_colour(int column, int row, int channel);
/* Writes a file of this kind into memory, of `*size` bytes. The caller frees what it returns. */
uint8_t *exr_write(const struct exr_kind *kind, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
