"""One scene for three renderers: a mesh under a sun on a floor, diffuse, paths of at most 6 scatterings.

python3 others.py scene MESH.ply[.gz] FOLDER     writes FOLDER/scene.pbrt, scene.obj, scene.mtl
python3 others.py noise A B      mean square error of a sample set, from two of other seeds: .pfm

The mesh is binary little-endian: vertices of three floats and triangles, as the Stanford models are. The view is the dragon's."""
import sys

import numpy as np

import pfm
from cycles import read_ply

EYE, TARGET, FOV = (0.02, 0.175, 0.27), (-0.006, 0.1235, 0), 35
WIDTH, HEIGHT, DEPTH = 640, 480, 6
SUN, SUN_FROM = 3, (0.3, 0.8, 0.5)
MESH_COLOR, FLOOR_COLOR = (0.2, 0.55, 0.3), (0.4, 0.4, 0.42)
FLOOR = [(-2, 0.0527295, -2), (-2, 0.0527295, 2), (2, 0.0527295, 2), (2, 0.0527295, -2)]


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
    points, faces = read_ply(mesh)
    with open(stem + ".mtl", "w") as file:
        file.write(f"newmtl mesh\nKd {text(MESH_COLOR)}\nKs 0 0 0\nnewmtl floor\nKd {text(FLOOR_COLOR)}\nKs 0 0 0\n")
    with open(stem + ".obj", "w") as file:
        file.write("mtllib scene.mtl\nusemtl mesh\n")
        np.savetxt(file, points, "v %.9g %.9g %.9g")
        np.savetxt(file, faces + 1, "f %d %d %d")
        file.write("usemtl floor\n" + "".join(f"v {text(p)}\n" for p in FLOOR) + "f -4 -3 -2\nf -4 -2 -1\n")


def read_picture(path):
    width, height, values = pfm.read(path)
    return np.array(values).reshape(height, width, 3)


def main(verb, *arguments):
    if verb == "scene":
        write_pbrt(arguments[0], arguments[1] + "/scene.pbrt")
        write_obj(arguments[0], arguments[1] + "/scene")
    elif verb == "noise":
        a, b = map(read_picture, arguments)
        print("%.6g %.6g" % (np.mean((a - b) ** 2) / 2, np.mean(a)))


if __name__ == "__main__":
    main(*sys.argv[1:])
