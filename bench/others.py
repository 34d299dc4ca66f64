"""One scene for three renderers: a mesh under a sun on a floor, diffuse, paths of at most 6 scatterings.

python3 others.py scene MESH.ply[.gz] FOLDER     writes FOLDER/scene.pbrt, scene.obj, scene.mtl
blender -b --python others.py -- cycles MESH.ply[.gz] SPP SEED THREADS STEM    renders it with Cycles: STEM.exr, STEM.npy
python3 others.py noise A B      mean square error of a sample set, from two of other seeds: .pfm or .npy

The mesh is binary little-endian: vertices of three floats and triangles, as the Stanford models are. The view is the dragon's."""
import gzip
import math
import sys

import numpy as np

EYE, TARGET, FOV = (0.02, 0.175, 0.27), (-0.006, 0.1235, 0), 35
WIDTH, HEIGHT, DEPTH = 640, 480, 6
SUN, SUN_FROM = 3, (0.3, 0.8, 0.5)
MESH_COLOR, FLOOR_COLOR = (0.2, 0.55, 0.3), (0.4, 0.4, 0.42)
FLOOR = [(-2, 0.0527295, -2), (-2, 0.0527295, 2), (2, 0.0527295, 2), (2, 0.0527295, -2)]


def read_mesh(path):
    data = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
    end = data.index(b"end_header\n") + 11
    count = {line.split()[1]: int(line.split()[2]) for line in data[:end].decode().split("\n") if line.startswith("element")}
    points = np.frombuffer(data, "<f4", count["vertex"] * 3, end).reshape(-1, 3)
    face = np.dtype([("count", "u1"), ("corners", "<i4", 3)])
    faces = np.frombuffer(data, face, count["face"], end + count["vertex"] * 12)
    assert (faces["count"] == 3).all()
    return points, faces["corners"]


def text(numbers):
    return " ".join("%.9g" % n for n in numbers)


def write_pbrt(mesh, path):
    with open(path, "w") as file:
        file.write(f"""LookAt {text(EYE)}  {text(TARGET)}  0 1 0
Camera "perspective" "float fov" {FOV}
Film "rgb" "integer xresolution" {WIDTH} "integer yresolution" {HEIGHT}
PixelFilter "box"
Integrator "path" "integer maxdepth" {DEPTH}
WorldBegin
LightSource "distant" "rgb L" [ {SUN} {SUN} {SUN} ] "point3 from" [ {text(SUN_FROM)} ] "point3 to" [ 0 0 0 ]
Material "diffuse" "rgb reflectance" [ {text(FLOOR_COLOR)} ]
Shape "trianglemesh" "point3 P" [ {"  ".join(text(p) for p in FLOOR)} ] "integer indices" [ 0 1 2 0 2 3 ]
Material "diffuse" "rgb reflectance" [ {text(MESH_COLOR)} ]
Shape "plymesh" "string filename" "{mesh}"
""")


def write_obj(mesh, stem):
    points, faces = read_mesh(mesh)
    with open(stem + ".mtl", "w") as file:
        file.write(f"newmtl mesh\nKd {text(MESH_COLOR)}\nKs 0 0 0\nnewmtl floor\nKd {text(FLOOR_COLOR)}\nKs 0 0 0\n")
    with open(stem + ".obj", "w") as file:
        file.write("mtllib scene.mtl\nusemtl mesh\n")
        np.savetxt(file, points, "v %.9g %.9g %.9g")
        np.savetxt(file, faces + 1, "f %d %d %d")
        file.write("usemtl floor\n" + "".join(f"v {text(p)}\n" for p in FLOOR) + "f -4 -3 -2\nf -4 -2 -1\n")


def read_picture(path):
    if path.endswith(".npy"):
        return np.load(path)
    with open(path, "rb") as file:
        assert file.readline() == b"PF\n"
        width, height = map(int, file.readline().split())
        kind = "<f4" if float(file.readline()) < 0 else ">f4"
        return np.frombuffer(file.read(), kind).reshape(height, width, 3)


