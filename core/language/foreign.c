#include "core/language/foreign.h"

#include "core/base/ending.h"

#include <stdbool.h>
#include <string.h>

#define NO_SCENE      "; scenes are in pbrt-v4's language"
#define MODEL(ending) " and no scene; given by itself, under a name that ends in " ending ", it is rendered"

/* The first bytes of files that are no scenes, and what to say of them. */
static const struct beginning {
    const char *bytes;
    const char *what;
} beginnings[] = {
    {"\xff\xfe", "UTF-16 text; scene files are ASCII or UTF-8"},
    {"\xfe\xff", "UTF-16 text; scene files are ASCII or UTF-8"},
    {"\xfd\x37zXZ", "packed by xz; scene files may be packed by gzip"},
    {"(\xb5/\xfd", "packed by zstd; scene files may be packed by gzip"},
    {"BZh", "packed by bzip2; scene files may be packed by gzip"},
    {"PK\x03\x04", "a zip archive, not a scene"},
    {"\x89PNG", "a PNG picture, not a scene"},
    {"\xff\xd8\xff", "a JPEG picture, not a scene"},
    {"v/1\x01", "an OpenEXR picture, not a scene"},
    {"#?RADIANCE", "a Radiance picture, not a scene"},
    {"ply\n", "a PLY mesh, not a scene; Shape \"plymesh\" puts it into one"},
    {"ply\r", "a PLY mesh, not a scene; Shape \"plymesh\" puts it into one"},
    {"\x89lbpart\n", "part of a picture, not a scene: --merge joins such parts, --resume goes on from one"},
    {"glTF", "a glTF model" MODEL(".glb")},
    {"PXR-USDC", "a USD scene" NO_SCENE},
    {"#usda", "a USD scene" NO_SCENE},
    {"Kaydara FBX", "an FBX model" MODEL(".fbx")},
    {"; FBX", "an FBX model" MODEL(".fbx")},
    {"BLENDER", "a Blender file" NO_SCENE},
};

/* Names of files that do not say in their first bytes what they are. */
static const struct ending {
    const char *name;
    const char *what;
} endings[] = {
    {".obj", "an OBJ model" MODEL(".obj")},
    {".mtl", "OBJ's materials" NO_SCENE},
    {".gltf", "a glTF model" MODEL(".gltf")},
    {".stl", "an STL model" MODEL(".stl")},
    {".fbx", "an FBX model" MODEL(".fbx")},
    {".dae", "a COLLADA model" MODEL(".dae")},
    {".3ds", "a 3DS model" MODEL(".3ds")},
    {".abc", "an Alembic scene" NO_SCENE},
    {".usd", "a USD scene" NO_SCENE},
    {".usdz", "a USD scene" NO_SCENE},
    {".rib", "a RenderMan scene" NO_SCENE},
    {".vdb", "an OpenVDB file, not a scene"},
    {".nvdb", "a NanoVDB file, not a scene; MakeNamedMedium \"nanovdb\" puts it into one"},
};

static bool begins_with(const char *text, size_t length, const char *bytes)
{
    size_t count = strlen(bytes);
    return length >= count && memcmp(text, bytes, count) == 0;
}

/* Is the word in the first kilobytes? */
static bool has_soon(const char *text, size_t length, const char *word)
{
    const size_t seen = 4096;
    return memmem(text, length < seen ? length : seen, word, strlen(word)) != NULL;
}

/* Mitsuba's and Cycles' scenes, and COLLADA's models, are XML. */
static const char *xml_kind(const char *text, size_t length)
{
    return has_soon(text, length, "<scene")     ? "a Mitsuba scene" NO_SCENE
           : has_soon(text, length, "<cycles")  ? "a Cycles scene" NO_SCENE
           : has_soon(text, length, "<COLLADA") ? "a COLLADA model" MODEL(".dae")
                                                : "XML" NO_SCENE;
}

const char *lb_foreign_kind(const char *name, const char *text, size_t length)
{
    const size_t seen = 1 << 16;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (begins_with(text, length, beginnings[i].bytes))
            return beginnings[i].what;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (lb_ends_in(name, endings[i].name))
            return endings[i].what;
    if (length && memchr(text, 0, length < seen ? length : seen))
        return "a binary file, not a scene";
    size_t at = begins_with(text, length, "\xef\xbb\xbf") ? 3 : 0;
    while (at < length && strchr(" \t\r\n", text[at]))
        at++;
    return at < length && text[at] == '<' ? xml_kind(text + at, length - at) : NULL;
}
