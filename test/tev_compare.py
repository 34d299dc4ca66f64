"""Fails unless what test/tev.py kept of an image is the picture in a PFM file, bit for bit.

usage: tev_compare.py FOLDER/NAME PICTURE.pfm"""
import array
import sys

with open(sys.argv[2], "rb") as file:
    assert file.readline() == b"PF\n"
    width, height = map(int, file.readline().split())
    assert float(file.readline()) < 0
    rows = array.array("I", file.read())
wanted = [rows[3 * width * y:3 * width * (y + 1)] for y in range(height)][::-1]
for place, channel in enumerate("RGB"):
    with open("%s.%s.f32" % (sys.argv[1], channel), "rb") as file:
        shown = array.array("I", file.read())
    differing = sum(shown[y * width + x] != wanted[y][3 * x + place] for y in range(height) for x in range(width))
    if len(shown) != width * height or differing:
        sys.exit("%s: %d of %d values differ" % (channel, differing, width * height))
