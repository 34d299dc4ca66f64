#!/usr/bin/env python3
"""Writes the gallery's turned vessels, samples/gallery/*.ply: `tools/gallery/lathe.py`, in the root of the sources.

Each is a profile of points (radius, height), smoothed by Catmull and Rom's spline and turned about the y axis. Closed
vessels of glass have an outer and an inner wall. Normals point to the right of the profile's way.
"""
import math
import struct

AROUND = 80


def spline(points, pieces):
    """The profile, finer: a spline through its points. Doubled points are corners."""
    fine = []
    for i in range(len(points) - 1):
        before, a, b, after = points[max(i - 1, 0)], points[i], points[i + 1], points[min(i + 2, len(points) - 1)]
        if a == b:
            continue
        for step in range(pieces):
            t = step / pieces
            fine.append(tuple(0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t
                                     + (3 * q - p - 3 * r + s) * t ** 3)
                              for p, q, r, s in zip(before, a, b, after)))
    fine.append(points[-1])
    return [(max(radius, 0.0), height) for radius, height in fine]


def write(name, points, pieces=4):
    profile = spline(points, pieces)
    rows = len(profile)
    vertices, faces = [], []
    for i, (radius, height) in enumerate(profile):
        (r0, h0), (r1, h1) = profile[max(i - 1, 0)], profile[min(i + 1, rows - 1)]
        length = math.hypot(r1 - r0, h1 - h0) or 1
        outward, up = (h1 - h0) / length, (r0 - r1) / length
        if radius == 0:
            outward, up = 0, math.copysign(1, up)
        for k in range(AROUND):
            c, s = math.cos(2 * math.pi * k / AROUND), math.sin(2 * math.pi * k / AROUND)
            vertices.append((radius * c, height, radius * s, outward * c, up, outward * s))
    for i in range(rows - 1):
        for k in range(AROUND):
            a, b = i * AROUND + k, i * AROUND + (k + 1) % AROUND
            if profile[i][0] > 0:
                faces.append((a, a + AROUND, b))
            if profile[i + 1][0] > 0:
                faces.append((b, a + AROUND, b + AROUND))
    with open(f"samples/gallery/{name}.ply", "wb") as out:
        out.write(f"ply\nformat binary_little_endian 1.0\nelement vertex {len(vertices)}\n".encode())
        out.write(b"".join(b"property float %s\n" % p for p in (b"x", b"y", b"z", b"nx", b"ny", b"nz")))
        out.write(f"element face {len(faces)}\nproperty list uchar ushort vertex_indices\nend_header\n".encode())
        out.write(b"".join(struct.pack("<6f", *v) for v in vertices))
        out.write(b"".join(struct.pack("<B3H", 3, *f) for f in faces))


# A wine glass: foot, stem and bowl from outside, over the rim, and down inside; and the wine, which touches the bowl.
write("glass", [(0, 0), (.32, 0), (.34, .012), (.3, .025), (.08, .06), (.03, .14), (.027, .5), (.05, .58), (.2, .66),
                (.315, .82), (.32, 1.0), (.26, 1.25), (.252, 1.258), (.245, 1.25), (.303, 1.0), (.298, .83),
                (.19, .68), (.06, .612), (0, .6)], 3)
write("wine", [(0, .597), (.063, .6095), (.193, .678), (.301, .83), (.3055, .93), (.3055, .93), (.29, .932), (0, .932)], 3)
# A jug of metal, open above.
write("jug", [(0, 0), (.3, 0), (.33, .02), (.31, .05), (.4, .3), (.43, .55), (.34, .9), (.2, 1.15), (.19, 1.3), (.28, 1.46),
              (.285, 1.475), (.265, 1.47), (.17, 1.3), (.18, 1.14), (.3, .9), (.38, .55), (.3, .12), (0, .1)], 3)
# A bowl for fruit.
write("bowl", [(0, 0), (.25, 0), (.27, .02), (.22, .06), (.45, .16), (.68, .38), (.72, .5), (.705, .505), (.65, .39),
               (.43, .2), (.2, .12), (0, .11)], 3)
# A carafe of water: the glass, and the water in it.
write("carafe", [(0, 0), (.38, 0), (.43, .03), (.45, .25), (.38, .55), (.16, .95), (.13, 1.25), (.2, 1.5), (.195, 1.51),
                 (.18, 1.5), (.105, 1.25), (.135, .95), (.355, .54), (.42, .25), (.4, .07), (0, .06)], 3)
write("water", [(0, .057), (.403, .067), (.4235, .25), (.36, .54), (.303, .63), (.303, .63), (.29, .632), (0, .632)], 3)
# A pear.
write("pear", [(0, 0), (.12, .0), (.3, .16), (.33, .34), (.24, .58), (.15, .74), (.11, .84), (.03, .88), (0, .87)], 4)
