#!/usr/bin/env python3
"""Writes the gallery's skies, samples/gallery/sky-*.hdr and dusk.pfm: `tools/gallery/sky.py`, in the root of the sources.

Each is a Radiance picture of a whole sphere in pbrt-v4's equal-area octahedral layout, with z up. Suns are only a glow
here: scenes add a distant light, whose shadows are sharp.
"""
import math
import struct

SIDE = 160


def direction(x, row):
    """The direction of a texel's centre, as pbrt-v4 maps the square to the sphere."""
    u, v = 2 * (x + 0.5) / SIDE - 1, 2 * (row + 0.5) / SIDE - 1
    signed = 1 - abs(u) - abs(v)
    r = 1 - abs(signed)
    phi = ((abs(v) - abs(u)) / r + 1) * math.pi / 4 if r else math.pi / 4
    across = r * math.sqrt(2 - r * r)
    return (math.copysign(math.cos(phi), u) * across, math.copysign(math.sin(phi), v) * across,
            math.copysign(1 - r * r, signed))


def rgbe(color):
    """A color as four bytes with a common exponent."""
    largest = max(color)
    if largest < 1e-32:
        return bytes(4)
    mantissa, exponent = math.frexp(largest)
    return bytes(int(c * mantissa * 256 / largest) for c in color) + bytes([exponent + 128])


def between(stops, at):
    """The color at a height, interpolated between stops (height, color) in rising order."""
    for (low, first), (high, last) in zip(stops, stops[1:]):
        if at <= high:
            part = max(0.0, (at - low) / (high - low))
            part = part * part * (3 - 2 * part)
            return [a + (b - a) * part for a, b in zip(first, last)]
    return list(stops[-1][1])


def glow(where, toward, color, width):
    """What a light in the haze adds: the color, falling off with the angle from it, in degrees."""
    length = math.sqrt(sum(c * c for c in toward))
    cosine = max(-1.0, min(1.0, sum(a * b for a, b in zip(where, toward)) / length))
    return [c * math.exp(-math.degrees(math.acos(cosine)) / width) for c in color]


def write(name, stops, glows):
    with open(f"samples/gallery/sky-{name}.hdr", "wb") as out:
        out.write(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n" % (SIDE, SIDE))
        for row in range(SIDE):
            for x in range(SIDE):
                where = direction(x, row)
                color = between(stops, where[2])
                for toward, light, width in glows:
                    color = [a + b for a, b in zip(color, glow(where, toward, light, width))]
                out.write(rgbe(color))


def backdrop(name, across, up, z, stops, glows):
    """A picture for a rectangle behind the scene, in a plane of z, as seen from the origin, y up."""
    side = 96
    with open(f"samples/gallery/{name}.pfm", "wb") as out:
        out.write(b"PF\n%d %d\n-1\n" % (side, side))
        for row in range(side):
            for column in range(side):
                where = [across[0] + (across[1] - across[0]) * (column + 0.5) / side,
                         up[0] + (up[1] - up[0]) * (row + 0.5) / side, z]
                length = math.sqrt(sum(c * c for c in where))
                where = [c / length for c in where]
                color = between(stops, where[1])
                for toward, light, width in glows:
                    color = [a + b for a, b in zip(color, glow(where, toward, light, width))]
                out.write(struct.pack("<3f", *color))


# A clear afternoon: pale at the horizon, a warm ground, the sun behind the camera's left shoulder.
write("day", [(-1, (.10, .08, .06)), (-.4, (.3, .28, .22)), (-.1, (.85, .86, .88)), (0.0, (.85, .86, .88)), (.06, (.85, .86, .88)), (.16, (.62, .74, .95)),
              (.45, (.26, .43, .80)), (1, (.12, .24, .55))], [((-.75, -.45, .5), (9, 7.5, 5.5), 5)])
# Dusk: the sun has just gone down in front of the camera.
write("dusk", [(-1, (.015, .015, .02)), (-.4, (.05, .04, .05)), (-.1, (1.1, .52, .26)), (0.0, (1.1, .52, .26)), (.07, (.85, .42, .34)),
               (.2, (.38, .28, .42)), (.5, (.10, .13, .30)), (1, (.03, .05, .15))],
      [((.35, 1, .02), (5, 2.1, .6), 9)])
backdrop("dusk", (-60, 60), (-1, 60), -60,
         [(0.0, (1.0, .42, .17)), (.08, (.80, .38, .28)), (.22, (.36, .27, .40)), (.5, (.10, .13, .30)), (1, (.03, .05, .15))],
         [((.35, .03, -1), (5, 1.9, .5), 6)])
