#!/usr/bin/env python3
"""Runs the whole program on mutated scenes and option lists, and wants it to end as it should.

A run is right when it ends by itself with status 0, 1, 2 or 3, or by a signal that was sent to it here; when no sanitizer has
anything to report; when statuses 1 and 2 come with a message; and when no temporary file is left. A scene that is at fault stays in
LB_FUZZ_KEEP beside a file with the command line that shows it again.

LBRENDER          the program (build/lbrender)
LB_FUZZ_RUNS      how many runs (300)
LB_FUZZ_SEED      which (1): the same seed makes the same runs
LB_FUZZ_FIRST     the number of the first run (0), for one of them alone
LB_FUZZ_SECONDS   how long all of it may take at most; what is left is not run (no limit)
LB_FUZZ_JOBS      runs at a time (one a core)
LB_FUZZ_KEEP      folder of what is at fault (build/fuzz-kept)
"""
import concurrent.futures
import glob
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import words

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.path.join(ROOT, "..", "shared", "data")
FOLDERS = [os.path.join(ROOT, "samples")] + [
    os.path.join(SHARED, *parts) for parts in (("scenes", "features"), ("damaged",), ("faults",))]
LARGEST = 40_000     # bytes of a scene: larger ones are left out
TIME_LIMIT = 2       # seconds until a run is sent SIGTERM
GRACE = 20           # seconds that it then has
MEMORY = 3 << 30     # bytes
TEMPORARY = ".lbrender-"
REPORTS = re.compile(rb"AddressSanitizer|UndefinedBehaviorSanitizer|LeakSanitizer|ThreadSanitizer|runtime error:|Assertion")

# ---- scenes ----

TOKEN = re.compile(rb'"[^"\n]*"|\[|\]|#[^\n]*|[^\s"\[\]#]+|\s+')
NUMBER = re.compile(rb"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$")
EXTREMES = [b"0", b"-0", b"1", b"-1", b"0.5", b"2", b"1e-45", b"1e-38", b"1e-30", b"1e-20", b"1e-7", b"0.9999999", b"1e5", b"1e9",
            b"4.1e9", b"1e12", b"1e15", b"1e18", b"1.2e18", b"-1e18", b"1e19", b"1e20", b"1e30", b"3.4e38", b"-3.4e38", b"1e39", b"1e300",
            b"1e400", b"-1e400", b"nan", b"inf", b"-inf", b"255", b"256", b"65535", b"65536", b"2147483647", b"-2147483648",
            b"2147483648", b"4294967295", b"4294967296", b"18446744073709551616", b"0x10", b"1e", b".", b"-"]


def tokens_of(text):
    return TOKEN.findall(text)


def spots(tokens, wanted):
    return [i for i, token in enumerate(tokens) if wanted(token)] or [0]


def is_word(token):
    return not token.isspace()


def is_number(token):
    return NUMBER.match(token) is not None


def change_number(rng, tokens, _):
    at = rng.choice(spots(tokens, is_number))
    tokens[at] = rng.choice(EXTREMES)


def shift_number(rng, tokens, _):
    at = rng.choice(spots(tokens, is_number))
    if is_number(tokens[at]):
        factor = rng.choice((-1, 0.999, 1.001, 2, 10.0 ** rng.randint(-20, 20)))
        tokens[at] = b"%.9g" % (float(tokens[at]) * factor)


def change_numbers(rng, tokens, _):
    """All numbers in a stretch, as a scale of what they mean."""
    begin = rng.randrange(len(tokens))
    factor = 10.0 ** rng.randint(-25, 25)
    for i in range(begin, min(len(tokens), begin + rng.randint(1, 60))):
        if is_number(tokens[i]):
            tokens[i] = b"%.9g" % (float(tokens[i]) * factor)


def drop(rng, tokens, _):
    at = rng.choice(spots(tokens, is_word))
    del tokens[at:at + rng.choice((1, 1, 1, 2, 5))]


