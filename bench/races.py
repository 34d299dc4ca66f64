#!/usr/bin/env python3
"""Races in a row beside busy processes: do they contradict each other?

usage: races.py [--races=10] [--busy=2] [--scene=samples/room.pbrt] [--lbrender=build/lbrender] [OPTION ...]

OPTIONs are given to every race (default: --repeat=16 --spp=4 --resolution=200x112 -t2). Each race is of all strategies,
with a seed, and so an order of the runs, of its own. Two strategies contradict each other where one race ranks one
before the other, and another race the other before the one. Prints bench/results/csv/races.csv: a line a race, with the
pairs of strategies (of 210) that it tells apart, by the measured T, by the adjusted one and by the balance, T / Tmin, the
median length of the intervals of adjusted times beside them, and the contradictions with all races before it by the adjusted
T and by the balance, by both of which the program ranks. Ends with status 1 where there is one.
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


def interval(values, count):
    """That of the median of one of so many strategies, as core/report/races/ranking.h says, computed independently."""
    values = sorted(values)
    tail, k = 0.0, -1
    while True:
        tail += math.comb(len(values), k + 1) / 2 ** len(values)
        if tail > 0.0025 / count:
            break
        k += 1
    k = max(k, 0)
    return values[k], values[-1 - k]


def mean_ranks(rows):
    """Of rows of times, by name, those of a round at the same place: the means of their ranks."""
    ranks = {name: 0 for name in rows}
    for times in zip(*rows.values()):
        for name, time_of in zip(rows, times):
            ranks[name] += sum(other < time_of for other in times) + (1 + sum(other == time_of for other in times)) / 2
    return {name: rank / len(next(iter(rows.values()))) for name, rank in ranks.items()}


def pairs_of(rows, difference):
    """Pairs of names of which the first one is surely better: by intervals that are apart or by mean ranks."""
    ends = {name: interval(times, len(rows)) for name, times in rows.items()}
    ranks = mean_ranks(rows)

    def seems(a, b):
        return ends[a][1] < ends[b][0] or ranks[b] - ranks[a] > difference

    return {(a, b) for a in rows for b in rows if seems(a, b) and not seems(b, a)}


def race(arguments, options, seed, path):
    command = [arguments.lbrender, "-q", "--no-cache", "--compare", f"--seed={seed}", f"--report={path}", *options, arguments.scene]
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds = time.monotonic() - begin
    report = json.loads(path.read_text())
    rows, difference = report["strategies"], report["rank_difference"]
    runs = [run for row in rows for run in row["runs"]]

    def pairs(figure):
        return pairs_of({row["strategy"]: [figure(run) for run in row["runs"]] for row in rows}, difference)

    adjusted, balance = pairs(lambda run: run["t_adjusted"]), pairs(lambda run: run["t"] / run["t_min"])
    for row in rows:
        for rank, found in (("rank", adjusted), ("balance_rank", balance)):
            if row[rank] != 1 + sum(b == row["strategy"] for _, b in found):
                raise SystemExit(f"races.py: {row['strategy']} has another {rank} in the report")
    return {
        "adjusted": adjusted,
        "balance": balance,
        "measured": pairs(lambda run: run["t"]),
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
    print("race,rounds,seconds,threads had a CPU,interval,pairs by measured T,pairs by adjusted T,pairs by balance,contradictions")
    before, bad = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, arguments.races + 1):
            one = race(arguments, options, number, pathlib.Path(folder) / "race.json")
            against = sum((b, a) in other[by] for by in ("adjusted", "balance") for a, b in one[by] for other in before)
            before.append(one)
            bad += against
            print(f"{number},{one['rounds']},{one['seconds']:.0f},{100 * one['cpu']:.0f} %,{100 * one['length']:.1f} %,"
                  f"{len(one['measured'])},{len(one['adjusted'])},{len(one['balance'])},{against}", flush=True)
    for process in busy:
        process.terminate()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
