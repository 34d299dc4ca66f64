/* Meshes as PLY files, and the shapes and objects that show them. */
#include "core/image/replace.h"
#include "core/model/import_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a mesh's file ---- */

struct vertex_writer {
    const struct aiMesh *mesh;
    bool normals, uvs;
    size_t stride; /* floats a vertex */
};

static void put_vertex(const struct vertex_writer *writer, unsigned i, float *to)
{
    const struct aiMesh *mesh = writer->mesh;
    *to++ = mesh->mVertices[i].x;
    *to++ = mesh->mVertices[i].y;
    *to++ = mesh->mVertices[i].z;
    if (writer->normals) {
        *to++ = mesh->mNormals[i].x;
        *to++ = mesh->mNormals[i].y;
        *to++ = mesh->mNormals[i].z;
    }
    if (writer->uvs) {
        *to++ = mesh->mTextureCoords[0][i].x;
        *to++ = mesh->mTextureCoords[0][i].y;
    }
}

enum { AT_ONCE = 4096 };

static enum lb_status write_vertices(const struct vertex_writer *writer, struct lb_replacement *file,
                                     struct lb_error *error)
{
    float values[AT_ONCE * 8];
    enum lb_status status = LB_OK;
    for (unsigned begin = 0; status == LB_OK && begin < writer->mesh->mNumVertices; begin += AT_ONCE) {
        unsigned left = writer->mesh->mNumVertices - begin, count = left < AT_ONCE ? left : AT_ONCE;
        for (unsigned i = 0; i < count; i++)
            put_vertex(writer, begin + i, values + i * writer->stride);
        for (size_t i = 0; i < count * writer->stride; i++)
            values[i] = isfinite(values[i]) ? values[i] : 0.0f;
        status = lb_replace_write(file, values, count * writer->stride * sizeof *values, error);
    }
    return status;
}

/* What is no triangle was left out on reading, but for what the library overlooked. */
static bool is_triangle(const struct aiMesh *mesh, unsigned face)
{
    const struct aiFace *f = &mesh->mFaces[face];
    return f->mNumIndices == 3 && f->mIndices[0] < mesh->mNumVertices &&
           f->mIndices[1] < mesh->mNumVertices && f->mIndices[2] < mesh->mNumVertices;
}

static enum lb_status write_faces(const struct aiMesh *mesh, struct lb_replacement *file,
                                  struct lb_error *error)
{
    enum { SIZE = 13 };
    uint8_t bytes[AT_ONCE * SIZE];
    size_t filled = 0;
    enum lb_status status = LB_OK;
    for (unsigned i = 0; status == LB_OK && i < mesh->mNumFaces; i++) {
        if (is_triangle(mesh, i)) {
            bytes[filled] = 3;
            memcpy(bytes + filled + 1, mesh->mFaces[i].mIndices, SIZE - 1);
            filled += SIZE;
        }
        if (filled == sizeof bytes || i + 1 == mesh->mNumFaces) {
            status = lb_replace_write(file, bytes, filled, error);
            filled = 0;
        }
    }
    return status;
}

static uint32_t count_triangles(const struct aiMesh *mesh)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < mesh->mNumFaces; i++)
        count += is_triangle(mesh, i);
    return count;
}

/* Vertices and faces lie in the file as they do in memory, which has the lowest byte first on all machines that this
 * program is built for. */
static enum lb_status write_mesh(struct lb_model_work *work, unsigned number)
{
    const struct aiMesh *mesh = work->scene->mMeshes[number];
    const struct vertex_writer writer = {mesh, mesh->mNormals != NULL, mesh->mTextureCoords[0] != NULL,
                                         3 + (mesh->mNormals ? 3u : 0u) +
                                             (mesh->mTextureCoords[0] ? 2u : 0u)};
    struct lb_text head = {.data = NULL}, path = {.data = NULL};
    lb_text_add(&head, "ply\nformat binary_little_endian 1.0\nelement vertex %u\n", mesh->mNumVertices);
    lb_text_add(&head, "property float x\nproperty float y\nproperty float z\n%s%s",
                writer.normals ? "property float nx\nproperty float ny\nproperty float nz\n" : "",
                writer.uvs ? "property float u\nproperty float v\n" : "");
    lb_text_add(&head, "element face %u\nproperty list uchar int vertex_indices\nend_header\n",
                count_triangles(mesh));
    lb_text_add(&path, "%s/%s-parts/mesh-%u.ply", work->folder, work->name, number);
    struct lb_replacement file;
    enum lb_status status = head.failed || path.failed ? lb_error_memory(work->error, work->path) : LB_OK;
    if (status == LB_OK)
        status = lb_replace_start(&file, path.data, work->error);
    if (status == LB_OK)
        status = lb_replace_write(&file, head.data, head.length, work->error);
    if (status == LB_OK)
        status = write_vertices(&writer, &file, work->error);
    if (status == LB_OK)
        status = write_faces(mesh, &file, work->error);
    if (status == LB_OK)
        status = lb_replace_end(&file, work->error);
    free(lb_text_take(&head));
    free(lb_text_take(&path));
    return status;
}

