"""Reads OpenEXR files without compression (--compression=none), and compares channels with pbrt's.

usage: exr.py FILE.exr                          the channels' names, and the sum of each
       exr.py FILE.exr REFERENCES SCENE [TIMES]  each of the scene's channels in REFERENCES/channels.tsv is as near to pbrt's as TIMES
                                                (2) what two runs of pbrt differ by
"""
import re
import struct
import sys


def text(data, at):
    end = data.index(b"\0", at)
    return data[at:end].decode(), end + 1


def read_header(data):
    """The attributes' bytes by their names, and where they end."""
    assert data[:4] == b"\x76\x2f\x31\x01", "not an EXR"
    attributes, at = {}, 8
    while data[at]:
        name, at = text(data, at)
        _, at = text(data, at)
        size, = struct.unpack_from("<i", data, at)
        attributes[name] = data[at + 4:at + 4 + size]
        at += 4 + size
    return attributes, at


def read(path):
    """Width, height, and a list of values by each channel's name."""
    with open(path, "rb") as file:
        data = file.read()
    attributes, at = read_header(data)
    assert attributes["compression"] == b"\0", "compressed"
    x0, y0, x1, y1 = struct.unpack("<4i", attributes["dataWindow"])
    width, height = x1 - x0 + 1, y1 - y0 + 1
    kinds, place = [], 0
    while attributes["channels"][place]:
        name, place = text(attributes["channels"], place)
        kinds.append((name, "Ief"[struct.unpack_from("<i", attributes["channels"], place)[0]]))
        place += 16
    values = {name: [] for name, _ in kinds}
    at += 1 + 8 * height
    for _ in range(height):
        at += 8
        for name, kind in kinds:
            row = struct.unpack_from("<%d%s" % (width, kind), data, at)
            values[name] += row
            at += struct.calcsize(kind) * width
    return width, height, values


def read_pfm(path):
    with open(path, "rb") as file:
        assert file.readline().strip() == b"PF"
        width, height = map(int, file.readline().split())
        order = "<" if float(file.readline()) < 0 else ">"
        values = struct.unpack("%s%df" % (order, 3 * width * height), file.read())
    rows = [values[3 * width * y:3 * width * (y + 1)] for y in range(height)][::-1]
    return [[row[3 * x + c] for row in rows for x in range(width)] for c in range(3)]


def compare(path, references, scene, times):
    _, _, values = read(path)
    wrong = 0
    with open(references + "/channels.tsv") as table:
        lines = [line.rstrip("\n").split("\t") for line in table][1:]
    for file, of, names, mean, late, note in lines:
        if of != scene:
            continue
        differences = []
        for name, reference in zip(re.findall(r"S0\.\d+,\d+nm|[^,]+", names), read_pfm(references + "/" + file)):
            if name != "0":
                differences += [abs(a - b) for a, b in zip(values[name], reference)]
        differences.sort()
        # pbrt's third channel of two is 0, and in its mean.
        ours = sum(differences) / (len(differences) // names.count(",") * 3 if "0" in names else len(differences))
        ours_late = differences[int(0.95 * len(differences))]
        bound = not note.startswith("a guide")
        far = bound and ours > times * float(mean)
        wrong += far
        print("%-45s mean %.6f, pbrt's two runs %s; 95 of 100 below %.6f, %s%s" %
              (file, ours, mean, ours_late, late, "  TOO FAR" if far else "" if bound else "  (a guide)"))
    return wrong


if __name__ == "__main__":
    if len(sys.argv) > 3:
        sys.exit(1 if compare(*sys.argv[1:4], float((sys.argv + [2])[4])) else 0)
    for channel, found in sorted(read(sys.argv[1])[2].items()):
        print("%s %.9g" % (channel, sum(found)))
