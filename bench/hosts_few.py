#!/usr/bin/env python3
"""Pictures of few dear pixels on hosts of many processors: T beside the ideal.

usage: hosts_few.py [RUNS [PROGRAM ...]] >bench/results/csv/hosts-few.csv      by default 3 runs of build/lbrender

Hosts are programs of this machine, and their processors null devices, whose speed is that of a clock: each takes as long for
a sample as all do, so that the ideal is the samples over all speeds. A line each: picture, hosts, processors of each,
strategy, the ideal, and T of each program, the median of RUNS frames."""
import csv
import statistics
import subprocess
import sys
import tempfile

from real_hosts import HERE, frame

SPP, SPEED = 256, 100
CASES = [(4, 2, 8), (8, 2, 8), (16, 2, 32), (8, 3, 16)]  # the picture's side, hosts, processors of each
STRATEGIES = ("steal", "auto")


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    programs = sys.argv[2:] or [HERE + "/../build/lbrender"]
    out = csv.writer(sys.stdout, lineterminator="\n")
    print("# %s, null devices of %d samples a second, %d samples a pixel, %d runs each" %
          (subprocess.run([programs[-1], "--version"], capture_output=True, text=True).stdout.strip(), SPEED, SPP, runs))
    out.writerow(["picture", "hosts", "processors", "strategy", "ideal"] + (["T"] if len(programs) == 1 else ["before", "T"]))
    with tempfile.TemporaryDirectory() as folder:
        for side, hosts, cores in CASES:
            for strategy in STRATEGIES:
                made = [statistics.median(frame(program, folder, hosts, cores, SPEED, strategy, side, SPP)[0] for _ in range(runs)) for program in programs]
                ideal = side * side * SPP / (hosts * cores * SPEED)
                out.writerow(["%dx%d" % (side, side), hosts, cores, strategy] + ["%.2f" % value for value in [ideal] + made])
                sys.stdout.flush()


main()
