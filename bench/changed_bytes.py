#!/usr/bin/env python3
"""Which pictures a commit changed: renders the scenes of ../shared/data/references/index.tsv by the program at each commit and at the one
before it, and compares the files.

usage: changed_bytes.py COMMIT... [-- OPTION...]     OPTIONs of lbrender, as --rgb (without any: --rgb where the program knows it)

Prints CSV: of each commit how many scenes both programs render, and which of these have other bytes. Pictures are small, and of few samples.
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

from earlier import ROOT, program_at

DATA = pathlib.Path(ROOT).parent / "shared/data"
SMALL = ["-q", "--no-cache", "--lenient", "-t", "1", "--resolution=32x32", "--spp=4"]


def program(commit, options):
    """The command of the program at a commit: with --rgb where no options were given and there is such an option."""
    full = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=12", commit], check=True, capture_output=True, text=True).stdout
    path = program_at(full.strip())
    help_text = subprocess.run([path, "--help"], capture_output=True, text=True).stdout
    return [path, *SMALL, *(options or (["--rgb"] if "--rgb" in help_text else []))]


def picture(command, scene, path):
    """The bytes of a scene's picture, or None if the program does not render it."""
    done = subprocess.run([*command, "-o", path, scene], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path.read_bytes() if done.returncode == 0 else None


def changed(commit, options, scenes, path):
    """The names of the scenes that both programs render, and of those whose bytes differ."""
    commands = [program(name, options) for name in (commit + "^", commit)]
    rendered, differ = [], []
    for name, scene in scenes:
        before, after = [picture(command, scene, path) for command in commands]
        if before and after:
            rendered.append(name)
            differ += [name] if before != after else []
    return rendered, differ


def main():
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    with open(DATA / "references/index.tsv", encoding="utf-8") as index:
        scenes = [(row["name"], DATA / row["scene"]) for row in csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE)]
    print("commit,scenes,changed,which")
    with tempfile.TemporaryDirectory() as folder:
        for commit in words[:end]:
            rendered, differ = changed(commit, words[end + 1:], scenes, pathlib.Path(folder) / "out.pfm")
            print("%s,%d,%d,%s" % (commit, len(rendered), len(differ), " ".join(differ)), flush=True)


main()
