#!/usr/bin/env python3
"""Writes core/scene/spectrum/{cameras,swatches,daylight_parts}.c from public tables.

    git clone https://github.com/wetadigital/physlight DIR1
    pip download --no-deps colour-science==0.4.7                  # unpack it into DIR2
    tools/make_cameras.py DIR1 DIR2 core/scene/spectrum

physlight (Apache 2.0) has the responses of cameras as Weta Digital measured them; pbrt-v4 has those of the first publication,
which are read from the clone's history, as later ones are of other measurements. colour-science (BSD 3-clause) has the
reflectances of a color chart, by BabelColor, and the functions of which the CIE makes daylight. Needed only to make the tables
anew: the build reads what is committed.
"""
import json
import os
import subprocess
import sys

from make_spectra import WAVELENGTHS, interpolate, literal, write

PUBLISHED = "71d41cdb189024be708f0d3c7d887f9e8e36f677"
CAMERAS = [  # in pbrt's order
    "canon_eos_100d", "canon_eos_1dx_mkii", "canon_eos_200d", "canon_eos_200d_mkii", "canon_eos_5d", "canon_eos_5d_mkii",
    "canon_eos_5d_mkiii", "canon_eos_5d_mkiv", "canon_eos_5ds", "canon_eos_m", "hasselblad_l1d_20c", "nikon_d810", "nikon_d850",
    "sony_ilce_6400", "sony_ilce_7m3", "sony_ilce_7rm3", "sony_ilce_9"]
SWATCHES = [
    "dark skin", "light skin", "blue sky", "foliage", "blue flower", "bluish green", "orange", "purplish blue", "moderate red",
    "purple", "yellow green", "orange yellow", "blue", "green", "red", "yellow", "magenta", "cyan", "white 9.5 (.05 D)",
    "neutral 8 (.23 D)", "neutral 6.5 (.44 D)", "neutral 5 (.70 D)", "neutral 3.5 (1.05 D)", "black 2 (1.5 D)"]


def ours(points):
    """Values at our wavelengths, linear between points, the first and the last beyond them (pbrt)."""
    return [interpolate(points, w) for w in WAVELENGTHS]


def camera(clone, name):
    """The responses r, g and b. Their last value, that at 720 nm, is red's in all of pbrt's tables."""
    maker, model = name.split("_", 1)
    path = f"data/{maker}_{model.replace('_', '-')}_380_720_10.json"
    text = subprocess.run(["git", "-C", clone, "show", f"{PUBLISHED}:{path}"], check=True, capture_output=True).stdout
    values = sorted((float(w), rgb) for w, rgb in json.loads(text)["spectral_data"]["data"]["main"].items())
    end = values[-1][1][0]
    return [ours([(w, rgb[c]) for w, rgb in values[:-1]] + [(values[-1][0], end)]) for c in range(3)]


def main():
    clone, packages, out = sys.argv[1:4]
    arrays, tables = [], []
    for name in CAMERAS:
        for c, values in zip("rgb", camera(clone, name)):
            arrays.append((f"{name}_{c}", values))
            tables.append((f"{name}_{c}", f"{name}_{c}"))
    write(out, "cameras", "Responses of cameras' sensors, of each the red, the green and the blue one: measurements by Weta Digital,\n"
          "   Ltd., 2020, from physlight (Apache 2.0).", arrays, tables)

    chart = os.path.join(packages, "colour", "characterisation", "datasets", "colour_checkers", "sds.py")
    arrays = [(f"swatch_{i}", ours(sorted(literal(chart, name).items()))) for i, name in enumerate(SWATCHES)]
    write(out, "swatches", "Reflectances of the 24 swatches of a ColorChecker, from colour-science 0.4.7. BabelColor ColorChecker data:\n"
          "   Copyright (C) 2004-2012 Danny Pascale (www.babelcolor.com); used by permission.", arrays,
          [(name, f"swatch_{i}") for i, name in enumerate(SWATCHES)])

    series = os.path.join(packages, "colour", "colorimetry", "datasets", "illuminants", "sds_d_illuminant_series.py")
    arrays = [(f"daylight_{s}", [literal(series, s)[w] for w in WAVELENGTHS]) for s in ("S0", "S1", "S2")]
    write(out, "daylight_parts", "The functions S0, S1 and S2 of the CIE's daylight of all temperatures, from colour-science 0.4.7.", arrays,
          [(s, f"daylight_{s}") for s in ("S0", "S1", "S2")])


main()
