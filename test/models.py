#!/usr/bin/env python3
"""Writes small models into a folder, for tests: glTF as text and binary, OBJ, STL, PLY.
usage: models.py FOLDER

corners.glb    a square of four colours, seen by the cameras "front" and "back"
whole.gltf, whole.glb
               the same with vertices of whole numbers (KHR_mesh_quantization): signed and unsigned bytes and words
metal.glb      a square that is metal on the left, by an image, and not on the right
materials.gltf squares in a row, each with another part of glTF's material (MATERIALS)
mirrored.gltf  two squares with one normal map, of which the right one shows it mirrored; and a third one below, which
               a node mirrors; all look alike. The map leans by y and is the same everywhere
glow.gltf      a square that emits by an image whose coordinates lie below 0: red on the left, blue on the right
glow-grey.gltf the same by a grey image, bright on the left
glow-even.gltf the same by these greys as red, green and blue
glow-half.gltf the same with a factor of (1, 1/2, 1/4)
glow-made.gltf the same without, by an image in which that is counted
cut-FORM.gltf  a square of which the lower right quarter is cut away, by the alpha of a PNG file of that form: rgba, grey (with alpha),
               palette (of which one color has alpha)
colors.gltf    a square whose corners are red, green, black and white, and which nothing else shines on; colors.ply the same,
               without camera
sets.gltf      a square with several coordinates: its base colour has the second set, in which u is doubled; metal and
               roughness the first one; its clearcoat a third one, which is the first one turned, and the roughness of that a fourth one,
               which is none of these. Of the base colour's image, left is red, right blue
turned.gltf    a square whose image is scaled by 1.5 and 2, turned by 0.3 and shifted by -0.2 and 0.1
moving.gltf    three squares that "slide" moves in 2 s: the first one evenly by 4 to the right, the second in steps, at 0, 1 and 2 s, by
               1 upwards each, the third one, which has no name, a quarter around z, and to twice its size. The animation
               "other" moves the first square by 4 to the left, and the camera, which is at z = 20, along
bent.gltf      two squares. The lower corners of the first one are held by a bone that stands still, the upper ones by another, which is
               1 to the right at rest, and which "bend" moves by 2 to the right in 2 s and then turns by half a turn around x;
               its node is elsewhere, which does not count. The second one, at z = -3, has two morph targets: z = 1, with the weight
               0.25 at rest, and z = 4, with none. "bend" takes the first one's weight from 0 to 1 in 2 s, the second one's from 0.5 to 0;
               "other" does nothing but step from the first to the second after 1 s
pair.gltf      one mesh shown by two nodes, of which one is scaled; a lamp; two materials
many.glb       a square that three nodes show, moved, turned and scaled, which are children of one
instanced.gltf, instanced.glb
               the same by EXT_mesh_gpu_instancing; the turns are signed words
lamps.gltf     a white matt square on the left, on which a point, a spot and a distant light bring pi lux each, of which "come" moves the
               first to half its distance in 1 s, and on the right one that emits 1 nit
away.dae       a triangle with two point lights, at a distance of 1 and of 10, and a camera that looks away from it
box.obj        a box with a material in box.mtl
box.stl        the same without one, in binary
box.ply        the same as text
"""
import base64, json, os, struct, sys, zlib


def png(rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    raw = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in rows)
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, {1: 0, 3: 2, 4: 6}[len(rows[0][0])], 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


