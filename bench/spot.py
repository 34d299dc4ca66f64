#!/usr/bin/env python3
"""Made-up cost maps of 1024 x 1024 with half of all cost in one spot: a disk of a hundredth of the picture a hundred times as dear
as the rest, and 3 x 3 pixels that cost as much as all others together.
usage: spot.py FOLDER      writes FOLDER/spot-1024x1024.pfm and FOLDER/tiny-1024x1024.pfm
"""
import array
import math
import sys

SIDE = 1024


def write(name, cost):
    rows = array.array("f", (cost(x, y) for y in reversed(range(SIDE)) for x in range(SIDE)))
    if sys.byteorder != "little":
        rows.byteswap()
    with open(f"{sys.argv[1]}/{name}-{SIDE}x{SIDE}.pfm", "wb") as file:
        file.write(b"Pf\n%d %d\n-1.0\n" % (SIDE, SIDE) + rows.tobytes())


if len(sys.argv) != 2:
    sys.exit(__doc__)
RADIUS = math.sqrt(SIDE * SIDE / 100 / math.pi)
write("spot", lambda x, y: 100 if math.hypot(x - 300, y - 700) < RADIUS else 1)
write("tiny", lambda x, y: (SIDE * SIDE - 9) / 9 if 500 <= x < 503 and 1000 <= y < 1003 else 1)
