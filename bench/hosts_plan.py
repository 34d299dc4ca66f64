#!/usr/bin/env python3
"""Plans pictures on many hosts in the simulator: T and efficiency of a frame on 8 to 10,000 hosts of 2 to 128 processors.

usage: hosts_plan.py MAP.pfm >bench/results/csv/hosts-plan.csv      LBRENDER names the program
       hosts_plan.py --scene >bench/results/csv/hosts-scene.csv     the seconds until all have the scene alone

MAP.pfm is what --cost-map wrote. Each processor has speed 1 and the frame's work is a minute for all of them, so that only
what sharing costs tells hosts apart. Links carry 1 Gbit/s with 0.5 ms each way, the primary's own 10 Gbit/s; the scene
has 300 MB and is not there yet. `lost`: one host in eight is lost at a random moment of the first half minute, and one in
eight joins late in it. A line each: hosts, processors of each, strategy, seconds until all have the scene, T with it and
the efficiency of what follows: the seconds in which those who are there could do all the work, over those that they take."""
import csv
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.environ.get("LBRENDER", HERE + "/../build/lbrender")
HOSTS, PROCESSORS = (8, 64, 1024, 10000), (2, 16, 128)
STRATEGIES = ("hierarchical", "peers", "steal", "auto")
SECONDS, BLOCK, LINK, OWN_LINK, LATENCY = 60, 300e6, 125e6, 1250e6, 0.5e-3
# Of a pixel: a host that has few pixels shares out their samples.
SAMPLES = 256


def simulate(costs, spec):
    """T of each strategy."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(spec, file)
        file.flush()
        told = subprocess.run([PROGRAM, "-q", "--simulate=" + file.name, "--costs=" + costs, "--seed=1", "--report=-",
                               "--report-format=csv", "--compare=" + ",".join(STRATEGIES)],
                              capture_output=True, text=True)
    if told.returncode not in (0, 3):
        sys.exit(told.stderr)
    return {row["strategy"]: float(row["t"]) for row in csv.DictReader(told.stdout.splitlines())}


def make(hosts, processors, faults, block):
    draw = random.Random(hosts * 1000 + processors)
    one = {"cores": processors, "latency": LATENCY, "bandwidth": LINK}
    each = [dict(one) for _ in range(hosts)]
    for host in each if faults else []:
        fate = draw.randrange(8)
        if fate == 0:
            host["fails"] = block + draw.uniform(0, SECONDS / 2)
        elif fate == 1:
            host["joins"] = draw.uniform(0, SECONDS / 2)
    return {"hosts": each if faults else [dict(one, count=hosts)], "samples": SAMPLES, "total_seconds": SECONDS * hosts * processors,
            "primary_bandwidth": OWN_LINK, "block": BLOCK}


def living_seconds(spec, scene):
    """Until those who are there could have done all the work, from when all have the scene: nobody waits, and nothing is lost."""
    def done(t):
        late = scene + 2 * LATENCY + BLOCK / LINK
        return sum(host.get("count", 1) * host["cores"] *
                   max(0, min(t, host.get("fails", t)) - (host["joins"] + late if "joins" in host else scene)) for host in spec["hosts"])

    low, high = scene, scene + 100 * SECONDS
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if done(middle) < spec["total_seconds"] else (low, middle)
    return high - scene


def scene_seconds(hosts, processors):
    """Until all have the scene: T of a frame of one pixel, of next to no work."""
    with tempfile.NamedTemporaryFile("wb", suffix=".pfm") as file:
        file.write(b"Pf\n1 1\n-1\n" + struct.pack("<f", 1))
        file.flush()
        return simulate(file.name, dict(make(hosts, processors, False, 0), total_seconds=1e-6))["auto"]


def write_scene(out):
    print("# %s" % subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout.strip())
    out.writerow(["hosts", "seconds"])
    for hosts in (1, 16, 17, 32) + HOSTS[1:]:
        out.writerow([hosts, "%.2f" % scene_seconds(hosts, 1)])


def main():
    costs = sys.argv[1]
    out = csv.writer(sys.stdout, lineterminator="\n")
    if costs == "--scene":
        write_scene(out)
        return
    print("# %s, map %s" % (subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout.strip(),
                            os.path.basename(costs)))
    out.writerow(["hosts", "processors", "faults", "strategy", "scene", "T", "efficiency"])
    for hosts in HOSTS:
        for processors in PROCESSORS:
            scene = scene_seconds(hosts, processors)
            for faults in ("none", "lost"):
                spec = make(hosts, processors, faults == "lost", scene)
                times, living = simulate(costs, spec), living_seconds(spec, scene)
                for strategy in STRATEGIES:
                    t = times[strategy]
                    out.writerow([hosts, processors, faults, strategy, "%.2f" % scene, "%.2f" % t, "%.4f" % (living / (t - scene))])
                    sys.stdout.flush()


main()
