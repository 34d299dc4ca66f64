#!/usr/bin/env python3
"""Measures how long a large scene takes to one host and to three, over links of the same rate.

usage: hosts_copies.py NETNS [MB [RATE ...]] >bench/results/csv/hosts-copies.csv      LBRENDER names the program

NETNS is ../shared/tools/cluster, whose net_up.sh has made the hosts lbn0 to lbn3: the first is the primary, which renders
nothing itself, the others are workers. Each of the four sends RATE megabits a second at most (default: 100, then 400),
which the kernel's token bucket sees to (tc, of iproute2). The scene is one texture of noise, which cannot be packed, so
that a block of MB megabytes (default 300) has as many on the wire. Two rounds, in each of them with a key and without:
one worker, then three. A line each: the rate, with a key or without, the seconds that the block's bytes take at
that rate (a copy); the seconds from when the primary had loaded the scene to its end, the picture of 16x16 included, with
one worker and with three; what three took over what one did, and over a copy; and the megabytes of messages that the
primary sent to the three."""
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.environ.get("LBRENDER", HERE + "/../build/lbrender")
ROUNDS, SILENCE = 2, 5
SCENE = """Film "rgb" "integer xresolution" 16 "integer yresolution" 16
Sampler "independent" "integer pixelsamples" 1
LookAt 0 0 -5 0 0 0 0 1 0
Camera "perspective"
WorldBegin
LightSource "infinite"
Texture "noise" "spectrum" "imagemap" "string filename" "noise.ppm" "string filter" "bilinear"
Material "diffuse" "texture reflectance" "noise"
Shape "trianglemesh" "point3 P" [-9 -9 0 9 -9 0 0 9 0] "point2 uv" [0 0 1 0 0 1] "integer indices" [0 1 2]
"""


def on_host(number, command, **more):
    return subprocess.Popen(["ip", "netns", "exec", "lbn%d" % number] + command, **more)


def throttle(rate):
    """Lets each host send so many megabits a second at most; 0: as many as it can."""
    for number in range(4):
        where = ["tc", "-n", "lbn%d" % number, "qdisc"]
        subprocess.run(where + ["del", "dev", "eth0", "root"], stderr=subprocess.DEVNULL)
        if rate:
            subprocess.run(where + ["add", "dev", "eth0", "root", "tbf", "rate", "%gmbit" % rate, "burst", "256kb", "latency", "50ms"],
                           check=True)


def write_scene(folder, megabytes):
    side = round((megabytes * 1e6 / 3) ** 0.5)
    noise = random.Random(1)
    with open(folder + "/noise.ppm", "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (side, side))
        for _ in range(side):
            file.write(noise.randbytes(3 * side))
    with open(folder + "/scene.pbrt", "w") as file:
        file.write(SCENE)


def send(folder, hosts, trust):
    """Seconds, bytes of the block, and bytes that the primary sent, all workers together."""
    report, common = folder + "/report.json", trust + ["--no-cache", "--silence=%d" % SILENCE, "--patience=120"]
    primary = on_host(0, [PROGRAM, "--serve=tcp://10.88.0.1:0", "--devices=%d*host" % hosts, "-v", "-o", "none", "--report=" + report,
                          folder + "/scene.pbrt"] + common, stderr=subprocess.PIPE, text=True)
    workers, begin, size, said = [], 0, 0, []
    for line in primary.stderr:
        said.append(line)
        if "--join=" in line:
            address = line.split("--join=")[1].split()[0]
            workers = [on_host(i + 1, [PROGRAM, "-q", "--join=" + address, "--devices=null:speed=1e6"] + common) for i in range(hosts)]
        if " triangles, " in line:
            begin, size = time.monotonic(), float(line.split(" triangles, ")[1].split(" MB")[0]) * 1e6
    seconds = time.monotonic() - begin
    if primary.wait() != 0 or [worker.wait() for worker in workers] != [0] * hosts:
        sys.exit("".join(said))
    frame = json.load(open(report))["frames"][0]
    return seconds, size, sum(p["host"]["bytes_sent"] for p in frame["processors"])


def main():
    megabytes = float(sys.argv[2]) if len(sys.argv) > 2 else 300
    rates = [float(word) for word in sys.argv[3:]] or [100, 400]
    out = csv.writer(sys.stdout, lineterminator="\n")
    print("# %s, a block of %g MB, load %.1f on %d CPUs" %
          (subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout.strip(), megabytes, os.getloadavg()[0], os.cpu_count()))
    out.writerow(["Mbit/s", "key", "a copy", "one", "three", "three / one", "three / a copy", "MB sent"])
    with tempfile.TemporaryDirectory() as folder:
        write_scene(folder, megabytes)
        subprocess.run([PROGRAM, "--make-key=" + folder + "/key"], check=True)
        for rate in rates:
            throttle(rate)
            for key, trust in (("no", ["--insecure"]), ("yes", ["--key=" + folder + "/key"])):
                for _ in range(ROUNDS):
                    one, size, _ = send(folder, 1, trust)
                    three, _, sent = send(folder, 3, trust)
                    copy = 8e-6 * size / rate
                    out.writerow(["%g" % rate, key] + ["%.2f" % value for value in (copy, one, three, three / one, three / copy, 1e-6 * sent)])
                    sys.stdout.flush()
    throttle(0)


main()
