#!/usr/bin/env python3
"""Compares pictures by pbrt-v4 of scenes with colours with ours, in red, green and blue and with --spectral.

usage: spectral.py LBRENDER FOLDER      FOLDER keeps the pictures; those that are there are not rendered again

Prints CSV: of each scene the mean of each channel over that of pbrt's picture, for both, and the CPU seconds of one thread.
"""
import math
import pathlib
import resource
import subprocess
import sys

import pfm

# Of these two, which take longest, a quarter of the references' samples does.
FEWER = {"prism-f11": ["--spp=512"], "glass-f11": ["--spp=512"]}
DATA = pathlib.Path(__file__).resolve().parents[2] / "shared/data"


def means(path):
    """The sums of the three channels of a PFM file."""
    values = pfm.read(path)[2]
    return [math.fsum(values[c::3]) for c in range(3)]


def render(program, scene, options, picture):
    """Renders the scene unless its picture is there. Returns the CPU seconds that it took, which stand beside it."""
    note = picture.with_suffix(".time")
    if not picture.exists():
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([program, "-q", "-t", "1", *options, "-o", picture, scene], check=True, stderr=subprocess.DEVNULL)
        note.write_text("%.2f\n" % (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before))
    return float(note.read_text().split()[-1])


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    print("scene,R,G,B,R with spectra,G with spectra,B with spectra,CPU s,CPU s with spectra")
    for scene in sorted((DATA / "scenes/spectral").glob("*.pbrt")):
        due = means(DATA / "references/spectral" / (scene.stem + ".pfm"))
        row, seconds = [scene.stem], []
        for options in [], ["--spectral"]:
            picture = folder / ("".join([scene.stem, *options]) + ".pfm")
            seconds.append("%.1f" % render(program, scene, options + FEWER.get(scene.stem, []), picture))
            row += ["%.4f" % (a / b) for a, b in zip(means(picture), due)]
        print(",".join(row + seconds))


if __name__ == "__main__":
    main()
