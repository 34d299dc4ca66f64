#!/usr/bin/env python3
"""What adaptive sampling can bring: the variance of every pixel is found from many seeds, and from it the error that numbers of samples
would leave which know it. Prints CSV.

usage: adaptive_bound.py PROGRAM [SCENE.pbrt ...]     without scenes: those of bench/quality.py

Each column is the mean square error of even samples over that of others, as many in all, beside the square of the brightness around each
pixel, without the 0.1 % of pixels that are furthest off:

itself    numbers that follow each pixel's noise as all seeds tell it, judged by the same, which flatters them: no rule has more
known     numbers that follow it as half of the seeds tell it, judged by the other half
nine      numbers that follow the noise of it and the eight pixels around it, told and judged likewise
3x3 ..    numbers that follow the noise of the pixels around it, without its own, in squares of 3, 5 and 9 pixels
program   those of --adaptive

LB_SEEDS  seeds for even samples (16); --adaptive gets half as many
LB_SPP    samples in each pixel (64)
LB_PIXELS about how many pixels a picture has (4800)
"""
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("LB_PIXELS", "4800")

import numpy as np

import quality

SEEDS = int(os.environ.get("LB_SEEDS", "16"))
LEAST, MOST = 0.25, 8  # samples that --adaptive may give to a pixel, over the mean
DARK, DOUBT = 0.1, 0.1  # as core/run/adaptive.c and core/run/noise_around.c have them


def pictures(program, scene, folder, words, seeds):
    out = os.path.join(folder, "out.pfm")
    size = "--resolution=%dx%d" % tuple(scene.size)
    for seed in range(1, seeds + 1):
        subprocess.run([program, "-q", "--lenient", "--no-cache", size, "--spp=%d" % quality.SPP, "--seed=%d" % seed, *words, "-o", out,
                        scene.path], check=True, stderr=subprocess.DEVNULL)
        yield quality.read_pfm(out)


def around(values, reach, own):
    """The mean over squares, with or without the pixel itself."""
    padded = np.pad(values, reach, mode="edge")
    height, width = values.shape
    side = 2 * reach + 1
    total = sum(padded[i:i + height, j:j + width] for i in range(side) for j in range(side))
    return total / side ** 2 if own else (total - values) / (side ** 2 - 1)


def numbers(noise):
    """Samples over the mean that follow the noise."""
    low, high = 1e-9, 1e12
    for _ in range(200):
        scale = (low * high) ** 0.5
        if np.clip(scale * noise, LEAST, MOST).mean() > 1:
            high = scale
        else:
            low = scale
    return np.clip(low * noise, LEAST, MOST)


def trimmed(errors):
    errors = np.sort(errors.ravel())
    return errors[:len(errors) - int(quality.TRIMMED * len(errors))].mean()


def gain(variance, by):
    """Of numbers that follow one noise, by a variance that need not be the one it is of."""
    noise = np.sqrt(by)
    return trimmed(variance) / trimmed(variance / numbers(noise + DOUBT * noise.mean()))


def row_of(program, scene, folder):
    even = np.array(list(pictures(program, scene, folder, ["--passes=1"], SEEDS)))
    adaptive = np.array(list(pictures(program, scene, folder, ["--adaptive"], SEEDS // 2)))
    bright = around(even.mean((0, 3)), 1, True)
    bright = np.maximum(bright, DARK * bright.mean()) ** 2
    variance, left = [some.var(0, ddof=1).mean(2) / bright for some in (even, adaptive)]
    halves = [even[k::2].var(0, ddof=1).mean(2) / bright for k in (0, 1)]
    yield gain(variance, variance)
    yield np.mean([gain(halves[1 - k], halves[k]) for k in (0, 1)])
    yield np.mean([gain(halves[1 - k], around(halves[k], 1, True)) for k in (0, 1)])
    for reach in (1, 2, 4):
        yield gain(variance, around(variance, reach, False))
    yield trimmed(variance) / trimmed(left)


def main():
    program = sys.argv[1]
    paths = sys.argv[2:] or [os.path.join(quality.DATA, name, name + ".pbrt") for name in quality.SCENES]
    print("scene,itself,known,nine,3x3,5x5,9x9,program")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            scene = quality.Scene(path)
            rows.append(list(row_of(program, scene, folder)))
            print(scene.name, *("%.3f" % value for value in rows[-1]), sep=",", flush=True)
    print("median", *("%.3f" % value for value in np.median(rows, 0)), sep=",")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main()
