/* Normal maps on surfaces whose image is seen from behind. The frame of a normal map is that of u and the normal, so
 * where u and v turn the other way round, as on the two alike halves of a body that share one half of an image, y
 * points the wrong way. Such triangles get a mesh and a material of their own, whose map has its y turned. */
#include "core/model/import_surface.h"

#include <math.h>
#include <stdlib.h>

bool lb_model_is_triangle(const struct aiMesh *mesh, unsigned face)
{
    const struct aiFace *f = &mesh->mFaces[face];
    return f->mNumIndices == 3 && f->mIndices[0] < mesh->mNumVertices &&
           f->mIndices[1] < mesh->mNumVertices && f->mIndices[2] < mesh->mNumVertices;
}

static bool has_map(const struct aiMesh *mesh)
{
    return mesh->mTextureCoords[0] && mesh->mVertices;
}

bool lb_model_is_mirrored(const struct aiMesh *mesh, unsigned face)
{
    const unsigned *corner = mesh->mFaces[face].mIndices;
    double p[3][3], n[3] = {0.0, 0.0, 0.0}, uv[3][2], geometric[3], along = 0.0;
    for (int i = 0; i < 3; i++) {
        const struct aiVector3D *at = &mesh->mVertices[corner[i]], *t = &mesh->mTextureCoords[0][corner[i]];
        p[i][0] = (double)at->x, p[i][1] = (double)at->y, p[i][2] = (double)at->z;
        uv[i][0] = (double)t->x, uv[i][1] = (double)t->y;
        if (mesh->mNormals) {
            const struct aiVector3D *normal = &mesh->mNormals[corner[i]];
            n[0] += (double)normal->x, n[1] += (double)normal->y, n[2] += (double)normal->z;
        }
    }
    for (int axis = 0; axis < 3; axis++)
        p[1][axis] -= p[0][axis], p[2][axis] -= p[0][axis];
    lb_model_cross(p[1], p[2], geometric);
    for (int axis = 0; axis < 3; axis++)
        along += geometric[axis] * n[axis];
    double area =
        (uv[1][0] - uv[0][0]) * (uv[2][1] - uv[0][1]) - (uv[2][0] - uv[0][0]) * (uv[1][1] - uv[0][1]);
    return (mesh->mNormals && along < 0.0) != (area < 0.0);
}

/* Which of the mesh's triangles there are. */
static uint8_t parts_of(const struct aiMesh *mesh)
{
    uint8_t parts = 0;
    for (unsigned i = 0; i < mesh->mNumFaces && parts != (LB_MODEL_STRAIGHT | LB_MODEL_MIRRORED); i++)
        if (lb_model_is_triangle(mesh, i))
            parts |= lb_model_is_mirrored(mesh, i) ? LB_MODEL_MIRRORED : LB_MODEL_STRAIGHT;
    return parts;
}

void lb_model_find_mirrored(struct lb_model_work *work)
{
    const struct aiScene *scene = work->scene;
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        const struct aiMesh *mesh = scene->mMeshes[i];
        uint8_t *ways = &work->ways[i];
        work->parts[i] = LB_MODEL_STRAIGHT;
        if (work->uses[i] == 0)
            continue;
        const struct lb_model_surface surface = lb_model_read_surface(work, mesh->mMaterialIndex);
        if (!has_map(mesh) || (!surface.normal.image && !surface.coat_normal.image)) {
            *ways = LB_MODEL_STRAIGHT;
            continue;
        }
        work->parts[i] = parts_of(mesh);
        if ((work->parts[i] & LB_MODEL_MIRRORED && *ways & LB_MODEL_STRAIGHT) ||
            (work->parts[i] & LB_MODEL_STRAIGHT && *ways & LB_MODEL_MIRRORED))
            work->mirrored[mesh->mMaterialIndex] = true;
    }
}