def render_with_cycles(mesh, samples, seed, threads, stem):
    import bpy
    import mathutils
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene

    def add(data, name):
        thing = bpy.data.objects.new(name, data)
        scene.collection.objects.link(thing)
        return thing

    def add_mesh(name, points, faces, color):
        material = bpy.data.materials.new(name)
        material.use_nodes = True
        nodes = material.node_tree.nodes
        nodes.clear()
        diffuse, output = nodes.new("ShaderNodeBsdfDiffuse"), nodes.new("ShaderNodeOutputMaterial")
        diffuse.inputs[0].default_value, diffuse.inputs[1].default_value = (*color, 1), 0
        material.node_tree.links.new(diffuse.outputs[0], output.inputs[0])
        shape = bpy.data.meshes.new(name)
        shape.vertices.add(len(points))
        shape.vertices.foreach_set("co", np.asarray(points, "f4").ravel())
        shape.loops.add(3 * len(faces))
        shape.loops.foreach_set("vertex_index", np.asarray(faces, "i4").ravel())
        shape.polygons.add(len(faces))
        shape.polygons.foreach_set("loop_start", np.arange(0, 3 * len(faces), 3, dtype="i4"))
        shape.polygons.foreach_set("loop_total", np.full(len(faces), 3, "i4"))
        shape.update(calc_edges=True)
        shape.materials.append(material)
        add(shape, name)

    add_mesh("mesh", *read_mesh(mesh), MESH_COLOR)
    add_mesh("floor", FLOOR, [(0, 1, 2), (0, 2, 3)], FLOOR_COLOR)
    sun = bpy.data.lights.new("sun", "SUN")
    sun.energy, sun.angle = SUN, 0
    add(sun, "sun").rotation_euler = mathutils.Vector(SUN_FROM).to_track_quat("Z", "Y").to_euler()
    view = bpy.data.cameras.new("camera")
    view.sensor_fit, view.angle, view.clip_start = "VERTICAL", math.radians(FOV), 1e-4
    scene.camera = add(view, "camera")
    back = (mathutils.Vector(EYE) - mathutils.Vector(TARGET)).normalized()
    right = mathutils.Vector((0, 1, 0)).cross(back).normalized()
    axes = mathutils.Matrix((right, back.cross(right), back)).transposed()
    scene.camera.matrix_world = mathutils.Matrix.Translation(EYE) @ axes.to_4x4()
    render, cycles = scene.render, scene.cycles
    render.engine, render.resolution_x, render.resolution_y, render.resolution_percentage = "CYCLES", WIDTH, HEIGHT, 100
    render.threads_mode, render.threads = "FIXED", threads
    render.image_settings.file_format, render.image_settings.color_depth = "OPEN_EXR", "32"
    scene.view_settings.view_transform, render.filepath = "Raw", stem + ".exr"
    cycles.device, cycles.samples, cycles.seed, cycles.pixel_filter_type = "CPU", samples, seed, "BOX"
    cycles.use_adaptive_sampling = cycles.use_denoising = cycles.use_auto_tile = False
    cycles.max_bounces = cycles.diffuse_bounces = DEPTH
    bpy.ops.render.render(write_still=True)
    picture = bpy.data.images.load(stem + ".exr")  # row 0 is the bottom
    np.save(stem + ".npy", np.array(picture.pixels, "f4").reshape(HEIGHT, WIDTH, 4)[:, :, :3])


def main(verb, *arguments):
    if verb == "scene":
        write_pbrt(arguments[0], arguments[1] + "/scene.pbrt")
        write_obj(arguments[0], arguments[1] + "/scene")
    elif verb == "cycles":
        mesh, samples, seed, threads, stem = arguments
        render_with_cycles(mesh, int(samples), int(seed), int(threads), stem)
    elif verb == "noise":
        a, b = map(read_picture, arguments)
        print("%.6g %.6g" % (np.mean((a - b) ** 2) / 2, np.mean(a)))


main(*(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else sys.argv[1:]))
