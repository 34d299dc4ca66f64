"""Programs that run at once on one core, for scripts that compare what they cost: the core's scheduler gives them turns, so that whatever
else the machine does weighs on all alike. Their CPU times count, from the start to the end of each."""
import os
import subprocess
import sys


def start(core, arguments, **options):
    return subprocess.Popen(["taskset", "-c", str(core), *arguments], **options)


def cpu_seconds(children):
    """Of each, in order, when all have ended."""
    seconds = {}
    while len(seconds) < len(children):
        pid, status, usage = os.wait3(0)
        if status:
            names = " ".join(child.args[3] for child in children if child.pid == pid)
            sys.exit("%s: %s ended with status %d" % (os.path.basename(sys.argv[0]), names, os.waitstatus_to_exitcode(status)))
        seconds[pid] = usage.ru_utime + usage.ru_stime
    return [seconds[child.pid] for child in children]
