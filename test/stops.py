#!/usr/bin/env python3
"""Stops renders at random moments and goes on with other processors under other strategies, until the picture is done: it has to be
the bytes of an unbroken run, with whatever channels. Likewise divides pictures into shares and sample ranges at random and joins them in
random order.

usage: stops.py stops|merges      (in a folder of its own)

LBRENDER     the program (build/lbrender)
LB_STOPS     how many stops (12), or merges (6); from 50 on one of the pictures is large enough for growing passes
LB_SEED      which (1)
"""
import os
import random
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LBRENDER = os.environ.get("LBRENDER", os.path.join(ROOT, "build", "lbrender"))
SCENES = {  # options that make a second's work of each
    "room": ["--resolution=64x48", "--spp=40"],
    "materials": ["--resolution=64x48", "--spp=40"],
    "instances": ["--resolution=64x48", "--spp=48"],
    "headlight": ["--resolution=80x60", "--spp=40"],
    "mandelbrot": ["--resolution=160x120", "--spp=64"],
}
if int(os.environ.get("LB_STOPS", "12")) >= 50:
    SCENES["mandelbrot"] = ["--resolution=160x120", "--spp=220"]  # its passes grow
DEVICES = ["cpu:1", "cpu:2", "cpu:3", "null:code=wave", "cpu:1,null:code=wave", "2*null:code=wave", "cpu:2,null:speed=20000",
           "cpu:1,null:fail=0.3", "cpu:1,2*null:as=cuda"]
PATIENCE = 120  # seconds for a run
CHANNELS = ["A", "albedo", "P", "Z", "N", "Ns", "uv", "dz", "motion", "object", "material", "samples", "variance", "relativevariance"]
OF_LIGHT = ["samples", "variance", "relativevariance"]  # all that a scene without surfaces has


def draw_look(rng, scene):
    """The ending of the picture's file, and the options that say what is in it: light alone, or channels too."""
    if rng.random() < 0.4:
        return "pfm", []
    known = OF_LIGHT if scene == "mandelbrot" else CHANNELS
    words = known if rng.random() < 0.4 else rng.sample(known, rng.randrange(1, len(known) + 1))
    options = ["--channels=" + ",".join(words)]
    if scene != "mandelbrot" and rng.random() < 0.5:
        options.append("--transparent")
    if rng.random() < 0.3:
        options.append("--channel-space=world")
    return "exr", options


