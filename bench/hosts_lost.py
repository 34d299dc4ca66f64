#!/usr/bin/env python3
"""Real frames of which an eighth of the hosts die: T beside what the others could do.

usage: hosts_lost.py [RUNS [PROGRAM ...]] >bench/results/csv/hosts-lost.csv      by default 3 runs of build/lbrender

Sixteen hosts are programs of this machine with two null devices each, whose speed is that of a clock; two of them are killed
at random moments of the first half of the frame, the same ones for each program. The ideal is the time in which those who
are there could have done all samples. A line each: strategy, run, the ideal and T of each program, and its efficiency."""
import csv
import random
import subprocess
import sys
import tempfile
import time

from real_hosts import HERE, end, join, read, serve

HOSTS, CORES, SIDE, SPP, SPEED, SECONDS = 16, 2, 128, 40, 1000, 128 * 128 * 40 / 32 / 1000
STRATEGIES = ("hierarchical", "peers", "steal", "auto")


def real(program, folder, strategy, deaths):
    """T of a frame, and when hosts died, in seconds after it began."""
    report, died, workers = folder + "/real.json", [], []
    primary, address = serve(program, report, HOSTS, strategy, SIDE, SPP)
    try:
        for _ in range(HOSTS):
            workers.append(join(program, address, CORES, SPEED, subprocess.PIPE))
        for worker in workers:
            while "working on scene" not in worker.stderr.readline():
                pass
        began = time.time()
        for number, moment in enumerate(deaths):
            time.sleep(max(0, began + moment - time.time()))
            workers[number].kill()
            died.append(time.time())
        primary.stderr.read()
        ended = time.time()
    finally:
        end(workers)
    t = read(report)[0]
    return t, [moment - (ended - t) for moment in died]


def living_seconds(died):
    """Until those who are there could have done all."""
    left = HOSTS * SECONDS - sum(died)
    return left / (HOSTS - len(died))


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    programs = sys.argv[2:] or [HERE + "/../build/lbrender"]
    out = csv.writer(sys.stdout, lineterminator="\n")
    print("# %s, %d hosts of %d null devices, a frame of %.1f s for all of them" %
          (subprocess.run([programs[-1], "--version"], capture_output=True, text=True).stdout.strip(), HOSTS, CORES, SECONDS))
    names = [""] if len(programs) == 1 else ["before ", ""]
    out.writerow(["strategy", "run"] + [name + what for name in names for what in ("ideal", "T", "efficiency")])
    with tempfile.TemporaryDirectory() as folder:
        for strategy in STRATEGIES:
            for run in range(runs):
                draw = random.Random(run)
                deaths = sorted(draw.uniform(0.1 * SECONDS, SECONDS / 2) for _ in range(HOSTS // 8))
                row = [strategy, run]
                for program in programs:
                    t, died = real(program, folder, strategy, deaths)
                    ideal = living_seconds(died)
                    row += ["%.2f" % ideal, "%.2f" % t, "%.3f" % (ideal / t)]
                out.writerow(row)
                sys.stdout.flush()


main()
