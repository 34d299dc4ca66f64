#!/usr/bin/env python3
"""Writes scenes of many lights, the same ones each time.

usage: many_lights.py FOLDER      street-10000.pbrt, street-400.pbrt, lamps-196.pbrt, moving-200.pbrt in that folder

street-N    a street at night between two rows of houses with N lit windows of unlike power and colour, seen along the street
lamps-196   a room of 14 x 14 sphere lamps between partitions
moving-200  200 points of light of unlike colour that move over a plane with walls while the shutter is open; an area light that moves is an
            error in pbrt and here
"""
import os
import random
import sys

HEAD = """Integrator "path" "integer maxdepth" 4
Sampler "zsobol" "integer pixelsamples" 16
Film "rgb" "integer xresolution" 320 "integer yresolution" 180 "string filename" "%s.exr"
LookAt %s
Camera "perspective" "float fov" %d
WorldBegin
"""


def quad(a, b, c, d):
    return 'Shape "trianglemesh" "integer indices" [0 1 2 0 2 3] "point3 P" [%s]\n' % " ".join("%.6g" % x for p in (a, b, c, d) for x in p)


def matte(grey):
    return 'Material "diffuse" "rgb reflectance" [%g %g %g]\n' % (grey, grey, grey)


def lit(colour):
    return 'AreaLightSource "diffuse" "rgb L" [%.5g %.5g %.5g]\n' % tuple(colour)


def street(count):
    rng = random.Random(count)
    length, height, half = 200.0, 24.0, 8.0
    text = HEAD % ("street-%d" % count, "0 3 -4  0 6 40  0 1 0", 60)
    text += matte(0.4) + quad((-half, 0, -10), (-half, 0, length), (half, 0, length), (half, 0, -10))
    text += matte(0.5)
    for x in (-half, half):
        text += quad((x, 0, -10), (x, height, -10), (x, height, length), (x, 0, length))
    rows = max(4, round((count / 2 * height / (length + 10)) ** 0.5))
    columns = -(-count // (2 * rows))
    dy, dz = height / rows, (length + 10) / columns
    made = 0
    for side in (-1, 1):
        for row in range(rows):
            for column in range(columns):
                if made == count:
                    break
                made += 1
                y, z = (row + 0.3) * dy, -10 + (column + 0.3) * dz
                power = 10 ** rng.uniform(-1.5, 1.5)
                colour = [power * c for c in rng.choice([(1, 0.7, 0.35), (1, 0.9, 0.7), (0.6, 0.8, 1), (1, 0.3, 0.2), (0.3, 1, 0.4)])]
                x = side * (half - 0.02)
                a, b = (x, y, z), (x, y, z + 0.4 * dz)
                c, d = (x, y + 0.4 * dy, z + 0.4 * dz), (x, y + 0.4 * dy, z)
                corners = (a, b, c, d) if side > 0 else (a, d, c, b)
                text += "AttributeBegin\n" + lit(colour) + quad(*corners) + "AttributeEnd\n"
    return text


def lamps(side):
    rng = random.Random(side)
    size = 4.0 * side
    text = HEAD % ("lamps-%d" % side ** 2, "%g 3.2 0.5  %g 0.5 20  0 1 0" % (size / 2 + 0.7, size / 2 - 6), 75)
    text += matte(0.5) + quad((0, 0, 0), (0, 0, size), (size, 0, size), (size, 0, 0))
    text += quad((0, 3.5, 0), (size, 3.5, 0), (size, 3.5, size), (0, 3.5, size))
    for i in range(side + 1):
        at = 4.0 * i
        for a, b in (((0, 0, at), (size, 0, at)), ((at, 0, 0), (at, 0, size))):
            if i in (0, side):
                text += quad(a, b, (b[0], 3.5, b[2]), (a[0], 3.5, a[2]))
    for i in range(1, side):
        for j in range(side):
            if rng.random() < 0.5:
                text += quad((4.0 * i, 0, 4.0 * j), (4.0 * i, 0, 4.0 * j + 4), (4.0 * i, 2.4, 4.0 * j + 4), (4.0 * i, 2.4, 4.0 * j))
            if rng.random() < 0.4:
                text += quad((4.0 * j, 0, 4.0 * i), (4.0 * j + 4, 0, 4.0 * i), (4.0 * j + 4, 2.4, 4.0 * i), (4.0 * j, 2.4, 4.0 * i))
    for i in range(side):
        for j in range(side):
            power = 10 ** rng.uniform(0, 1.5)
            colour = [power * c for c in rng.choice([(1, 0.7, 0.35), (1, 0.9, 0.7), (0.6, 0.8, 1)])]
            text += "AttributeBegin\nTranslate %g 2.8 %g\n" % (4 * i + 2 + rng.uniform(-1, 1), 4 * j + 2 + rng.uniform(-1, 1))
            text += lit(colour) + 'Shape "sphere" "float radius" %.3g\nAttributeEnd\n' % rng.uniform(0.05, 0.2)
    return text


def moving(count):
    rng = random.Random(count)
    text = HEAD % ("moving-%d" % count, "0 6 -14  0 0 0  0 1 0", 50)
    text = text.replace('"float fov" 50', '"float fov" 50 "float shutteropen" 0 "float shutterclose" 1')
    for _ in range(count):
        text += "AttributeBegin\nTranslate %g %g %g\n" % (rng.uniform(-10, 10), rng.uniform(0.3, 1.5), rng.uniform(-8, 10))
        text += "ActiveTransform EndTime\nTranslate %g 0 %g\nActiveTransform All\n" % (rng.uniform(-1, 1), rng.uniform(-1, 1))
        text += 'LightSource "point" "rgb I" [%g %g %g]\nAttributeEnd\n' % tuple(2 * rng.random() ** 2 for _ in range(3))
    text += matte(0.5) + quad((-40, 0, -40), (40, 0, -40), (40, 0, 40), (-40, 0, 40))
    for _ in range(12):
        text += "AttributeBegin\nTranslate %g 0 %g\nRotate %g 0 1 0\n" % (rng.uniform(-9, 9), rng.uniform(-6, 9), rng.uniform(0, 180))
        text += quad((-1.5, 0, 0), (1.5, 0, 0), (1.5, 2, 0), (-1.5, 2, 0)) + "AttributeEnd\n"
    return text


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    for name, text in (("street-10000", street(10000)), ("street-400", street(400)), ("lamps-196", lamps(14)), ("moving-200", moving(200))):
        with open(os.path.join(sys.argv[1], name + ".pbrt"), "w") as file:
            file.write(text)


main()
