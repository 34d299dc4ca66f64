"""The program as it was at an earlier commit, for scripts that measure beside it."""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def program_at(commit):
    """The path of lbrender at `commit`, built in build/pairs/COMMIT unless it stands there."""
    path = os.path.join(ROOT, "build", "pairs", commit)
    program = os.path.join(path, "build", "lbrender")
    if not os.path.exists(program):
        os.makedirs(path, exist_ok=True)
        files = subprocess.run(["git", "-C", ROOT, "archive", commit], check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", path], input=files, check=True)
        jobs = "-j%d" % len(os.sched_getaffinity(0))
        subprocess.run(["make", "-s", jobs, "CUDA=0", "all"], cwd=path, check=True, stdout=sys.stderr)
    return program