class Buffer:
    """The bytes of a glTF file, with its views and accessors."""
    def __init__(self):
        self.data, self.views, self.accessors = b"", [], []

    def view(self, data):
        self.data += b"\0" * (-len(self.data) % 4)
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)})
        self.data += data
        return len(self.views) - 1

    def floats(self, rows):
        flat = [value for row in rows for value in row]
        kind = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}[len(rows[0])]
        about = {"bufferView": self.view(struct.pack("<%df" % len(flat), *flat)), "componentType": 5126,
                 "count": len(rows), "type": kind}
        about["min"] = [min(column) for column in zip(*rows)]
        about["max"] = [max(column) for column in zip(*rows)]
        self.accessors.append(about)
        return len(self.accessors) - 1

    def bytes4(self, rows):
        self.accessors.append({"bufferView": self.view(bytes(value for row in rows for value in row)), "componentType": 5121,
                               "count": len(rows), "type": "VEC4"})
        return len(self.accessors) - 1

    def whole(self, rows, kind, normalized=True):
        """Whole numbers of a kind of struct's, each row at a multiple of four bytes, behind four others."""
        size = struct.calcsize("<%d%s" % (len(rows[0]), kind))
        stride = (size + 3) // 4 * 4
        data = b"\x55" * 4 + b"".join(struct.pack("<%d%s" % (len(row), kind), *row).ljust(stride, b"\x55") for row in rows)
        about = {"bufferView": self.view(data), "byteOffset": 4, "componentType": 5120 + "bBhH".index(kind),
                 "count": len(rows), "type": "VEC%d" % len(rows[0]), "normalized": normalized}
        self.views[-1]["byteStride"] = stride
        self.accessors.append(about)
        return len(self.accessors) - 1

    def matrices(self, rows):
        self.accessors.append({"bufferView": self.view(struct.pack("<%df" % (16 * len(rows)), *[v for row in rows for v in row])),
                               "componentType": 5126, "count": len(rows), "type": "MAT4"})
        return len(self.accessors) - 1

    def indices(self, values):
        self.accessors.append({"bufferView": self.view(struct.pack("<%dH" % len(values), *values)),
                               "componentType": 5123, "count": len(values), "type": "SCALAR"})
        return len(self.accessors) - 1


def gltf(buffer, **members):
    return dict({"asset": {"version": "2.0"}, "scene": 0, "bufferViews": buffer.views,
                 "accessors": buffer.accessors}, **members)


def write_glb(path, buffer, document):
    document["buffers"] = [{"byteLength": len(buffer.data)}]
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    data = buffer.data + b"\0" * (-len(buffer.data) % 4)
    with open(path, "wb") as out:
        out.write(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)))
        out.write(struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data)


def write_gltf(path, buffer, document):
    uri = "data:application/octet-stream;base64," + base64.b64encode(buffer.data).decode()
    document["buffers"] = [{"byteLength": len(buffer.data), "uri": uri}]
    with open(path, "w") as out:
        json.dump(document, out, indent=1)


SQUARE = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]
CAMERA = {"type": "perspective", "perspective": {"yfov": 0.8, "aspectRatio": 1.0, "znear": 0.1}}


def corners(path, whole=False):
    """From the front: red on the upper left, green on the upper right, blue on the lower left, grey on the lower
    right."""
    b = Buffer()
    uvs = [(0, 1), (1, 1), (1, 0), (0, 0)]
    mesh = {"attributes": {"POSITION": b.floats(SQUARE), "NORMAL": b.floats([(0, 0, 1)] * 4), "TEXCOORD_0": b.floats(uvs)},
            "indices": b.indices([0, 1, 2, 0, 2, 3]), "material": 0}
    if whole:
        mesh["attributes"] = {"POSITION": b.whole(SQUARE, "b", False), "NORMAL": b.whole([(0, 0, 32767)] * 4, "h"),
                              "TEXCOORD_0": b.whole([(255 * u, 255 * v) for u, v in uvs], "B")}
    colors = [[(220, 10, 10), (10, 220, 10)], [(10, 10, 220), (90, 90, 90)]]
    rows = [[colors[y // 8][x // 8] for x in range(16)] for y in range(16)]
    used = {"extensionsUsed": ["KHR_mesh_quantization"], "extensionsRequired": ["KHR_mesh_quantization"]} if whole else {}
    (write_glb if path.endswith("b") else write_gltf)(path, b, gltf(
        b, images=[{"bufferView": b.view(png(rows)), "mimeType": "image/png"}], textures=[{"source": 0}],
        materials=[{"doubleSided": True, "pbrMetallicRoughness": {
            "baseColorTexture": {"index": 0}, "metallicFactor": 0.0, "roughnessFactor": 1.0}}],
        cameras=[dict(CAMERA, name="front"), dict(CAMERA, name="back")], meshes=[{"primitives": [mesh]}],
        nodes=[{"mesh": 0}, {"camera": 0, "translation": [0, 0, 3], "name": "front"},
               {"camera": 1, "translation": [0, 0, -3], "rotation": [0, 1, 0, 0], "name": "back"}],
        scenes=[{"nodes": [0, 1, 2]}], **used))


def many(path, instanced=False):
    b = Buffer()
    mesh = {"attributes": {"POSITION": b.floats(SQUARE)}, "indices": b.indices([0, 1, 2, 0, 2, 3]), "material": 0}
    moves, scales = [(0, 0, 0), (2, 1, -1), (-2, 0.5, -3)], [(1, 1, 1), (0.5, 1, 1), (1, 2, 1)]
    turns = [(0, 0, 0, 1), (0, 0, 1, 0), (1, 0, 0, 0)]
    nodes = [{"translation": [0, 0.5, 0]}, {"camera": 0, "translation": [0, 0, 9], "name": "front"}]
    if instanced:
        nodes[0]["mesh"] = 0
        nodes[0]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": {
            "TRANSLATION": b.floats(moves), "SCALE": b.floats(scales),
            "ROTATION": b.whole([tuple(32767 * v for v in turn) for turn in turns], "h")}}}
    else:
        nodes[0]["children"] = [2, 3, 4]
        nodes += [{"mesh": 0, "translation": t, "rotation": r, "scale": s} for t, r, s in zip(moves, turns, scales)]
    (write_glb if path.endswith("b") else write_gltf)(path, b, gltf(
        b, materials=[pbr()], meshes=[{"primitives": [mesh]}], cameras=[dict(CAMERA, name="front")], nodes=nodes,
        scenes=[{"nodes": [0, 1]}], **({"extensionsUsed": ["EXT_mesh_gpu_instancing"]} if instanced else {})))


