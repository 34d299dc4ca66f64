#!/usr/bin/env python3
"""Recomputes what lbrender-strategies(7) says of the book's, the paper's and the patent's schemes, from the sources' formulas alone;
of the program it takes only the cost maps of the Mandelbrot set, which it has rendered. Then some of them are compared with what the
simulator has. Prints a line a figure, and ends with status 1 where the page does not say it or the simulator differs.
usage: sources.py [LBRENDER]
"""
import array
import itertools
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = " ".join((ROOT / "man/lbrender-strategies.7").read_text().replace("\\-", "-").split())
wrong = 0


def check(what, found, *words):
    """The page must have each of the words."""
    global wrong
    missing = [word for word in words if word not in PAGE]
    wrong += bool(missing)
    print(f"{what}: {found}" + (f"   NOT IN THE PAGE: {missing}" if missing else ""))


def agree(what, found, simulated, most=1e-6):
    """What was computed here and what the program says must be the same, but for a part of `most`."""
    global wrong
    off = max(abs(a / b - 1) for a, b in zip(found, simulated))
    wrong += off > most or len(found) != len(simulated)
    print(f"{what}: {[round(x, 4) for x in found]}, simulated {[round(x, 4) for x in simulated]}" + ("   DIFFER" if off > most else ""))


def simulate(lbrender, folder, strategy, spec, options, scene="samples/mandelbrot.pbrt"):
    """The frames of its report. Nothing takes time but work."""
    with open(f"{folder}/spec.json", "w") as file:
        json.dump({"latency": 0, "range_overhead": 0, **spec}, file)
    subprocess.run([lbrender, "-q", f"--strategy={strategy}", f"--simulate={folder}/spec.json", f"--report={folder}/r.json",
                    *options, str(ROOT / scene)], check=True)
    with open(f"{folder}/r.json") as file:
        return json.load(file)["frames"]


def read_map(path):
    """Its first channel row by row from the upper left."""
    kind, size, _, values = pathlib.Path(path).read_bytes().split(b"\n", 3)
    (width, height), step = map(int, size.split()), 3 if kind == b"PF" else 1
    values = array.array("f", values)[::step]
    return [list(values[width * y:width * (y + 1)]) for y in range(height)][::-1]


def cost_map(lbrender, folder, width, height, name="m", scene="samples/mandelbrot.pbrt"):
    name = f"{folder}/{name}.pfm"
    subprocess.run([lbrender, "-q", "--no-cache", f"--resolution={width}x{height}", f"--cost-map={name}", "-o", "none",
                    str(ROOT / scene)], check=True)
    return read_map(name)


# Book 10.3.3, Listings 10-1 to 10-3.

