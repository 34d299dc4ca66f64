#!/usr/bin/env python3
"""Writes the numbered scenes of an animation: a scene of ../shared/data/scenes whose camera goes on a circle about a point, or, with
--pan, turns where it stands.
usage: orbit.py [--frames N] [--step DEGREES] [--start DEGREES] [--pan] SCENE FOLDER X Y Z RADIUS HEIGHT [DX DY DZ]
X Y Z is the point; the camera stands RADIUS and HEIGHT from it and looks at it, moved by DX DY DZ. The y axis is up."""
import argparse
import math
import pathlib
import re

parser = argparse.ArgumentParser()
parser.add_argument("--frames", type=int, default=20)
parser.add_argument("--step", type=float, default=18)
parser.add_argument("--start", type=float, default=0)
parser.add_argument("--pan", action="store_true")
parser.add_argument("scene")
parser.add_argument("folder")
parser.add_argument("numbers", type=float, nargs="+")
o = parser.parse_args()
center, radius, height = o.numbers[:3], o.numbers[3], o.numbers[4]
shift = o.numbers[5:8] or [0, 0, 0]

scenes = pathlib.Path(__file__).resolve().parents[2] / "shared/data/scenes"
text = (scenes / o.scene / f"{o.scene}.pbrt").read_text()
# File names are relative to the scene's folder; the scenes written here stand elsewhere.
text = re.sub(r'"(geometry|textures)/', rf'"{scenes}/{o.scene}/\1/', text).replace('"../', f'"{scenes}/')
folder = pathlib.Path(o.folder)
folder.mkdir(parents=True, exist_ok=True)
for f in range(o.frames):
    a = math.radians(o.start + o.step * f)
    away = [radius * math.sin(a), height, radius * math.cos(a)]
    eye, at = [c + d for c, d in zip(center, away)], [c + d for c, d in zip(center, shift)]
    if o.pan:
        eye, at = center, eye
    look = "LookAt " + " ".join(f"{x:.6g}" for x in eye + at) + " 0 1 0"
    (folder / f"s-{f:04d}.pbrt").write_text(
        re.sub(r"^(LookAt.*|Transform \[.*\])$", look, text, count=1, flags=re.M))
