/* Meshes as PLY files, and the shapes and objects that show them. */
#include "core/base/replace.h"
#include "core/model/import_bend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a mesh's file ---- */

struct vertex_writer {
    const struct aiMesh *mesh;
    bool normals;
    const struct aiVector3D *sets[2]; /* its coordinates and its second ones, or NULL */
    float shift[2][2];                /* of u and v of each */
    size_t stride;                    /* floats a vertex */
};

/* An image of light does not repeat (pbrt), as others do, so a mesh that has one is moved into its square, if it
 * fits. `set`: the coordinates that are the image's. */
static void find_shift(struct vertex_writer *writer, int set)
{
    const struct aiVector3D *uvs = writer->sets[set];
    float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (unsigned i = 0; i < writer->mesh->mNumVertices; i++) {
        low[0] = fminf(low[0], uvs[i].x), high[0] = fmaxf(high[0], uvs[i].x);
        low[1] = fminf(low[1], uvs[i].y), high[1] = fmaxf(high[1], uvs[i].y);
    }
    for (int axis = 0; axis < 2; axis++) {
        float whole = floorf(low[axis]);
        if (isfinite(low[axis]) && high[axis] - whole <= 1.0f)
            writer->shift[set][axis] = -whole;
    }
}

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
    for (int set = 0; set < 2; set++)
        if (writer->sets[set]) {
            *to++ = writer->sets[set][i].x + writer->shift[set][0];
            *to++ = writer->sets[set][i].y + writer->shift[set][1];
        }
}

enum { AT_ONCE = 4096 };

