#!/usr/bin/env python3
"""Checks that CONTRIBUTING.md's map is true: each file that it names is there, each name of the program's in backquotes stands in the
code, and one with its file behind it in brackets stands in that file. Prints what does not, and ends with 1 then.
usage: check-walks.py"""
import glob
import os
import re
import sys

ROOMS = r"(?:core|cli|cuda|hosts|strategies|test|tools|bench|man)"
# What the reader is to make stands in capitals.
FILE = ROOMS + r"/[a-z0-9_./-]+\.(?:c|h|cc|cu|inc|sh|py|bats|awk)\b"


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    page = re.sub(r"\s+", " ", read("CONTRIBUTING.md"))
    code = {path: read(path) for room in ("core", "cli", "cuda", "hosts", "strategies")
            for path in glob.glob(room + "/**/*.*", recursive=True) if re.search(r"\.(c|h|cc|cu|inc)$", path)}
    words = set(re.findall(r"\w+", " ".join(code.values())))
    wrong = []
    for path in sorted(set(re.findall(r"(?<![\w/])" + FILE, page))):
        if not os.path.exists(path):
            wrong.append("there is no " + path)
    for name in sorted(set(re.findall(r"`((?:lb|cli)_[a-z0-9_]+)", page))):
        if name not in words and not name.endswith("_"):
            wrong.append("nothing is called " + name)
    for name, path in sorted(set(re.findall(r"`(\w+)` \((" + FILE + r")[,)]", page))):
        if path in code and not re.search(r"\b%s\b" % name, code[path]):
            wrong.append("%s is not in %s" % (name, path))
    for line in wrong:
        print("CONTRIBUTING.md: " + line)
    return 1 if wrong else 0


sys.exit(main())
