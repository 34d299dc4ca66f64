#!/usr/bin/env python3
"""What growing passes, checkpoints and channels that nobody asks for cost, in CPU time on ten scenes. Both runs of a pair go at the same
time on the same CPU, one thread each, so that the system slices them and whatever else the machine does slows both: each CPU has a pair,
and as many again in which the other run is begun first. Loading, which both do, is taken off. Prints CSV: the median of each scene's
pairs, and that of all.

usage: parts_pairs.py [--small] [LBRENDER]      --small: pictures of a 64th, to see that it works

same           the still below with one pass, twice: how well this measures
two passes     a still of 320 x 320 pixels, 48 samples each (192 of a Mandelbrot set), the fewest that grow in two passes: over one pass
three passes   one of 192 x 192 pixels, 128 samples each (512), the fewest that grow in three passes
checkpoint     one checkpoint of 1920 x 1080 pixels, most of them there, over a minute of the thread; beside the part at the end
channels       the commit that gave pictures channels over the one before it, of pictures without: both are built in build/pairs

LB_ROUNDS    rounds over all scenes (1), each two pairs a CPU: about 20 minutes on two idle CPUs
LB_ONLY      some of these columns, with commas between them
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

from earlier import ROOT, program_at

DATA = os.path.join(ROOT, "..", "shared", "data", "scenes")
SCENES = [os.path.join(ROOT, "test/scenes", name) for name in ["headlight", "instances", "materials"]] + [
    os.path.join(ROOT, "samples", name) for name in ["room", "mandelbrot"]] + [
    os.path.join(DATA, name, name) for name in ["cornell-box", "teapot", "killeroo", "coffee", "dining-room"]]
SMALL = "--small" in sys.argv
COLUMNS = os.environ.get("LB_ONLY", "same,two passes,three passes,checkpoint,channels").split(",")
LARGE = "240x135" if SMALL else "1920x1080"
CPUS = sorted(os.sched_getaffinity(0))


class Run:
    """A program at work on one thread of a CPU; `part`: the part that it keeps, of which there may be one after another."""

    def __init__(self, cpu, program, scene, *options, part=None):
        self.part, self.files, self.begin = part, set(), time.monotonic()
        parts = ["--part=" + part] if part and not any(word.startswith("--checkpoint") for word in options) else []
        self.child = subprocess.Popen([program, "-q", "--no-cache", "-t", "1", "-o", "none", *options, *parts, scene + ".pbrt"],
                                      preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))

    def look(self):
        """Whether it is at work still; the files that followed each other at the part's path are counted meanwhile."""
        if self.part and os.path.exists(self.part):
            self.files.add(os.stat(self.part).st_ino)
        return os.waitid(os.P_PID, self.child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None

    def end(self):
        status, usage = os.wait4(self.child.pid, 0)[1:]
        self.child.returncode = os.waitstatus_to_exitcode(status)
        if self.child.returncode:
            sys.exit("%s: status %d" % (" ".join(self.child.args), self.child.returncode))
        self.cpu_seconds, self.seconds = usage.ru_utime + usage.ru_stime, time.monotonic() - self.begin
        return self


def at_once(*runs):
    """All runs once they have ended."""
    while any([run.look() for run in runs]):
        time.sleep(0.01)
    return [run.end() for run in runs]


def pairs(one, other):
    """Pairs of ended runs: of each CPU two, in the second of which the other run is begun first."""
    found = []
    for turn in (0, 1):
        runs = []
        for cpu in CPUS:
            runs += [one(cpu), other(cpu)] if turn == 0 else [other(cpu), one(cpu)]
        at_once(*runs)
        found += [(runs[i + turn], runs[i + 1 - turn]) for i in range(0, len(runs), 2)]
    return found


def programs_of_channels():
    found = subprocess.run(["git", "-C", ROOT, "log", "--format=%H %P", "--grep=^Give EXR pictures channels"], capture_output=True, text=True)
    if not found.stdout.strip():
        sys.exit("parts_pairs.py: the commit that gave pictures channels is not in this history")
    commit, before = found.stdout.split()
    return program_at(before), program_at(commit)


class Scene:
    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)
        self.times = 4 if self.name == "mandelbrot" else 1  # as many samples
        self.costs = {column: [] for column in COLUMNS}

    def load(self, program):
        return statistics.median(run.cpu_seconds for run in
                                 at_once(*[Run(cpu, program, self.path, "--resolution=1x1", "--spp=1") for cpu in CPUS]))

    def ratios(self, programs, options):
        """By how much the second of two programs, each with its options, takes longer."""
        loads = [self.load(program) for program in programs]
        found = pairs(*[lambda cpu, i=i: Run(cpu, programs[i], self.path, *options[i]) for i in (0, 1)])
        return [(other.cpu_seconds - loads[1]) / (one.cpu_seconds - loads[0]) - 1 for one, other in found]

    def growing(self, program, size, samples, passes):
        still = ["--resolution=%dx%d" % ((size // 8, size // 8) if SMALL else (size, size)), "--spp=%d" % (samples * self.times)]
        # A small still does not grow by itself.
        grown = [*still, "--passes=%d" % passes] if SMALL or passes == 1 else still
        return self.ratios([program, program], [[*still, "--passes=1"], grown])

    def channels(self, programs):
        plain = ["--resolution=" + ("64x64" if SMALL else "512x512"), "--spp=%d" % (16 * self.times), "--passes=1"]
        return self.ratios(programs, [plain, plain])

    def checkpoint(self, program):
        large = ["--resolution=" + LARGE, "--spp=%d" % (4 if SMALL or self.times > 1 else 1), "--passes=1"]
        with tempfile.TemporaryDirectory() as folder:
            def whole(cpu):
                return Run(cpu, program, self.path, *large, part="%s/%d-whole" % (folder, cpu))
            trial = at_once(*[whole(cpu) for cpu in CPUS for _ in (0, 1)])
            late = 0.75 * (statistics.median(run.seconds for run in trial) - 2 * self.load(program))

            def kept(cpu):
                part = "%s/%d-kept" % (folder, cpu)
                if os.path.exists(part):
                    os.remove(part)
                return Run(cpu, program, self.path, *large, "--checkpoint=%s,%.3f" % (part, max(0.01, late)), part=part)
            # Two files: one on the way, and that at the end.
            return [(other.cpu_seconds - one.cpu_seconds) / 60 for one, other in pairs(whole, kept) if len(other.files) == 2]

    def measure(self, column, program):
        measures = {"same": lambda: self.growing(program, 320, 48, 1), "two passes": lambda: self.growing(program, 320, 48, 2),
                    "three passes": lambda: self.growing(program, 192, 128, 3), "checkpoint": lambda: self.checkpoint(program),
                    "channels": lambda: self.channels(programs_of_channels())}
        return measures[column]()


def percent(values):
    return "%.2f %%" % (100 * statistics.median(values)) if values else ""


def main():
    rest = [word for word in sys.argv[1:] if word != "--small"]
    program = rest[0] if rest else os.path.join(ROOT, "build", "lbrender")
    scenes = [Scene(path) for path in SCENES if os.path.exists(path + ".pbrt")]
    begin, rounds = time.monotonic(), int(os.environ.get("LB_ROUNDS", "1"))
    for number in range(rounds):
        for scene in scenes:
            for column in COLUMNS:
                scene.costs[column] += scene.measure(column, program)
            print("parts_pairs.py: round %d, %s, %.0f s" % (number + 1, scene.name, time.monotonic() - begin), file=sys.stderr)
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    print("# %s, commit %s, one thread a run, %d pairs a cell" % (time.strftime("%F", time.gmtime()), commit, 2 * rounds * len(CPUS)))
    print(",".join(["scene", *COLUMNS]))
    for scene in scenes:
        print(",".join([scene.name, *(percent(scene.costs[column]) for column in COLUMNS)]))
    print(",".join(["median of all pairs", *(percent([cost for scene in scenes for cost in scene.costs[column]]) for column in COLUMNS)]))


main()
