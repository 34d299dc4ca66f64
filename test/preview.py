"""Plays a terminal that shows pictures, and reads what it was sent.

usage: preview.py run FILE ANSWER COMMAND..       COMMAND in a terminal that answers a question for its attributes by ANSWER
                                                  ("-": by nothing); FILE gets all bytes that it writes there
       preview.py kitty|sixel FILE PICTURE.pfm    the last picture of FILE is the other one as sRGB: to the byte by kitty's
                                                  protocol, to a sixel's colours on average otherwise; prints how many there were
       preview.py bmp FILE PICTURE.pfm            the same of a BMP, to the byte
"""
import base64
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios

import exr


def run(path, answer, command):
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 1000, 800))
    said = b""
    while True:
        try:
            data = os.read(terminal, 65536) if select.select([terminal], [], [], 100)[0] else b""
        except OSError:
            data = b""
        if not data:
            break
        if b"\x1b[c" in data and answer != "-":
            os.write(terminal, b"\x1b[?" + answer.encode() + b"c")
        said += data
    with open(path, "wb") as file:
        file.write(said)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kitty(data):
    """Width, height, pixels of the last picture, and how many there are."""
    pictures = []
    for head, payload in re.findall(rb"\x1b_G([^;]*);([^\x1b]*)\x1b\\", data):
        keys = dict(pair.split(b"=") for pair in head.split(b","))
        if b"a" in keys:
            assert keys[b"a"] == b"T" and keys[b"f"] == b"24" and keys[b"i"] == b"1", keys
            pictures.append((int(keys[b"s"]), int(keys[b"v"]), []))
        assert len(payload) <= 4096
        pictures[-1][2].append(payload)
    width, height, pieces = pictures[-1]
    pixels = base64.b64decode(b"".join(pieces))
    assert len(pixels) == 3 * width * height
    return width, height, pixels, len(pictures)


def sixel(data):
    pictures = re.findall(rb"\x1bP0;1;0q(.*?)\x1b\\", data, re.S)
    body = pictures[-1]
    width, height = map(int, re.match(rb'"1;1;(\d+);(\d+)', body).groups())
    palette, pixels = {}, bytearray(b"\1\2\3" * (width * height))
    x = y = color = 0
    for word in re.findall(rb"#\d+;2;\d+;\d+;\d+|#\d+|![0-9]+[?-~]|[?-~]|[$-]", body[body.index(b"#"):]):
        if word[:1] == b"#":
            numbers = list(map(int, word[1:].split(b";")))
            color = numbers[0]
            if len(numbers) > 1:
                palette[color] = bytes(round(n * 2.55) for n in numbers[2:])
        elif word == b"$":
            x = 0
        elif word == b"-":
            x, y = 0, y + 6
        else:
            count = int(word[1:-1]) if word[:1] == b"!" else 1
            bits = word[-1] - ord("?")
            for _ in range(count):
                for row in range(6):
                    if bits >> row & 1:
                        at = 3 * ((y + row) * width + x)
                        pixels[at:at + 3] = palette[color]
                x += 1
    return width, height, bytes(pixels), len(pictures)


def bmp(data):
    assert data[:2] == b"BM"
    size, _, begin, _, width, height, _, bits = struct.unpack_from("<IIIIiiHH", data, 2)
    assert size == len(data) and bits == 24 and height < 0
    row = (3 * width + 3) & ~3
    pixels = bytearray()
    for y in range(-height):
        line = data[begin + y * row:begin + y * row + 3 * width]
        for x in range(width):
            pixels += line[3 * x:3 * x + 3][::-1]
    return width, -height, bytes(pixels), 1


def srgb(value):
    x = min(max(value, 0), 1)
    return 12.92 * x if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055


def main():
    if sys.argv[1] == "run":
        sys.exit(run(sys.argv[2], sys.argv[3], sys.argv[4:]))
    form, path, picture = sys.argv[1:]
    with open(path, "rb") as file:
        width, height, pixels, count = {"kitty": kitty, "sixel": sixel, "bmp": bmp}[form](file.read())
    planes = exr.read_pfm(picture)
    assert len(planes[0]) == width * height, (len(planes[0]), width, height)
    expected = [srgb(planes[i][p]) * 255 for p in range(width * height) for i in range(3)]
    off = [abs(a - b) for a, b in zip(pixels, expected)]
    if form == "sixel":
        assert max(off) <= 52, max(off)
        means = [abs(sum(pixels[i::3]) - sum(expected[i::3])) / (width * height) for i in range(3)]
        assert max(means) < 3, means
    else:
        assert max(off) <= 0.51, max(off)
    print(count)


if __name__ == "__main__":
    main()
