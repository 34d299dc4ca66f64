#!/usr/bin/env python3
"""What growing passes, checkpoints and channels that nobody asks for cost, in CPU time on ten scenes: for an idle machine. Runs come in pairs,
one right after the other, the first of which changes from round to round; loading, which both do, is taken off. Prints CSV: the median of
each scene's pairs, and that of all.

usage: parts_pairs.py [--small] [LBRENDER]      --small: pictures of a 64th, to see that it works

growing passes    a still of 512 x 512 pixels, 48 samples each (192 of a Mandelbrot set), the fewest of three passes: over one pass
--checkpoint 60   one checkpoint of 1920 x 1080 pixels, most of them there, over a minute of all threads; beside the part at the end
unused channels   the commit that gave pictures channels over the one before it, of pictures without: both are built in build/pairs,
                  minutes that are not counted

LB_MINUTES   no round begins after so many (8); a round takes about three on two CPUs
LB_ONLY      one of growing, checkpoint and channels: nothing but that
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(ROOT, "..", "shared", "data", "scenes")
SCENES = [os.path.join(ROOT, "samples", name) for name in ["headlight", "instances", "materials", "room", "mandelbrot"]] + [
    os.path.join(DATA, name, name) for name in ["cornell-box", "teapot", "killeroo", "coffee", "dining-room"]]
SMALL = "--small" in sys.argv
KINDS = [os.environ["LB_ONLY"]] if "LB_ONLY" in os.environ else ["growing", "checkpoint", "channels"]
STILL = "64x64" if SMALL else "512x512"
LARGE = "240x135" if SMALL else "1920x1080"
THREADS = len(os.sched_getaffinity(0))


def run(program, scene, *options, watched=None):
    """CPU seconds and seconds of a run; and how many files followed each other at the path `watched`."""
    files = set()
    begin = time.monotonic()
    child = subprocess.Popen([program, "-q", "--no-cache", "-t", str(THREADS), "-o", "none", *options, scene + ".pbrt"])
    while watched and os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if os.path.exists(watched):
            files.add(os.stat(watched).st_ino)
        time.sleep(0.01)
    status, usage = os.wait4(child.pid, 0)[1:]
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit("%s: status %d" % (" ".join(child.args), child.returncode))
    if watched:
        files.add(os.stat(watched).st_ino)
        os.remove(watched)
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin, len(files)


def pair(first, second, turn):
    """What both functions return, of which the second is called first in every other round."""
    if turn % 2:
        later = second()
        return first(), later
    return first(), second()


def build(commit, folder):
    """The program as it was at a commit."""
    path = os.path.join(ROOT, "build", "pairs", folder)
    program = os.path.join(path, "build", "lbrender")
    if not os.path.exists(program):
        os.makedirs(path, exist_ok=True)
        files = subprocess.run(["git", "-C", ROOT, "archive", commit], check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", path], input=files, check=True)
        subprocess.run(["make", "-s", "-j%d" % THREADS, "CUDA=0", "all"], cwd=path, check=True, stdout=sys.stderr)
    return program


def programs_of_channels():
    found = subprocess.run(["git", "-C", ROOT, "log", "--format=%H", "--grep=^Give EXR pictures channels"], capture_output=True, text=True)
    commit = found.stdout.strip()
    if not commit:
        print("parts_pairs.py: the commit that gave pictures channels is not in this history", file=sys.stderr)
        return None
    return build(commit + "^", "before"), build(commit, "after")


class Scene:
    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)
        self.samples = 192 if self.name == "mandelbrot" else 48
        self.costs = {"growing": [], "checkpoint": [], "channels": []}

    def measure(self, program, programs, folder, turn):
        still = ["--resolution=" + STILL, "--spp=%d" % self.samples]
        load = run(program, self.path, "--resolution=1x1", "--spp=1")
        if "growing" in KINDS:
            # A small still does not grow by itself.
            grown = [*still, "--passes=3"] if SMALL else still
            one, grows = pair(lambda: run(program, self.path, *still, "--passes=1"), lambda: run(program, self.path, *grown), turn)
            self.costs["growing"].append((grows[0] - load[0]) / (one[0] - load[0]) - 1)
        if "checkpoint" in KINDS:
            self.measure_checkpoint(program, folder, load)
        if programs:
            plain = ["--resolution=" + STILL, "--spp=%d" % (self.samples // 12), "--passes=1"]
            before, after = pair(lambda: run(programs[0], self.path, *plain), lambda: run(programs[1], self.path, *plain), turn)
            self.costs["channels"].append((after[0] - load[0]) / (before[0] - load[0]) - 1)

    def measure_checkpoint(self, program, folder, load):
        part = os.path.join(folder, "x.part")
        large = ["--resolution=" + LARGE, "--spp=%d" % (self.samples // 12 if SMALL or self.name == "mandelbrot" else 1), "--passes=1"]
        whole = run(program, self.path, *large, "--part=" + part)
        interval = "%s,%.3f" % (part, max(0.01, 0.75 * (whole[1] - load[1])))
        kept = run(program, self.path, *large, "--checkpoint=" + interval, watched=part)
        if kept[2] == 2:  # one on the way, and that at the end
            self.costs["checkpoint"].append((kept[0] - whole[0]) / (60 * THREADS))


def percent(values):
    return "%.2f %%" % (100 * statistics.median(values)) if values else ""


def main():
    rest = [word for word in sys.argv[1:] if word != "--small"]
    program = rest[0] if rest else os.path.join(ROOT, "build", "lbrender")
    scenes = [Scene(path) for path in SCENES if os.path.exists(path + ".pbrt")]
    programs = programs_of_channels() if "channels" in KINDS else None
    begin, turn = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        while turn == 0 or time.monotonic() - begin < 60 * float(os.environ.get("LB_MINUTES", "8")):
            for scene in scenes:
                scene.measure(program, programs, folder, turn)
            turn += 1
            print("parts_pairs.py: %d rounds, %.0f s" % (turn, time.monotonic() - begin), file=sys.stderr)
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    print("# %s, commit %s, %d threads, %d rounds" % (time.strftime("%F", time.gmtime()), commit, THREADS, turn))
    print("scene,growing passes,--checkpoint 60,unused channels")
    kinds = ["growing", "checkpoint", "channels"]
    for scene in scenes:
        print(",".join([scene.name, *(percent(scene.costs[kind]) for kind in kinds)]))
    print(",".join(["median of all pairs", *(percent([cost for scene in scenes for cost in scene.costs[kind]]) for kind in kinds)]))


main()
