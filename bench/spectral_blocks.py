#!/usr/bin/env python3
"""Compares blocks of 8 x 8 pixels of the scenes with colours, and buckets of wavelengths, with pbrt-v4's.

usage: spectral_blocks.py LBRENDER [--part=N] [SCENE...]

Renders each scene of ../shared/data/scenes/spectral with two seeds and --spectral, with one in N (1) of the scene's samples. Prints CSV:
of each scene and channel the mean over pbrt's, the standard error of that, the root mean square of the differences of blocks over what
noise would give (z), and as a part of pbrt's own root mean square what of these differences is beyond noise. Buckets have a line each,
which the wavelength in their middle names, and in place of noise the largest difference of a patch: their patches are free of noise here,
as each pixel has all wavelengths equally often. Needs numpy.
"""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

import pfm

DATA = pathlib.Path(__file__).resolve().parents[2] / "shared/data"
REFERENCES = DATA / "references/spectral"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "test"))
import exr  # noqa: E402: the tests read EXR files, too


def blocks(path):
    """The means of 8 x 8 blocks of a PFM file."""
    width, height, values = pfm.read(path)
    return np.array(values, float).reshape(height // 8, 8, width // 8, 8, 3).mean((1, 3))


def patches(path):
    """The means of the middles of 24 patches, in a row of 16 buckets each, by the buckets' names."""
    width, height, values = exr.read(path)
    result = {}
    for name in values:
        if name.startswith("S0."):
            plane = np.array(values[name], float).reshape(4, height // 4, 6, width // 6)
            result[name.replace(",", ".")] = plane[:, 4:12, :, 4:12].mean((1, 3)).reshape(24)
    return result


def compare_blocks(pair, due, due_noise, due_error):
    """The figures of a channel: `pair` are blocks of two seeds, `due_noise` the noise of each of pbrt's blocks, `due_error` that of their
    mean."""
    ours = (pair[0] + pair[1]) / 2
    own = float(np.mean((pair[0] - pair[1])**2)) / 4
    noise, squares = own + due_noise**2, float(np.mean((ours - due)**2))
    error = (own / ours.size + due_error**2)**0.5 / abs(due.mean())
    return ["%.4f" % (ours.mean() / due.mean()), "%.4f" % error, "%.2f" % (squares / noise)**0.5,
            "%.4f" % (max(squares - noise, 0.0) / float(np.mean(due**2)))**0.5]


def render(program, scene, samples, seed, picture):
    subprocess.run([program, "-q", "-t", "1", "--spectral", "--no-cache", "--compression=none", "--bits=32", "--spp=%d" % samples,
                    "--seed=%d" % seed, "-o", picture, scene], check=True)


def compare(program, scene, part, folder):
    """The lines of a scene."""
    text = scene.read_text()
    samples = int(re.search(r'"integer pixelsamples" (\d+)', text).group(1)) // part
    pair, lines = [], []
    for seed in 1, 2:
        render(program, scene, samples, seed, folder + "/o.pfm")
        pair.append(blocks(folder + "/o.pfm"))
    due = blocks(REFERENCES / (scene.stem + ".pfm"))
    error, noise = ([float(word) for word in line.split()] for line in (REFERENCES / (scene.stem + ".se")).read_text().splitlines())
    for c, channel in enumerate("RGB"):
        lines.append([channel, *compare_blocks([p[:, :, c] for p in pair], due[:, :, c], noise[c], error[c])])
    if 'Film "spectral"' in text:
        render(program, scene, samples, 1, folder + "/o.exr")
        ours = patches(folder + "/o.exr")
        with open(REFERENCES / (scene.stem + ".buckets.tsv"), encoding="utf-8") as file:
            for line in csv.DictReader(file, delimiter="\t"):
                name = line.pop("bucket")
                due = np.array([float(value) for value in line.values()])
                lines.append([name, "%.4f" % (ours[name].mean() / due.mean()), "", "", "%.4f" % np.abs(ours[name] / due - 1).max()])
    for line in lines:
        print(",".join([scene.stem, *line]), flush=True)


def main():
    arguments = [a for a in sys.argv[2:] if not a.startswith("--")]
    part = max([1, *(int(a[7:]) for a in sys.argv[2:] if a.startswith("--part="))])
    print("scene,channel,mean,error,z,off")
    with tempfile.TemporaryDirectory() as folder:
        for scene in sorted((DATA / "scenes/spectral").glob("*.pbrt")):
            if not arguments or scene.stem in arguments:
                compare(sys.argv[1], scene, part, folder)


main()