def strategies():
    listed = subprocess.run([LBRENDER, "--list-strategies"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in listed.splitlines()]


def command(scene, *options):
    folder = "samples" if scene in ["room", "mandelbrot"] else "test/scenes"
    return [LBRENDER, "-q", "--no-cache", *SCENES[scene], *options, os.path.join(ROOT, folder, scene + ".pbrt")]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def whole(scene, look):
    """The picture of an unbroken run, and its part."""
    ending, options = look
    name = "-".join([scene, "whole", *(option.replace("=", "-") for option in options)])
    if not os.path.exists(name + "." + ending):
        subprocess.run(command(scene, *options, "-o", name + "." + ending, "--part", name + ".whole"), check=True, timeout=PATIENCE)
    return read(name + "." + ending), read(name + ".whole")


def describe(part):
    return subprocess.run([LBRENDER, "--describe", part], capture_output=True, text=True).stdout


def stop_once(rng, scene, look, names, resumed):
    """Starts a run and stops it; True where it was done before."""
    ending, options = look
    options = [*options, "-o", scene + "." + ending, "--checkpoint", "state.part,0.02", "--strategy", rng.choice(names), "--devices", rng.choice(DEVICES)]
    if rng.random() < 0.3:
        options += ["--passes", str(rng.randrange(2, 7))]
    if resumed or rng.random() < 0.5:
        options += ["--resume", "state.part"]  # where there is none yet, it begins
    elif os.path.exists("state.part"):
        os.remove("state.part")
    number = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
    child = subprocess.Popen(command(scene, *options), stderr=subprocess.PIPE, start_new_session=True,
                             preexec_fn=lambda: [signal.signal(s, signal.SIG_DFL) for s in (signal.SIGINT, signal.SIGHUP)])
    if rng.random() < 0.3:
        time.sleep(rng.random() * 0.3 + 0.1)
        child.send_signal(signal.SIGUSR1) if child.poll() is None and rng.random() < 0.5 else None
    try:
        child.wait(rng.random() ** 2 * 1.2 + 0.1)
    except subprocess.TimeoutExpired:
        child.send_signal(number)
    said = child.communicate(timeout=PATIENCE)[1].decode()
    status = child.returncode
    if status in (0, 3):
        return True
    if status not in (-number, 128 + number, -signal.SIGUSR1):
        sys.exit("%s %s: status %d after signal %d: %s" % (scene, options, status, number, said))
    return False


def stops(rng, count):
    names, done, pictures, kept, channels = strategies(), 0, 0, 0, 0
    while done < count:
        scene = rng.choice(list(SCENES))
        look = draw_look(rng, scene)
        expected, state = whole(scene, look)
        if os.path.exists("state.part"):
            os.remove("state.part")
        finished = stop_once(rng, scene, look, names, False)
        while not finished:
            done += 1
            kept += os.path.exists("state.part")
            channels += look[0] == "exr"
            finished = stop_once(rng, scene, look, names, True)
        if read(scene + "." + look[0]) != expected:
            sys.exit("%s: other bytes after stops" % scene)
        if read("state.part") != state:
            sys.exit("%s: the state is not that of a whole run: %s" % (scene, describe("state.part")))
        pictures += 1
    left = [name for name in os.listdir(".") if name.startswith(".lbrender-")]
    print("%d stops, %d with a state to go on from, %d of pictures with channels; %d pictures, the same bytes" % (done, kept, channels, pictures))
    if len(left) > 1:
        sys.exit("temporary files are left: %s" % left)


def cuts(rng, samples, count):
    """0 = a < b < .. = samples, of `count` ranges at most."""
    inner = rng.sample(range(1, samples), min(count, samples) - 1)
    return [0, *sorted(inner), samples]


def merges(rng, count):
    names = strategies()
    scenes = ["room", "headlight", "mandelbrot"]
    for number in range(count):
        scene = scenes[number % len(scenes)]
        look = ending, options = draw_look(rng, scene)
        expected, state = whole(scene, look)
        samples = int(SCENES[scene][1].split("=")[1])
        ranges = rng.choice([1, 1, 2, 5])
        edges, shares = cuts(rng, samples, ranges), rng.randrange(1, 64 // ranges + 1)
        weights = "" if rng.random() < 0.5 else "," + ",".join(str(rng.randrange(1, 20)) for _ in range(shares))
        parts = []
        for begin, end in zip(edges, edges[1:]):
            for share in range(1, shares + 1):
                parts.append("%d-%d.part" % (begin, share))
                subprocess.run(command(scene, *options, "--share=%d/%d%s" % (share, shares, weights), "--samples=%d:%d" % (begin, end), "--part", parts[-1],
                                       "--strategy", rng.choice(names), "--devices", rng.choice(DEVICES[:6])), check=True, timeout=PATIENCE)
        rng.shuffle(parts)
        if len(parts) > 4 and rng.random() < 0.5:  # some are joined before
            some = rng.randrange(2, len(parts))
            subprocess.run([LBRENDER, "-q", "--merge", *parts[:some], "--part", "joined.part"], check=True, timeout=PATIENCE)
            parts = ["joined.part", *parts[some:]]
            rng.shuffle(parts)
        joined = "joined." + ending
        subprocess.run([LBRENDER, "-q", "--merge", *parts, "-o", joined, "--part", "joined.whole"], check=True, timeout=PATIENCE)
        if read(joined) != expected or read("joined.whole") != state:
            sys.exit("%s: other bytes from %d parts" % (scene, len(parts)))
        if len(parts) > 1:
            lacking = subprocess.run([LBRENDER, "-q", "--merge", *parts[1:], "-o", "none.pfm"], capture_output=True, text=True)
            if lacking.returncode != 1 or "missing" not in lacking.stderr and "0 of" not in describe(parts[0]):
                sys.exit("%s: %s was not missed: %s" % (scene, parts[0], lacking.stderr))
        for name in os.listdir("."):
            if name.endswith(".part"):
                os.remove(name)
    print("%d pictures divided and joined, the same bytes" % count)


def main():
    what = sys.argv[1]
    rng = random.Random(int(os.environ.get("LB_SEED", "1")))
    if what == "stops":
        stops(rng, int(os.environ.get("LB_STOPS", "12")))
    else:
        merges(rng, int(os.environ.get("LB_STOPS", "6")))


main()
