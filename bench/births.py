#!/usr/bin/env python3
"""Work that is born while a frame runs, among 64 like processors in the simulator: the efficiencies of strategies over seeds, which
draw who gives birth to how much. Prints CSV: a line a setting and strategy, least, median and most.
usage: births.py [SEEDS] [LBRENDER]
"""
import json
import statistics
import subprocess
import sys
import tempfile

PROCESSORS, SIZE = 64, "640x360"
# The probability that a range gives birth, to how many positions at most, and how many are born in the frame (lbrender(1)).
SETTINGS = {"small": (0.3, 20, 5000), "middle": (0.3, 2000, 100000), "large": (0.9, 20000, 200000), "late": (0.02, 20000, 100000)}
STRATEGIES = ["auto", "pool", "steal", "push", "hierarchical", "peers"]
seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 16
lbrender = sys.argv[2] if len(sys.argv) > 2 else "build/lbrender"


def efficiency(folder, strategy, seed):
    subprocess.run([lbrender, "-q", f"--strategy={strategy}", f"--seed={seed}", f"--simulate={folder}/spec.json", f"--costs={folder}/m.pfm",
                    f"--resolution={SIZE}", f"--report={folder}/r.json", "none.pbrt"], check=True)
    with open(f"{folder}/r.json", encoding="utf-8") as file:
        return json.load(file)["frames"][0]["efficiency"]


print("births,chance,most,positions,strategy,least,median,highest")
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([lbrender, "-q", "--no-cache", f"--resolution={SIZE}", f"--cost-map={folder}/m.pfm", "-o", "none",
                    "samples/mandelbrot.pbrt"], check=True)
    for name, (chance, most, positions) in SETTINGS.items():
        with open(f"{folder}/spec.json", "w", encoding="utf-8") as file:
            json.dump({"processors": [{"count": PROCESSORS}], "births": {"chance": chance, "most": most, "positions": positions}}, file)
        for strategy in STRATEGIES:
            found = [efficiency(folder, strategy, seed) for seed in range(1, seeds + 1)]
            print(f"{name},{chance},{most},{positions},{strategy},{min(found):.4f},{statistics.median(found):.4f},{max(found):.4f}")
