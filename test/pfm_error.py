"""How far a picture is from a reference, both PFM files of one size: the mean of ((a - b) / (b + 0.01))^2, each term at
most 1, so that a few bright pixels do not decide.

usage: pfm_error.py PICTURE.pfm REFERENCE.pfm"""
import array
import sys


def read(path):
    with open(path, "rb") as file:
        kind, size, scale = file.readline(), file.readline(), file.readline()
        values = array.array("f", file.read())
    if kind.strip() != b"PF" or float(scale) > 0:
        sys.exit(path + ": no PFM of three channels, lowest byte first")
    if sys.byteorder == "big":
        values.byteswap()
    return size, values


(size, picture), (other, reference) = read(sys.argv[1]), read(sys.argv[2])
if size != other or len(picture) != len(reference):
    sys.exit("the pictures have different sizes")
total = sum(min(((a - b) / (b + 0.01)) ** 2, 1) for a, b in zip(picture, reference))
print("%.6f" % (total / len(reference)))
