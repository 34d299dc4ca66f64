#!/usr/bin/env python3
"""What the material metallicroughness does with light, and what it costs. Prints CSV (bench/results/models.md).

usage: metallic.py furnace LBRENDER                what is left of a white sky's light by 100 white spheres: metallic by row,
                                                   roughness by column
       metallic.py speed LBRENDER MODEL...         the scene that is made of each model, with this material and with what pbrt gets
                                                   in its place: instructions of a sample (callgrind), and CPU seconds in pairs

LB_CORE     the core that pairs share (0)
LB_PAIRS    how many (5)
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile

import pfm
from at_once import cpu_seconds, start

SIDE, CELLS, INSIDE = 200, 10, 8.3  # pixels of the picture and of a sphere's inside, whose radius is 9
CORE = os.environ.get("LB_CORE", "0")
PAIRS = int(os.environ.get("LB_PAIRS", "5"))


# ---- the furnace ----

def furnace_scene():
    half = CELLS / 2
    lines = ["LookAt 0 0 -9  0 0 0  0 1 0", 'Camera "orthographic" "float screenwindow" [ %g %g %g %g ]' % (-half, half, -half, half),
             'Film "rgb" "integer xresolution" %d "integer yresolution" %d' % (SIDE, SIDE), 'Sampler "zsobol" "integer pixelsamples" 64',
             'Integrator "volpath" "integer maxdepth" 20', "WorldBegin", 'LightSource "infinite" "rgb L" [ 1 1 1 ]']
    for row in range(CELLS):
        for column in range(CELLS):
            lines.append('AttributeBegin Translate %g %g 0 Material "metallicroughness" "rgb basecolor" [ 1 1 1 ] "float metallic" %.9g '
                         '"float roughness" %.9g Shape "sphere" "float radius" 0.45 AttributeEnd'
                         % (column + 0.5 - half, row + 0.5 - half, row / (CELLS - 1), column / (CELLS - 1)))
    return "\n".join(lines) + "\n"


def left_of_light(picture, row, column):
    """The mean inside the sphere, and of how many pixels it is."""
    cell, found = SIDE // CELLS, []
    for y in range(cell):
        for x in range(cell):
            if (x + 0.5 - cell / 2) ** 2 + (y + 0.5 - cell / 2) ** 2 < INSIDE ** 2:
                at = 3 * ((row * cell + y) * SIDE + column * cell + x)
                found += picture[at:at + 3]
    return statistics.fmean(found), len(found) // 3


def furnace(program, folder):
    scene, picture = os.path.join(folder, "furnace.pbrt"), os.path.join(folder, "furnace.pfm")
    with open(scene, "w") as file:
        file.write(furnace_scene())
    subprocess.run([program, "-q", "--no-cache", "-o", picture, scene], check=True)
    values = pfm.read(picture)[2]
    print("metallic," + ",".join("roughness %.2f" % (column / (CELLS - 1)) for column in range(CELLS)))
    means = [[left_of_light(values, row, column)[0] for column in range(CELLS)] for row in range(CELLS)]
    for row, line in enumerate(means):
        print("%.2f,%s" % (row / (CELLS - 1), ",".join("%.3f" % mean for mean in line)))
    print("%d pixels of each sphere; the most is %.4f" % (left_of_light(values, 0, 0)[1], max(map(max, means))), file=sys.stderr)


# ---- the speed ----

def command(program, scene, *options):
    return [program, "-q", "--no-cache", "-t", "1", "--isa=avx2", "--passes=1", "-o", "none", *options, scene]


def instructions(program, scene, spp):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                           *command(program, scene, "--resolution=80x45", "--spp=%d" % spp)], check=True, capture_output=True, text=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def of_a_sample(program, scene):
    return (instructions(program, scene, 9) - instructions(program, scene, 1)) / (8 * 80 * 45)


def pair_seconds(program, scenes):
    """Of both, which run at once on one core; without loading, by the difference of two numbers of samples."""
    children = [start(CORE, command(program, scene, "--resolution=160x90", "--spp=%d" % spp)) for scene in scenes for spp in (64, 1)]
    seconds = cpu_seconds(children)
    return seconds[0] - seconds[1], seconds[2] - seconds[3]


def speed(program, models, folder):
    print("scene,instructions a sample,of pbrt's materials,ratio,CPU s,of pbrt's materials,ratio")
    for model in models:
        ours, plain = os.path.join(folder, "ours.pbrt"), os.path.join(folder, "plain.pbrt")
        subprocess.run([program, "-q", "--write-scene=" + ours, model], check=True)
        with open(ours) as file, open(plain, "w") as other:
            other.writelines(line for line in file if not line.startswith("#"))
        counts = [of_a_sample(program, scene) for scene in (ours, plain)]
        pairs = [pair_seconds(program, [ours, plain]) for _ in range(PAIRS)]
        seconds = [statistics.median(column) for column in zip(*pairs)]
        print("%s,%.0f,%.0f,%.2f,%.2f,%.2f,%.2f" % (os.path.basename(model), *counts, counts[0] / counts[1], *seconds,
                                                   statistics.median(a / b for a, b in pairs)), flush=True)


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("furnace", "speed"):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[1] == "furnace":
            furnace(sys.argv[2], folder)
        else:
            speed(sys.argv[2], sys.argv[3:], folder)


main()
