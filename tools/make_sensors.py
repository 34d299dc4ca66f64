#!/usr/bin/env python3
"""Prints the table of core/scene/film/sensor.c: what cameras make of colours in the mean, by the light's temperature.

    git clone https://github.com/mmp/pbrt-v4 DIR
    tools/make_sensors.py DIR

pbrt-v4's own tables are read for it: the responses of seventeen cameras, the 24 swatches of a color chart, daylight and the
eye's matching functions. Needed only to make the table anew: the build reads what is committed.
"""
import math
import re
import sys

KELVINS = [2000, 2500, 3000, 3500, 4000, 4500, 5000, 5500, 6000, 6500, 8000, 10000, 15000, 25000]
FIRST, LAST = 360, 830
NAMES = range(FIRST, LAST + 1)


def numbers(text):
    text = re.sub(r"//[^\n]*", "", text)
    return [float(x) for x in re.findall(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", text)]


def array(source, name):
    return numbers(re.search(r"const Float " + name + r"\[\w*\] = \{(.*?)\};", source, re.S).group(1))


def densely(points):
    """Values at each nm, linear between points, 0 beyond them."""
    out, i = [], 0
    for x in NAMES:
        if x < points[0][0] or x > points[-1][0]:
            out.append(0.0)
            continue
        while i + 2 < len(points) and points[i + 1][0] < x:
            i += 1
        (x0, y0), (x1, y1) = points[i], points[i + 1]
        out.append(y0 + (y1 - y0) * (x - x0) / (x1 - x0))
    return out


def pairs(values):
    return list(zip(values[::2], values[1::2]))


def daylight(spectrum, kelvin):
    """pbrt's illuminant of that temperature: of the series D, of a blackbody below 4000 K."""
    t = kelvin * 1.4388 / 1.4380
    if t < 4000:
        c, h, k = 299792458.0, 6.62606957e-34, 1.3806488e-23
        return [2 * h * c * c / ((n * 1e-9) ** 5 * (math.exp(h * c / (n * 1e-9 * k * t)) - 1)) for n in NAMES]
    if t <= 7000:
        x = -4.607e9 / t ** 3 + 2.9678e6 / t ** 2 + 99.11 / t + 0.244063
    else:
        x = -2.0064e9 / t ** 3 + 1.9018e6 / t ** 2 + 247.48 / t + 0.23704
    y = -3 * x * x + 2.87 * x - 0.275
    m = 0.0241 + 0.2562 * x - 0.7341 * y
    m1, m2 = (-1.3515 - 1.7703 * x + 5.9114 * y) / m, (0.03 - 31.4424 * x + 30.0717 * y) / m
    s = [array(spectrum, f"CIE_S{i}") for i in range(3)]
    return densely(list(zip(array(spectrum, "CIE_S_lambda"),
                            [0.01 * (a + b * m1 + c * m2) for a, b, c in zip(*s)])))


def dot(*lists):
    total = 0.0
    for values in zip(*lists):
        product = 1.0
        for v in values:
            product *= v
        total += product
    return total


def solve(a, b):
    """The 3x3 x of a x = b."""
    rows = [list(a[i]) + list(b[i]) for i in range(3)]
    for i in range(3):
        p = max(range(i, 3), key=lambda r: abs(rows[r][i]))
        rows[i], rows[p] = rows[p], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for r in range(3):
            if r != i:
                rows[r] = [v - rows[r][i] * w for v, w in zip(rows[r], rows[i])]
    return [row[3:] for row in rows]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def transposed(a):
    return [list(row) for row in zip(*a)]


def least_squares(of, to):
    """The 3x3 m for which m of[i] is nearest to[i]."""
    ata = [[sum(p[i] * p[j] for p in of) for j in range(3)] for i in range(3)]
    atb = [[sum(p[i] * q[j] for p, q in zip(of, to)) for j in range(3)] for i in range(3)]
    return transposed(solve(ata, atb))


def least_squares_of_white(of, to, white):
    """The same with m (1, 1, 1) = white: the rest by differences from the third channel."""
    m = []
    for c in range(3):
        u = [(p[0] - p[2], p[1] - p[2]) for p in of]
        v = [q[c] - p[2] * white[c] for p, q in zip(of, to)]
        aa, ab, bb = sum(x * x for x, _ in u), sum(x * y for x, y in u), sum(y * y for _, y in u)
        va, vb = sum(x * w for (x, _), w in zip(u, v)), sum(y * w for (_, y), w in zip(u, v))
        d = aa * bb - ab * ab
        first, second = (va * bb - vb * ab) / d, (vb * aa - va * ab) / d
        m.append([first, second, white[c] - first - second])
    return m


def main():
    folder = sys.argv[1]
    with open(f"{folder}/src/pbrt/util/spectrum.cpp") as file:
        spectrum = file.read()
    with open(f"{folder}/src/pbrt/film.cpp") as file:
        film = file.read()
    begin = film.index("PixelSensor::swatchReflectances[nSwatchReflectances]{")
    swatches = [densely(pairs(numbers(m.group(1)))) for m in
                re.finditer(r"FromInterleaved\(\s*\{(.*?)\}", film[begin:], re.S)][:24]
    cameras = re.findall(r"const Float (\w+)_r\[\]", spectrum)
    eye = [array(spectrum, f"CIE_{c}") for c in "XYZ"]
    d65 = densely(pairs(array(spectrum, "CIE_Illum_D6500")))
    d65 = [v / dot(d65, eye[1]) for v in d65]
    xyz = [[dot(s, d65, e) for e in eye] for s in swatches]
    rgb_from_xyz = [[3.2404542, -1.5371385, -0.4985314], [-0.9692660, 1.8760108, 0.0415560], [0.0556434, -0.2040259, 1.0572252]]
    rgb = [[sum(r * v for r, v in zip(row, p)) for row in rgb_from_xyz] for p in xyz]
    for kelvin in KELVINS:
        light = daylight(spectrum, kelvin)
        mean = [[0.0] * 3 for _ in range(3)]
        for camera in cameras:
            bars = [densely(pairs(array(spectrum, f"{camera}_{c}"))) for c in "rgb"]
            green = dot(light, bars[1])
            of = [[dot(s, light, bar) / green for bar in bars] for s in swatches]
            scale = dot(light, eye[1]) / green
            to_xyz = least_squares(of, [[v * scale for v in p] for p in xyz])
            white = [dot(d65, bar) for bar in bars]
            under = [[dot(s, d65, bar) for bar in bars] for s in swatches]
            to_sensor = least_squares_of_white(rgb, under, white)
            m = product(rgb_from_xyz, product(to_xyz, to_sensor))
            mean = [[a + b / len(cameras) for a, b in zip(x, y)] for x, y in zip(mean, m)]
        print("    {%.1f, {%s}}," % (kelvin, ", ".join("{" + ", ".join("%.4f" % v for v in row) + "}" for row in mean)))


main()
