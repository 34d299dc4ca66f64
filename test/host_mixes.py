#!/usr/bin/env python3
"""Renders three scenes under every strategy on 1 to 4 hosts with mixes of threads, null devices and the GPU's pipeline,
and wants the bytes of one host.

usage: host_mixes.py      in an empty folder; LBRENDER and SAMPLES name the program and its samples

There are 36 runs a strategy; LB_MIXES (default: all) of them all are made, drawn by LB_MIXES_SEED (default 1). Status 1: some
bytes were others, or a status was not 0."""
import filecmp
import itertools
import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.environ.get("LBRENDER", HERE + "/../build/lbrender")
SAMPLES = os.environ.get("SAMPLES", HERE + "/../samples")
MIXES = [["cpu:2"], ["null:speed=30000", "cpu:1,null:speed=20000", "cpu:2"], ["cpu:1,wave", "wave", "cpu:1"]]
SCENES = ["room", "mandelbrot", "motion"]
PICTURE = ["--resolution=64x48", "--spp=4", "--passes=2", "--no-cache"]
LIMIT = 60  # seconds


def render(strategy, hosts, mix, scene):
    """Where there are two or three, the primary is one of them; else it renders nothing itself."""
    renders = hosts in (2, 3)
    others = hosts - renders
    devices = ("cpu:1," if renders else "") + "%d*host" % others
    primary = subprocess.Popen([PROGRAM, "--serve=tcp://127.0.0.1:0", "--strategy=" + strategy, "--devices=" + devices,
                                "-o", "two.png", SAMPLES + "/%s.pbrt" % scene] + PICTURE, stderr=subprocess.PIPE, text=True)
    workers = []
    try:
        address = primary.stderr.readline().split("--join=")[1].strip()
        for i in range(others):
            workers.append(subprocess.Popen([PROGRAM, "-q", "--join=" + address, "--no-cache",
                                             "--devices=" + mix[i % len(mix)]], stderr=subprocess.DEVNULL))
        said = primary.communicate(timeout=LIMIT)[1]
        if primary.returncode != 0:
            return "status %d: %s" % (primary.returncode, said)
        return "" if filecmp.cmp("two.png", scene + "-one.png", shallow=False) else "other bytes"
    except subprocess.TimeoutExpired:
        return "it does not end"
    finally:
        for process in [primary] + workers:
            process.kill()
            process.wait()


def main():
    for scene in SCENES:
        subprocess.run([PROGRAM, "-q", "-o", scene + "-one.png", SAMPLES + "/%s.pbrt" % scene] + PICTURE, check=True)
    listed = subprocess.run([PROGRAM, "--list-strategies"], capture_output=True, text=True, check=True).stdout
    strategies = [line.split()[0] for line in listed.splitlines()]
    runs = list(itertools.product(strategies, (1, 2, 3, 4), MIXES, SCENES))
    random.Random(int(os.environ.get("LB_MIXES_SEED", "1"))).shuffle(runs)
    runs = runs[:int(os.environ.get("LB_MIXES", len(runs)))]
    wrong = 0
    for run in runs:
        why = render(*run)
        if why:
            wrong += 1
            print("WRONG %s, %d hosts of %s, %s: %s" % (run[0], run[1], run[2], run[3], why), flush=True)
    print("%d runs, %d wrong" % (len(runs), wrong))
    return wrong > 0


sys.exit(main())
