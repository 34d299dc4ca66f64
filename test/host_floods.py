#!/usr/bin/env python3
"""Floods a primary with each kind of what test/flood.c says, and with wrong keys, while it renders: a real worker joins all the
same, the primary's memory stays small, its log short, and it ends soon after SIGTERM.

usage: host_floods.py [KIND..]      in an empty folder; LBRENDER and SAMPLES name the program and its samples

A flood of LB_FLOOD_PEERS processes (default 2) lasts LB_FLOOD_SECONDS (default 6). A line for each: the most memory that the
primary had, the lines and bytes that it wrote, the seconds from a worker's start to its being let in, and those from SIGTERM to
the primary's end. Status 1: over 100 MB, over 200 lines, over LB_FLOOD_JOIN seconds (default 2) to join, or over LB_FLOOD_END
(default 2) to end."""
import os
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.environ.get("LBRENDER", HERE + "/../build/lbrender")
SAMPLES = os.environ.get("SAMPLES", HERE + "/../samples")
FLOOD = os.path.dirname(PROGRAM) + "/test/flood"
PEERS = int(os.environ.get("LB_FLOOD_PEERS", "2"))
SECONDS = float(os.environ.get("LB_FLOOD_SECONDS", "6"))
MOST_JOIN = float(os.environ.get("LB_FLOOD_JOIN", "2"))
MOST_END = float(os.environ.get("LB_FLOOD_END", "2"))
MOST_MEMORY, MOST_LINES = 100.0, 200
KINDS = ["want", "version", "ask", "alive", "noise", "connect", "keyless", "wrong-key"]


def wait_for(condition, seconds):
    """How long it took, or None."""
    begin = time.monotonic()
    while time.monotonic() - begin < seconds:
        if condition():
            return time.monotonic() - begin
        time.sleep(0.01)
    return None


def said(name):
    return open(name, errors="replace").read()


def make_key(name):
    if not os.path.exists(name):
        subprocess.run([PROGRAM, "--make-key=" + name], check=True, capture_output=True)
    return "--key=" + name


def flood(kind):
    """What is wrong, or nothing; prints the figures."""
    keyed = kind in ("keyless", "wrong-key")
    key = [make_key("right.key")] if keyed else []
    make_key("wrong.key")
    log, started = kind + ".err", []
    primary = subprocess.Popen([PROGRAM, "--serve=tcp://127.0.0.1:0", "--no-cache", "--progress=none", "-v", "--patience=60", "-o", "none",
                                "--devices=null:speed=1000,host", SAMPLES + "/room.pbrt", "--resolution=256x192", "--spp=4000"] + key,
                               stderr=open(log, "w"), stdout=subprocess.DEVNULL)
    try:
        if wait_for(lambda: "--join=" in said(log), 30) is None:
            return "it does not serve: " + said(log)
        address = re.search(r"--join=(\S+)", said(log))[1]
        saying = {"keyless": ["noise"], "wrong-key": ["connect"]}.get(kind, [kind])
        for _ in range(PEERS):
            started.append(subprocess.Popen([FLOOD] + saying + [address] + (["wrong.key"] if kind == "wrong-key" else [])))
        time.sleep(SECONDS / 2)
        before = len(re.findall(r"host\d+ is (?!flood)", said(log)))
        started.append(subprocess.Popen([PROGRAM, "-q", "--join=" + address, "--no-cache", "--devices=null:speed=1000"] + key,
                                        stderr=subprocess.DEVNULL))
        joined = wait_for(lambda: len(re.findall(r"host\d+ is (?!flood)", said(log))) > before, 30)
        time.sleep(SECONDS / 2)
        if primary.poll() is not None:
            return "the primary ended with status %d: %s" % (primary.returncode, said(log)[-1000:])
        memory = int(re.search(r"VmHWM:\s+(\d+)", said("/proc/%d/status" % primary.pid))[1]) / 1024
        text = said(log)
        primary.send_signal(signal.SIGTERM)
        ended = wait_for(lambda: primary.poll() is not None, 30)
    finally:
        for process in started + [primary]:
            process.kill()
            process.wait()
    print("%-10s %6.1f MB  %4d lines  %7d bytes  joined after %s  ended after %s" % (
        kind, memory, text.count("\n"), len(text), "%.2f s" % joined if joined is not None else "never",
        "%.2f s" % ended if ended is not None else "never"), flush=True)
    return ", ".join(why for why, wrong in [
        ("too much memory", memory > MOST_MEMORY), ("too much said", text.count("\n") > MOST_LINES),
        ("the worker came late", joined is None or joined > MOST_JOIN), ("it ended late", ended is None or ended > MOST_END)] if wrong)


def main():
    wrong = 0
    for kind in sys.argv[1:] or KINDS:
        why = flood(kind)
        if why:
            wrong += 1
            print("WRONG %s: %s" % (kind, why), flush=True)
    return wrong > 0


sys.exit(main())
