#!/usr/bin/env python3
"""Renders pictures on several hosts of which something happens to one, and wants the bytes of one host, the right
status, and an end in bounded time.

usage: host_faults.py [KIND..]      in an empty folder; LBRENDER and SAMPLES name the program and its samples

LB_FAULTS runs (default 9: each kind once) are made, from LB_FAULTS_SEED (default 1) on: each with a random strategy,
scene, number of workers and moment. Workers are null devices, whose speed is that of a clock, behind test/slow_link.py.
Kinds: kill (kill -9), stop (SIGSTOP), cut (nothing is passed on any more), back (the same for some seconds), reset (all
connections break), hang (a worker that says it lives and delivers nothing), idle (one that says it lives and never
has the scene), late (one joins while the others render), all (every worker is killed, then another comes). LB_FAULTS_AT_ONCE
runs (default 1) go on at the same time, as most of a run is waiting. With LB_FAULTS_NETNS=FOLDER, of net_up.sh and cut.sh,
hosts are the network namespaces lbn0 to lbn3 instead, and a cut is made at their switch; connections are reset by a link in
the host. These hosts are there once, and so are the runs then.

A line a run: its seed, kind, strategy, seconds, status, and the seconds that the fault cost: the time from when all had
joined to the primary's end, beyond that of workers whose loss is known at once and loses nothing. The last line counts the
runs and tells the median and the most of both for each kind that had a good run. Status 1: something was wrong."""
import concurrent.futures
import filecmp
import os
import random
import signal
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.environ.get("LBRENDER", HERE + "/../build/lbrender")
SAMPLES = os.environ.get("SAMPLES", HERE + "/../samples")
NETNS = os.environ.get("LB_FAULTS_NETNS")
KINDS = ["kill", "stop", "cut", "back", "reset", "hang", "idle", "late", "all"]
SCENES = ["room", "mandelbrot", "motion"]
RESOLUTION, SAMPLES_EACH = "64x48", 8
SPEED = 4000  # samples a second of a worker: the whole picture is 6 s for one
WORK = 64 * 48 * SAMPLES_EACH
SILENCE, DUE = 1.0, 2.0
LIMIT = 40  # seconds, by far more than any run takes: waiting for ever is what is looked for


class Wrong(Exception):
    pass


def in_host(number, command):
    return ["ip", "netns", "exec", "lbn%d" % number] + command if NETNS else command


class Run:
    """A primary, its workers, and the links between them."""

    def __init__(self, name, options, kind):
        self.processes, self.links, self.workers = [], [], []
        self.links_wanted = not NETNS or kind == "reset"
        self.changes = []  # moments, and how many workers there are more from then on
        self.address = None
        where = "tcp://10.88.0.1:0" if NETNS else "tcp://127.0.0.1:0"
        command = [PROGRAM, "--serve=" + where, "--insecure", "--no-cache", "--patience=15", "-v", "--silence=%g" % SILENCE,
                   "--due=%g" % DUE, "-o", name] + options
        self.log = open(name + ".log", "w")
        self.begin = time.monotonic()
        self.primary = self.start(in_host(0, command), stderr=self.log)
        while not self.address:
            self.wait(0.02)
            for word in self.said().split():
                if word.startswith("--join="):
                    self.address = word[len("--join="):]

    def start(self, command, **more):
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, **more)
        self.processes.append(process)
        return process

    def said(self):
        """What the primary wrote. It is read by a file of its own: seeking in the primary's would make it write over that."""
        with open(self.log.name) as log:
            return log.read()

    def wait(self, seconds):
        if time.monotonic() - self.begin > LIMIT:
            raise Wrong("it does not end")
        time.sleep(seconds)

    def join(self, speed):
        number, address = len(self.workers) % 3 + 1, self.address
        if self.links_wanted:
            link = self.start(in_host(number, [HERE + "/slow_link.py", address]))
            self.links.append(link)
            address = link.stdout.readline().strip()
        command = [PROGRAM, "-q", "--join=" + address, "--persist", "--patience=6", "--silence=%g" % SILENCE,
                   "--devices=null:speed=%g" % speed]
        self.workers.append(self.start(in_host(number, command), stderr=subprocess.DEVNULL))

    def join_idle(self):
        number = len(self.workers) % 3 + 1
        self.links.append(None)
        self.workers.append(self.start(in_host(number, [os.path.dirname(PROGRAM) + "/test/idle_worker", self.address])))

    def cut(self, which):
        if NETNS:
            state = "back" if which in self.__dict__.setdefault("is_cut", set()) else "now"
            self.is_cut.symmetric_difference_update({which})
            subprocess.run([NETNS + "/cut.sh", str(which % 3 + 1), state], check=True)
        else:
            self.links[which].send_signal(signal.SIGUSR1)

    def reset(self, which):
        self.links[which].send_signal(signal.SIGUSR2)

    def change(self, workers):
        self.changes.append((time.monotonic(), workers))

    def best(self, begin, workers, own):
        """Seconds of the frame that began then, where every change were known at once."""
        left, at, speed = WORK, begin, (workers + own) * SPEED
        for moment, more in self.changes:
            if speed * (moment - at) >= left:
                break
            left -= speed * (moment - at)
            at, speed = moment, speed + more * SPEED
        return at + left / speed - begin

    def close(self):
        for which in list(self.__dict__.get("is_cut", ())):
            self.cut(which)
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()
        self.log.close()


