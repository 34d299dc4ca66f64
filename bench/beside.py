#!/usr/bin/env python3
"""Renders random scenes of ../shared/tools/beside in colour under lamps with pbrt-v4 and with lbrender --spectral.

usage: beside.py LBRENDER PBRT FROM TO [SAMPLES [MODE]]

Greys become colors, and white lights colors, black bodies and illuminants, by the scene's seed. pbrt takes SAMPLES (32), lbrender twice as
many, with two seeds each. Prints a line of JSON for a scene: the ratio of each channel's means and their largest standard error, the
greatest root mean square of the differences of 8 x 8 blocks over pbrt's mean, and z, that difference over what noise would give. Needs numpy, Pillow and OpenEXR.
"""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

import pfm

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shared/tools/beside"))
import scenes  # noqa: E402: it stands beside the repository

ILLUMINANTS = ["A", "F1", "F2", "F4", "F5", "F7", "F9", "F11", "F12"]


def lamp(chance, name, value, portal):
    """A light's parameter in place of a grey one. What shines through a portal stays a color."""
    kind = chance.random()
    if portal or kind < 0.4:
        return '"rgb %s" [%.3g %.3g %.3g]' % (name, *[value * chance.uniform(0.3, 1.5) for _ in range(3)])
    if kind < 0.65:
        return '"blackbody %s" %d' % (name, chance.randrange(1800, 9000))
    return '"spectrum %s" "stdillum-%s"' % (name, chance.choice(ILLUMINANTS))


def tint(chance, name, value):
    """A parameter of anything else in place of a grey one."""
    most = 1.6 if name in ("sigma_a", "sigma_s", "Le") else 1.0
    return '"rgb %s" [%.4g %.4g %.4g]' % (name, *[value * chance.uniform(0.3, most) for _ in range(3)])


def color(text, seed):
    """The scene in colour."""
    chance, lines = random.Random(seed), []
    for line in text.split("\n"):
        if "Light" in line:
            line = re.sub(r'"rgb (L|I)" \[([-.\de]+) \2 \2\]',
                          lambda found: lamp(chance, found.group(1), float(found.group(2)), "portal" in line), line)
            line = re.sub(r'"spectrum (L|I)" "stdillum-D65"',
                          lambda found: '"spectrum %s" "stdillum-%s"' % (found.group(1), chance.choice([*ILLUMINANTS, "D65"])), line)
        else:
            line = re.sub(r'"rgb (\w+)" \[([-.\de]+) \2 \2\]', lambda found: tint(chance, found.group(1), float(found.group(2))), line)
        lines.append(line)
    return "\n".join(lines)


def picture(path):
    """The means of 8 x 8 blocks of a PFM file."""
    width, height, values = pfm.read(path)
    return np.array(values, float).reshape(8, height // 8, 8, width // 8, 3).mean((1, 3))


def compare(lbrender, pbrt, text, samples, mode, folder):
    """What sets the two programs' pictures of a scene apart."""
    pathlib.Path(folder, "s.pbrt").write_text(text)
    pairs = []
    for command in ([pbrt, "--quiet", "--nthreads", "1", "--spp", str(samples), "--outfile"],
                    [lbrender, "-q", "--lenient", "--no-cache", "-t", "1", mode, "--spp", str(2 * samples), "-o"]):
        for seed in "1", "2":
            try:
                subprocess.run([*command, "o.pfm", "--seed", seed, "s.pbrt"], cwd=folder, check=True, capture_output=True, timeout=60)
            except subprocess.SubprocessError as error:
                return {"fail": str(error)[-160:]}
            pairs.append(picture(folder + "/o.pfm"))
    p, l = (pairs[0] + pairs[1]) / 2, (pairs[2] + pairs[3]) / 2
    mean = np.maximum(p.mean((0, 1)), 1e-9)
    noise = np.sqrt(sum(((pairs[i] - pairs[i + 1])**2).mean((0, 1)) / 4 for i in (0, 2)))
    rms = np.sqrt(((l - p)**2).mean((0, 1)))
    error = np.sqrt(sum((((pairs[i] - pairs[i + 1]) / 2)**2).sum((0, 1)) for i in (0, 2))) / 64 / mean
    return {"error": round(float(error.max()), 4), "ratio": [round(float(x), 4) for x in l.mean((0, 1)) / mean], "rms": round(float((rms / mean).max()), 4),
            "z": round(float((rms / np.maximum(noise, 1e-12)).max()), 2)}


def main():
    lbrender, pbrt = (str(pathlib.Path(program).resolve()) for program in sys.argv[1:3])
    samples = int(sys.argv[5]) if len(sys.argv) > 5 else 32
    mode = sys.argv[6] if len(sys.argv) > 6 else "--spectral"
    with tempfile.TemporaryDirectory() as folder:
        scenes.images(folder)
        for seed in range(int(sys.argv[3]), int(sys.argv[4])):
            text, features = scenes.generate(seed)
            print(json.dumps({"seed": seed, **compare(lbrender, pbrt, color(text, seed), samples, mode, folder), "features": features}), flush=True)


if __name__ == "__main__":
    main()