def double(rng, tokens, _):
    at = rng.choice(spots(tokens, is_word))
    part = tokens[at:at + rng.choice((1, 3, 10, 40))]
    tokens[at:at] = part * rng.choice((1, 1, 2, 30))


def swap(rng, tokens, _):
    words = spots(tokens, is_word)
    i, j = rng.choice(words), rng.choice(words)
    tokens[i], tokens[j] = tokens[j], tokens[i]


def splice(rng, tokens, other):
    begin = rng.randrange(len(other))
    end = min(len(other), begin + rng.choice((1, 4, 20, 200)))
    at = rng.randrange(len(tokens) + 1)
    tokens[at:at + rng.choice((0, 0, 1, end - begin))] = [b" "] + other[begin:end] + [b" "]


def is_string(token):
    return token.startswith(b'"')


def change_word(rng, tokens, _):
    """A string becomes another one that the language has."""
    tokens[rng.choice(spots(tokens, is_string))] = rng.choice(WORDS)


def add_parameter(rng, tokens, _):
    """Behind a string, which may be a kind or a value, comes a parameter that some kind has."""
    at = rng.choice(spots(tokens, is_string))
    tokens[at + 1:at + 1] = [b" "] + tokens_of(rng.choice(PARAMETERS)) + [b" "]


WORDS = [word.encode() for word in words.words()]
PARAMETERS = words.parameters()
MUTATIONS = [change_number, change_number, change_number, shift_number, change_numbers, change_numbers, drop, double, swap, splice,
             splice, change_word, add_parameter, add_parameter]


def change_bytes(rng, text):
    data = bytearray(text)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(len(data) + 1)
        what = rng.randrange(4)
        if what == 0:
            data[at:at] = bytes([rng.randrange(256)])
        elif what == 1:
            del data[at:at + rng.choice((1, 1, 30))]
        elif at < len(data):
            data[at] = rng.randrange(256) if what == 2 else data[at] ^ 1 << rng.randrange(8)
    return bytes(data)


def mutated(rng, corpus):
    text, other = rng.choice(rng.choice(corpus)), rng.choice(rng.choice(corpus))
    tokens, others = tokens_of(text), tokens_of(other)
    if tokens and others:
        for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 6))):
            rng.choice(MUTATIONS)(rng, tokens, others)
            tokens = tokens or [b" "]
        text = b"".join(tokens)
    return change_bytes(rng, text) if rng.randrange(6) == 0 else text


# ---- option lists ----

OUTPUTS = ["o.png"] * 8 + ["o.exr", "o.pfm", "none", "-", "o.gif", "none/o.exr"]

SIZES = ["1x1", "2x1", "7x5", "16x12", "33x9"]
COUNTS = ["0", "1", "2", "3", "7", "64", "1000", "100000", "2147483647", "2147483648", "-1", "1e9", "x", ""]
DEVICES = ["cpu", "cpu:1", "cpu:3", "null", "null:speed=1000000", "2*null:speed=1e6", "cpu:1,null:speed=1e6,fail=0.3",
           "null:code=wave", "cpu:1,null:code=wave,fail=0.1", "null:speed=0", "null:speed=nan", "1000000*null", "null:fail=2", "gpu", ","]
WEIGHTS = ["1", "1,2", "0.1,0.9", "0,1", "1,0,0", "nan,1", "1e308,1e308", "-1,2", "1e-320,1", "inf", ""]
SPECS = ["4x1", "4x1,2x8.5", "64x1e308,2x1e-308", "1x0", "0x1", "1000x1", "-1x1", "1x", "nanx1"]
BOXES = ["0,1,0,1", "0,0.5,0.2,1", "0.5,0.5,0,1", "-1,2,0,1", "1,0,1,0", "nan,1,0,1", "0,3,0,3", "0,0,0,0", "1e9,2e9,0,1", "0,1"]