def fault(run, kind, draw):
    """What happens while the picture is rendered; the statuses that are right then."""
    victim = draw.randrange(len(run.workers))
    if kind in ("kill", "stop", "cut", "back"):
        run.change(-1)
    if kind == "kill":
        run.workers[victim].kill()
    elif kind == "stop":
        run.workers[victim].send_signal(signal.SIGSTOP)
    elif kind in ("cut", "back"):
        run.cut(victim)
        if kind == "back":
            run.wait(draw.uniform(0.2, 3))
            run.cut(victim)
            run.change(1)
    elif kind == "reset":
        run.reset(victim)
    elif kind == "late":
        run.join(SPEED)
        run.change(1)
        return (0, 3)  # 3: the picture was done before it was there
    elif kind == "all":
        for worker in run.workers:
            worker.kill()
        run.change(-len(run.workers))
        run.wait(draw.uniform(0, 2))
        run.join(SPEED)
        run.change(1)
    return (0, 3)  # 0: it was not missed, as it had done all that was its own, or was back in time


def make(seed, kind, wanted):
    draw = random.Random(seed)
    scene, strategy, count = draw.choice(SCENES), draw.choice(strategies()), draw.randint(1, 3)
    options = [SAMPLES + "/" + scene + ".pbrt", "--resolution=" + RESOLUTION, "--spp=%d" % SAMPLES_EACH,
               "--strategy=" + strategy]
    alone = kind == "all"
    own = "" if alone else "null:speed=%d," % SPEED
    places = count + (kind in ("late",))
    picture = "%d.png" % seed
    if kind == "late":
        options += ["--patience=1"]
    run = Run(picture, options + ["--devices=%s%d*host" % (own, places)], kind)
    try:
        for i in range(count):
            if kind == "idle" and i == 0:
                run.join_idle()
            else:
                run.join(0.5 if kind == "hang" and i == 0 else SPEED)
        while run.said().count(" processors\n") < count:
            run.wait(0.02)
        begin = time.monotonic()
        run.wait(1.2 if kind == "late" else 0)
        run.wait(draw.uniform(0.2, 1.2))
        statuses = (3,) if kind in ("hang", "idle") else fault(run, kind, draw)
        while run.primary.poll() is None:
            run.wait(0.02)
        end = time.monotonic()
        seconds = end - run.begin
        said = run.said()
        if run.primary.returncode not in statuses:
            raise Wrong("status %d: %s" % (run.primary.returncode, said))
        if run.primary.returncode == (0 if " was lost (" in said else 3) and "nobody is there" not in said:
            raise Wrong("status %d does not go with what is said: %s" % (run.primary.returncode, said))
        if not filecmp.cmp(picture, wanted[scene], shallow=False):
            raise Wrong("other bytes: " + said)
        begin += 1 if kind == "late" else 0  # --patience was waited for
        cost = end - begin - run.best(begin, count - (kind in ("hang", "idle")), not alone)
        print("%d %s %s %s %d workers %.1f s status %d cost %.2f s" % (seed, kind, strategy, scene, count, seconds,
                                                                      run.primary.returncode, cost), flush=True)
        return seconds, cost
    finally:
        run.close()
        for name in picture, picture + ".log":
            if os.path.exists(name):
                os.remove(name)


def strategies():
    listed = subprocess.run([PROGRAM, "--list-strategies"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in listed.splitlines()]


def main():
    wanted = {}
    for scene in SCENES:
        wanted[scene] = scene + "-one.png"
        subprocess.run([PROGRAM, "-q", "--no-cache", "-o", wanted[scene], "%s/%s.pbrt" % (SAMPLES, scene),
                        "--resolution=" + RESOLUTION, "--spp=%d" % SAMPLES_EACH], check=True)
    kinds = sys.argv[1:] or KINDS
    runs, first = int(os.environ.get("LB_FAULTS", "9")), int(os.environ.get("LB_FAULTS_SEED", "1"))
    at_once = 1 if NETNS else int(os.environ.get("LB_FAULTS_AT_ONCE", "1"))
    made = {}

    def attempt(seed, kind):
        try:
            costs = make(seed, kind, wanted)
        except Wrong as why:
            print("%d %s WRONG: %s" % (seed, kind, why), flush=True)
            return 1
        made.setdefault(kind, []).append(costs)
        return 0

    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        wrong = sum(pool.map(attempt, range(first, first + runs), [kinds[i % len(kinds)] for i in range(runs)]))
    tell = lambda values: "%.2f %.2f" % (statistics.median(values), max(values))
    print("%d runs, %d wrong; median and most of seconds and cost: %s" %
          (runs, wrong, "; ".join("%s %s, %s" % (kind, tell([a for a, _ in all]), tell([b for _, b in all]))
                                  for kind, all in made.items())))
    return wrong > 0


sys.exit(main())
