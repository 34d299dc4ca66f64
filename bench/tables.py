#!/usr/bin/env python3
"""Makes the tables of the pages under bench/results of the figures that stand in bench/results/csv.

usage: tables.py [--check] [PAGE.md ...]      without a name: all pages beside the folder csv

A table stands between two marks, and whatever stands between them is replaced:

    <!-- table NAME.csv -->
    <!-- end -->

The first mark may say how rows of the file become rows of the table: `rows=map columns=strategy,speeds cells=least,at`
makes a row of all lines that agree in the columns `rows`, and in it, for each value of `columns`, the columns `cells`.
A page that begins with `<!-- written by COMMAND -->` has tables of its own and is left alone. A line of the CSV that begins with "# " says when and where its figures were measured; it is printed above the table.
--check changes nothing: it names each page whose tables are not those of its files, and each table outside of marks,
and ends with status 1 where there is one.
"""
import csv
import pathlib
import re
import sys

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
BEGIN = re.compile(r"^<!-- table (\S+\.csv)((?: \w+=\S+)*) -->$")
END = "<!-- end -->"
# A figure, with a unit or without, is set to the right.
FIGURE = re.compile(r"^(-|[-+]?[0-9][0-9.,]*(e[-+]?[0-9]+)?( (%|s|ms|MB|KiB))?)?$")


def unique(values):
    return list(dict.fromkeys(values))


def pivot(head, lines, rows, columns, cells):
    """Head and lines of a table whose columns are values: see above."""
    at = {name: i for i, name in enumerate(head)}
    pick = lambda line, names: tuple(line[at[name]] for name in names)
    found = {}
    for line in lines:
        key = pick(line, rows), pick(line, columns)
        if key in found:
            raise ValueError(f"two lines for {key}")
        found[key] = pick(line, cells)
    across = unique(pick(line, columns) for line in lines)
    names = [name for value in across for name in (", ".join(value), *cells[1:])]
    missing = ("",) * len(cells)
    return list(rows) + names, [
        [*row] + [cell for value in across for cell in found.get((row, value), missing)]
        for row in unique(pick(line, rows) for line in lines)
    ]


def table(folder, name, arguments):
    """The lines of a table in Markdown."""
    with open(folder / name, newline="", encoding="utf-8") as file:
        text = file.read().split("\n")
    notes = [line.removeprefix("# ") + "." for line in text if line.startswith("# ")]
    head, *lines = csv.reader(line for line in text if line and not line.startswith("# "))
    for line in lines:
        if len(line) != len(head):
            raise ValueError(f"{name}: {len(line)} cells where the head has {len(head)}: {','.join(line)}")
    how = dict(word.split("=", 1) for word in arguments.split())
    if how:
        head, lines = pivot(head, lines, *(how[key].split(",") for key in ("rows", "columns", "cells")))
    right = [all(FIGURE.match(line[i]) for line in lines) for i in range(len(head))]
    show = lambda line: "| " + " | ".join(line) + " |"
    above = [*notes, ""] if notes else []
    return [*above, show(head), show(["---:" if figures else "---" for figures in right]), *map(show, lines)]


def remake(page):
    """The page's text with its tables made anew, and the numbers of the lines with tables outside of marks."""
    text, stray, inside = [""], [], False
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        mark = BEGIN.match(line)
        if inside:
            inside = line != END
            if inside:
                continue
        elif mark:
            text += [line] + table(page.parent / "csv", mark[1], mark[2])
            inside = True
            continue
        elif line.startswith("|") and not text[-1].startswith("|"):
            stray.append(number)
        text.append(line)
    if inside:
        raise ValueError(f"a table has no {END}")
    return "\n".join(text[1:]), stray


def main(arguments):
    check = arguments[:1] == ["--check"]
    pages = [pathlib.Path(name) for name in arguments[check:]] or sorted(RESULTS.glob("*.md"))
    bad = False
    for page in pages:
        if page.is_file() and page.read_text(encoding="utf-8").startswith("<!-- written by "):
            continue
        try:
            text, stray = remake(page)
        except (OSError, ValueError, KeyError) as error:
            print(f"{page}: {error}")
            bad = True
            continue
        for number in stray if check else []:
            print(f"{page}:{number}: a table outside of marks")
            bad = True
        if text != page.read_text(encoding="utf-8"):
            if check:
                print(f"{page}: its tables are not those of csv/: run bench/tables.py")
                bad = True
            else:
                page.write_text(text, encoding="utf-8")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
