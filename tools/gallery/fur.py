#!/usr/bin/env python3
"""Writes the gallery's down, samples/gallery/parts/down.pbrt.gz: `tools/gallery/fur.py`, in the root of the sources.

An owlet of one turned body, whose every hair is a cubic curve that starts on it and is combed down, on the face away
from the eyes. Three materials by where a hair stands: back, breast and face; the scene names them.
"""
import gzip
import math
import random

HAIRS = 9000
EYES = ((-0.21, 1.36, 0.47), (0.21, 1.36, 0.47))
# The body's radius by height: a smooth line through these.
PROFILE = ((0.0, 0.30), (0.12, 0.52), (0.45, 0.68), (0.8, 0.62), (1.05, 0.52), (1.35, 0.555), (1.6, 0.44), (1.74, 0.22), (1.79, 0.0))


def radius(y):
    for (y0, r0), (y1, r1) in zip(PROFILE, PROFILE[1:]):
        if y <= y1:
            t = (y - y0) / (y1 - y0)
            if r1 == 0:
                return r0 * math.sqrt(max(0, 1 - t * t))
            t = t * t * (3 - 2 * t)
            return r0 + (r1 - r0) * t
    return 0


def unit(v):
    length = math.sqrt(sum(c * c for c in v)) or 1
    return tuple(c / length for c in v)


def along(p, v, t):
    return tuple(a + b * t for a, b in zip(p, v))


def hair(draw):
    """The part that a hair belongs to, and its curve's four points."""
    while True:
        y, angle = draw.uniform(0, 1.79), draw.uniform(0, 2 * math.pi)
        r = radius(y)
        slope = (radius(min(y + 0.01, 1.79)) - radius(max(y - 0.01, 0))) / 0.02
        # As many hairs as there is surface.
        if draw.random() < min(1, max(r, 0.05) * math.hypot(1, slope) / 1.6):
            break
    c, s = math.sin(angle), math.cos(angle)
    root = (r * c, y, r * s)
    normal = unit((c, -slope, s))
    down = unit((c * slope, -1, s * slope) if abs(slope) > 1e-6 else (0, -1, 0))
    down = unit(along((0, -1, 0), normal, normal[1]))
    eye = min(EYES, key=lambda e: math.dist(e, root))
    near = math.dist(eye, root)
    if near < 0.155:
        return None
    face = near < 0.34 and root[2] > 0.2
    breast = not face and root[2] > 0.12 and abs(c) < 0.72 and y < 1.1
    comb = unit(along(tuple(a - b for a, b in zip(root, eye)), (0, -0.12, 0), 1)) if face else down
    length = draw.uniform(0.07, 0.11) if face else draw.uniform(0.12, 0.22)
    lift = draw.uniform(0.35, 0.6)
    astray = tuple(draw.gauss(0, 0.2) for _ in range(3))
    way = unit(along(along(comb, normal, lift), astray, 1))
    end = unit(along(along(comb, normal, lift - 0.25), astray, 1.3))
    start = unit(along(normal, comb, 0.5))
    a = along(root, normal, -0.01)
    b = along(root, start, length * 0.35)
    d = along(b, way, length * 0.35)
    e = along(d, end, length * 0.35)
    return ("face" if face else "breast" if breast else "back"), (a, b, d, e)


def number(x):
    text = f"{x:.3f}".rstrip("0").rstrip(".")
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def main():
    draw = random.Random(7)
    parts = {"back": [], "breast": [], "face": []}
    for _ in range(HAIRS):
        found = hair(draw)
        if found:
            parts[found[0]].append(found[1])
    lines = []
    for part, hairs in parts.items():
        # Neighbours beside each other compress better.
        hairs.sort(key=lambda h: (round(h[0][1] * 20), math.atan2(h[0][0], h[0][2])))
        lines.append(f'NamedMaterial "{part}"')
        for points in hairs:
            text = " ".join(number(c) for p in points for c in p)
            lines.append(f'Shape "curve" "point3 P" [{text}] "float width0" .013 "float width1" .004')
    with open("samples/gallery/parts/down.pbrt.gz", "wb") as file:
        with gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
            packed.write(("\n".join(lines) + "\n").encode())


main()
