#!/usr/bin/env python3
"""Lets workers join, leave and die at random moments while frames are rendered under random strategies and options, and wants
every file of an undisturbed run of one thread, the right status, and an end in bounded time.

usage: host_renewals.py      in an empty folder; LBRENDER and SAMPLES name the program and its samples

LB_RENEWALS runs (default 20) are made, from LB_RENEWALS_SEED (default 1) on: each with one of all strategies and some of the
outputs below, two to five workers (null devices, whose speed is that of a clock), and two to six events: a worker joins, leaves
(SIGTERM), is killed, or stops for a moment. Files that do not depend on who rendered what are compared byte by byte; reports,
traces, pages and maps of who rendered what must be whole and name no pixel that nobody rendered. The status is 0, or 3 where the
program says that a processor was lost. A line a run that is wrong; the last one counts them. Status 1: something was wrong.

LB_SOAK=SECONDS serves one long frame in their place, lets workers come and go all the time, and prints the primary's memory and
open files a minute. The report has a row of each processor for each pass, and a pass ends where workers come; what these rows take
is counted from the report. Status 1: memory without the rows, or open files, grow by more than a tenth from a third of the time to
its end."""
import filecmp
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.environ.get("LBRENDER", HERE + "/../build/lbrender")
SAMPLES = os.environ.get("SAMPLES", HERE + "/../samples")
LIMIT = float(os.environ.get("LB_RENEWALS_LIMIT", "90"))
SLOW = float(os.environ.get("LB_RENEWALS_SLOW", "1"))  # times as long between events, as under sanitizers
SCENES = ["room", "mandelbrot", "motion"]
# Options, and the files that they write whose bytes depend on the picture alone.
OUTPUTS = [
    (["--cost-map=m.pfm"], ["m.pfm"]),
    (["--cost-map=m.pfm", "--passes=3"], ["m.pfm"]),
    (["--partition-map=p.png"], []),
    (["--report=r.json"], []),
    (["--report=r.csv"], []),
    (["--report=r.html"], []),
    (["--report=r.txt"], []),
    (["--trace=t.json"], []),
    (["--passes=2"], []),
    (["--passes=3"], []),
    (["--checkpoint=c.part"], []),
    (["--part=k.part"], ["k.part"]),
    (["--share=1/2", "--part=k.part"], ["k.part"]),
    (["--noise-target=0.05"], []),
    (["--exposure=1"], []),
    (["--seed=7"], []),
    (["--cropwindow=0.2,0.8,0.1,0.9"], []),
    (["--bvh-quality=fast"], []),
]
PICTURES = [["-o", "out.png"], ["-o", "out.pfm"], ["-o", "out.exr"], ["-o", "out.exr", "--channels=albedo,N,samples,variance"]]