# What is tried of an option beside the words that the program itself tells of it; None: the option alone.
VALUES = {
    "devices": DEVICES, "weights": WEIGHTS, "threads": ["1", "2", "5", "0", "-1", "100000"], "cropwindow": BOXES, "pixelbounds": BOXES,
    "report": ["r.json", "r.csv", "r.txt", "r.html", "-", "none/r.json"], "trace": ["t.json", "none/t.json"],
    "cost-map": ["c.png", "c.pfm", "c.gif"], "partition-map": ["p.png", "p.txt"], "exposure": ["1", "-100", "100", "1e9", "x"],
    "part": ["p.part", "none/p.part", "-", "x.png"], "share": ["1/2", "2/2,1,3", "1/65536", "2/1", "0/1", "1/2,0,x"],
    "samples": ["0:1", "1:2", "0:99", "1:1"], "resume": ["none.part"], "checkpoint": ["k.part", "k.part,0.01", "k.part,x", "none/k.part"],
    "channels": ["samples,variance", "A,albedo,N,Z", "P,Ns,uv,dz,motion,object,material", "gbuffer", "rgb", "z"],
    "denoise": ["none.so", "./c.pfm", None], "display-server": ["localhost:1", "[::1]:1", "localhost", ":1", "x:0"],
    "time-limit": ["0.01", "1e-9", "0", "x"], "noise-target": ["0.5", "1e-30", "-1"],
    "frames": ["1-2", "0-3,2", "1-2/4", "2-1", "1-", "1-2/0"], "simulate": SPECS, "costs": ["c.pfm", "none.pfm"],
    "compare": [None, "pool,naive", "steal", "", "pool,pool", "pol"], "repeat": ["1", "2", "0", "x"]
}
# Those that wait for other hosts, make files whose names are not given here, or are given last to keep a run short.
LEFT_OUT = {"serve", "join", "key", "make-key", "list-devices", "patience", "silence", "due", "hosts", "hosts-most", "persist", "insecure",
            "output", "spp", "resolution", "no-cache"}


def declared(program):
    """[(name, values)] of all options, as the program's own completion tells them: words, and numbers where it tells none."""
    script = subprocess.run([program, "--completion=fish"], capture_output=True, text=True, check=True).stdout
    found = []
    for line in script.splitlines():
        match = re.match(r"complete -c lbrender -l (\S+)(?: -s \S)?( -r -F| -x)?(?: -a '([^']*)')? -d ", line)
        if match and match[1] not in LEFT_OUT:
            words = (match[3] or "").split()
            values = VALUES.get(match[1]) or (words + ["x"] if words else COUNTS if match[2] else [None])
            found.append((match[1], values))
    assert len(found) > 40, script
    return found + [("nonsense", [None])]


def options(rng, known):
    """What keeps a run short comes last, so that it holds."""
    chosen = []
    for name, values in rng.sample(known, rng.choice((0, 0, 1, 1, 2, 3, 5))):
        value = rng.choice(values)
        chosen.append("--" + name + ("" if value is None else "=" + value))
    if rng.randrange(4):
        chosen.append("--lenient")
    if rng.randrange(2):
        chosen.append("--bvh-quality=high")
    if rng.randrange(3):
        chosen.append("--quiet")
    spp = rng.choice(("1", "1", "1", "2", "5"))
    return chosen + ["--no-cache", "--resolution=" + rng.choice(SIZES), "--spp=" + spp, "-o", rng.choice(OUTPUTS)]


# ---- a run ----


