"""Scenes that lbrender and Cycles render the same: triangles of one diffuse colour each, emitters of one side, suns, a sky of one colour.

python3 cycles.py [--gaussian] FOLDER [SCENE.pbrt ...]     writes FOLDER/NAME.pbrt and meshes; without scenes: the dragon of others.py, and SCENES.
    Their filter is a box as wide as a pixel or pbrt's Gaussian of half a pixel, cut off at 3 pixels as Cycles' is
blender -b --python cycles.py -- SCENE.pbrt WIDTH HEIGHT SPP SEED THREADS PICTURE.pfm      renders one of those with Cycles

What has an image in place of a colour, or another material, becomes GREY; alpha and media are left out; normals are those of the triangles,
of which disks are made, too. What else a scene has is refused."""
import gzip
import math
import os
import re
import sys

import numpy as np

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "shared", "data", "scenes")
SCENES = {"cornell-box": "cornell-box", "sponza": "sponza", "dragon-lamp": "dragon", "staircase2": "staircase2", "dining-room": "dining-room",
          "coffee": "coffee"}
GREY = (0.4, 0.4, 0.4)
CORNERS = 16  # of a disk
# As pbrt's words. Cycles' Gaussian is four standard deviations "wide" and ends at three times that.
FILTERS = {"box": '"box"', "gaussian": '"gaussian" "float sigma" 0.5 "float xradius" 3 "float yradius" 3'}


def read_ply(path):
    """Points and triangles of a binary little-endian file."""
    data = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
    end = data.index(b"end_header\n") + 11
    counts, properties = {}, {}
    for words in (line.split() for line in data[:end].decode().split("\n")):
        if words[:1] == ["element"]:
            counts[words[1]], last = int(words[2]), words[1]
        elif words[:1] == ["property"]:
            properties.setdefault(last, []).append(words[1:])
    assert all(kind == "float" for kind, _ in properties["vertex"]) and properties["face"][0][:3] == ["list", "uchar", "int"]
    columns = len(properties["vertex"])
    points = np.frombuffer(data, "<f4", counts["vertex"] * columns, end).reshape(-1, columns)[:, :3]
    face = np.dtype([("count", "u1"), ("corners", "<i4", 3)])
    faces = np.frombuffer(data, face, counts["face"], end + counts["vertex"] * columns * 4)
    assert (faces["count"] == 3).all()
    return points, faces["corners"]


def write_ply(path, points, faces):
    table = np.empty(len(faces), np.dtype([("count", "u1"), ("corners", "<i4", 3)]))
    table["count"], table["corners"] = 3, faces
    with open(path, "wb") as file:
        file.write(b"ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
                   b"element face %d\nproperty list uchar int vertex_indices\nend_header\n" % (len(points), len(faces)))
        file.write(np.asarray(points, "<f4").tobytes() + table.tobytes())


def disk(radius):
    """A disk of the plane z = 0, which shows to +z."""
    angles = 2 * np.pi * np.arange(CORNERS) / CORNERS
    points = radius * np.stack([np.cos(angles), np.sin(angles), 0 * angles], 1)
    return np.vstack([points, np.zeros((1, 3))]), [(CORNERS, i, (i + 1) % CORNERS) for i in range(CORNERS)]


