#!/usr/bin/env python3
"""Renders all models of a folder, and the scenes that --write-scene makes of them, and prints as CSV what became of each
kind of file; on standard error, what became of those that were not rendered. Bytes of both pictures must be the same.
usage: models.py LBRENDER FOLDER [PBRT]     PBRT: that program renders the written scenes, too
"""
import collections, os, subprocess, sys, tempfile, time

ENDINGS = (".glb", ".gltf", ".obj", ".fbx", ".dae", ".stl", ".ply", ".3ds", ".x3d", ".off", ".lwo", ".ac", ".ase", ".x")
SMALL = ["--spp=1", "--resolution=64x36"]


def run(*command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        return done.returncode, done.stderr.decode(errors="replace").strip()
    except subprocess.TimeoutExpired:
        return "too long", ""


def try_model(lbrender, pbrt, model, folder):
    """What became of it, and the message where that is an error."""
    path = lambda name: os.path.join(folder, name)
    status, said = run(lbrender, "-q", *SMALL, "-o", path("a.pfm"), model)
    if status != 0:
        line = said.splitlines()[-1] if said else ""
        kind = "crash or limit" if "crashed" in line or "took more" in line or "out of memory" in line else "error"
        return kind if status == 1 else "status %s" % status, line
    made = path("made.pbrt")
    status, said = run(lbrender, "-q", "--write-scene=" + made, model)
    if status == 0:
        status, said = run(lbrender, "-q", *SMALL, "-o", path("b.pfm"), made)
    if status != 0:
        return "not written", said
    with open(path("a.pfm"), "rb") as a, open(path("b.pfm"), "rb") as b:
        if a.read() != b.read():
            return "other bytes", ""
    if pbrt:
        status, said = run(pbrt, "--quiet", "--quick", "--spp", "1", "--outfile", path("p.exr"), made)
        if status != 0:
            return "refused by pbrt", said
    return "rendered", ""


def main():
    lbrender, folder, pbrt = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None
    models = sorted(os.path.join(where, name) for where, _, names in os.walk(folder) for name in names
                    if name.lower().endswith(ENDINGS))
    table = collections.defaultdict(collections.Counter)
    for model in models:
        with tempfile.TemporaryDirectory() as temporary:
            begin = time.monotonic()
            what, said = try_model(lbrender, pbrt, model, temporary)
        table[os.path.splitext(model)[1].lower()][what] += 1
        if what != "rendered":
            print("%s: %s" % (what, said or model), file=sys.stderr)
        elif time.monotonic() - begin > 10:
            print("slow, %.0f s: %s" % (time.monotonic() - begin, model), file=sys.stderr)
    whats = sorted({what for row in table.values() for what in row})
    print("format,files,%s" % ",".join(whats))
    total = sum(table.values(), collections.Counter())
    for name, row in sorted(table.items()) + [("all", total)]:
        print("%s,%d,%s" % (name, sum(row.values()), ",".join(str(row[what]) for what in whats)))


main()
