#!/usr/bin/env python3
"""Tries each view of a collection of pbrt-v4 scenes in strict mode and prints a table: what passes, and the first error of what does
not.

usage: test/views.py [--csv] [--fill FOLDER] [--data FOLDER] COLLECTION

COLLECTION  a folder of any depth; a view is a file .pbrt (or .pbrt.gz) that has a WorldBegin
--csv       prints CSV: view, result, message
--fill      first copies the collection's .pbrt files into FOLDER, which must not exist, and writes a small file of our own for each
            file that they name and the collection lacks: a mesh of two triangles, an image of 8 x 8, a spectrum, a lens. So the
            text of a collection suffices to try what of the language its views need. Then FOLDER is tried.
--data      where --fill takes NanoVDB grids and measured materials from (../shared/data)

Each view is rendered at 16 x 12 with a sample a pixel, nothing is written. LBRENDER names the program (build/lbrender),
LB_VIEW_SECONDS how long a view may take (300). Status: 0 all pass, 1 some do not, 2 usage.
"""
import argparse
import concurrent.futures
import csv
import gzip
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.environ.get("LBRENDER") or os.path.join(ROOT, "build", "lbrender")
SECONDS = float(os.environ.get("LB_VIEW_SECONDS") or 300)
TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|#[^\n]*|[^\s"#]+')


def scene_files(folder):
    for place, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            if name.endswith((".pbrt", ".pbrt.gz")):
                yield os.path.join(place, name)


def text_of(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        return file.read()


def is_view(path):
    return any(token == b"WorldBegin" for token in TOKEN.findall(text_of(path)))


# ---- stand-ins for what is missing ----

MESH = """ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
property float u
property float v
element face 2
property list uchar int vertex_indices
end_header
0 0 0 0 0
1 0 0 1 0
1 1 0 1 1
0 1 0 0 1
3 0 1 2
3 0 2 3
"""
LENS = "50 5 1.5 20\n-50 5 1 20\n0 40 0 10\n"
PICTURE = 'Film "rgb" "integer xresolution" 8 "integer yresolution" 8 WorldBegin LightSource "infinite" Translate 0 0 3 Shape "sphere"\n'
FILES = (b".ply", b".pbrt", b".spd", b".dat", b".bsdf", b".nvdb", b".png", b".jpg", b".jpeg", b".tga", b".bmp", b".hdr", b".qoi", b".gif",
         b".exr", b".pfm")
IMAGES = (".png", ".jpg", ".jpeg", ".tga", ".bmp", ".hdr", ".qoi", ".gif", ".exr", ".pfm")


def make_picture(path):
    """The kind is told by the content, not by the ending: PNG stands for all of 8 bits."""
    ending = "exr" if path.endswith(".exr") else "pfm" if path.endswith((".pfm", ".hdr")) else "png"
    subprocess.run([PROGRAM, "--quiet", "--no-cache", "--spp=1", "--format=" + ending, "-o", path + ".new", "-"],
                   input=PICTURE.encode(), check=True)
    os.replace(path + ".new", path)


def stand_in(path, data):
    """False: there is none for such a file."""
    texts = {".ply": MESH, ".spd": "400 0.5\n700 0.6\n", ".dat": LENS, ".pbrt": ""}
    copies = {".nvdb": os.path.join(data, "scenes/features/media/ring-zip.nvdb"),
              ".bsdf": os.path.join(data, "scenes/features/media/teal-gold.bsdf")}
    name = path[:-3] if path.endswith(".gz") else path
    ending = os.path.splitext(name)[1].lower()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if ending in texts:
        with (gzip.open if path.endswith(".gz") else open)(path, "wt") as file:
            file.write(texts[ending])
    elif ending in copies and os.path.exists(copies[ending]):
        shutil.copyfile(copies[ending], path)
    elif ending in IMAGES:
        make_picture(path)
    else:
        return False
    return True


def named_files(text):
    """Strings that end like files, but for those that a film names, which are written."""
    tokens, film = TOKEN.findall(text), False
    for token in tokens:
        if re.match(rb"[A-Z]", token):
            film = token == b"Film"
        elif token.startswith(b'"') and not film and token[1:-1].removesuffix(b".gz").endswith(FILES):
            yield token[1:-1].decode(errors="replace")


def fill(collection, folder, data):
    """Scene files of one folder name what lies beside the view: the folders above are tried as well."""
    files = list(scene_files(collection))
    for path in files:
        copy = os.path.join(folder, os.path.relpath(path, collection))
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        shutil.copyfile(path, copy)
    views = sorted({os.path.dirname(path) for path in files if is_view(path)}, key=len)
    for path in files:
        homes = [view for view in views if os.path.dirname(path).startswith(view)] or [os.path.dirname(path)]
        home = os.path.relpath(homes[-1], collection)
        for name in named_files(text_of(path)):
            wanted = os.path.normpath(os.path.join(folder, home, name))
            beside = os.path.normpath(os.path.join(folder, os.path.relpath(os.path.dirname(path), collection), name))
            inside = wanted.startswith(os.path.abspath(folder) + os.sep)
            if inside and not os.path.exists(wanted) and not os.path.exists(beside) and not stand_in(wanted, data):
                print("no stand-in for %s" % name, file=sys.stderr)


# ---- trying ----


def first_error(text):
    lines = [line for line in text.decode(errors="replace").splitlines() if line.startswith("lbrender: ") and "warning" not in line]
    return lines[0][len("lbrender: "):] if lines else "no message"


def try_view(path):
    """(result, message)"""
    command = [PROGRAM, "--quiet", "--no-cache", "--resolution=16x12", "--spp=1", "-o", "none", path]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=SECONDS,
                              check=False)
    except subprocess.TimeoutExpired:
        return "slow", "not done after %g s" % SECONDS
    if done.returncode == 0:
        return "passes", ""
    if done.returncode != 1:
        return "fails", "status %d" % done.returncode
    return "refused", first_error(done.stderr)


def main():
    parser = argparse.ArgumentParser(description="See the head of this file.")
    parser.add_argument("--csv", action="store_true")
    parser.add_argument("--fill")
    parser.add_argument("--data", default=os.path.join(ROOT, "..", "shared", "data"))
    parser.add_argument("collection")
    options = parser.parse_args()
    folder = os.path.abspath(options.collection)
    if options.fill:
        if os.path.exists(options.fill):
            parser.error("%s: is there already" % options.fill)
        fill(folder, os.path.abspath(options.fill), options.data)
        folder = os.path.abspath(options.fill)
    views = [path for path in scene_files(folder) if is_view(path)]
    if not views:
        parser.error("%s: no .pbrt file with a WorldBegin" % options.collection)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(try_view, views))
    rows = [(os.path.relpath(view, folder), result, message.replace(folder + os.sep, ""))
            for view, (result, message) in zip(views, results)]
    if options.csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows([("view", "result", "message")] + rows)
    else:
        width = max(len(row[0]) for row in rows)
        for view, result, message in rows:
            print("%-*s  %-7s  %s" % (width, view, result, message))
        print("%d of %d views pass" % (sum(row[1] == "passes" for row in rows), len(rows)))
    sys.exit(any(row[1] != "passes" for row in rows))


if __name__ == "__main__":
    main()
