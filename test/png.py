"""Reads PNG files of RGB and RGBA, 8 or 16 bits each, for tests; no more of PNG than lbrender and browsers write.

As a program: png.py FILE WIDTH HEIGHT prints the upper left of a file as a PPM, as of a map without its legend.
"""
import struct
import sys
import zlib


def rows(data):
    """Of the file's bytes: its width and rows of bytes, three values a pixel, of 16 bits the higher byte first."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, bits, color = struct.unpack(">IIBB", data[at + 8:at + 18])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    each = bits // 8
    n = {2: 3, 6: 4}[color] * each
    raw, last, found = zlib.decompress(packed), bytes(n * width), []
    for y in range(height):
        begin = y * (n * width + 1)
        how, line = raw[begin], bytearray(raw[begin + 1:begin + n * width + 1])
        if how == 2:
            line = bytearray((x + b) & 255 for x, b in zip(line, last))
        elif how:
            for i in range(n * width):
                a, b, c = line[i - n] if i >= n else 0, last[i], last[i - n] if i >= n else 0
                near = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
                line[i] = (line[i] + (0, a, b, (a + b) // 2, near)[how]) & 255
        last = bytes(line)
        found.append(last if color == 2 else b"".join(last[i:i + 3 * each] for i in range(0, n * width, n)))
    return width, found


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        found = rows(file.read())[1]
    width, height = map(int, sys.argv[2:])
    sys.stdout.buffer.write(b"P6 %d %d 255\n" % (width, height) + b"".join(row[:3 * width] for row in found[:height]))
