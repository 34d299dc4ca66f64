#!/usr/bin/env python3
"""The words of the scene language for fuzzers, out of test/unit/pbrt_names.txt, which a test compares with the program.

Run by itself it prints a dictionary for libFuzzer.
"""
import os
import re

TABLE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "unit", "pbrt_names.txt")
# What the table's scenes name, as files of ../shared/data/scenes/features.
FILES = {"DIR/map.pfm": "textures/pattern.pfm", "DIR/grey.pfm": "textures/gonio.pfm", "DIR/grey.png": "textures/grey.png",
         "DIR/mesh.ply": "geometry/sheet.ply", "DIR/mesh2.ply": "geometry/ascii.ply", "DIR/lens.dat": "lenses/double-gauss.dat",
         "DATA/scenes/features/": ""}


def sections():
    """(the scene of a section, the parameters that its lines put in the place of @)"""
    scene, parameters = None, []
    with open(TABLE, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for number, line in enumerate(lines):
        if line.startswith("["):
            if scene:
                yield scene, parameters
            scene, parameters = lines[number + 1], []
        elif " : " in line and " = " in line and not line.startswith("#"):
            name, values = line.rsplit(" : ", 1)[0].split(" = ", 1)
            for value in values.split(" / "):
                parameters.append(value if name == "-" else '"%s" [ %s ]' % (name, value))
    yield scene, parameters


def local(text):
    for name, path in FILES.items():
        text = text.replace(name, path)
    return text


def scenes():
    """A scene for each value in the table."""
    for scene, parameters in sections():
        for parameter in parameters:
            text = local(scene.replace("@", parameter))
            yield (text if "WorldBegin" in text else "WorldBegin " + text).encode()


def parameters():
    return sorted({local(parameter).encode() for _, all_of_them in sections() for parameter in all_of_them
                   if parameter.startswith('"')})


def words():
    """All strings and directives."""
    found = set()
    for scene, all_of_them in sections():
        for text in [scene] + all_of_them:
            found.update(re.findall(r'"[^"]*"', local(text)))
            found.update(re.findall(r"\b[A-Z][A-Za-z]+\b", re.sub(r'"[^"]*"', "", text)))
    return sorted(found)


if __name__ == "__main__":
    for word in words():
        print('"%s"' % word.replace("\\", "\\\\").replace('"', '\\"'))