class Scene:
    """What the text of a scene of this kind says."""

    def __init__(self, path):
        self.sky, self.suns, self.meshes = None, [], []
        self.home, self.named, self.kept, self.filter = os.path.dirname(path), {}, [], "box"
        self.color, self.light, self.matrix = GREY, None, np.eye(4)
        with open(path) as file:
            text = re.sub(r"#.*", "", file.read())
        words = re.findall(r'"[^"]*"|\[|\]|[^\s"\[\]]+', text)
        starts = [i for i, word in enumerate(words) if re.match(r"[A-Z]", word)] + [len(words)]
        for start, stop in zip(starts, starts[1:]):
            self.take(words[start], words[start + 1:stop])

    def take(self, directive, words):
        plain = []
        while words and not (words[0].startswith('"') and " " in words[0]):
            plain.append(words.pop(0).strip('"'))
        values, name = {}, None
        for word in words:
            if word.startswith('"') and " " in word:
                name = word.strip('"').split()[-1]
                values[name] = []
            elif word not in "[]":
                values[name].append(word.strip('"'))
        getattr(self, "take_" + directive.lower())([p for p in plain if p not in "[]"], values)

    @staticmethod
    def numbers(words, count=None):
        found = tuple(float(word) for word in words)
        assert count is None or len(found) == count
        return found

    def nothing(self, plain, values):
        pass

    take_sampler = take_texture = take_makenamedmedium = take_mediuminterface = nothing

    def take_pixelfilter(self, plain, values):
        self.filter = plain[0] if plain[0] in FILTERS else "box"

    def take_scale(self, plain, values):
        self.matrix = self.matrix @ np.diag([*self.numbers(plain, 3), 1])

    def take_translate(self, plain, values):
        moved = np.eye(4)
        moved[:3, 3] = self.numbers(plain, 3)
        self.matrix = self.matrix @ moved

    def take_rotate(self, plain, values):
        degrees, *axis = self.numbers(plain, 4)
        x, y, z = np.array(axis) / np.linalg.norm(axis)
        cross, turned = np.array([(0, -z, y), (z, 0, -x), (-y, x, 0)]), np.eye(4)
        turned[:3, :3] += math.sin(math.radians(degrees)) * cross + (1 - math.cos(math.radians(degrees))) * cross @ cross
        self.matrix = self.matrix @ turned

    def take_concattransform(self, plain, values):
        self.matrix = self.matrix @ np.array(self.numbers(plain, 16)).reshape(4, 4).T

    def take_lookat(self, plain, values):
        eye, target, up = np.array(self.numbers(plain, 9)).reshape(3, 3)
        ahead = (target - eye) / np.linalg.norm(target - eye)
        right = np.cross(up, ahead) / np.linalg.norm(np.cross(up, ahead))
        placed = np.eye(4)
        placed[:3] = np.stack([right, np.cross(ahead, right), ahead, eye], 1)
        self.matrix = self.matrix @ np.linalg.inv(placed)

    def take_camera(self, plain, values):
        assert plain == ["perspective"]
        self.fov, = self.numbers(values["fov"])
        self.view = self.matrix

    def take_worldbegin(self, plain, values):
        self.matrix = np.eye(4)

    def take_film(self, plain, values):
        self.size = [int(values[axis + "resolution"][0]) for axis in "xy"]

    def take_integrator(self, plain, values):
        self.depth = int(values["maxdepth"][0])

    def take_lightsource(self, plain, values):
        light = self.numbers(values["L"], 3)
        if plain == ["infinite"]:
            self.sky = light
        else:
            assert plain == ["distant"]
            self.suns.append((np.array(self.numbers(values["from"])) - self.numbers(values["to"]), light))

    def take_material(self, plain, values):
        self.color = self.reflectance(plain, values)

    def reflectance(self, kind, values):
        color = values.get("reflectance", ["an image"]) if kind == ["diffuse"] else ["of no one colour"]
        return self.numbers(color, 3) if re.match(r"[-+.\d]", color[0]) else GREY

    def take_makenamedmaterial(self, plain, values):
        self.named[plain[0]] = self.reflectance(values["type"], values)

    def take_namedmaterial(self, plain, values):
        self.color = self.named[plain[0]]

    def take_attributebegin(self, plain, values):
        self.kept.append((self.color, self.light, self.matrix))

    def take_attributeend(self, plain, values):
        self.color, self.light, self.matrix = self.kept.pop()

    def take_arealightsource(self, plain, values):
        assert set(values) == {"L"}
        self.light = self.numbers(values["L"], 3)

    def take_shape(self, plain, values):
        if plain == ["plymesh"]:
            points, faces = read_ply(os.path.join(self.home, values["filename"][0]))
        elif plain == ["disk"]:
            assert set(values) == {"radius"}
            points, faces = disk(*self.numbers(values["radius"]))
        else:
            assert plain == ["trianglemesh"]
            points = np.array(self.numbers(values["P"])).reshape(-1, 3)
            faces = np.array(values["indices"], "i4").reshape(-1, 3)
        assert np.linalg.det(self.matrix) > 0  # else what shows outwards would show inwards
        points = points @ self.matrix[:3, :3].T + self.matrix[:3, 3]
        self.meshes.append((points, faces, self.color, self.light))

    def write(self, folder, name):
        def text(numbers):
            return " ".join("%.9g" % n for n in numbers)
        with open("%s/%s.pbrt" % (folder, name), "w") as file:
            file.write(f"""ConcatTransform [ {text(self.view.T.ravel())} ]
Camera "perspective" "float fov" {self.fov}
Film "rgb" "integer xresolution" {self.size[0]} "integer yresolution" {self.size[1]}
PixelFilter {FILTERS[self.filter]}
Integrator "path" "integer maxdepth" {self.depth}
WorldBegin
""")
            if self.sky:
                file.write(f'LightSource "infinite" "rgb L" [ {text(self.sky)} ]\n')
            for way, light in self.suns:
                file.write(f'LightSource "distant" "rgb L" [ {text(light)} ] "point3 from" [ {text(way)} ] "point3 to" [ 0 0 0 ]\n')
            for number, (points, faces, color, light) in enumerate(self.meshes):
                mesh = f"{name}-{number}.ply"
                write_ply(os.path.join(folder, mesh), points, faces)
                file.write(f'AttributeBegin\nMaterial "diffuse" "rgb reflectance" [ {text(color)} ]\n')
                if light:
                    file.write(f'AreaLightSource "diffuse" "rgb L" [ {text(light)} ]\n')
                file.write(f'Shape "plymesh" "string filename" "{mesh}"\nAttributeEnd\n')