def regions(width, height, limit, drift):
    n, bits = width * height, 0
    while n / 2 ** (bits + 1) >= limit:
        bits += 1
    m = 2 ** bits
    s = -(-n // m)

    def drifts(size):
        """Regions that are equal modulo 2^i, for 2^i up to the size, begin in every 64th column or more."""
        step = 1
        while step <= size:
            if math.gcd(step * size, width) > size + size / 64:
                return False
            step *= 2
        return True

    while drift and bits > 0 and not drifts(s):
        s += 1
    return bits, s, m * s - n


def reverse(value, bits):
    return int(f"{value:0{bits}b}"[::-1], 2) if bits else 0


def bitrev_efficiencies(costs, drift):
    height, width = len(costs), len(costs[0])
    bits, s, padding = regions(width, height, 128, drift)
    m, flat = 2 ** bits, [cost for row in costs for cost in row] + [0] * padding
    sums = [sum(flat[i * s:(i + 1) * s]) for i in range(m)]
    before = [0.0]
    for i in range(m):
        before.append(before[-1] + sums[reverse(i, bits)])
    found = {}
    for p in range(2, 65):
        if m < 16 * p:  # the program takes smaller regions then
            raise ValueError
        cuts = [math.floor(m * k / p + 0.5) for k in range(p + 1)]
        found[p] = before[-1] / p / max(before[cuts[k + 1]] - before[cuts[k]] for k in range(p))
    return found


# Paper, III.A and III.B, equations 4 to 6 and 8, for two processors.

def pbt_two(costs, frames, speeds=(1, 1), twice=False):
    """Efficiencies: the first cut is in the middle, later ones where the last times, evenly over their leaves, have half, or with
    other speeds than 1 the part of the first. What a leaf cost is its time by the speed of who took it; `twice`: by the weight that
    this one had, which at first is half of all."""
    columns = [sum(column) for column in zip(*costs)]
    width, cut, found, weights = len(columns), len(columns) // 2, [], [0.5, 0.5]
    for _ in range(frames):
        parts = sum(columns[:cut]), sum(columns[cut:])
        times = [part / speed for part, speed in zip(parts, speeds)]
        found.append(sum(parts) / sum(speeds) / max(times))
        cost = [time * speed for time, speed in zip(times, weights if twice else speeds)]
        density = [cost[0] / cut] * cut + [cost[1] / (width - cut)] * (width - cut)
        weights = [speed / sum(speeds) for speed in speeds]
        due, reached, cut = sum(cost) * weights[0], 0.0, 0
        while reached < due * (1 - 1e-12):
            reached += density[cut]
            cut += 1
    return found


class Sums:
    """What lies in rectangles of a map."""

    def __init__(self, costs):
        self.corners = [[0.0] * (len(costs[0]) + 1)]
        for row in costs:
            above, sums = self.corners[-1], [0.0]
            along = itertools.accumulate(row)
            sums.extend(a + b for a, b in zip(above[1:], along))
            self.corners.append(sums)

    def of(self, x, y, right, low):
        return self.corners[low][right] - self.corners[y][right] - self.corners[low][x] + self.corners[y][x]


class Even:
    """What lies in rectangles where leaves' times are spread evenly over them. A thousandth more lies everywhere, so that a picture
    can be cut where nothing took time."""

    def __init__(self, leaves, times):
        self.leaves = leaves
        self.each = [time / ((right - x) * (low - y)) for (x, y, right, low), time in zip(leaves, times)]
        self.more = 1e-3 * sum(times) / sum((right - x) * (low - y) for x, y, right, low in leaves)

    def of(self, x, y, right, low):
        found = self.more * (right - x) * (low - y)
        for (a, b, c, d), each in zip(self.leaves, self.each):
            found += each * max(0, min(c, right) - max(a, x)) * max(0, min(d, low) - max(b, y))
        return found


def pbt_leaves(density, count, x, y, right, low):
    """Cuts a rectangle for so many equal processors, half of them on either side, along its longer side (equations 5 and 6)."""
    if count == 1:
        return [(x, y, right, low)]
    half, wide = count // 2, right - x >= low - y

    def parts(k):
        return ((x, y, x + k, low), (x + k, y, right, low)) if wide else ((x, y, right, y + k), (x, y + k, right, low))

    whole = density.of(x, y, right, low)
    first, last = 1, (right - x if wide else low - y) - 1
    while first < last:
        k = (first + last) // 2
        if density.of(*parts(k)[0]) >= (half / count - 1e-12) * whole:
            last = k
        else:
            first = k + 1
    return [leaf for part, n in zip(parts(first), (half, count - half)) for leaf in pbt_leaves(density, n, *part)]


def pbt_still(costs, coverage, count, frames):
    """Efficiencies of a scene in which nothing moves: the first frame is cut by coverage, later ones by the last times."""
    height, width = len(costs), len(costs[0])
    true, found = Sums(costs), []
    wide, high = width / len(coverage[0]), height / len(coverage)
    cells = [(x * wide, y * high, (x + 1) * wide, (y + 1) * high) for y in range(len(coverage)) for x in range(len(coverage[0]))]
    density = Even(cells, [value > 0 for row in coverage for value in row])
    for _ in range(frames):
        leaves = pbt_leaves(density, count, 0, 0, width, height)
        times = [true.of(*leaf) for leaf in leaves]
        found.append(sum(times) / count / max(times))
        density = Even(leaves, times)
    return found


def equation_7(columns):
    """The k that equations 5 and 6 ask for, and that which moving the line by one column at a time finds."""
    first = next(k for k in range(1, len(columns) + 1) if sum(columns[:k]) >= sum(columns) / 2)
    line = 0
    for k in range(1, len(columns) + 1):
        whole = sum(columns[:k])
        line += line < k and sum(columns[:line]) < whole / 2
    return first, line


# Book 10.3.1: so many rows of equal tiles that these are the squarest, and the work of each, row by row.

def naive_tiles(costs, p):
    height, width = len(costs), len(costs[0])
    rows = min((k for k in range(1, p + 1) if p % k == 0), key=lambda k: max(width * k * k / height / p, height * p / width / k / k))
    high, wide = height // rows, width * rows // p
    return rows, [sum(sum(row[x:x + wide]) for row in costs[y:y + high]) for y in range(0, height, high) for x in range(0, width, wide)]


def contended(works, contention):
    """When all of the works are done, each of which a thread has, if at any moment threads take 1 + (contention - 1) (busy - 1) /
    (threads - 1) times as long."""
    seconds, done, left = 0.0, 0.0, sorted(works)
    for i, work in enumerate(left):
        seconds += (work - done) * (1 + (contention - 1) * (len(left) - i - 1) / (len(left) - 1))
        done = work
    return seconds


# Patent, equations 2 to 13.

def patent(s, threads, t_cpu, t_gpu, alpha):
    most = s - alpha * t_cpu / t_gpu
    k = 0 if most < 1 else min(threads, math.floor(most + 1e-9))
    s1 = math.floor(s * k * t_gpu / (alpha * t_cpu + k * t_gpu) + 1e-9)
    return s1, s - s1, k


def still(lbrender, folder):
    """pbt on the headlight, which does not move, with five processors."""
    costs, frames = cost_map(lbrender, folder, 640, 360, "h", "test/scenes/headlight.pbrt"), 16
    for name in ("", ".coverage"):
        for i in range(frames):
            os.symlink(f"h{name}.pfm", f"{folder}/h-{i:04}{name}.pfm")
    found = pbt_still(costs, read_map(f"{folder}/h.coverage.pfm"), 5, frames)
    shown = simulate(lbrender, folder, "pbt", {"processors": [{"count": 5}]}, [f"--frames=0-{frames - 1}", f"--costs={folder}/h.pfm"])
    agree("pbt, headlight, five processors, by frame", found, [frame["efficiency"] for frame in shown], 1e-3)
    check("pbt, headlight, five processors", [f"{x:.2f}" for x in found],
          f"five have {found[4]:.2f} in frame 4, and then by turns more and less down to {found[14]:.2f} and {found[15]:.2f} in frames 14 and 15")


def compare(lbrender, folder):
    """What the simulator has of the same schemes."""
    tall, wide = cost_map(lbrender, folder, 108, 256, "t"), cost_map(lbrender, folder, 640, 480, "w")
    rows, works = naive_tiles(tall, 4)
    assert rows == 4 and naive_tiles(wide, 4)[0] == 2
    costs = [f"--costs={folder}/t.pfm"]
    alone = simulate(lbrender, folder, "naive", {"processors": [{"count": 4}]}, costs)[0]
    agree("naive, four threads, 108x256", [sum(works) / 4 / max(works)], [alone["efficiency"]])
    quarters = [sum(sum(row[x:x + 54]) for row in tall[y:y + 128]) for y in (0, 128) for x in (0, 54)]
    check("naive, 108x256: 1 x 4, 2 x 2", (sum(works) / 4 / max(works), sum(works) / 4 / max(quarters)),
          f"an efficiency of {sum(works) / 4 / max(works):.3f} there, 2 x 2 tiles would have {sum(works) / 4 / max(quarters):.3f}")
    beside = simulate(lbrender, folder, "naive", {"processors": [{"count": 4}], "contention": 1.3}, costs)[0]
    agree("naive, the same with contention 1.3, T over T", [contended(works, 1.3) / max(works)], [beside["t"] / alone["t"]], 1e-3)
    for i in range(6):
        os.symlink("w.pfm", f"{folder}/w-{i:04}.pfm")
    frames = simulate(lbrender, folder, "pbt", {"processors": [{"speed": 1}, {"speed": 3}]}, ["--frames=0-5", f"--costs={folder}/w.pfm"])
    found, twice = pbt_two(wide, 6, (1, 3)), pbt_two(wide, 6, (1, 3), True)
    agree("pbt, speeds 1 and 3, by frame", found, [frame["efficiency"] for frame in frames])
    check("pbt, speeds 1 and 3: least from frame 1 on, frame 1 if speed were weighed twice", (min(found[1:]), twice[1]),
          f"with speeds of 1 and 3 they have {min(found[1:]):.3f} or more from frame 1 on", f"weighed twice frame 1 would have {twice[1]:.3f}")
    still(lbrender, folder)
    patents = {"processors": [{"count": 3}, {"speed": 15.8, "kind": "cuda"}], "total_seconds": 79, "contention": 1.15}
    frame = simulate(lbrender, folder, "hybrid", patents, ["--resolution=400x250"], "test/scenes/mandelbrot-flat.pbrt")[0]
    told = frame["passes"][0]["chosen"]
    agree("patent's example, T", [79 / (3 / 1.15 + 15.8)], [frame["t"]], 5e-3)
    for words in ("alpha 1.150", "speed-up 18.4 = threads 2.61 + GPUs 15.8"):
        check("patent's example, as the simulator tells it", words if words in told else "IT TELLS " + told)
        global wrong
        wrong += words not in told


def main():
    lbrender = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/lbrender")
    for width, height, printed, drifting in ((640, 360, 225, 226), (1280, 720, 225, 227), (1024, 1024, 128, 129)):
        sizes = regions(width, height, 128, False)[1], regions(width, height, 128, True)[1]
        check(f"bitrev, s at {width}x{height}", sizes, f"{sizes[1]} for {sizes[0]} at {width}x{height}")
        assert sizes == (printed, drifting)
    check("bitrev, padding at 3840x2160, drift", regions(3840, 2160, 128, True)[2], f"{regions(3840, 2160, 128, True)[2]:,} of 8,294,400")
    bits, _, padding = regions(3840, 1030, 128, True)
    check("bitrev, padding at 3840x1030, drift", (padding, padding / 2 ** bits), f"{padding:,} at 3840x1030, {padding / 2 ** bits:.2f} m")
    small = regions(2800, 2800, 2, False), regions(2800, 2800, 2, True)
    check("bitrev, 2800x2800 by 2 pixels", small,
          f"s is {small[1][1]} in place of {small[0][1]}, which pads by {100 * small[1][2] / 2800 ** 2:.0f} %")
    with tempfile.TemporaryDirectory() as folder:
        square, wide = cost_map(lbrender, folder, 1024, 1024), cost_map(lbrender, folder, 640, 480)
    book, drifting = bitrev_efficiencies(square, False), bitrev_efficiencies(square, True)
    check("bitrev on the Mandelbrot set, 8 processors, least of 2 to 64: as printed, with drift",
          [f"{x:.4f}" for x in (book[8], min(book.values()), drifting[8], min(drifting.values()))],
          f"has {book[8]:.3f} with 8 processors", f"and {min(book.values()):.3f} at the least with 2 to 64",
          f"the default has {drifting[8]:.3f} and {min(drifting.values()):.3f}")
    everything = sum(map(sum, square))
    lines = max(sum(sum(square[y]) for y in range(k, 1024, 64)) for k in range(64))
    scatter = max(sum(sum(row[k::64]) for row in square) for k in range(64))
    check("scatter and scanline, 64 processors", (everything / 64 / scatter, everything / 64 / lines),
          f"p = 64: {everything / 64 / scatter:.3f}, where scanline has {everything / 64 / lines:.3f}")
    turns = [f"{x:.2f}" for x in pbt_two(wide, 10)]
    check("pbt, two processors, Mandelbrot set", turns, f"have {turns[-2]} and {turns[-1]} by turns"
          if f"have {turns[-2]} and {turns[-1]} by turns" in PAGE else f"have {turns[-1]} and {turns[-2]} by turns")
    five, four = equation_7([1, 1, 1, 1, 9, 9])
    check("equation 7 on columns 1, 1, 1, 1, 9, 9", (five, four), f"f(6) = {four}, but equations 5 and 6 say k = {five}")
    for name, alpha, running in (("alpha = 1.15 throughout", 1.15, 1.15), ("alpha = 1", 1, 1), ("split by 1, running with 1.15", 1, 1.15)):
        s1, s2, _ = patent(1000, 3, 0.079, 0.005, alpha)
        seconds = max(running * s1 * 0.079 / 3, s2 * 0.005)
        check("patent, " + name, (s1, s2, seconds), f"{name} s1 {s1} s2 {s2} T {seconds:.3f} s {79 / seconds:.1f} times")
    ideal = 79 / (3 / 1.15 + 15.8)
    check("patent, Tmin and speed-ups", (ideal, 79 / ideal, 3 / 1.15, 15.8), f"Tmin {ideal:.2f} s",
          f"a speed-up of {79 / ideal:.1f}, {3 / 1.15:.2f} of the threads and 15.8 of the GPU")
    print("hybrid, s 39, ratio 20, 32 threads: s1, s2, k", patent(39, 32, 20, 1, 1))
    with tempfile.TemporaryDirectory() as folder:
        compare(lbrender, folder)
    return 1 if wrong else 0


sys.exit(main())
