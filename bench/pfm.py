"""Reads pictures as PFM files."""
import array
import sys


def read(path):
    """Width, height, and the floats of three channels, row by row from the bottom."""
    with open(path, "rb") as file:
        assert file.readline() == b"PF\n"
        width, height = map(int, file.readline().split())
        little = float(file.readline()) < 0
        values = array.array("f", file.read())
    if little != (sys.byteorder == "little"):
        values.byteswap()
    return width, height, values
