#!/usr/bin/env python3
"""Real work that is born: the efficiency of frames with --adaptive, whose further samples are born while a frame is rendered, beside that of
frames with as many samples and no births. Both are races of the strategies that deal while a frame runs; figures are medians. Prints CSV.
usage: births_real.py [--devices=8*null:speed=20000] [--resolution=160x120] [--repeat=3] [--lbrender=build/lbrender] [SCENE]
Null devices of a tenth of a thread's speed or less leave processors idle; on a busy machine `chrt -f 10` before the command keeps others out of the
figures.
"""
import argparse
import json
import statistics
import subprocess
import tempfile

OPTIONS = argparse.ArgumentParser(usage=__doc__)
OPTIONS.add_argument("--devices", default="8*null:speed=20000")
OPTIONS.add_argument("--resolution", default="160x120")
OPTIONS.add_argument("--repeat", type=int, default=3)
OPTIONS.add_argument("--lbrender", default="build/lbrender")
OPTIONS.add_argument("scene", nargs="?", default="samples/room.pbrt")
GIVEN = OPTIONS.parse_args()
STRATEGIES = ["auto", "steal", "push", "hierarchical", "peers"]


def race(folder, *options):
    """Efficiencies of each strategy's runs, and all busy time that had a CPU over all busy time."""
    report = f"{folder}/report.json"
    subprocess.run([GIVEN.lbrender, "-q", "--compare=" + ",".join(STRATEGIES), f"--repeat={GIVEN.repeat}", "--spp=64", f"--devices={GIVEN.devices}",
                    f"--resolution={GIVEN.resolution}", f"--report={report}", *options, GIVEN.scene],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(report, encoding="utf-8") as file:
        rows = {row["strategy"]: row["runs"] for row in json.load(file)["strategies"]}
    return {name: [run["t_min"] / run["t"] for run in runs] for name, runs in rows.items()}


def main():
    with tempfile.TemporaryDirectory() as folder:
        even, born = race(folder), race(folder, "--adaptive")
    print("devices,resolution,strategy,even,even: least,born,born: least")
    for name in STRATEGIES:
        figures = [f"{of(some[name]):.4f}" for some in (even, born) for of in (statistics.median, min)]
        print(",".join([GIVEN.devices, GIVEN.resolution, name, *figures]))


main()
