#!/usr/bin/env python3
"""Random signals to random runs: they end soon, with status 0 or 128 + n, and leave no temporary file.

usage: signals.py LBRENDER SAMPLES DATA     in an empty folder; LB_SIGNAL_RUNS rounds (300), LB_SIGNAL_SEED (1)
"""
import collections
import glob
import os
import random
import shutil
import signal
import subprocess
import sys
import time

SCENE = """Film "rgb" "integer xresolution" 40 "integer yresolution" 30
Sampler "independent" "integer pixelsamples" 4
Integrator "mandelbrot" "integer maxiterations" 60
WorldBegin
"""
DEVICES = ["cpu", "cpu:3", "null:speed=3", "2*null:speed=4000", "cpu:1,null:speed=20000", "null:code=wave", "cpu:2,2*null:fail=0.1"]
OUTPUTS = {"--report": "r.json", "--trace": "t.json", "--partition-map": "p.png", "--output": "o.pfm"}
LONGEST = 20  # seconds after which a run that goes on is ended, and counts as bad

program, samples, data = map(os.path.abspath, sys.argv[1:4])
draw = random.Random(int(os.environ.get("LB_SIGNAL_SEED", 1)))


def list_strategies():
    lines = subprocess.run([program, "--list-strategies"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [line.split()[0] for line in lines]


def choose(folder, strategies, scenes):
    """The options of a run."""
    with open(os.path.join(folder, "view.pbrt"), "w") as file:
        file.write(SCENE)
    scene = draw.choice(["view.pbrt", os.path.join(samples, "room.pbrt")])
    strategy, devices = "--strategy=" + draw.choice(strategies), "--devices=" + draw.choice(DEVICES)
    kind = draw.choice(["render", "deep", "frames", "outputs", "outputs", "load", "simulate", "compare"])
    if kind == "render":
        return [scene, strategy, devices, "--spp=%d" % draw.choice([1, 16, 400])]
    if kind == "deep":
        return [scene, strategy, devices, "--spp=%d" % draw.choice([200000, 16777216])]
    if kind == "frames":
        return [scene, strategy, devices, "--frames=0-40", "--spp=2", "-o", "f-##.png"]
    if kind == "outputs":
        for name in OUTPUTS.values():  # there already, so that it is replaced
            open(os.path.join(folder, name), "w").close()
        return [scene, strategy, "--devices=cpu", "--spp=1", "--resolution=400x300", "--passes=3"] + ["=".join(o) for o in OUTPUTS.items()]
    if kind == "load":
        return [draw.choice(scenes), strategy, "--lenient", "--spp=1"]
    if kind == "simulate":
        return [scene, "--simulate=%d" % draw.choice([4, 1000]), draw.choice([strategy, "--compare"])]
    return [scene, devices, "--compare", "--spp=1"]


def run(options, folder):
    """Status as a shell has it, seconds from the last signal to the end, the signals, standard error."""
    environment = dict(os.environ, XDG_CACHE_HOME=os.path.abspath(os.path.join(folder, "cache")))
    child = subprocess.Popen([program, "-q"] + options, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    # Not before main: what a signal does until then is not the program's to say.
    time.sleep(0.05 + draw.random() * draw.choice([0.05, 0.3, 1.5]))
    names = [draw.choice(["INT", "TERM", "HUP"]) for _ in range(draw.choice([1, 1, 2]))]
    for i, name in enumerate(names):
        time.sleep(draw.random() * 0.02 * i)
        begin = time.monotonic()
        child.send_signal(getattr(signal, "SIG" + name))
    try:
        errors = child.communicate(timeout=LONGEST)[1]
    except subprocess.TimeoutExpired:
        child.kill()
        errors = child.communicate()[1] + b"(it did not end)"
    status = child.returncode if child.returncode >= 0 else 128 - child.returncode
    return status, time.monotonic() - begin, names, errors.decode(errors="replace")


def main():
    rounds = int(os.environ.get("LB_SIGNAL_RUNS", 300))
    strategies = list_strategies()
    # Those of what comes later are errors by themselves.
    scenes = glob.glob(os.path.join(data, "scenes", "*", "[!l]*.pbrt")) or [os.path.join(samples, "motion.pbrt")]
    for name in "SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM": # nohup ignores the first, a shell's background the second and third
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    bad, statuses, times = 0, collections.Counter(), []
    for number in range(rounds):
        folder = "run"
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        options = choose(folder, strategies, scenes)
        status, seconds, names, errors = run(options, folder)
        left = [name for _, _, files in os.walk(folder) for name in files if name.startswith(".lbrender")]
        # Status 3 only where a null device was told to fail.
        expected = [0] + [128 + getattr(signal, "SIG" + name) for name in names] + [3] * ("fail=" in " ".join(options))
        statuses[status] += 1
        if status > 128:
            times.append(seconds)
        if status not in expected or left:
            bad += 1
            print("%d: %s %s: status %d after %.2f s, left %s\n%s" % (number, " ".join(options), names, status, seconds, left, errors))
    shutil.rmtree("run", ignore_errors=True)
    times.sort()
    print("%d runs, %d bad; statuses %s; seconds to the end: median %.2f, longest %.2f" % (
        rounds, bad, dict(sorted(statuses.items())), times[len(times) // 2] if times else 0, times[-1] if times else 0))
    return bad > 0


sys.exit(main())
