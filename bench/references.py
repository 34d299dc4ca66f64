#!/usr/bin/env python3
"""Compares the scenes of ../shared/data/references/index.tsv with pbrt-v4's pictures, in red, green and blue and with --spectral.

usage: references.py LBRENDER FOLDER [--samples=N] [NAME...]

FOLDER keeps the pictures, of N samples (256, for which limits are made); those that are there are not rendered again.

Prints CSV: of each scene, or of those named, the limits that `make check-references` has for mean, median and 95th percentile of the
difference (per cent), these differences without and with spectra, the largest of each three as a part of its limit, and each channel's
mean with spectra over that of pbrt's picture.
"""
import csv
import pathlib
import subprocess
import sys

import spectral

KINDS = ("mean", "median", "p95")
MODES = ("--rgb", "--spectral")


def differences(picture, due):
    """Mean, median and 95th percentile of how far a picture is from the one that it is due to be, in per cent."""
    compare = spectral.DATA.parent / "tools/compare.py"
    line = subprocess.run([sys.executable, compare, picture, due], check=True, capture_output=True, text=True).stdout
    found = dict(word.split("=") for word in line.split())
    return [float(found[kind]) for kind in KINDS]


def compared(program, folder, row, samples):
    """The columns of a scene."""
    due = spectral.DATA / "references" / (row["name"] + ".pfm")
    columns = [row[kind] for kind in KINDS]
    for mode in MODES:
        picture = folder / (row["name"] + mode + ".pfm")
        size = "%sx%s" % (row["width"], row["height"])
        spectral.render(program, spectral.DATA / row["scene"], [mode, "--spp=" + samples, "--resolution=" + size], picture)
        found = differences(picture, due)
        columns += ["%.2f" % value for value in found]
        columns.append("%.2f" % max(value / float(row[kind]) for kind, value in zip(KINDS, found)))
    return columns + ["%.4f" % (a / b) for a, b in zip(spectral.means(picture), spectral.means(due))]


def main():
    program, folder, names = sys.argv[1], pathlib.Path(sys.argv[2]), [name for name in sys.argv[3:] if not name.startswith("--")]
    samples = ([name[10:] for name in sys.argv[3:] if name.startswith("--samples=")] or ["256"])[-1]
    folder.mkdir(parents=True, exist_ok=True)
    parts = [name + also for also in ("", " with spectra") for name in (*KINDS, "of the limits")]
    print(",".join(["scene", *("limit of " + kind for kind in KINDS), *parts, *(c + " with spectra" for c in "RGB")]))
    with open(spectral.DATA / "references/index.tsv", encoding="utf-8") as index:
        for row in csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE):
            if not names or row["name"] in names:
                print(",".join([row["name"], *compared(program, folder, row, samples)]), flush=True)


main()
