#!/usr/bin/env python3
"""What scenes cost that use nothing new, beside the program as it was at an earlier commit: CPU time in pairs, instructions by callgrind,
and whether the bytes are the same. Both programs of a pair run at once, a thread each, on the same core: its scheduler gives them turns, so
that whatever else the machine does weighs on both alike. Their CPU times count, from the start to the end of the program. Prints CSV.

usage: before_pairs.py COMMIT [SCENE.pbrt ...]      without scenes: the ten of ../shared/data
The program at COMMIT is built in build/pairs/COMMIT.

LB_CORE     the core (0)
LB_PAIRS    how many pairs a scene (5)
LB_SECONDS  about how long a program renders in one of them (10)
LB_COUNT    0: no instructions are counted, which takes minutes for scenes that load for seconds
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

from at_once import cpu_seconds, start
from earlier import ROOT, program_at

DATA = os.path.join(ROOT, "..", "shared", "data", "scenes")
SCENES = ["%s/%s" % (name, name) for name in ["caustic-glass", "coffee", "cornell-box", "dining-room", "dragon", "dragon-instances",
                                              "sponza", "staircase2", "teapot"]] + ["features/material-dielectric-rough"]
CORE = int(os.environ.get("LB_CORE", "0"))
PAIRS = int(os.environ.get("LB_PAIRS", "5"))
SECONDS = float(os.environ.get("LB_SECONDS", "10"))
COUNT = os.environ.get("LB_COUNT", "1") != "0"
SIZE = "--resolution=160x120"


def command(program, scene, folder, *options):
    """Its picture is folder/PLACE.pfm, where PLACE is that of the program's folder."""
    picture = os.path.join(folder, os.path.basename(os.path.dirname(os.path.dirname(program))) + ".pfm")
    return [program, "-q", "--no-cache", "-t", "1", "--passes=1", "-o", picture, *options, scene]


def instructions(arguments, folder):
    out = os.path.join(folder, "callgrind")
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out, *arguments], check=True, capture_output=True,
                          text=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def rendering(program, scene, folder):
    """The instructions of 8 samples a pixel, without those of loading."""
    few = [instructions(command(program, scene, folder, "--isa=avx2", "--resolution=32x24", "--spp=%d" % spp), folder) for spp in (1, 9)]
    return few[1] - few[0]


def same_bytes(programs, scene, folder):
    pictures = []
    for program in programs:
        arguments = command(program, scene, folder, "--resolution=64x48", "--spp=4")
        subprocess.run(arguments, check=True)
        with open(arguments[arguments.index("-o") + 1], "rb") as file:
            pictures.append(file.read())
    return "yes" if pictures[0] == pictures[1] else "no"


def samples_for(program, scene, folder):
    """So many that rendering takes about SECONDS."""
    short = [cpu_seconds([start(CORE, command(program, scene, folder, SIZE, "--spp=%d" % spp))])[0] for spp in (1, 9)]
    return max(1, round(8 * SECONDS / max(0.01, short[1] - short[0])))


def row(programs, scene, folder):
    spp = samples_for(programs[0], scene, folder)
    ratios, sums = [], [0.0, 0.0]
    for turn in range(PAIRS):
        order = [0, 1] if turn % 2 == 0 else [1, 0]
        seconds = cpu_seconds([start(CORE, command(programs[i], scene, folder, SIZE, "--spp=%d" % spp)) for i in order])
        before, after = seconds[order[0]], seconds[order[1]]
        ratios.append(after / before - 1)
        sums = [sums[0] + before, sums[1] + after]
    percent = lambda part: "%+.2f %%" % (100 * part)
    counted = [rendering(program, scene, folder) for program in programs] if COUNT else None
    name = os.path.splitext(os.path.basename(scene))[0]
    return ratios, [name, str(spp), "%.1f" % (sums[0] / PAIRS), "%.1f" % (sums[1] / PAIRS), percent(statistics.median(ratios)),
                    percent(min(ratios)), percent(max(ratios)), percent(counted[1] / counted[0] - 1) if counted else "", same_bytes(programs, scene, folder)]


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", sys.argv[1]], check=True, capture_output=True, text=True).stdout.strip()
    now = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    programs = program_at(commit), os.environ.get("LBRENDER") or os.path.join(ROOT, "build", "lbrender")
    scenes = sys.argv[2:] or [os.path.join(DATA, name + ".pbrt") for name in SCENES]
    print("# %s, %s beside %s, one thread each on the same core, %d pairs a scene" % (time.strftime("%F", time.gmtime()), now, commit, PAIRS))
    print("scene,samples,CPU s before,CPU s now,median,least,most,instructions,same bytes", flush=True)
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for scene in scenes:
            found, line = row(programs, scene, folder)
            ratios += found
            print(",".join(line), flush=True)
    print("median of all pairs,,,,%+.2f %%,,,," % (100 * statistics.median(ratios)))


main()