def metal(path):
    b = Buffer()
    mesh = {"attributes": {"POSITION": b.floats(SQUARE), "NORMAL": b.floats([(0, 0, 1)] * 4),
                           "TEXCOORD_0": b.floats([(0, 1), (1, 1), (1, 0), (0, 0)])},
            "indices": b.indices([0, 1, 2, 0, 2, 3]), "material": 0}
    rows = [[(0, 128, 255 if x < 8 else 0) for x in range(16)] for y in range(16)]
    write_glb(path, b, gltf(
        b, images=[{"bufferView": b.view(png(rows)), "mimeType": "image/png"}], textures=[{"source": 0}],
        materials=[{"pbrMetallicRoughness": {"baseColorFactor": [0.9, 0.1, 0.1, 1],
                                             "metallicRoughnessTexture": {"index": 0}}}],
        cameras=[dict(CAMERA, name="front")], meshes=[{"primitives": [mesh]}],
        nodes=[{"mesh": 0}, {"camera": 0, "translation": [0, 0, 3], "name": "front"}], scenes=[{"nodes": [0, 1]}]))


def pbr(extensions=None, **members):
    material = {"pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.5}}
    material["pbrMetallicRoughness"].update(members.pop("pbr", {}))
    if extensions:
        material["extensions"] = {"KHR_materials_" + name: value for name, value in extensions.items()}
    return dict(material, **members)


IMAGE = {"index": 0}
MATERIALS = [
    pbr(),
    pbr(pbr={"baseColorFactor": [0.5, 0.5, 0.5, 1], "baseColorTexture": IMAGE}),
    pbr(pbr={"baseColorFactor": [0.8, 0.4, 0.2, 1], "baseColorTexture": IMAGE}),
    pbr(pbr={"metallicFactor": 0.7, "roughnessFactor": 0.6, "metallicRoughnessTexture": IMAGE}),
    pbr({"transmission": {"transmissionFactor": 1.0}}),
    pbr({"transmission": {"transmissionFactor": 0.9, "transmissionTexture": IMAGE}, "ior": {"ior": 1.33},
         "volume": {"thicknessFactor": 1, "attenuationDistance": 2.0, "attenuationColor": [0.5, 0.25, 1.0]}}),
    pbr({"clearcoat": {"clearcoatFactor": 0.8, "clearcoatTexture": IMAGE, "clearcoatRoughnessFactor": 0.3}}),
    pbr({"sheen": {"sheenColorFactor": [0.9, 0.1, 0.2], "sheenRoughnessFactor": 0.4,
                   "sheenRoughnessTexture": IMAGE}}),
    pbr({"specular": {"specularFactor": 0.3, "specularTexture": IMAGE, "specularColorFactor": [1.5, 1.0, 0.5]}}),
    pbr({"emissive_strength": {"emissiveStrength": 4.0}}, emissiveFactor=[0.5, 0.25, 1.0], emissiveTexture=IMAGE),
    pbr({"unlit": {}}, pbr={"baseColorFactor": [0.2, 0.4, 0.6, 1]}),
    pbr({"pbrSpecularGlossiness": {"diffuseFactor": [0.2, 0.3, 0.4, 1], "specularFactor": [0.3, 0.2, 0.1],
                                   "glossinessFactor": 0.75}}),
    pbr(alphaMode="MASK", alphaCutoff=0.4, pbr={"baseColorTexture": IMAGE}),
    pbr(alphaMode="BLEND", pbr={"baseColorFactor": [1, 1, 1, 0.25]}),
    pbr(normalTexture={"index": 0, "scale": 0.5}),
    pbr({"clearcoat": {"clearcoatFactor": 1.0, "clearcoatNormalTexture": IMAGE}}, normalTexture=IMAGE),
    pbr({"clearcoat": {"clearcoatFactor": 1.0, "clearcoatNormalTexture": IMAGE}}),
    pbr({"clearcoat": {"clearcoatFactor": 1.0, "clearcoatNormalTexture": {"index": 0, "scale": 0.5}}}, normalTexture=IMAGE),
]


def materials(path):
    """The image is opaque on its left half and half transparent on its right one."""
    b = Buffer()
    attributes = {"POSITION": b.floats(SQUARE), "NORMAL": b.floats([(0, 0, 1)] * 4),
                  "TEXCOORD_0": b.floats([(0, 1), (1, 1), (1, 0), (0, 0)])}
    indices = b.indices([0, 1, 2, 0, 2, 3])
    rows = [[(200, 16 * y, 255 - 8 * y, 255 if x < 8 else 80) for x in range(16)] for y in range(16)]
    count = len(MATERIALS)
    write_gltf(path, b, gltf(
        b, images=[{"bufferView": b.view(png(rows)), "mimeType": "image/png"}], textures=[{"source": 0}],
        materials=MATERIALS, extensionsUsed=sorted({name for m in MATERIALS for name in m.get("extensions", {})}),
        meshes=[{"primitives": [{"attributes": attributes, "indices": indices, "material": i}]} for i in range(count)],
        nodes=[{"mesh": i, "translation": [2.2 * i, 0, 0]} for i in range(count)],
        scenes=[{"nodes": list(range(count))}]))


def mirrored(path):
    b = Buffer()
    material = pbr(pbr={"roughnessFactor": 1.0, "baseColorFactor": [0.5, 0.5, 0.5, 1]}, normalTexture=IMAGE)
    position, normal = b.floats(SQUARE), b.floats([(0, 0, 1)] * 4)
    meshes = [{"primitives": [{"attributes": {"POSITION": position, "NORMAL": normal, "TEXCOORD_0": b.floats(uvs)},
                               "indices": b.indices([0, 1, 2, 0, 2, 3]), "material": 0}]}
              for uvs in ([(0, 1), (1, 1), (1, 0), (0, 0)], [(1, 1), (0, 1), (0, 0), (1, 0)])]
    rows = [[(128, 210, 210)] * 4] * 4
    write_gltf(path, b, gltf(
        b, images=[{"bufferView": b.view(png(rows)), "mimeType": "image/png"}], textures=[{"source": 0}],
        materials=[material], meshes=meshes, cameras=[dict(CAMERA, name="front")],
        nodes=[{"mesh": 0, "translation": [-1.1, 1.1, 0]}, {"mesh": 1, "translation": [1.1, 1.1, 0]},
               {"mesh": 0, "translation": [0, -1.1, 0], "scale": [-1, 1, 1]},
               {"camera": 0, "translation": [0, 0, 6], "name": "front"}], scenes=[{"nodes": [0, 1, 2, 3]}]))


def glow(path, left, right, factor=(1, 1, 1)):
    b = Buffer()
    mesh = {"attributes": {"POSITION": b.floats(SQUARE), "TEXCOORD_0": b.floats([(-3, 2), (-2, 2), (-2, 1), (-3, 1)])},
            "indices": b.indices([0, 1, 2, 0, 2, 3]), "material": 0}
    rows = [[left if x < 8 else right for x in range(16)] for y in range(16)]
    write_gltf(path, b, gltf(
        b, images=[{"bufferView": b.view(png(rows)), "mimeType": "image/png"}], textures=[{"source": 0}],
        materials=[pbr({"emissive_strength": {"emissiveStrength": 5.0}}, emissiveFactor=factor,
                       emissiveTexture=IMAGE)],
        cameras=[dict(CAMERA, name="front")], meshes=[{"primitives": [mesh]}],
        nodes=[{"mesh": 0}, {"camera": 0, "translation": [0, 0, 3], "name": "front"}], scenes=[{"nodes": [0, 1]}]))


def moving(path):
    b = Buffer()
    mesh = {"attributes": {"POSITION": b.floats(SQUARE), "NORMAL": b.floats([(0, 0, 1)] * 4)},
            "indices": b.indices([0, 1, 2, 0, 2, 3]), "material": 0}
    third = 0.5 ** 0.5
    ends, steps = b.floats([(0,), (2,)]), b.floats([(0,), (1,), (2,)])
    samplers = [{"input": ends, "output": b.floats([(-6, 0, 0), (-2, 0, 0)])},
                {"input": steps, "output": b.floats([(0, 0, 0), (0, 1, 0), (0, 2, 0)]), "interpolation": "STEP"},
                {"input": ends, "output": b.floats([(0, 0, 0, 1), (0, 0, third, third)])},
                {"input": ends, "output": b.floats([(1, 1, 1), (2, 2, 2)])}]
    others = [{"input": ends, "output": b.floats([(-6, 0, 0), (-10, 0, 0)])},
              {"input": ends, "output": b.floats([(0, 0, 20), (-4, 0, 20)])}]
    channel = lambda sampler, node, path: {"sampler": sampler, "target": {"node": node, "path": path}}
    write_gltf(path, b, gltf(
        b, materials=[pbr()], meshes=[{"primitives": [mesh]}], cameras=[dict(CAMERA, name="front")],
        animations=[{"name": "slide", "samplers": samplers, "channels": [
            channel(0, 0, "translation"), channel(1, 1, "translation"), channel(2, 2, "rotation"), channel(3, 2, "scale")]},
                    {"name": "other", "samplers": others, "channels": [
                        channel(0, 0, "translation"), channel(1, 3, "translation")]}],
        nodes=[{"mesh": 0, "name": "even", "translation": [-6, 0, 0]}, {"mesh": 0, "name": "stepping"},
               {"mesh": 0, "translation": [6, 0, 0]}, {"camera": 0, "translation": [0, 0, 20], "name": "front"}],
        scenes=[{"nodes": [0, 1, 2, 3]}]))


def bent(path):
    b = Buffer()
    attributes = {"POSITION": b.floats(SQUARE), "NORMAL": b.floats([(0, 0, 1)] * 4)}
    triangles = b.indices([0, 1, 2, 0, 2, 3])
    held = dict(attributes, JOINTS_0=b.bytes4([(0, 0, 0, 0)] * 2 + [(1, 0, 0, 0)] * 2), WEIGHTS_0=b.floats([(1, 0, 0, 0)] * 4))
    targets = [{"POSITION": b.floats([(0, 0, z)] * 4)} for z in (1, 4)]
    same = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    ends, steps, turns = b.floats([(0,), (2,)]), b.floats([(0,), (1,), (2,)]), b.floats([(2,), (3,)])
    samplers = [{"input": ends, "output": b.floats([(0, 0, 0), (2, 0, 0)])},
                {"input": turns, "output": b.floats([(0, 0, 0, 1), (1, 0, 0, 0)])},
                {"input": ends, "output": b.floats([(0,), (0.5,), (1,), (0,)])}]
    others = [{"input": steps, "output": b.floats([(1,), (0,), (0,), (1,), (0,), (1,)]), "interpolation": "STEP"}]
    channel = lambda sampler, node, path: {"sampler": sampler, "target": {"node": node, "path": path}}
    write_gltf(path, b, gltf(
        b, materials=[pbr()], cameras=[dict(CAMERA, name="front")],
        meshes=[{"primitives": [{"attributes": held, "indices": triangles, "material": 0}]},
                {"weights": [0.25, 0], "primitives": [{"attributes": attributes, "indices": triangles, "material": 0,
                                                       "targets": targets}]}],
        skins=[{"joints": [2, 3], "inverseBindMatrices": b.matrices([same, same])}],
        animations=[{"name": "bend", "samplers": samplers, "channels": [
            channel(0, 3, "translation"), channel(1, 3, "rotation"), channel(2, 1, "weights")]},
                    {"name": "other", "samplers": others, "channels": [channel(0, 1, "weights")]}],
        nodes=[{"mesh": 0, "skin": 0, "name": "skin", "translation": [7, 8, 9]}, {"mesh": 1, "name": "flag", "translation": [0, 0, -3]},
               {"name": "root"}, {"name": "tip", "translation": [1, 0, 0]},
               {"camera": 0, "translation": [0, 0, 20], "name": "front"}],
        scenes=[{"nodes": [0, 1, 2, 3, 4]}]))


def sets(path):
    b = Buffer()
    mesh = {"attributes": {"POSITION": b.floats(SQUARE), "TEXCOORD_0": b.floats([(0, 1), (1, 1), (1, 0), (0, 0)]),
                           "TEXCOORD_1": b.floats([(0, 1), (2, 1), (2, 0), (0, 0)]),
                           "TEXCOORD_2": b.floats([(1, 1), (1, 0), (0, 0), (0, 1)]),
                           "TEXCOORD_3": b.floats([(0.25, 1), (1, 1), (1, 0), (0, 0)])},
            "indices": b.indices([0, 1, 2, 0, 2, 3]), "material": 0}
    rows = [[(255, 0, 0) if x < 8 else (0, 0, 255) for x in range(16)] for y in range(16)]
    grey = [[(0, 255, 0)] * 4] * 4
    write_gltf(path, b, gltf(
        b, images=[{"bufferView": b.view(png(rows)), "mimeType": "image/png"},
                   {"bufferView": b.view(png(grey)), "mimeType": "image/png"}],
        extensionsUsed=["KHR_materials_clearcoat"],
        textures=[{"source": 0}, {"source": 1}],
        materials=[pbr({"clearcoat": {"clearcoatFactor": 0.1, "clearcoatTexture": {"index": 1, "texCoord": 2},
                                                    "clearcoatRoughnessFactor": 0.5,
                                                    "clearcoatRoughnessTexture": {"index": 1, "texCoord": 3}}},
                       pbr={"baseColorTexture": {"index": 0, "texCoord": 1}, "metallicFactor": 1.0,
                            "metallicRoughnessTexture": {"index": 1, "texCoord": 0}})],
        cameras=[dict(CAMERA, name="front")], meshes=[{"primitives": [mesh]}],
        nodes=[{"mesh": 0}, {"camera": 0, "translation": [0, 0, 3], "name": "front"}], scenes=[{"nodes": [0, 1]}]))


def turned(path):
    b = Buffer()
    mesh = {"attributes": {"POSITION": b.floats(SQUARE), "TEXCOORD_0": b.floats([(0, 1), (1, 1), (1, 0), (0, 0)])},
            "indices": b.indices([0, 1, 2, 0, 2, 3]), "material": 0}
    change = {"KHR_texture_transform": {"scale": [1.5, 2.0], "rotation": 0.3, "offset": [-0.2, 0.1]}}
    write_gltf(path, b, gltf(
        b, images=[{"bufferView": b.view(png([[(0, 99, 255)] * 4] * 4)), "mimeType": "image/png"}],
        textures=[{"source": 0}], extensionsUsed=["KHR_texture_transform"],
        materials=[pbr(pbr={"baseColorTexture": {"index": 0, "extensions": change}})], meshes=[{"primitives": [mesh]}],
        nodes=[{"mesh": 0}], scenes=[{"nodes": [0]}]))


CORNERS = [(1, 0, 0), (0, 1, 0), (1, 1, 1), (0, 0, 0)]


def cut(path, form):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    pixels = {"rgba": [(200, 200, 200, 255), (200, 200, 200, 0)], "grey": [(200, 255), (200, 0)], "palette": [(0,), (1,)]}[form]
    head = struct.pack(">IIBBBBB", 16, 16, 8, {"rgba": 6, "grey": 4, "palette": 3}[form], 0, 0, 0)
    palette = chunk(b"PLTE", bytes([200] * 6)) + chunk(b"tRNS", b"\xff\0") if form == "palette" else b""
    raw = b"".join(b"\0" + b"".join(bytes(pixels[x >= 8 and y >= 8]) for x in range(16)) for y in range(16))
    image = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + palette + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")
    b = Buffer()
    mesh = {"attributes": {"POSITION": b.floats(SQUARE), "TEXCOORD_0": b.floats([(0, 1), (1, 1), (1, 0), (0, 0)])},
            "indices": b.indices([0, 1, 2, 0, 2, 3]), "material": 0}
    write_gltf(path, b, gltf(
        b, images=[{"bufferView": b.view(image), "mimeType": "image/png"}], textures=[{"source": 0}],
        materials=[pbr(alphaMode="MASK", doubleSided=True, emissiveFactor=[1, 1, 1], emissiveTexture=IMAGE,
                       pbr={"baseColorTexture": IMAGE})],
        cameras=[dict(CAMERA, name="front")], meshes=[{"primitives": [mesh]}],
        nodes=[{"mesh": 0}, {"camera": 0, "translation": [0, 0, 3], "name": "front"}], scenes=[{"nodes": [0, 1]}]))


def colors(path):
    b = Buffer()
    mesh = {"attributes": {"POSITION": b.floats(SQUARE), "COLOR_0": b.floats(CORNERS)},
            "indices": b.indices([0, 1, 2, 0, 2, 3]), "material": 0}
    write_gltf(path, b, gltf(
        b, materials=[pbr(pbr={"baseColorFactor": [0.5, 0.5, 0.5, 1], "roughnessFactor": 1.0})],
        cameras=[dict(CAMERA, name="front")], meshes=[{"primitives": [mesh]}],
        nodes=[{"mesh": 0}, {"camera": 0, "translation": [0, 0, 3], "name": "front"}], scenes=[{"nodes": [0, 1]}]))


def colors_ply(path):
    with open(path, "w") as out:
        out.write("ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
                  "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                  "element face 2\nproperty list uchar int vertex_indices\nend_header\n")
        out.writelines("%g %g %g %d %d %d\n" % (*p, *(188 * part for part in c)) for p, c in zip(SQUARE, CORNERS))
        out.write("3 0 1 2\n3 0 2 3\n")


def pair(path):
    b = Buffer()
    mesh = {"attributes": {"POSITION": b.floats(SQUARE)}, "indices": b.indices([0, 1, 2, 0, 2, 3]), "material": 0}
    other = {"attributes": {"POSITION": b.floats([(x, -1, -y) for x, y, _ in SQUARE])},
             "indices": b.indices([0, 1, 2, 0, 2, 3]), "material": 1}
    write_gltf(path, b, gltf(
        b, extensionsUsed=["KHR_lights_punctual"],
        extensions={"KHR_lights_punctual": {"lights": [{"type": "point", "intensity": 500, "name": "lamp"}]}},
        materials=[{"pbrMetallicRoughness": {"baseColorFactor": [0.9, 0.5, 0.2, 1], "metallicFactor": 1.0,
                                             "roughnessFactor": 0.3}},
                   {"pbrMetallicRoughness": {"baseColorFactor": [0.3, 0.6, 0.9, 1], "metallicFactor": 0.0}}],
        meshes=[{"primitives": [mesh], "name": "wall"}, {"primitives": [other]}],
        nodes=[{"mesh": 0, "name": "left", "translation": [-1.5, 0, 0]},
               {"mesh": 0, "name": "right", "translation": [1.5, 0, 0], "scale": [0.5, 1, 1]},
               {"mesh": 1, "children": [4], "scale": [3, 1, 2]},
               {"extensions": {"KHR_lights_punctual": {"light": 0}}, "translation": [0, 2, 3], "name": "lamp"},
               {"mesh": 1, "translation": [0, 0.5, -1], "scale": [0.2, 1, 0.2]}],
        scenes=[{"nodes": [0, 1, 2, 3]}]))


def lamps(path):
    b = Buffer()
    mesh = {"attributes": {"POSITION": b.floats(SQUARE), "NORMAL": b.floats([(0, 0, 1)] * 4)}, "indices": b.indices([0, 1, 2, 0, 2, 3])}
    pi, light = 3.14159265, lambda number: {"KHR_lights_punctual": {"light": number}}
    samplers = [{"input": b.floats([(0,), (1,)]), "output": b.floats([(0, 0, 100), (0, 0, 50)])}]
    write_gltf(path, b, gltf(
        b, extensionsUsed=["KHR_lights_punctual"],
        extensions={"KHR_lights_punctual": {"lights": [
            {"type": "point", "intensity": 1e4 * pi}, {"type": "directional", "intensity": pi},
            {"type": "spot", "intensity": 1e4 * pi, "spot": {"innerConeAngle": 0.1, "outerConeAngle": 0.2}}]}},
        materials=[pbr({"specular": {"specularFactor": 0}}),
                   pbr({"specular": {"specularFactor": 0}}, pbr={"baseColorFactor": [0, 0, 0, 1]}, emissiveFactor=[1, 1, 1])],
        animations=[{"name": "come", "samplers": samplers, "channels": [{"sampler": 0, "target": {"node": 2, "path": "translation"}}]}],
        meshes=[{"primitives": [dict(mesh, material=0)]}, {"primitives": [dict(mesh, material=1)]}],
        cameras=[dict(CAMERA, name="front")],
        nodes=[{"mesh": 0, "translation": [-1, 0, 0]}, {"mesh": 1, "translation": [1, 0, 0]},
               {"extensions": light(0), "translation": [0, 0, 100], "name": "point"},
               {"extensions": light(1), "name": "distant"}, {"extensions": light(2), "translation": [0, 0, 100], "name": "spot"},
               {"camera": 0, "translation": [0, 0, 5], "name": "front"}],
        scenes=[{"nodes": [0, 1, 2, 3, 4, 5]}]))


def away(path):
    lamp = '<light id="%s"><technique_common><point><color>1 1 1</color></point></technique_common></light>'
    node = '<node id="%s" name="%s">%s<instance_%s url="#%s-of"/></node>'
    with open(path, "w") as out:
        out.write("""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="1"/><up_axis>Y_UP</up_axis></asset>
<library_lights>%s%s</library_lights>
<library_cameras><camera id="c-of"><optics><technique_common><perspective><xfov>40</xfov><znear>1</znear><zfar>9</zfar></perspective>
</technique_common></optics></camera></library_cameras>
<library_geometries><geometry id="t-of"><mesh><source id="p"><float_array id="a" count="9">-1 -1 0 1 -1 0 0 1 0</float_array>
<technique_common><accessor source="#a" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">%s%s%s%s</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
""" % (lamp % "l1-of", lamp % "l2-of", node % ("t", "t", "", "geometry", "t"),
       node % ("l1", "l1", "<translate>0 0 1</translate>", "light", "l1"),
       node % ("l2", "l2", "<translate>0 0 10</translate>", "light", "l2"),
       node % ("c", "c", "<translate>0 0 -50</translate>", "camera", "c")))


BOX = [(x, y, z) for x in (-1, 1) for y in (-2, 2) for z in (-0.5, 0.5)]
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def box_obj(folder):
    with open(os.path.join(folder, "box.mtl"), "w") as out:
        out.write("newmtl varnish\nKd 0.7 0.2 0.1\nKs 0.5 0.5 0.5\nNs 200\n")
    with open(os.path.join(folder, "box.obj"), "w") as out:
        out.write("mtllib box.mtl\nusemtl varnish\n")
        out.writelines("v %g %g %g\n" % corner for corner in BOX)
        out.writelines("f %s\n" % " ".join(str(i + 1) for i in side) for side in SIDES)


def box_stl(path):
    faces = [(side[0], side[i], side[i + 1]) for side in SIDES for i in (1, 2)]
    with open(path, "wb") as out:
        out.write(b"\0" * 80 + struct.pack("<I", len(faces)))
        for face in faces:
            out.write(struct.pack("<12fH", 0, 0, 0, *[value for i in face for value in BOX[i]], 0))


def box_ply(path):
    with open(path, "w") as out:
        out.write("ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
                  "element face 6\nproperty list uchar int vertex_indices\nend_header\n")
        out.writelines("%g %g %g\n" % corner for corner in BOX)
        out.writelines("4 %d %d %d %d\n" % side for side in SIDES)


if __name__ == "__main__":
    folder = sys.argv[1]
    corners(os.path.join(folder, "corners.glb"))
    corners(os.path.join(folder, "whole.glb"), True)
    corners(os.path.join(folder, "whole.gltf"), True)
    many(os.path.join(folder, "many.glb"))
    many(os.path.join(folder, "instanced.glb"), True)
    many(os.path.join(folder, "instanced.gltf"), True)
    metal(os.path.join(folder, "metal.glb"))
    materials(os.path.join(folder, "materials.gltf"))
    mirrored(os.path.join(folder, "mirrored.gltf"))
    glow(os.path.join(folder, "glow.gltf"), (255, 0, 0), (0, 0, 255))
    glow(os.path.join(folder, "glow-grey.gltf"), (230,), (40,))
    glow(os.path.join(folder, "glow-even.gltf"), (230,) * 3, (40,) * 3)
    glow(os.path.join(folder, "glow-half.gltf"), (230,) * 3, (40,) * 3, (1, 0.5, 0.25))
    glow(os.path.join(folder, "glow-made.gltf"), (230, 169, 123), (40, 26, 16))
    moving(os.path.join(folder, "moving.gltf"))
    bent(os.path.join(folder, "bent.gltf"))
    sets(os.path.join(folder, "sets.gltf"))
    turned(os.path.join(folder, "turned.gltf"))
    for form in "rgba", "grey", "palette":
        cut(os.path.join(folder, "cut-%s.gltf" % form), form)
    colors(os.path.join(folder, "colors.gltf"))
    colors_ply(os.path.join(folder, "colors.ply"))
    pair(os.path.join(folder, "pair.gltf"))
    lamps(os.path.join(folder, "lamps.gltf"))
    away(os.path.join(folder, "away.dae"))
    box_obj(folder)
    box_stl(os.path.join(folder, "box.stl"))
    box_ply(os.path.join(folder, "box.ply"))
