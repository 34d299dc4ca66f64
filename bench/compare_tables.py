#!/usr/bin/env python3
"""Which figures of balance, races and animations are worse than they were: compares the CSV of two versions of bench/results.

usage: compare_tables.py [--limit=0.002] [--strategies=auto,steal,...] BEFORE AFTER [NAME.csv ...]

BEFORE and AFTER are each a folder of CSV or a revision of git, of which bench/results/csv is taken. Without names all files are compared
whose columns are known here (FILES). Lines are matched by the columns that say what was measured. A figure is worse where it is lower than
before, or higher where low is better, by more than the limit; percents count as parts of one, and variances as parts of what they were.
Each is named, and so is each line and file that only one version has. Status 1: some figure is worse; 2: there was nothing to compare.
"""
import csv
import getopt
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CSV = "bench/results/csv"


class File:
    """Of a CSV file: the columns that tell a line from all others, and the figures that are better high or low. `whose` names
    the strategy that figures are of where no column "strategy" does: one for all, or one for each word that figures begin with."""

    def __init__(self, keys, high=(), low=(), whose=None):
        self.keys, self.high, self.low, self.whose = keys, high, low, whose

    def strategy(self, line, figure):
        if self.whose is None:
            return line["strategy"]
        return self.whose if isinstance(self.whose, str) else next(name for name in self.whose if figure.startswith(name))


SWEEP = File(["map", "speeds", "strategy"], high=["least"])
EFFICIENCIES = ["speed-up", "saved", "efficiency: mean", "efficiency: least settled", "efficiency: frame 0"]
FILES = {
    "balance-64.csv": SWEEP,
    "balance-1024.csv": SWEEP,
    "balance-1024-whole.csv": SWEEP,
    "balance-many.csv": File(["map", "speeds", "strategy", "at"], high=["least"]),
    "spot.csv": File(["map", "pixels"], high=["same", "even", "halves"], whose="auto"),
    "groups.csv": SWEEP,
    "groups-mixes.csv": SWEEP,
    "bitrev-16.csv": SWEEP,
    "bitrev-64.csv": SWEEP,
    "bitrev-drift.csv": SWEEP,
    "race.csv": File(["scene"], low=["auto/other", "imbalance"], whose="auto"),
    "orbit.csv": File(["animation", "strategy"], high=EFFICIENCIES, low=["variance: strategy", "settled variance: strategy"]),
    "orbit-sampled.csv": File(["animation (arguments of orbit.py)"], high=[*EFFICIENCIES, "costs known: least settled"],
                              low=["variance: sampled"], whose="sampled"),
    "cpu_gpu.csv": File(["CPU threads", "GPUs", "work", "overhead a range"], high=["auto, least", "hybrid, least"],
                        low=["auto, apart", "hybrid, apart"], whose=["auto", "hybrid"]),
}


def fail(message):
    print("compare_tables.py: " + message, file=sys.stderr)
    sys.exit(2)


def text_of(version, name):
    """The lines of a file, or None where the version has none of that name."""
    if os.path.isdir(version):
        path = os.path.join(version, name)
        if not os.path.exists(path):
            return None
        with open(path, newline="", encoding="utf-8") as file:
            return file.read().splitlines()
    shown = subprocess.run(["git", "-C", ROOT, "show", "%s:%s/%s" % (version, CSV, name)], capture_output=True, text=True)
    return shown.stdout.splitlines() if shown.returncode == 0 else None


def check_version(version):
    if not os.path.isdir(version):
        found = subprocess.run(["git", "-C", ROOT, "rev-parse", "--quiet", "--verify", version + "^{commit}"], capture_output=True)
        if found.returncode != 0:
            fail("%s is neither a folder nor a revision" % version)


def number(cell):
    """What a cell says, percents as parts of one; None where it says nothing."""
    part = cell.removesuffix(" %")
    try:
        return float(part.replace(",", "")) / (100 if part != cell else 1)
    except ValueError:
        return None


def read(version, name, strategies):
    """{(keys of a line, figure): what its cell says}, or None where the version has no such file."""
    text, file = text_of(version, name), FILES[name]
    if text is None:
        return None
    found = {}
    for line in csv.DictReader(line for line in text if line and not line.startswith("# ")):
        key = tuple(line[column] for column in file.keys)
        for figure in [*file.high, *file.low]:
            if strategies and file.strategy(line, figure).split(":")[0].split(",")[0] not in strategies:
                continue
            if (key, figure) in found:
                fail("%s of %s has two lines for %s" % (name, version, ", ".join(key)))
            if number(line[figure]) is not None:
                found[key, figure] = line[figure]
    return found


def worse_by(file, figure, before, after):
    more = number(after) - number(before)
    if "variance" in figure:
        more /= number(before) or 1
    return -more if figure in file.high else more


def compare(name, before, after, limit):
    """Names what is worse, new and gone in a file; returns how many figures were compared and how many are worse."""
    file = FILES[name]
    both = [key for key in before if key in after]
    worse = 0
    for key, figure in both:
        by = worse_by(file, figure, before[key, figure], after[key, figure])
        # The margin is for what decimal figures lose as binary ones.
        if by > limit + 1e-9:
            worse += 1
            print("%s: %s: %s %s -> %s" % (name, ", ".join(key), figure, before[key, figure], after[key, figure]))
    for word, one, other in ("gone", before, after), ("new", after, before):
        for key, figure in one:
            if (key, figure) not in other:
                print("%s: %s: %s is %s" % (name, ", ".join(key), figure, word))
    return len(both), worse


def main(arguments):
    try:
        options, (before, after, *names) = getopt.gnu_getopt(arguments, "", ["limit=", "strategies="])
        limit = float(dict(options).get("--limit", "0.002"))
    except (getopt.GetoptError, ValueError):
        fail(__doc__.split("\n")[2])
    unknown = [name for name in names if name not in FILES]
    if unknown:
        fail("which columns of %s are keys and which figures is not known here" % unknown[0])
    check_version(before)
    check_version(after)
    strategies = [word for word in dict(options).get("--strategies", "").split(",") if word]
    compared = worse = 0
    for name in names or FILES:
        versions = [read(version, name, strategies) for version in (before, after)]
        if None in versions:
            if versions != [None, None] or names:
                print("%s is not in %s" % (name, before if versions[0] is None else after))
            continue
        both, bad = compare(name, *versions, limit)
        compared, worse = compared + both, worse + bad
        if both:
            print("%s: %d figures, %d worse" % (name, both, bad))
    print("%d figures compared, %d worse by more than %g" % (compared, worse, limit))
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