/* ---- the directives ---- */

static bool is_shown(const struct lb_model_work *work, unsigned number)
{
    const struct aiMesh *mesh = work->scene->mMeshes[number];
    return (mesh->mPrimitiveTypes & aiPrimitiveType_TRIANGLE) && mesh->mVertices && count_triangles(mesh) > 0;
}

/* Shapes that shine cannot stand in objects (pbrt), so each of them is written out. */
static bool is_object(const struct lb_model_work *work, unsigned number)
{
    return work->uses[number] > 1 && !work->emissions[work->scene->mMeshes[number]->mMaterialIndex];
}

/* What only one shape is to have stands in a block with it. */
static void write_shape(struct lb_model_work *work, unsigned number)
{
    unsigned material = work->scene->mMeshes[number]->mMaterialIndex;
    bool alone = work->emissions[material] || work->bodies[material];
    lb_text_add(&work->text, "%sNamedMaterial \"material-%u\"\n", alone ? "AttributeBegin\n" : "", material);
    if (work->bodies[material])
        lb_text_add(&work->text, "MediumInterface \"medium-%u\" \"\"\n", material);
    if (work->emissions[material])
        lb_text_add(&work->text, "%s\n", work->emissions[material]);
    lb_text_add(&work->text, "Shape \"plymesh\" \"string filename\" \"%s-parts/mesh-%u.ply\"%s\n%s",
                work->name, number, work->alphas[material] ? work->alphas[material] : "",
                alone ? "AttributeEnd\n" : "");
}

static void add_name(struct lb_model_work *work, const char *what, const struct aiString *name)
{
    lb_text_add(&work->text, "# %s \"", what);
    lb_text_add_printable(&work->text, name->data, SIZE_MAX);
    lb_text_add(&work->text, "\"\n");
}

static enum lb_status write_node(struct lb_model_work *work, const struct aiNode *node,
                                 const lb_model_pose *pose)
{
    if (node->mNumMeshes == 0 || !lb_model_pose_usable(pose))
        return LB_OK;
    add_name(work, "node", &node->mName);
    lb_text_add(&work->text, "AttributeBegin\n");
    lb_model_pose_write(&work->text, "Transform", pose);
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        unsigned number = node->mMeshes[i];
        if (!is_shown(work, number))
            continue;
        if (is_object(work, number))
            lb_text_add(&work->text, "ObjectInstance \"mesh-%u\"\n", number);
        else
            write_shape(work, number);
    }
    lb_text_add(&work->text, "AttributeEnd\n");
    return work->text.failed ? lb_error_memory(work->error, work->path) : LB_OK;
}

static void write_object(struct lb_model_work *work, unsigned number)
{
    add_name(work, "mesh", &work->scene->mMeshes[number]->mName);
    lb_text_add(&work->text, "ObjectBegin \"mesh-%u\"\n", number);
    write_shape(work, number);
    lb_text_add(&work->text, "ObjectEnd\n");
}

enum lb_status lb_model_write_shapes(struct lb_model_work *work)
{
    enum lb_status status = LB_OK;
    for (unsigned i = 0; status == LB_OK && i < work->scene->mNumMeshes; i++) {
        if (work->uses[i] == 0 || !is_shown(work, i))
            continue;
        status = write_mesh(work, i);
        if (is_object(work, i))
            write_object(work, i);
    }
    return status == LB_OK ? lb_model_walk(work, write_node) : status;
}