def emission(nodes, links, light):
    """Light from the side alone that the triangles' normals show to."""
    shader, geometry, front = nodes.new("ShaderNodeEmission"), nodes.new("ShaderNodeNewGeometry"), nodes.new("ShaderNodeMath")
    brightest = max(light)
    shader.inputs[0].default_value = (*(part / brightest for part in light), 1)
    front.operation, front.inputs[0].default_value = "SUBTRACT", 1
    links.new(geometry.outputs["Backfacing"], front.inputs[1])
    strength = nodes.new("ShaderNodeMath")
    strength.operation, strength.inputs[1].default_value = "MULTIPLY", brightest
    links.new(front.outputs[0], strength.inputs[0])
    links.new(strength.outputs[0], shader.inputs[1])
    return shader


def render(path, width, height, samples, seed, threads, picture):
    import bpy
    import mathutils
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene, what = bpy.context.scene, Scene(path)

    def add(data, name):
        thing = bpy.data.objects.new(name, data)
        scene.collection.objects.link(thing)
        return thing

    for number, (points, faces, color, light) in enumerate(what.meshes):
        material = bpy.data.materials.new(str(number))
        material.use_nodes = True
        nodes, links = material.node_tree.nodes, material.node_tree.links
        nodes.clear()
        output = nodes.new("ShaderNodeOutputMaterial")
        if light:
            shader = emission(nodes, links, light)
        else:
            shader = nodes.new("ShaderNodeBsdfDiffuse")
            shader.inputs[0].default_value, shader.inputs[1].default_value = (*color, 1), 0
        links.new(shader.outputs[0], output.inputs[0])
        shape = bpy.data.meshes.new(str(number))
        shape.vertices.add(len(points))
        shape.vertices.foreach_set("co", np.asarray(points, "f4").ravel())
        shape.loops.add(3 * len(faces))
        shape.loops.foreach_set("vertex_index", np.asarray(faces, "i4").ravel())
        shape.polygons.add(len(faces))
        shape.polygons.foreach_set("loop_start", np.arange(0, 3 * len(faces), 3, dtype="i4"))
        shape.polygons.foreach_set("loop_total", np.full(len(faces), 3, "i4"))
        shape.update(calc_edges=True)
        shape.materials.append(material)
        add(shape, str(number))
    for way, light in what.suns:
        sun = bpy.data.lights.new("sun", "SUN")
        sun.energy, sun.angle = max(light), 0
        sun.color = [part / max(light) for part in light]
        add(sun, "sun").rotation_euler = mathutils.Vector(way).to_track_quat("Z", "Y").to_euler()
    scene.world = bpy.data.worlds.new("world")
    scene.world.use_nodes = True
    background = scene.world.node_tree.nodes["Background"]
    sky = what.sky or (0, 0, 0)
    background.inputs[0].default_value = (*(part / (max(sky) or 1) for part in sky), 1)
    background.inputs[1].default_value = max(sky)

    view = bpy.data.cameras.new("camera")
    view.clip_start, view.clip_end = 1e-4, 1e6
    view.sensor_fit, view.angle = "VERTICAL" if width > height else "HORIZONTAL", math.radians(what.fov)
    scene.camera = add(view, "camera")
    # Cycles looks along -z with x to the right. Without a flip pbrt's x goes to the left, seen from the camera.
    flipped = np.linalg.det(what.view) < 0
    scene.camera.matrix_world = mathutils.Matrix(np.linalg.inv(what.view) @ np.diag([1 if flipped else -1, 1, -1, 1]))

    settings, cycles = scene.render, scene.cycles
    settings.engine, settings.resolution_x, settings.resolution_y, settings.resolution_percentage = "CYCLES", width, height, 100
    settings.threads_mode, settings.threads = "FIXED", threads
    settings.image_settings.file_format, settings.image_settings.color_depth = "OPEN_EXR", "32"
    scene.view_settings.view_transform, settings.filepath = "Raw", picture + ".exr"
    cycles.device, cycles.samples, cycles.seed = "CPU", samples, seed
    cycles.pixel_filter_type, cycles.filter_width = what.filter.upper(), 2.0
    cycles.use_adaptive_sampling = cycles.use_denoising = cycles.use_auto_tile = False
    # A scattering more is a bounce less: those count from the second on. Nothing may be clamped or left out.
    cycles.max_bounces = cycles.diffuse_bounces = what.depth - 1
    cycles.sample_clamp_direct = cycles.sample_clamp_indirect = cycles.light_sampling_threshold = 0
    bpy.ops.render.render(write_still=True)
    pixels = bpy.data.images.load(picture + ".exr").pixels  # row 0 is the bottom, as in a PFM
    found = np.array(pixels, "<f4").reshape(height, width, 4)[:, :, :3]
    with open(picture, "wb") as file:
        file.write(b"PF\n%d %d\n-1\n" % (width, height))
        file.write(np.ascontiguousarray(found if flipped else found[:, ::-1]).tobytes())


def main(*words):
    folder, *paths = (word for word in words if word != "--gaussian")

    def write(path, name):
        scene = Scene(path)
        scene.filter = "gaussian" if "--gaussian" in words else "box"
        scene.write(folder, name)

    if not paths:
        import others  # which Blender, that runs this file too, does not find
        dragon = os.path.join(folder, "dragon.pbrt")
        others.write_pbrt(os.path.abspath(os.path.join(DATA, "dragon", "geometry", "dragon.ply.gz")), dragon)
        write(dragon, "dragon")
        for name, home in SCENES.items():
            write(os.path.join(DATA, home, home + ".pbrt"), name)
    for path in paths:
        write(path, os.path.splitext(os.path.basename(path))[0])


if __name__ == "__main__":
    if "--" in sys.argv:
        path, *numbers, picture = sys.argv[sys.argv.index("--") + 1:]
        render(path, *map(int, numbers), picture)
    else:
        main(*sys.argv[1:])
