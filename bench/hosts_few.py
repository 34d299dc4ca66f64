#!/usr/bin/env python3
"""Pictures of few dear pixels on hosts of many processors: T beside the ideal.

usage: hosts_few.py [RUNS [PROGRAM ...]] >bench/results/csv/hosts-few.csv      by default 3 runs of build/lbrender

Hosts are programs of this machine, and their processors null devices, whose speed is that of a clock: each takes as long for
a sample as all do, so that the ideal is the samples over all speeds. A line each: picture, hosts, processors of each,
strategy, the ideal, and T of each program, the median of RUNS frames."""
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SCENE = HERE + "/../samples/room.pbrt"
SPP, SPEED = 256, 100
CASES = [(4, 2, 8), (8, 2, 8), (16, 2, 32), (8, 3, 16)]  # the picture's side, hosts, processors of each
STRATEGIES = ("steal", "auto")


def real(program, folder, side, hosts, cores, strategy):
    """T of a frame."""
    report = folder + "/real.json"
    primary = subprocess.Popen([program, "--serve=tcp://127.0.0.1:0", "--devices=%d*host" % hosts, "--strategy=" + strategy, "--no-cache",
                                "--passes=1", "--resolution=%dx%d" % (side, side), "--spp=%d" % SPP, "--report=" + report, "-o", "none", SCENE],
                               stderr=subprocess.PIPE, text=True)
    workers = []
    try:
        address = primary.stderr.readline().split("--join=")[1].strip()
        for _ in range(hosts):
            workers.append(subprocess.Popen([program, "-q", "--no-cache", "--join=" + address, "--devices=%d*null:speed=%d" % (cores, SPEED)]))
        if primary.wait() != 0:
            sys.exit("status %d: %s" % (primary.returncode, primary.stderr.read()))
    finally:
        for process in workers:
            process.kill()
            process.wait()
    with open(report) as file:
        return json.load(file)["frames"][0]["t"]


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
                made = [statistics.median(real(program, folder, side, hosts, cores, strategy) for _ in range(runs)) for program in programs]
                ideal = side * side * SPP / (hosts * cores * SPEED)
                out.writerow(["%dx%d" % (side, side), hosts, cores, strategy] + ["%.2f" % value for value in [ideal] + made])
                sys.stdout.flush()


main()