def limited(sanitized):
    """Before the program starts: it has only so much memory, and leaves no core. Sanitizers reserve more than any limit."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if not sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    return limit


class Fuzzer:
    def __init__(self):
        self.program = os.path.abspath(os.environ.get("LBRENDER") or os.path.join(ROOT, "build", "lbrender"))
        self.seed = int(os.environ.get("LB_FUZZ_SEED") or 1)
        self.keep = os.path.abspath(os.environ.get("LB_FUZZ_KEEP") or os.path.join(ROOT, "build", "fuzz-kept"))
        with open(self.program, "rb") as file:
            code = file.read()
        self.sanitized = b"__asan_init" in code or b"__tsan_init" in code
        self.corpus = self.read_corpus()
        self.known = declared(self.program)
        self.environment = dict(os.environ)
        memory = "allocator_may_return_null=1:max_allocation_size_mb=3000:hard_rss_limit_mb=6000"
        self.environment["ASAN_OPTIONS"] = "detect_leaks=1:" + memory
        self.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"

    def read_corpus(self):
        """The scenes' texts, those of files and those that try one word each; what files name besides is linked into the folder where
        mutated scenes lie."""
        corpus = []
        os.makedirs(self.keep, exist_ok=True)
        for folder in FOLDERS:
            for path in sorted(glob.glob(os.path.join(folder, "*"))):
                link = os.path.join(self.keep, os.path.basename(path))
                if path.endswith(".pbrt") and os.path.getsize(path) <= LARGEST:
                    with open(path, "rb") as file:
                        corpus.append(file.read())
                elif not os.path.lexists(link):
                    os.symlink(os.path.realpath(path), link)
        corpus = [text for text in corpus if text.strip()]
        return corpus and [corpus, list(words.scenes())]

    def fault_of(self, process, sent, err, folder):
        status = process.returncode
        if REPORTS.search(err):
            return "a report of a sanitizer or an assertion"
        if status not in (0, 1, 2, 3) and not (sent and status in (128 + sent, -sent)):
            return "status %d" % status
        if status in (1, 2) and not err.strip():
            return "status %d without a message" % status
        left = [name for name in os.listdir(folder) + os.listdir(self.keep) if name.startswith(TEMPORARY)]
        return "left " + left[0] if left else None

    def wait(self, process, kill_at, number):
        """Until the run ends: what it wrote to standard error, and the signal that it was sent, 0 where none was needed."""
        sent = 0
        try:
            err = process.communicate(timeout=kill_at)[1]
        except subprocess.TimeoutExpired:
            sent = number
            process.send_signal(number)
            try:
                err = process.communicate(timeout=GRACE)[1]
            except subprocess.TimeoutExpired:
                process.kill()
                return process.communicate()[1], None
        return err, sent

    def run(self, index):
        """The fault of run `index`, or None."""
        rng = random.Random("%d:%d" % (self.seed, index))
        scene, arguments = mutated(rng, self.corpus), options(rng, self.known)
        early = rng.randrange(25) == 0
        kill_at = rng.random() * 0.2 if early else TIME_LIMIT
        number = rng.choice((signal.SIGTERM, signal.SIGINT)) if early else signal.SIGTERM
        name = os.path.join(self.keep, "%d-%d.pbrt" % (self.seed, index))
        with open(name, "wb") as file:
            file.write(scene)
        folder = tempfile.mkdtemp(prefix="lbrender-fuzz-")
        try:
            process = subprocess.Popen([self.program] + arguments + [name], cwd=folder, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self.environment,
                                       preexec_fn=limited(self.sanitized))
            err, sent = self.wait(process, kill_at, number)
            fault = "went on %d s after a signal" % GRACE if sent is None else self.fault_of(process, sent, err, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if fault is None:
            os.unlink(name)
            return None
        with open(name + ".txt", "wb") as file:
            file.write(("%s\n%s\n\n" % (fault, shlex.join([self.program] + arguments + [name]))).encode() + err)
        return "run %d: %s: %s.txt" % (index, fault, name)


def main():
    fuzzer = Fuzzer()
    if not fuzzer.corpus:
        sys.exit("no scenes to mutate")
    first, runs = int(os.environ.get("LB_FUZZ_FIRST") or 0), int(os.environ.get("LB_FUZZ_RUNS") or 300)
    jobs = int(os.environ.get("LB_FUZZ_JOBS") or os.cpu_count())
    until = time.monotonic() + float(os.environ.get("LB_FUZZ_SECONDS") or "inf")
    done, faults = 0, []

    def run(index):
        return "" if time.monotonic() > until else (fuzzer.run(index) or "fine")

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for said in pool.map(run, range(first, first + runs)):
            done += said != ""
            if said not in ("", "fine"):
                faults.append(said)
                print(said, flush=True)
    print("%d runs from seed %d, %d at fault" % (done, fuzzer.seed, len(faults)))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