def strategies():
    listed = subprocess.run([PROGRAM, "--list-strategies"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in listed.splitlines()]


def options_of(draw):
    """Options of a run that go together, the file of the picture and the files to be compared."""
    scene = draw.choice(SCENES)
    options, files = list(draw.choice(PICTURES)), []
    if scene == "mandelbrot":
        options = options[:2]  # it has no surfaces
    files.append(options[1])
    if draw.random() < 0.2:
        options += ["--frames=0-2/3"]
        options[1] = options[1].replace("out", "out-####")
        files = [options[1].replace("####", "%04d" % i) for i in range(3)]
    given = set()
    for more, wrote in draw.sample(OUTPUTS, draw.randint(1, 3)):
        names = {o.split("=")[0] for o in more}
        moving = "--frames=0-2/3" in options
        if names & given or (moving and names & {"--part", "--share", "--checkpoint", "--noise-target"}):
            continue
        if "--share" in names and given & {"--noise-target", "--passes", "--cost-map"} or names & given:
            continue
        if "--noise-target" in names | given and (names | given) & {"--part", "--share", "--passes", "--checkpoint", "--cost-map"}:
            continue
        if "--share" in given and names & {"--cost-map", "--passes", "--partition-map"}:
            continue
        given |= names
        for option in more:
            name = option.split("=")[1] if "=" in option else ""
            if moving and re.match(r"(m\.pfm|p\.png)$", name):
                option = option.replace(".", "-####.", 1)
                wrote = ["m-%04d.pfm" % i for i in range(3)] if name == "m.pfm" else []
            options.append(option)
        files += wrote
    if "--share" in given:  # a share has no picture of its own
        options[1], files = "none", [f for f in files if f.endswith(".part")]
    return scene, options, files


class Hosts:
    """Workers that come and go."""

    def __init__(self, address, draw):
        self.address, self.draw, self.all = address, draw, []

    def join(self):
        speed = self.draw.choice([4000, 8000, 20000, 60000])
        devices = ",".join(["null:speed=%d" % speed] * self.draw.randint(1, 3))
        self.all.append(subprocess.Popen([PROGRAM, "-q", "--join=" + self.address, "--no-cache", "--silence=5", "--devices=" + devices],
                                         stderr=subprocess.DEVNULL))

    def living(self):
        return [worker for worker in self.all if worker.poll() is None]

    def event(self):
        living = self.living()
        kind = self.draw.choice(["join", "join", "leave", "kill", "stop"])
        if kind == "join" or len(living) < 2:
            self.join()
            return
        worker = self.draw.choice(living)
        if kind == "stop":
            worker.send_signal(signal.SIGSTOP)
            time.sleep(self.draw.uniform(0.02, 0.3))
            worker.send_signal(signal.SIGCONT)
        else:
            worker.send_signal(signal.SIGTERM if kind == "leave" else signal.SIGKILL)

    def close(self):
        for worker in self.all:
            worker.kill()
            worker.wait()


def serve(arguments):
    """The primary, the address that it serves at, and the file of what it says (a pipe would fill in a long run)."""
    said = tempfile.TemporaryFile(mode="a+")  # where it is read must not move where the primary writes
    primary = subprocess.Popen([PROGRAM, "--serve=tcp://127.0.0.1:0", "--no-cache", "--patience=20", "--silence=1.5", "--due=3"] + arguments,
                               stderr=said, stdout=subprocess.DEVNULL)
    while primary.poll() is None:
        said.seek(0)
        found = re.search(r"--join=(\S+)\s", said.read())
        if found:
            return primary, found[1], said
        time.sleep(0.01)
    raise RuntimeError("it does not serve: status %d" % primary.wait())


def check_reports(folder):
    """What is wrong with files whose bytes depend on who rendered what."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if name.endswith(".partial.png"):
            return name + " is there"
        if os.path.getsize(path) == 0:
            return name + " is empty"
        if name in ("r.json", "t.json"):
            json.load(open(path))
        if name == "r.json":
            for frame in json.load(open(path))["frames"]:
                if frame.get("incomplete"):
                    return "frame %d of %s is incomplete" % (frame["frame"], name)
    return ""


def run(seed, names):
    draw = random.Random(seed)
    strategy = names[seed % len(names)]
    scene, options, files = options_of(draw)
    spp = draw.choice([4, 8, 16])
    picture = [SAMPLES + "/%s.pbrt" % scene, "--resolution=64x48", "--spp=%d" % spp] + options
    told = "seed %d, %s: %s" % (seed, strategy, " ".join(picture[1:]))
    os.makedirs("one", exist_ok=True)
    os.makedirs("two", exist_ok=True)
    for folder in "one", "two":
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
    alone = subprocess.run([PROGRAM, "-q", "--no-cache", "--threads=1"] + picture, cwd="one", stdin=subprocess.DEVNULL, capture_output=True,
                           text=True)
    if alone.returncode != 0:
        return "%s: alone, status %d: %s" % (told, alone.returncode, alone.stderr)
    os.chdir("two")
    hosts = None
    try:
        own = draw.choice(["host", "host", "null:speed=4000,host", "2*host"])
        primary, address, log = serve(["--strategy=" + strategy, "--devices=" + own] + picture)
        hosts = Hosts(address, draw)
        for _ in range(draw.randint(1, 3)):
            hosts.join()
        for _ in range(draw.randint(2, 6)):
            time.sleep(draw.uniform(0.0, 0.4) * SLOW)
            if primary.poll() is not None:
                break
            hosts.event()
        if not hosts.living() and primary.poll() is None:
            hosts.join()
        end = time.monotonic() + LIMIT
        while primary.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
            if not hosts.living():
                hosts.join()
        if primary.poll() is None:
            return told + ": it does not end"
        log.seek(0)
        said = log.read()
        # Of a place that was empty when the frame began, the status tells whether a worker came into it later.
        right = [3] if "was lost" in said else [0, 3] if "nobody is there" in said else [0]
        if primary.returncode not in right:
            return "%s: status %d: %s" % (told, primary.returncode, said)
        for name in files:
            if not os.path.exists(name):
                return "%s: there is no %s: %s" % (told, name, said)
            if not filecmp.cmp(name, "../one/" + name, shallow=False):
                return "%s: %s has other bytes: %s" % (told, name, said)
        missing = set(os.listdir("../one")) - set(os.listdir("."))
        if missing:
            return "%s: there is no %s: %s" % (told, ", ".join(sorted(missing)), said)
        wrong = check_reports(".")
        return "%s: %s" % (told, wrong) if wrong else ""
    finally:
        if hosts:
            hosts.close()
            primary.kill()
            primary.wait()
        os.chdir("..")


def usage(pid):
    status = open("/proc/%d/status" % pid).read()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024, len(os.listdir("/proc/%d/fd" % pid))


def row_bytes(balance):
    """What the primary holds for a pass of the report: sizes of the structs of core/report/report.h, and malloc()'s 16 bytes each."""
    processors = balance["processors"]
    hosts = [each["host"] for each in processors if "host" in each]
    return 432 + 16 + 224 * len(processors) + (120 + 2 * 16) * len(hosts) + 88 * sum(len(host["processors"]) for host in hosts)


def soak(seconds):
    draw = random.Random(1)
    primary, address, _ = serve(["--progress=none", "--devices=null:speed=1000,host", "-o", "out.png", "--report=r.json", "--passes=2",
                                 SAMPLES + "/room.pbrt", "--resolution=256x192", "--spp=60000"])
    hosts = Hosts(address, draw)
    begin, told, seen = time.monotonic(), 0.0, []
    try:
        while time.monotonic() - begin < seconds and primary.poll() is None:
            living = hosts.living()
            if len(living) > 4:
                draw.choice(living).send_signal(draw.choice([signal.SIGTERM, signal.SIGKILL]))
            else:
                hosts.event()
            hosts.all = [worker for worker in hosts.all if worker.poll() is None]
            time.sleep(draw.uniform(0.1, 0.6))
            if time.monotonic() - begin >= told:
                seen.append(usage(primary.pid))
                print("%5.0f s  %.1f MB  %d files" % ((told,) + seen[-1]), flush=True)
                told += 60
        if primary.poll() is not None:
            print("the primary ended with status %d" % primary.returncode)
            return 1
        primary.send_signal(signal.SIGTERM)
        primary.wait(30)
        passes = json.load(open("r.json"))["frames"][0]["passes"]
        rows = sum(row_bytes(each) for each in passes) / 1024 / 1024
        early, late = seen[len(seen) // 3], seen[-1]
        grown = late[0] - early[0] - rows * (1 - len(seen) // 3 / len(seen))
        print("%d passes, whose rows take %.1f MB; %.1f MB more than after a third of the time beside them" % (len(passes), rows, grown))
        return int(grown > 0.1 * early[0] or late[1] > 1.1 * early[1] + 4)
    finally:
        hosts.close()
        primary.kill()
        primary.wait()


def main():
    if "LB_SOAK" in os.environ:
        return soak(float(os.environ["LB_SOAK"]))
    first, count = int(os.environ.get("LB_RENEWALS_SEED", "1")), int(os.environ.get("LB_RENEWALS", "20"))
    names, wrong = strategies(), 0
    for seed in range(first, first + count):
        why = run(seed, names)
        if why:
            wrong += 1
            print("WRONG " + why, flush=True)
    print("%d runs, %d wrong" % (count, wrong))
    return wrong > 0


sys.exit(main())
