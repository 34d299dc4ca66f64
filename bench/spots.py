#!/usr/bin/env python3
"""A thousandth of the picture, a disk, is a thousand times as dear as the rest, among three processors of speeds 1, 3 and 9 that
nobody knows: the efficiencies that strategies have over disks in random places of 512 x 512 pixels. Prints CSV: a line a
setting, least, median and most.
usage: spots.py [PLACES] [LBRENDER]
"""
import array
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile

SIDE = 512
SETTINGS = [("auto",), ("auto", "--region-size=16"), ("auto", "--region-size=4"), ("steal",), ("push",), ("hierarchical",), ("peers",), ("pool",)]
places = int(sys.argv[1]) if len(sys.argv) > 1 else 16
lbrender = sys.argv[2] if len(sys.argv) > 2 else "build/lbrender"
random.seed(3)
radius = math.sqrt(SIDE * SIDE / 1000 / math.pi)
found = {setting: [] for setting in SETTINGS}
with tempfile.TemporaryDirectory() as folder:
    for _ in range(places):
        x, y = random.random() * SIDE, random.random() * SIDE
        costs = array.array("f", (1000 if math.hypot(i % SIDE - x, SIDE - 1 - i // SIDE - y) < radius else 1 for i in range(SIDE * SIDE)))
        with open(f"{folder}/spot.pfm", "wb") as file:
            file.write(b"Pf\n%d %d\n-1.0\n" % (SIDE, SIDE) + costs.tobytes())
        for setting in SETTINGS:
            subprocess.run([lbrender, "-q", f"--strategy={setting[0]}", *setting[1:], "--simulate=1,1x3,1x9", f"--costs={folder}/spot.pfm",
                            f"--resolution={SIDE}x{SIDE}", f"--report={folder}/report.json", "none.pbrt"], check=True)
            with open(f"{folder}/report.json", encoding="utf-8") as file:
                found[setting].append(json.load(file)["frames"][0]["efficiency"])
print("setting,least,median,most")
for setting, values in found.items():
    print(f"{' '.join(setting)},{min(values):.3f},{statistics.median(values):.3f},{max(values):.3f}")
