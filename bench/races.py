#!/usr/bin/env python3
"""Races in a row beside busy processes: do they contradict each other?

usage: races.py [--races=10] [--busy=2] [--scene=samples/room.pbrt] [--lbrender=build/lbrender] [OPTION ...]

OPTIONs are given to every race (default: --repeat=16 --spp=4 --resolution=200x112 -t2). Each race is of all strategies,
with a seed, and so an order of the runs, of its own. Two strategies contradict each other where one race ranks one
before the other, and another race the other before the one. Prints bench/results/csv/races.csv: a line a race, with the
pairs of strategies (of 210) whose intervals do not overlap, of the measured T and of the adjusted one, by which ranks go, the
median length of the intervals beside their times, and the contradictions with all races before it. Ends with status 1
where there is one.
"""
import argparse
import json
import math
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def spin():
    while True:
        pass


def interval(values):
    """That of the median with 99 %, as core/report/races/ranking.h says, computed independently."""
    values = sorted(values)
    tail, k = 0.0, -1
    while True:
        tail += math.comb(len(values), k + 1) / 2 ** len(values)
        if tail > 0.005:
            break
        k += 1
    k = max(k, 0)
    return values[k], values[-1 - k]


def pairs_of(ends):
    """Pairs of names of which the first one's interval ends before the other's begins."""
    return {(a, b) for a in ends for b in ends if ends[a][1] < ends[b][0]}


def race(arguments, options, seed, path):
    command = [arguments.lbrender, "-q", "--no-cache", "--compare", f"--seed={seed}", f"--report={path}", *options, arguments.scene]
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds = time.monotonic() - begin
    rows = json.loads(path.read_text())["strategies"]
    ends = {row["strategy"]: (row["t_low"], row["t_high"]) for row in rows}
    runs = [run for row in rows for run in row["runs"]]
    return {
        "adjusted": pairs_of(ends),
        "measured": pairs_of({row["strategy"]: interval([run["t"] for run in row["runs"]]) for row in rows}),
        "length": statistics.median((row["t_high"] - row["t_low"]) / row["t_adjusted"] for row in rows),
        "rounds": len(rows[0]["runs"]),
        "cpu": sum(run["busy_cpu_seconds"] for run in runs) / sum(run["busy_seconds"] for run in runs),
        "seconds": seconds,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--races", type=int, default=10)
    parser.add_argument("--busy", type=int, default=2)
    parser.add_argument("--scene", default="samples/room.pbrt")
    parser.add_argument("--lbrender", default="build/lbrender")
    arguments, options = parser.parse_known_args()
    options = options or ["--repeat=16", "--spp=4", "--resolution=200x112", "-t2"]
    busy = [multiprocessing.Process(target=spin, daemon=True) for _ in range(arguments.busy)]
    for process in busy:
        process.start()
    model = next((line.split(": ")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    print(f"# {time.strftime('%F', time.gmtime())}, {model}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.2f}, "
          f"{arguments.busy} busy processes, commit {commit}, {' '.join(options)}")
    print("race,rounds,seconds,threads had a CPU,interval,pairs by measured T,pairs by adjusted T,contradictions")
    before, bad = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, arguments.races + 1):
            one = race(arguments, options, number, pathlib.Path(folder) / "race.json")
            against = sum((b, a) in other for a, b in one["adjusted"] for other in before)
            before.append(one["adjusted"])
            bad += against
            print(f"{number},{one['rounds']},{one['seconds']:.0f},{100 * one['cpu']:.0f} %,{100 * one['length']:.1f} %,"
                  f"{len(one['measured'])},{len(one['adjusted'])},{against}", flush=True)
    for process in busy:
        process.terminate()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
