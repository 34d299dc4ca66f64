#!/usr/bin/env python3
"""What a second of rendering is worth: two programs, or two settings of one, beside each other. Both render each scene with the same seeds,
both programs of a pair at once on one core, a thread each. Pictures of two seeds tell the noise of one without a reference. Prints CSV.

usage: quality.py ONE OTHER [SCENE.pbrt | FOLDER ...]     without scenes: those of ../shared/data (SCENES), or of that folder

ONE and OTHER are commands, as in `quality.py build/lbrender 'build/lbrender --guiding'`; `at COMMIT` stands for the program at a
commit, which is built in build/pairs. A program called pbrt is taken for pbrt-v4. It gets a copy of the scene with the picture's size,
the number of samples and its best sampler. One called blender renders with Cycles the scenes that bench/cycles.py writes.

CPU s         of one picture, without what a picture of one sample and few pixels takes
MSE           mean square error of a picture over the square of its brightness, without the 0.1 % of pixels that are furthest off
gain          MSE x CPU s of ONE over that of OTHER: by how much OTHER is faster at the same quality
low, high     of the gain, with 95 % confidence: pairs of seeds are drawn anew (bootstrap)
untrimmed     the gain with all pixels
equal samples the MSE of ONE over that of OTHER
blurred       the same after a Gaussian with a standard deviation of 1.5 pixels, which is about what eyes do from afar
blocks        difference of both programs' means of 8 x 8 pixels, squared, over what the noise explains: 1 where nothing is biased

LB_CORE       the core (0)
LB_PAIRS      pairs of seeds for each scene (4)
LB_SPP        samples in each pixel (64); LB_OTHER_SPP: of OTHER, if that is to have another number
LB_PIXELS     about how many pixels a picture has (19200)
LB_KEEP       a folder for the pictures of the first seed
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

import pfm
from at_once import cpu_seconds, start
from earlier import ROOT, program_at

DATA = os.path.join(ROOT, "..", "shared", "data", "scenes")
SCENES = ["caustic-glass", "coffee", "cornell-box", "dining-room", "dragon", "dragon-instances", "killeroo", "sponza", "staircase2", "teapot"]
CORE = int(os.environ.get("LB_CORE", "0"))
PAIRS = int(os.environ.get("LB_PAIRS", "4"))
SPP = int(os.environ.get("LB_SPP", "64"))
PIXELS = int(os.environ.get("LB_PIXELS", "19200"))
TRIMMED, BLOCK, BLUR = 0.001, 8, 1.5


def read_pfm(path):
    width, height, values = pfm.read(path)
    return np.array(values, "f8").reshape(height, width, 3)


class Scene:
    def __init__(self, path):
        self.path, self.name = path, os.path.splitext(os.path.basename(path))[0]
        with open(path) as file:
            self.text = file.read()
        found = [re.search(r'"integer %sresolution"\s*\[?\s*(\d+)' % axis, self.text) for axis in "xy"]
        width, height = [int(match[1]) if match else size for match, size in zip(found, (1280, 720))]
        scale = (PIXELS / (width * height)) ** 0.5
        self.size = [max(BLOCK, round(scale * side / BLOCK) * BLOCK) for side in (width, height)]

    def for_pbrt(self, folder, size, spp):
        """A copy beside links to all that it may name, in its folder and in the one above."""
        home = os.path.dirname(os.path.abspath(self.path))
        above, own = os.path.split(home)
        where = os.path.join(tempfile.mkdtemp(dir=folder), own)
        os.mkdir(where)
        for linked, place, left_out in (above, os.path.dirname(where), own), (home, where, os.path.basename(self.path)):
            for name in os.listdir(linked):
                if name != left_out:
                    os.symlink(os.path.join(linked, name), os.path.join(place, name))
        text = re.sub(r'\n\s*Sampler[^\n]*(\n\s*"[^\n]*)*', "", self.text)
        for axis, side in zip("xy", size):
            text = re.sub(r'("integer %sresolution"\s*\[?\s*)\d+' % axis, r"\g<1>%d" % side, text)
        path = os.path.join(where, os.path.basename(self.path))
        with open(path, "w") as file:
            file.write('Sampler "zsobol" "integer pixelsamples" %d\n' % spp + text)
        return path


class Setting:
    """A program with its options."""

    def __init__(self, words, spp):
        self.words = shlex.split(words)
        self.spp = spp
        if self.words[0] == "at":
            self.words[:2] = [program_at(self.words[1])]
        self.pbrt, self.blender = [any(os.path.basename(word) == name for word in self.words) for name in ("pbrt", "blender")]

    def command(self, scene, folder, size, spp, seed, picture):
        if self.pbrt:
            path = scene.for_pbrt(folder, size, spp)
            return [*self.words, "--quiet", "--nthreads", "1", "--seed", str(seed), "--outfile", picture, path]
        if self.blender:
            script = os.path.join(ROOT, "bench", "cycles.py")
            return [*self.words, "-b", "-t", "1", "--python", script, "--", scene.path, *map(str, size), str(spp), str(seed), "1", picture]
        passes = [] if "--adaptive" in self.words else ["--passes=1"]
        # Few samples are asked for where the time that loading takes is to be known: too few for --adaptive, and what --guiding learns is not of it.
        words = [word for word in self.words if spp >= 16 or word.split("=")[0] not in ("--adaptive", "--guiding")]
        return [*words, "-q", "--no-cache", "-t", "1", *passes, "--resolution=%dx%d" % tuple(size), "--spp=%d" % spp,
                "--seed=%d" % seed, "-o", picture, scene.path]


def render(settings, scene, folder, seed, size, samples):
    """CPU seconds and pictures of both, at once on one core; they begin in turns."""
    order = [0, 1] if seed % 2 else [1, 0]
    names = [os.path.join(folder, "%d.pfm" % i) for i in (0, 1)]
    commands = [settings[i].command(scene, folder, size, samples[i], seed, names[i]) for i in order]
    children = [start(CORE, command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for command in commands]
    seconds = cpu_seconds(children)
    return [seconds[order.index(i)] for i in (0, 1)], [read_pfm(name) for name in names]


def blurred(picture):
    reach = np.arange(-5, 6)
    kernel = np.exp(-reach ** 2 / (2 * BLUR ** 2))
    kernel /= kernel.sum()
    for axis in (0, 1):
        padded = np.pad(picture, [(5, 5) if i == axis else (0, 0) for i in range(3)], "reflect")
        picture = sum(weight * np.take(padded, range(k, k + picture.shape[axis]), axis) for k, weight in enumerate(kernel))
    return picture


def errors(pictures, brightness, trimmed):
    """Relative mean square error of a picture, from each pair of seeds."""
    found = []
    for a, b in zip(pictures[0::2], pictures[1::2]):
        squares = np.sort((((a - b) ** 2).mean(2) / 2 / brightness ** 2).ravel())
        found.append(squares[:len(squares) - int(trimmed * len(squares))].mean())
    return np.array(found)


def bias(all_pictures, brightness):
    def means(picture):
        height, width = picture.shape[0] // BLOCK, picture.shape[1] // BLOCK
        return picture[:height * BLOCK, :width * BLOCK].reshape(height, BLOCK, width, BLOCK, -1).mean((1, 3))
    weight = means(brightness[:, :, None]) ** -2
    one, other = [np.array([means(picture) for picture in pictures]) for pictures in all_pictures]
    square = ((one.mean(0) - other.mean(0)) ** 2 * weight).mean(2).ravel()
    noise = ((one.var(0, ddof=1) + other.var(0, ddof=1)) / len(one) * weight).mean(2).ravel()
    kept = np.argsort(square + noise)[:len(square) - len(square) // 100]
    return square[kept].sum() / max(noise[kept].sum(), 1e-30)


def row(settings, scene, folder):
    # The first that runs reads the scene's files for the first time.
    loads = [render(settings, scene, folder, seed, [8, 8], [1, 1])[0] for seed in range(1, 4)][1:]
    load = np.mean(loads, axis=0)
    samples = [setting.spp for setting in settings]
    rounds = [render(settings, scene, folder, seed, scene.size, samples) for seed in range(1, 2 * PAIRS + 1)]
    if "LB_KEEP" in os.environ:
        for i in (0, 1):
            shutil.copy(os.path.join(folder, "%d.pfm" % i), os.path.join(os.environ["LB_KEEP"], "%s-%d.pfm" % (scene.name, i)))
    pictures = [[shown[i] for _, shown in rounds] for i in (0, 1)]
    seconds = np.array([cpu for cpu, _ in rounds]) - load
    # Any weight is fair that is the same for both: the median over all pictures, which knows no fireflies.
    brightness = np.median(np.array(pictures[0] + pictures[1]).mean(3), axis=0)
    brightness = np.sqrt(brightness ** 2 + (0.1 * brightness.mean()) ** 2)
    mse, whole = [[errors(pictures[i], brightness, trimmed) for i in (0, 1)] for trimmed in (TRIMMED, 0)]
    soft = [errors([blurred(picture) for picture in pictures[i]], brightness, TRIMMED).mean() for i in (0, 1)]
    time_ratio = seconds[:, 0].sum() / seconds[:, 1].sum()
    gain = mse[0].mean() / mse[1].mean() * time_ratio
    rng = np.random.default_rng(1)
    drawn = rng.integers(0, PAIRS, (4000, PAIRS))
    times = seconds.reshape(PAIRS, 2, 2).sum(1)
    gains = (mse[0][drawn].sum(1) * times[drawn, 0].sum(1)) / (mse[1][drawn].sum(1) * times[drawn, 1].sum(1))
    low, high = np.percentile(gains, [2.5, 97.5])
    return gain, [scene.name, *("%.2f" % s for s in seconds.mean(0)), *("%.3e" % e.mean() for e in mse), "%.3f" % gain, "%.3f" % low, "%.3f" % high,
                  "%.3f" % (whole[0].mean() / whole[1].mean() * time_ratio), "%.3f" % (mse[0].mean() / mse[1].mean()),
                  "%.3f" % (soft[0] / soft[1]), "%.2f" % bias(pictures, brightness)]


def scenes_of(paths):
    return [Scene(os.path.join(path, name, name + ".pbrt") if name else path) for path in paths or [DATA]
            for name in (SCENES if os.path.isdir(path) else [None])]


def print_origin(how):
    """The line above a table's figures."""
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    cpu = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
    print("# %s, %s, commit %s, one thread each on the same core, %s" %
          (time.strftime("%F", time.gmtime()), cpu[1] if cpu else "unknown CPU", commit, how))


def main():
    if len(sys.argv) < 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    settings = [Setting(words, int(os.environ.get(name, SPP))) for words, name in zip(sys.argv[1:3], ("LB_SPP", "LB_OTHER_SPP"))]
    scenes = scenes_of(sys.argv[3:])
    print_origin("%d pairs of seeds, %s samples" % (PAIRS, " and ".join(dict.fromkeys(str(setting.spp) for setting in settings))))
    print("scene,CPU s,of OTHER,MSE,of OTHER,gain,low,high,untrimmed,equal samples,blurred,blocks", flush=True)
    gains = []
    with tempfile.TemporaryDirectory() as folder:
        for scene in scenes:
            gain, line = row(settings, scene, folder)
            gains.append(gain)
            print(",".join(line), flush=True)
    print("geometric mean,,,,,%.3f,,,,,," % np.exp(np.mean(np.log(gains))))


if __name__ == "__main__":
    main()