static enum lb_status write_vertices(const struct vertex_writer *writer, struct lb_replacement *file,
                                     struct lb_error *error)
{
    float values[AT_ONCE * 10];
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

/* The triangles of one kind; of a mesh with one kind only, all of them. */
struct mesh_part {
    const struct aiMesh *mesh;
    uint8_t kinds, kind; /* those that the mesh has, and this one */
};

static bool is_in(const struct mesh_part *part, unsigned face)
{
    if (!lb_model_is_triangle(part->mesh, face))
        return false;
    return part->kinds == part->kind ||
           lb_model_is_mirrored(part->mesh, face) == (part->kind == LB_MODEL_MIRRORED);
}

static enum lb_status write_faces(const struct mesh_part *part, struct lb_replacement *file,
                                  struct lb_error *error)
{
    const struct aiMesh *mesh = part->mesh;
    enum { SIZE = 13 };
    uint8_t bytes[AT_ONCE * SIZE];
    size_t filled = 0;
    enum lb_status status = LB_OK;
    for (unsigned i = 0; status == LB_OK && i < mesh->mNumFaces; i++) {
        if (is_in(part, i)) {
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

static uint32_t count_triangles(const struct mesh_part *part)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < part->mesh->mNumFaces; i++)
        count += is_in(part, i);
    return count;
}

static const char *suffix_of(uint8_t kind)
{
    return kind == LB_MODEL_MIRRORED ? "-mirrored" : "";
}

/* A mesh that is bent has a file for each frame. */
static const char *frame_of(const struct lb_model_work *work, unsigned number)
{
    return lb_model_is_bent(work, number) ? work->frame : "";
}

static const struct aiVector3D *second_of(const struct lb_model_work *work, const struct aiMesh *mesh)
{
    unsigned set = work->second_sets[mesh->mMaterialIndex];
    const struct aiVector3D *places = work->places[mesh->mMaterialIndex];
    return places ? places : set ? mesh->mTextureCoords[set] : NULL;
}

/* Vertices and faces lie in the file as they do in memory, which has the lowest byte first on all machines that this
 * program is built for. */
static enum lb_status write_mesh(struct lb_model_work *work, unsigned number, uint8_t kind)
{
    const struct aiMesh *mesh = work->scene->mMeshes[number];
    struct vertex_writer writer = {.mesh = mesh,
                                   .normals = mesh->mNormals != NULL,
                                   .sets = {mesh->mTextureCoords[0], second_of(work, mesh)}};
    int light = work->shines_by_second[mesh->mMaterialIndex];
    writer.stride = 3 + (writer.normals ? 3u : 0u) + (writer.sets[0] ? 2u : 0u) + (writer.sets[1] ? 2u : 0u);
    if (writer.sets[light] && work->emissions[mesh->mMaterialIndex])
        find_shift(&writer, light);
    const struct mesh_part part = {mesh, work->parts[number], kind};
    struct lb_text head = {.data = NULL}, path = {.data = NULL};
    lb_text_add(&head, "ply\nformat binary_little_endian 1.0\nelement vertex %u\n", mesh->mNumVertices);
    lb_text_add(&head, "property float x\nproperty float y\nproperty float z\n%s%s%s",
                writer.normals ? "property float nx\nproperty float ny\nproperty float nz\n" : "",
                writer.sets[0] ? "property float u\nproperty float v\n" : "",
                writer.sets[1] ? "property float u1\nproperty float v1\n" : "");
    lb_text_add(&head, "element face %u\nproperty list uchar int vertex_indices\nend_header\n",
                count_triangles(&part));
    lb_text_add(&path, "%s/%s-parts/mesh-%u%s%s.ply", work->folder, work->name, number, suffix_of(kind),
                frame_of(work, number));
    struct lb_replacement file;
    enum lb_status status = head.failed || path.failed ? lb_error_memory(work->error, work->path) : LB_OK;
    if (status == LB_OK)
        status = lb_replace_start(&file, path.data, work->error);
    if (status == LB_OK)
        status = lb_replace_write(&file, head.data, head.length, work->error);
    if (status == LB_OK)
        status = write_vertices(&writer, &file, work->error);
    if (status == LB_OK)
        status = write_faces(&part, &file, work->error);
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
    return (mesh->mPrimitiveTypes & aiPrimitiveType_TRIANGLE) && mesh->mVertices &&
           count_triangles(&(struct mesh_part){mesh, LB_MODEL_STRAIGHT, LB_MODEL_STRAIGHT}) > 0;
}

/* Shapes that shine cannot stand in objects (pbrt), so each of them is written out; and so are those that some nodes
 * mirror, whose normal maps differ, and skins, which stand in the world. */
static bool is_object(const struct lb_model_work *work, unsigned number)
{
    return work->uses[number] > 1 && !work->emissions[work->scene->mMeshes[number]->mMaterialIndex] &&
           work->ways[number] == LB_MODEL_STRAIGHT && !lb_model_is_skinned(work, number);
}

/* pbrt keeps a copy of its image for each triangle of a light: DamagedHelmet's 15 thousand do not fit any memory. */
static bool is_too_much_for_pbrt(const struct lb_model_work *work, unsigned number)
{
    enum { MOST = 64 };
    const struct aiMesh *mesh = work->scene->mMeshes[number];
    return mesh->mNumFaces > MOST && strstr(work->emissions[mesh->mMaterialIndex], "\"string filename\"");
}

/* pbrt gets the image of light by the first coordinates, as it knows no others. */
static void write_emission(struct lb_model_work *work, unsigned number, unsigned material)
{
    bool second = work->shines_by_second[material], too_much = is_too_much_for_pbrt(work, number);
    const char *text = work->emissions[material];
    lb_text_add(&work->text, "%s%s%s\n", second || too_much ? "#@lbrender " : "", text,
                second ? " \"string mapping\" \"uv1\"" : "");
    if (second && !too_much)
        lb_text_add(&work->text, "#@pbrt\n%s\n#@end\n", text);
}

/* What only one shape is to have stands in a block with it. */
static void write_part(struct lb_model_work *work, unsigned number, uint8_t kind, bool mirrored)
{
    unsigned material = work->scene->mMeshes[number]->mMaterialIndex;
    bool alone = work->emissions[material] || work->bodies[material];
    bool turned = mirrored != (kind == LB_MODEL_MIRRORED);
    lb_text_add(&work->text, "%sNamedMaterial \"material-%u%s\"\n", alone ? "AttributeBegin\n" : "", material,
                turned ? "-mirrored" : "");
    if (work->bodies[material])
        lb_text_add(&work->text, "MediumInterface \"medium-%u\" \"\"\n", material);
    if (work->emissions[material])
        write_emission(work, number, material);
    lb_text_add(&work->text, "Shape \"plymesh\" \"string filename\" \"%s-parts/mesh-%u%s%s.ply\"%s\n%s",
                work->name, number, suffix_of(kind), frame_of(work, number),
                work->alphas[material] ? work->alphas[material] : "", alone ? "AttributeEnd\n" : "");
}

/* `mirrored`: the pose that it is shown in mirrors it. */
static void write_shape(struct lb_model_work *work, unsigned number, bool mirrored)
{
    bool counts = mirrored && work->ways[number] & LB_MODEL_MIRRORED;
    for (uint8_t kind = LB_MODEL_STRAIGHT; kind <= LB_MODEL_MIRRORED; kind++)
        if (work->parts[number] & kind)
            write_part(work, number, kind, counts);
}

static void add_name(struct lb_model_work *work, const char *what, const struct aiString *name)
{
    lb_text_add(&work->text, "# %s \"", what);
    lb_text_add_printable(&work->text, name->data, SIZE_MAX);
    lb_text_add(&work->text, "\"\n");
}

/* The name by which Cryptomatte knows the shapes that follow. pbrt takes none of a shape itself, but here. */
static void name_shapes(struct lb_model_work *work, const char *name)
{
    struct lb_text shown = {.data = NULL};
    if (!*name)
        return;
    lb_text_add_printable(&shown, name, SIZE_MAX);
    lb_text_add(&work->text, "Attribute \"shape\" \"string name\" \"");
    for (const char *c = shown.data; c && *c; c++)
        lb_text_add(&work->text, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
    lb_text_add(&work->text, "\"\n");
    work->text.failed = work->text.failed || shown.failed;
    free(lb_text_take(&shown));
}

/* Nodes that have none are called like what they show. */
static const char *name_of(const struct lb_model_work *work, const struct aiNode *node)
{
    return node->mName.length > 0 ? node->mName.data : work->scene->mMeshes[node->mMeshes[0]]->mName.data;
}

/* A skin stands in the world, and so does its block; the other shapes of a node stand in its own. */
static void write_shown(struct lb_model_work *work, unsigned number, const lb_model_pose *node)
{
    lb_model_pose pose = lb_model_pose_shown(work, number, node);
    bool skinned = lb_model_is_skinned(work, number);
    if (!is_shown(work, number) || !lb_model_pose_usable(&pose))
        return;
    if (skinned) {
        lb_text_add(&work->text, "AttributeBegin\n");
        lb_model_pose_write(&work->text, "Transform", &pose);
    }
    if (is_object(work, number))
        lb_text_add(&work->text, "ObjectInstance \"mesh-%u\"\n", number);
    else
        write_shape(work, number, lb_model_pose_mirrors(&pose));
    lb_text_add(&work->text, "%s", skinned ? "AttributeEnd\n" : "");
}

static enum lb_status write_node(struct lb_model_work *work, const struct aiNode *node,
                                 const lb_model_pose *pose)
{
    bool usable = lb_model_pose_usable(pose), any = usable;
    for (unsigned i = 0; i < node->mNumMeshes; i++)
        any = any || lb_model_is_skinned(work, node->mMeshes[i]);
    if (node->mNumMeshes == 0 || !any)
        return LB_OK;
    add_name(work, "node", &node->mName);
    lb_text_add(&work->text, "AttributeBegin\n");
    if (usable)
        lb_model_pose_write(&work->text, "Transform", pose);
    name_shapes(work, name_of(work, node));
    for (unsigned i = 0; i < node->mNumMeshes; i++)
        write_shown(work, node->mMeshes[i], pose);
    lb_text_add(&work->text, "AttributeEnd\n");
    return work->text.failed ? lb_error_memory(work->error, work->path) : LB_OK;
}

static void write_object(struct lb_model_work *work, unsigned number)
{
    add_name(work, "mesh", &work->scene->mMeshes[number]->mName);
    lb_text_add(&work->text, "ObjectBegin \"mesh-%u\"\n", number);
    name_shapes(work, work->scene->mMeshes[number]->mName.data);
    write_shape(work, number, false);
    lb_text_add(&work->text, "ObjectEnd\n");
}

static bool is_used(const struct lb_model_work *work, unsigned number)
{
    return work->uses[number] > 0 && is_shown(work, number);
}

enum lb_status lb_model_write_meshes(struct lb_model_work *work, bool bent)
{
    enum lb_status status = LB_OK;
    for (unsigned i = 0; status == LB_OK && i < work->scene->mNumMeshes; i++)
        for (uint8_t kind = LB_MODEL_STRAIGHT; status == LB_OK && kind <= LB_MODEL_MIRRORED; kind++)
            if (is_used(work, i) && work->parts[i] & kind && lb_model_is_bent(work, i) == bent)
                status = write_mesh(work, i, kind);
    return status;
}

enum lb_status lb_model_write_shapes(struct lb_model_work *work)
{
    for (unsigned i = 0; i < work->scene->mNumMeshes; i++)
        if (is_used(work, i) && is_object(work, i))
            write_object(work, i);
    return lb_model_walk(work, write_node);
}
