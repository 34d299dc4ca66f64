#!/usr/bin/env python3
"""Renders scenes of others with pbrt-v4 and with lbrender, in red, green and blue and with --spectral, and compares the means.

usage: public.py LBRENDER PBRT [--samples=N] [--pixels=N] SCENE...
       public.py --copies [--pixels=N] SCENE...     only writes the copies, for quality.py, and prints where they are

Each scene is rendered with two seeds by both, N samples a pixel (64), in N pixels at most (6912), from a copy "small-..." beside it. Copies
leave out what is not there, and the last column says so: shapes whose mesh is absent, images (a constant color instead), skies (a constant
light instead). Films that write EXR files alone are made "rgb", and integrators that both do not have "volpath". Prints CSV: of each channel
the mean over pbrt's, in red, green and blue and with wavelengths, and the standard error of the latter, from how pictures of two seeds differ.
"""
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pfm

RENDERED = "path volpath simplepath simplevolpath randomwalk ambientocclusion".split()
STATEMENT = re.compile(r"(?m)^(?=[ \t]*[A-Z][A-Za-z]+\b)")
FILE = re.compile(r'"string (?:filename|emissionfilename|mapname)"\s*\[?\s*"([^"]+)"')


class Copy:
    """A small copy of a scene and of the files that it includes, without what is absent."""

    def __init__(self, scene, pixels):
        self.folder, self.pixels, self.notes, self.files = scene.parent, pixels, [], {}
        self.path = self.write(scene, True)

    def write(self, path, first):
        """Writes the copy of a file unless it was written. Returns where it is."""
        if path not in self.files:
            self.files[path] = path.parent / ("small-" + path.name)
            text = path.read_text(encoding="latin-1")
            text = "".join(map(self.statement, STATEMENT.split(self.shrink(text) if first else text)))
            self.files[path].write_text(text, encoding="latin-1")
        return self.files[path]

    def shrink(self, text):
        """Gives the film its size, and both renderers an integrator that both have."""
        if not re.search(r"(?m)^\s*Film\b", text):
            text = 'Film "rgb"\n' + text
        text = re.sub(r'(?m)^(\s*Film\s+)"\w+"', r'\1"rgb"', text)
        text = re.sub(r'"(string coordinatesystem|integer nbuckets|float lambdam..)"\s*\[?\s*("[^"]*"|[\d.]+)\s*\]?', "", text)
        sides = []
        for name, default in ("xresolution", 1280), ("yresolution", 720):
            found = re.search(r'"integer %s"\s*\[?\s*(\d+)\s*\]?' % name, text)
            sides.append(int(found.group(1)) if found else default)
            text = text.replace(found.group(0), "") if found else text
        scale = min(1.0, math.sqrt(self.pixels / (sides[0] * sides[1])))
        size = [max(1, round(side * scale)) for side in sides]
        text = re.sub(r'(?m)^\s*Film\s+"rgb"', r'\g<0> "integer xresolution" %d "integer yresolution" %d' % tuple(size), text, count=1)
        found = re.search(r'(?m)^\s*Integrator\s+"(\w+)"', text)
        if found and found.group(1) not in RENDERED:
            self.notes.append(found.group(1) + " made volpath")
            text = text[:found.start(1)] + "volpath" + text[found.end(1):]
        return text

    def statement(self, text):
        """A statement as the copy has it."""
        kind = text.split(None, 1)[0] if text.strip() else ""
        if kind in ("Include", "Import"):
            name = re.search(r'"([^"]+)"', text).group(1)
            if not (self.folder / name).is_file():
                self.notes.append(name + " absent")
                return ""
            return text if name.endswith(".gz") else text.replace(name, os.path.relpath(self.write(self.folder / name, False), self.folder))
        absent = [name for name in FILE.findall(text) if kind != "Film" and not (self.folder / name).exists()]
        if not absent or kind not in ("Shape", "Texture", "LightSource"):
            return text
        self.notes.append(absent[0] + " absent")
        if kind == "LightSource":
            return re.sub(r'"string (?:filename|mapname)"\s*\[?\s*"[^"]+"\s*\]?', '"rgb L" [ 0.4 0.6 1 ]', text)
        if kind == "Shape":
            return ""
        name, of = re.match(r'\s*Texture\s+("[^"]*")\s+"(\w+)"', text).groups()
        value = '"rgb value" [ 0.5 0.4 0.3 ]' if of == "spectrum" else '"float value" 0.5'
        return f'Texture {name} "{of}" "constant" {value}\n'


def picture(command, path):
    """The floats of the picture that a command writes."""
    subprocess.run(command, check=True, capture_output=True, timeout=1500)
    return pfm.read(path)[2]


def means(one, two):
    """Of each channel of two pictures the mean and its relative standard error."""
    count, result = len(one) // 3, []
    for c in range(3):
        a, b = one[c::3], two[c::3]
        mean = (math.fsum(a) + math.fsum(b)) / 2 / count
        error = math.sqrt(math.fsum((x - y)**2 for x, y in zip(a, b))) / 2 / count
        result.append((mean, error / mean if mean else 0.0))
    return result


def compare(lbrender, pbrt, scene, samples, pixels):
    """The columns of a scene."""
    copy = Copy(scene, pixels)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for mode in "pbrt", "--rgb", "--spectral":
            pair = []
            for seed in "1", "2":
                out = folder + "/out.pfm"
                own = [pbrt, "--quiet", "--nthreads", "1", "--outfile"] if mode == "pbrt" else \
                    [lbrender, "-q", "--lenient", "--no-cache", "-t", "1", mode, "-o"]
                pair.append(picture(own + [out, "--spp", samples, "--seed", seed, str(copy.path)], out))
            found[mode] = means(*pair)
    of = ["%.4f" % (m[0] / p[0]) if p[0] else "" for mode in ("--rgb", "--spectral") for m, p in zip(found[mode], found["pbrt"])]
    return of + ["%.4f" % max(math.hypot(s[1], p[1]) for s, p in zip(found["--spectral"], found["pbrt"])), "; ".join(copy.notes)]


def main():
    if sys.argv[1:2] == ["--copies"]:
        pixels = [int(argument[9:]) for argument in sys.argv[2:] if argument.startswith("--pixels=")] or [6912]
        for name in (argument for argument in sys.argv[2:] if not argument.startswith("--")):
            print(Copy(pathlib.Path(name), pixels[-1]).path)
        return
    options = dict(argument[2:].split("=") for argument in sys.argv[3:] if argument.startswith("--"))
    print("scene,R,G,B,R with spectra,G with spectra,B with spectra,error,absent")
    for name in (argument for argument in sys.argv[3:] if not argument.startswith("--")):
        try:
            row = compare(*sys.argv[1:3], pathlib.Path(name), options.get("samples", "64"), int(options.get("pixels", "6912")))
        except subprocess.SubprocessError as error:
            row = [""] * 7 + ["not rendered: " + " ".join(str(getattr(error, "stderr", "") or error).split())[:120].replace(",", " ")]
        print(",".join([name, *row]), flush=True)


main()
