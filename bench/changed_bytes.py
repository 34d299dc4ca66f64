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


def known(program, options):
    """The options, or --rgb where none were given and there is such an option."""
    manual = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
    return options or [option for option in ["--rgb"] if option in manual]


def picture(program, options, scene, path):
    """The bytes of a scene's picture, or None if the program does not render it."""
    done = subprocess.run([program, *SMALL, *options, "-o", path, scene], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path.read_bytes() if done.returncode == 0 else None


def changed(commit, options, scenes, folder):
    """The names of the scenes that both programs render, and of those whose bytes differ."""
    programs = [program_at(subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=12", name], check=True, capture_output=True,
                                          text=True).stdout.strip()) for name in (commit + "^", commit)]
    rendered, differ = [], []
    for name, scene in scenes:
        before, after = [picture(program, known(program, options), scene, folder / "out.pfm") for program in programs]
        if before and after:
            rendered.append(name)
            differ += [name] if before != after else []
    return rendered, differ


def main():
    commits, _, options = " ".join(sys.argv[1:]).partition(" -- ")
    with open(DATA / "references/index.tsv", encoding="utf-8") as index:
        scenes = [(row["name"], DATA / row["scene"]) for row in csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE)]
    print("commit,scenes,changed,which")
    with tempfile.TemporaryDirectory() as folder:
        for commit in commits.split():
            rendered, differ = changed(commit, options.split(), scenes, pathlib.Path(folder))
            print("%s,%d,%d,%s" % (commit, len(rendered), len(differ), " ".join(differ)), flush=True)


main()
