#!/usr/bin/env python3
"""Damages the models of a folder and renders each: every run must end by itself with status 0, or with 1 and a message.
usage: damaged_models.py LBRENDER FOLDER COUNT     LB_MODELS_SEED: other damages
"""
import collections, os, random, subprocess, sys

lbrender, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
seed = int(os.environ.get("LB_MODELS_SEED", "1"))
ENDINGS = (".glb", ".gltf", ".obj", ".stl", ".ply", ".dae", ".fbx", ".3ds", ".off", ".x3d", ".lwo", ".ac", ".ase", ".x")
models = sorted(os.path.join(where, name) for where, _, names in os.walk(folder) for name in names
                if name.lower().endswith(ENDINGS) and os.path.getsize(os.path.join(where, name)) < 1000000)
NUMBERS = [b"-1", b"0", b"1e38", b"nan", b"4294967295", b"2147483648", b"99999999999999999999"]


def damage(data, dice):
    data = bytearray(data)
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        at = dice.randrange(len(data)) if data else 0
        kind = dice.choice([0, 0, 1, 2, 3, 4, 4, 5, 5, 5, 5])
        if kind == 0 and data:
            data[at] = dice.randrange(256)
        elif kind == 1:
            del data[at:]
        elif kind == 2:
            del data[at:at + dice.choice([1, 2, 4])]
        elif kind == 3:
            data[at:at] = data[max(0, at - dice.choice([1, 4])):at]
        elif kind == 4:
            data[at:at + 4] = dice.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", b"\0\0\xc0\x7f"])
        else:  # the number that follows, in text
            while at < len(data) and chr(data[at]) not in "0123456789":
                at += 1
            end = at
            while end < len(data) and chr(data[end]) in "0123456789.":
                end += 1
            data[at:end] = dice.choice(NUMBERS)
    return bytes(data)


results, bad = collections.Counter(), 0
for run in range(count):
    dice = random.Random(seed * 1000003 + run)
    model = models[run % len(models)]
    name = "damaged" + os.path.splitext(model)[1].lower()
    with open(model, "rb") as file:
        data = damage(file.read(), dice)
    with open(name, "wb") as file:
        file.write(data)
    if os.path.exists("damaged.png"):
        os.remove("damaged.png")
    try:
        done = subprocess.run([lbrender, "-q", "--spp=1", "--resolution=2%", "-o", "damaged.png", name],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        status, said = done.returncode, done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        status, said = "too long", ""
    if "crashed" in said or "took more" in said:
        print("%s, damage %d: %s" % (model, run, said.strip()))
    results[status] += 1
    results["crashes of the library"] += "crashed" in said
    fine = status == 0 and os.path.exists("damaged.png") or status == 1 and said.startswith("lbrender: ")
    if not fine:
        bad += 1
        kept = "kept-%d-%s" % (run, os.path.basename(model))
        os.replace(name, kept)
        print("%s: status %s: %s" % (kept, status, said[:300]))
print(", ".join("%s: %d" % (key, value) for key, value in sorted(results.items(), key=str)))
sys.exit(bad > 0)
