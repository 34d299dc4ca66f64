"""Frames of a few hosts that are programs of this machine, for scripts that lay them beside what they should take. The hosts' processors are
null devices, whose speed is that of a clock; the primary renders nothing itself."""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SCENE = HERE + "/../samples/room.pbrt"


def serve(program, report, hosts, strategy, side, spp, output="none"):
    """Starts the primary; returns it and its address."""
    primary = subprocess.Popen([program, "--serve=tcp://127.0.0.1:0", "--devices=%d*host" % hosts, "--strategy=" + strategy, "--no-cache",
                                "--passes=1", "--resolution=%dx%d" % (side, side), "--spp=%d" % spp, "--report=" + report, "-o", output, SCENE],
                               stderr=subprocess.PIPE, text=True)
    return primary, primary.stderr.readline().split("--join=")[1].strip()


def join(program, address, cores, speed, messages=subprocess.DEVNULL):
    """Starts a worker of so many null devices, whose messages go there."""
    return subprocess.Popen([program, "--no-cache", "--join=" + address, "--devices=%d*null:speed=%d" % (cores, speed)],
                            stderr=messages, text=True)


def end(processes):
    for process in processes:
        process.kill()
        process.wait()


def read(report):
    """T and the efficiency of the report's frame."""
    with open(report) as file:
        frame = json.load(file)["frames"][0]
    return frame["t"], frame["t_min"] / frame["t"]


def frame(program, folder, hosts, cores, speed, strategy, side, spp, delay=0, output="none"):
    """Renders a frame on hosts that are there from its begin to its end, behind links of this delay; returns T and the efficiency."""
    report, others = folder + "/real.json", []
    primary, address = serve(program, report, hosts, strategy, side, spp, output)
    try:
        for _ in range(hosts):
            through = address
            if delay:
                others.append(subprocess.Popen([HERE + "/../test/slow_link.py", address, "--delay=%g" % delay], stdout=subprocess.PIPE, text=True))
                through = others[-1].stdout.readline().strip()
            others.append(join(program, through, cores, speed))
        if primary.wait() != 0:
            sys.exit("status %d: %s" % (primary.returncode, primary.stderr.read()))
    finally:
        end(others)
    return read(report)
