#!/usr/bin/env python3
"""Puts real frames on a few hosts beside what the simulator says of them.

usage: hosts_beside.py [RUNS] >bench/results/csv/hosts-beside.csv      LBRENDER names the program

Hosts are programs of this machine, and their processors null devices, whose speed is that of a clock. On a busy machine each
of their ranges ends late all the same: then T tells less than the efficiency, which is Tmin by the speeds that were measured
over T. The primary renders nothing itself. Every pixel of the picture costs such a processor the same, so that the
simulator's map is flat. test/slow_link.py stands between primary and workers where there is a delay. A line each: hosts,
processors of each, delay in seconds each way, strategy, T of RUNS real frames (default 3: the median) and of the simulation,
and the efficiency of both."""
import csv
import json
import os
import statistics
import struct
import subprocess
import sys
import tempfile

from real_hosts import HERE, frame, read

PROGRAM = os.environ.get("LBRENDER", HERE + "/../build/lbrender")
WIDTH, SPP, SPEED = 40, 64, 5000
STRATEGIES = ("hierarchical", "peers", "steal", "auto")
CASES = [(hosts, cores, delay) for hosts, cores in ((2, 2), (3, 2), (2, 4)) for delay in (0, 0.025)]


def simulated(folder, hosts, cores, delay, strategy):
    with open(folder + "/flat.pfm", "wb") as file:
        file.write(b"Pf\n%d %d\n-1\n" % (WIDTH, WIDTH) + struct.pack("<f", 1) * WIDTH * WIDTH)
    with open(folder + "/hosts.json", "w") as file:
        json.dump({"hosts": [{"count": hosts, "cores": cores, "latency": delay}], "samples": SPP, "total_seconds": WIDTH * WIDTH * SPP / SPEED}, file)
    report = folder + "/simulated.json"
    subprocess.run([PROGRAM, "-q", "--simulate=" + folder + "/hosts.json", "--costs=" + folder + "/flat.pfm", "--strategy=" + strategy,
                    "--report=" + report], check=True)
    return read(report)


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    out = csv.writer(sys.stdout, lineterminator="\n")
    print("# %s, null devices of %d samples a second, %dx%d with %d samples a pixel, %d runs each" %
          (subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout.strip(), SPEED, WIDTH, WIDTH, SPP, runs))
    out.writerow(["hosts", "processors", "delay", "strategy", "T", "simulated", "efficiency", "simulated efficiency"])
    with tempfile.TemporaryDirectory() as folder:
        for hosts, cores, delay in CASES:
            for strategy in STRATEGIES:
                made = [frame(PROGRAM, folder, hosts, cores, SPEED, strategy, WIDTH, SPP, delay, folder + "/x.png") for _ in range(runs)]
                t, efficiency = (statistics.median(values) for values in zip(*made))
                planned = simulated(folder, hosts, cores, delay, strategy)
                out.writerow([hosts, cores, delay, strategy] + ["%.3f" % value for value in (t, planned[0], efficiency, planned[1])])
                sys.stdout.flush()


main()
