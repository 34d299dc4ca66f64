/* EXR files as OpenEXR's C++ library writes them, for the tests of kinds that its C core cannot write. */
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

enum exr_form {
    EXR_LINES,
    EXR_TILES,       /* of 16 x 8 */
    EXR_MIPMAP,      /* tiles of 16 x 16, all levels */
    EXR_CHROMA,      /* luminance and, at half resolution, chroma */
    EXR_SECOND_PART, /* behind a part of depth and normals */
    EXR_COARSE,      /* R, G and B at half resolution */
};

struct exr_kind {
    enum exr_form form;
    int compression; /* as the format numbers them: 6 B44, 7 B44A, 8 DWAA, 9 DWAB */
    bool halves, alpha;
    int left, top, width, height; /* the data window; even where something is at half resolution */
};

/* The colour of a column and row of the picture, not of the window; smooth, so that little is lost. */
float exr_colour(int column, int row, int channel);
/* The caller frees what it returns. */
uint8_t *exr_write(const struct exr_kind *kind, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
