#!/usr/bin/env python3
"""Compares two builds: under every strategy that both have, the same pictures, and reports with the same figures, as far as
these do not depend on time.

usage: compare_builds.py BEFORE AFTER SCENE...      two programs; in an empty folder

A scene is rendered by one thread, by three, and by null devices of four speeds, in one pass and in two; and with a fixed cost map
simulated on mixes of processors. By one thread and in simulations all figures are compared that each build gives twice alike; by
several processors those that only their sums determine. LB_BUILDS_OPTIONS has more options for all runs (default: a small picture).
Status 1: something differs but for members that one build's reports have and the other's have not, which are listed."""
import collections
import filecmp
import json
import os
import subprocess
import sys

BEFORE, AFTER = 0, 1
OPTIONS = os.environ.get("LB_BUILDS_OPTIONS", "--resolution=48x36 --spp=4 --region-size=16").split()
SUMS = ("pixels", "samples", "rays", "steps", "failed")
DEVICES = {
    "one thread": ["-t", "1"],
    "three threads": ["-t", "3"],
    "null devices": ["--devices=null:speed=200000,null:speed=400000,null:speed=800000,null:speed=1600000"],
}
MIXES = ["4x1", "2x8.5,6x1", "64x1", "1x1,1x2,1x3"]


def leaves(value, path=""):
    """(path, value) of all that a report holds."""
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], path + "/" + key)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from leaves(item, "%s/%d" % (path, i))
    else:
        yield path, value


def sums(report):
    """What a run's figures are all in all, whoever did what."""
    found = collections.Counter()
    for path, value in leaves(report):
        name = path.rsplit("/", 1)[1]
        if "/processors/" in path and name in SUMS:
            parts = path.split("/")
            found["/".join(parts[:parts.index("processors")]) + "/" + name] += value
        if name in ("bad_samples", "checksum", "width", "height", "spp", "seed", "frame", "incomplete"):
            found[path] = value
    return dict(found)


def run(program, options, picture):
    """The report, as (path, value), or what the program said."""
    subprocess.run(["rm", "-f", "report.json", picture], check=True)
    done = subprocess.run([program, "-q", "--no-cache", "--report=report.json"] + options, capture_output=True, text=True)
    if done.returncode != 0:
        return {"status": done.returncode, "said": done.stderr.replace(program, "lbrender")}
    with open("report.json", encoding="utf-8") as file:
        return json.load(file)


def shape(path):
    return "/".join("N" if part.isdigit() else part for part in path.split("/"))


class Comparison:
    def __init__(self):
        self.runs = self.figures = self.wrong = 0
        self.only = [collections.Counter(), collections.Counter()]

    def compare(self, what, before, before_again, after, after_again):
        """What differs from one run of a build to its next is left out."""
        self.runs += 1
        for path in before:
            if path not in after:
                self.only[BEFORE][shape(path)] += 1
            elif before_again.get(path) == before[path] and after_again.get(path) == after[path]:
                self.figures += 1
                if before[path] != after[path]:
                    self.wrong += 1
                    print("%s: %s is %r, before %r" % (what, path, after[path], before[path]))
        for path in after:
            if path not in before:
                self.only[AFTER][shape(path)] += 1


def clean(report):
    """Without what a run is told by its caller or its program."""
    return {path: value for path, value in leaves(report)
            if path.rsplit("/", 1)[1] not in ("version", "command", "file", "host")}


def main():
    programs, scenes = [os.path.realpath(name) for name in sys.argv[1:3]], [os.path.realpath(name) for name in sys.argv[3:]]
    if not scenes:
        sys.exit(__doc__)
    listed = [subprocess.run([program, "--list-strategies"], capture_output=True, text=True, check=True).stdout for program in programs]
    known = [[line.split()[0] for line in text.splitlines()] for text in listed]
    twice = [programs[BEFORE], programs[BEFORE], programs[AFTER], programs[AFTER]]
    comparison = Comparison()
    for scene in scenes:
        name = os.path.basename(scene)
        subprocess.run([programs[BEFORE], "-q", "--no-cache", "-t", "1", "--cost-map=costs.pfm", "-o", "right.png", scene] + OPTIONS, check=True)
        for strategy in [name for name in known[BEFORE] if name in known[AFTER]]:
            for kind, devices in DEVICES.items():
                for passes in ("1", "2"):
                    options = ["--strategy=" + strategy, "--passes=" + passes, "-o", "out.png", scene] + devices + OPTIONS
                    what = "%s, %s, %s, %s passes" % (name, strategy, kind, passes)
                    figures = clean if kind == "one thread" else sums
                    reports = [figures(run(program, options, "out.png")) for program in twice]
                    comparison.compare(what, *reports)
                    if kind != "null devices" and not filecmp.cmp("right.png", "out.png", shallow=False):
                        comparison.wrong += 1
                        print(what + ": another picture")
            for mix in MIXES:
                options = ["--strategy=" + strategy, "--simulate=" + mix, "--costs=costs.pfm"] + [o for o in OPTIONS if o.startswith("--region")]
                reports = [clean(run(program, options, "out.png")) for program in twice]
                comparison.compare("%s, %s, simulated on %s" % (name, strategy, mix), *reports)
    for which, words in ((BEFORE, "before"), (AFTER, "after")):
        for path, count in comparison.only[which].items():
            print("only %s: %s (%d times)" % (words, path, count))
        for strategy in set(known[which]) - set(known[1 - which]):
            print("only %s: strategy %s" % (words, strategy))
    print("%d runs, %d figures compared, %d differ" % (comparison.runs, comparison.figures, comparison.wrong))
    return comparison.wrong > 0


if __name__ == "__main__":
    sys.exit(main())
