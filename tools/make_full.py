#!/usr/bin/env python3
"""Writes core/scene/spectrum/full.c from pbrt-v4's tables.

    git clone https://github.com/mmp/pbrt-v4 DIR
    tools/make_full.py DIR core/scene/spectrum

pbrt-v4 (Apache 2.0) has metals of the SOPRA database, which the CC0 tables that make_spectra.py reads do not have, and two of the
CIE's illuminants to 830 nm, which end at 780 nm there. Needed only to make the tables anew: the build reads what is committed.
"""
import os
import re
import sys

from make_spectra import WAVELENGTHS, interpolate, write

METALS = ["Ag", "Al", "Au", "Cu", "TiO2"]  # brass and magnesia are the same in both
ILLUMINANTS = [("stdillum-A", "CIE_Illum_A"), ("stdillum-D65", "CIE_Illum_D6500")]


def values(text, name):
    """A table of pbrt's at our wavelengths."""
    numbers = [float(x) for x in re.search(r"const Float %s\[\] = \{(.*?)\};" % name, text, re.S).group(1).split(",") if x.strip()]
    points = list(zip(numbers[::2], numbers[1::2]))
    return [interpolate(points, w) for w in WAVELENGTHS]


def main():
    clone, out = sys.argv[1:3]
    with open(os.path.join(clone, "src/pbrt/util/spectrum.cpp"), encoding="utf-8") as file:
        text = file.read()
    names = [(f"metal-{metal}-{quantity}", f"{metal}_{quantity}") for metal in METALS for quantity in ("eta", "k")] + ILLUMINANTS
    write(out, "full", "Metals of the SOPRA database and the CIE's illuminants A and D65 to 830 nm, as pbrt-v4 has them (Apache 2.0).",
          [(own.replace("-", "_"), values(text, name)) for own, name in names], [(own, own.replace("-", "_")) for own, _ in names])


main()
