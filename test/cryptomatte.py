"""Decodes Cryptomatte 1.2.0 by its specification (github.com/Psyop/Cryptomatte) in EXR files without compression.

usage: cryptomatte.py FILE.exr                       the layers, their names, and how many pixels each name covers
       cryptomatte.py FILE.exr LAYER NAME OTHER.exr  NAME's matte is the channel A of OTHER.exr, bit for bit
       cryptomatte.py FILE.exr covered               the mattes of each layer add up to the file's channel A
"""
import json
import struct
import sys

import exr

MASK = 0xffffffff


def murmur3(data):
    """MurmurHash3_x86_32 with the seed 0."""
    h, whole = 0, len(data) & ~3
    for at in range(0, len(data), 4):
        k = int.from_bytes(data[at:at + 4], "little")
        k = k * 0xcc9e2d51 & MASK
        k = (k << 15 | k >> 17) & MASK
        h ^= k * 0x1b873593 & MASK
        if at < whole:
            h = (h << 13 | h >> 19) & MASK
            h = h * 5 + 0xe6546b64 & MASK
    h ^= len(data)
    h = (h ^ h >> 16) * 0x85ebca6b & MASK
    h = (h ^ h >> 13) * 0xc2b2ae35 & MASK
    return h ^ h >> 16


def number(name):
    """A name as 32 bits that are a normal float."""
    n = murmur3(name.encode())
    return n ^ 1 << 23 if n >> 23 & 255 in (0, 255) else n


def bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def layers(path):
    """By each layer's name its manifest: the number of each name."""
    with open(path, "rb") as file:
        attributes, _ = exr.read_header(file.read())
    found = {}
    for key, value in attributes.items():
        if not key.startswith("cryptomatte/") or not key.endswith("/name"):
            continue
        root, name = key[:-len("name")], value.decode()
        assert root == "cryptomatte/%07x/" % (murmur3(value) >> 4), (root, name)
        assert attributes[root + "hash"] == b"MurmurHash3_32"
        assert attributes[root + "conversion"] == b"uint32_to_float32"
        manifest = {n: int(digits, 16) for n, digits in json.loads(attributes[root + "manifest"]).items()}
        assert all(number(n) == digits for n, digits in manifest.items()), manifest
        found[name] = manifest
    return found


def ranks(values, layer):
    """Pairs of a number and a coverage for each pixel, the largest coverage first."""
    pairs, i = [], 0
    while "%s%02d.R" % (layer, i) in values:
        for one, two in ("RG", "BA"):
            pairs.append((values["%s%02d.%s" % (layer, i, one)], values["%s%02d.%s" % (layer, i, two)]))
        i += 1
    assert pairs, "no channels of " + layer
    pixels = []
    for p in range(len(pairs[0][0])):
        pixel = [(bits(ids[p]), parts[p]) for ids, parts in pairs]
        assert all(a[1] >= b[1] for a, b in zip(pixel, pixel[1:])), pixel
        assert all((n == 0) == (part == 0) for n, part in pixel), pixel
        pixels.append([(n, part) for n, part in pixel if part])
    return pixels


def matte(pixels, wanted):
    return [sum(part for n, part in pixel if n == wanted) for pixel in pixels]


def main():
    path = sys.argv[1]
    _, _, values = exr.read(path)
    found = layers(path)
    if len(sys.argv) > 4:
        layer, name = sys.argv[2:4]
        assert name in found[layer], sorted(found[layer])
        _, _, other = exr.read(sys.argv[4])
        own = matte(ranks(values, layer), found[layer][name])
        assert own == other["A"], [(a, b) for a, b in zip(own, other["A"]) if a != b][:5]
        assert any(own)
    elif len(sys.argv) > 2:
        for layer in found:
            for pixel, alpha in zip(ranks(values, layer), values["A"]):
                assert abs(sum(part for _, part in pixel) - alpha) < 1e-6, (pixel, alpha)
    else:
        for layer, manifest in sorted(found.items()):
            pixels = ranks(values, layer)
            for name, n in sorted(manifest.items()):
                print("%s %s %.9g" % (layer, name, sum(matte(pixels, n))))


if __name__ == "__main__":
    main()
