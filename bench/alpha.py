#!/usr/bin/env python3
"""hybrid's alpha beside busy processes: in how many of N trials the true value is within two of the errors that it tells, and how
often it says that alpha is not known. The true value is the CPU time that two threads take for a picture over the CPU time that
one takes, as medians of runs in between. Prints CSV.
usage: alpha.py [--trials=100] [--busy=2] [--resolution=640x360] [--spp=4] [--lbrender=build/lbrender] [SCENE]
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

OPTIONS = argparse.ArgumentParser(usage=__doc__)
OPTIONS.add_argument("--trials", type=int, default=100)
OPTIONS.add_argument("--busy", type=int, default=2)
OPTIONS.add_argument("--resolution", default="640x360")
OPTIONS.add_argument("--spp", default="4")
OPTIONS.add_argument("--lbrender", default="build/lbrender")
OPTIONS.add_argument("scene", nargs="?", default="samples/room.pbrt")
GIVEN = OPTIONS.parse_args()
FOUND = re.compile(r"alpha (not known \()?([\d.]+) \+- ([\d.]+)")


def render(folder, devices, strategy):
    """One frame's report."""
    report = os.path.join(folder, "report.json")
    subprocess.run([GIVEN.lbrender, "-q", "--no-cache", f"--strategy={strategy}", f"--devices={devices}", f"--resolution={GIVEN.resolution}",
                    f"--spp={GIVEN.spp}", "-o", "none", f"--report={report}", GIVEN.scene], check=True)
    with open(report, encoding="utf-8") as file:
        return json.load(file)["frames"][0]


def cpu_seconds(frame):
    return sum(one["busy_cpu_seconds"] for one in frame["processors"])


def main():
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(GIVEN.busy)]
    told, one, two, known = [], [], [], []
    try:
        with tempfile.TemporaryDirectory() as folder:
            for trial in range(GIVEN.trials):
                chosen = render(folder, "cpu:2,null:speed=60000,as=cuda", "hybrid")["passes"][0]["chosen"]
                found = FOUND.search(chosen)
                if not found:
                    sys.exit("no alpha: " + chosen)
                told.append((float(found[2]), float(found[3])))
                known.append(not found[1])
                if trial % 4 == 0:
                    one.append(cpu_seconds(render(folder, "cpu:1", "bitrev")))
                    two.append(cpu_seconds(render(folder, "cpu:2", "bitrev")))
    finally:
        for process in busy:
            process.kill()
    true = statistics.median(two) / statistics.median(one)
    within = sum(abs(alpha - true) <= 2 * error for alpha, error in told)
    sure = [abs(alpha - true) / true for (alpha, _), k in zip(told, known) if k]
    print("resolution,samples,busy processes,trials,true alpha,within two errors,not known,known: median off,known: most off,median error")
    off = f"{100 * statistics.median(sure):.1f} %,{100 * max(sure):.1f} %" if sure else ","
    print(f"{GIVEN.resolution},{GIVEN.spp},{GIVEN.busy},{len(told)},{true:.3f},{within},{len(told) - len(sure)},{off},"
          f"{statistics.median(error for _, error in told):.3f}")


main()
