#!/usr/bin/env python3
"""Writes the gem of the gallery, samples/gallery/gem.ply: `tools/gallery/gem.py >samples/gallery/gem.ply`.

A brilliant: 8 sides, a flat table above, a point below; the girdle has radius 1 and lies at y = 0. Each triangle is a facet.
"""
import math

SIDES = 8
# Each ring: radius, height, corners, and by how many half steps of SIDES it is turned.
TABLE, STARS, GIRDLE = (0.56, 0.33, SIDES, 0), (0.80, 0.19, SIDES, 1), (1.0, 0.0, 2 * SIDES, 0)
LOWER, CULET = (0.30, -0.60, SIDES, 1), -0.87


def ring(radius, height, corners, turned):
    return [(radius * math.cos(a), height, radius * math.sin(a))
            for a in (2 * math.pi * i / corners + turned * math.pi / SIDES for i in range(corners))]


points, faces = [], []


def put(corners):
    points.extend(corners)
    return range(len(points) - len(corners), len(points))


table, stars, girdle, lower = (put(ring(*r)) for r in (TABLE, STARS, GIRDLE, LOWER))
culet, centre = put([(0, CULET, 0)])[0], put([(0, TABLE[1], 0)])[0]
for i in range(SIDES):
    j, before = (i + 1) % SIDES, (i - 1) % SIDES
    middle, after = girdle[2 * i + 1], girdle[2 * j]
    faces += [(centre, table[j], table[i]), (table[i], table[j], stars[i]),
              (stars[before], table[i], girdle[2 * i]), (table[i], stars[i], girdle[2 * i]),
              (stars[i], middle, girdle[2 * i]), (stars[i], after, middle),
              (girdle[2 * i], middle, lower[i]), (middle, after, lower[i]),
              (girdle[2 * i], lower[i], lower[before]), (lower[before], lower[i], culet)]
print("ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
      "element face %d\nproperty list uchar int vertex_indices\nend_header" % (len(points), len(faces)))
print("\n".join("%.6f %.6f %.6f" % p for p in points))
print("\n".join("3 %d %d %d" % f for f in faces))
