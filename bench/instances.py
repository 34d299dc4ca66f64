#!/usr/bin/env python3
"""What uses of an object cost in memory and CPU time until the picture is there: scenes of ten and of COUNT uses of a tetrahedron, each with a
transformation of its own, one sample of 64 x 64 pixels. Prints CSV: the bytes by which the peak of a program's resident memory grows a use,
and the CPU time of the larger scene (the median of ROUNDS in which the programs take turns).

usage: instances.py [COUNT [ROUNDS]] PROGRAM ...     as in `instances.py 1000000 3 build/lbrender pbrt`

A program whose file's name is pbrt is called as pbrt-v4.
"""
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

HEAD = """Film "rgb" "integer xresolution" 64 "integer yresolution" 64 "string filename" "a.pfm"
LookAt 0 0 -300  0 0 0  0 1 0
Camera "perspective" "float fov" 40
Sampler "zsobol" "integer pixelsamples" 1
Integrator "path"
WorldBegin
LightSource "infinite"
ObjectBegin "a"
Shape "trianglemesh" "point3 P" [ 0 0 0  1 0 0  0 1 0  0 0 1 ] "integer indices" [ 0 1 2  0 1 3  0 2 3  1 2 3 ]
ObjectEnd
"""
USE = 'AttributeBegin\nTranslate %.3f %.3f %.3f\nRotate %.1f 0 1 0\nObjectInstance "a"\nAttributeEnd\n'


def write_scene(path, count):
    draw = random.Random(1)
    with open(path, "w") as file:
        file.write(HEAD)
        for _ in range(count):
            place = [draw.uniform(-100, 100) for _ in range(3)]
            file.write(USE % (*place, draw.uniform(0, 360)))


def measure(program, scene, folder):
    """CPU seconds and the peak of resident memory in bytes."""
    words = [program, "--quiet", "--outfile" if os.path.basename(program) == "pbrt" else "-o", os.path.join(folder, "a.pfm"), scene]
    child = subprocess.Popen(words)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit("%s ended with status %d" % (program, child.returncode))
    return used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss


def main():
    words = sys.argv[1:]
    numbers = [int(words.pop(0)) for _ in range(2) if words and words[0].isdigit()]
    count, rounds = (numbers + [1000000, 3][len(numbers):])
    if not words:
        sys.exit(__doc__)
    print("# %s, %d uses, medians of %d rounds" % (time.strftime("%F", time.gmtime()), count, rounds))
    print("program,bytes a use,CPU")
    with tempfile.TemporaryDirectory() as folder:
        few, many = [os.path.join(folder, name) for name in ("few.pbrt", "many.pbrt")]
        write_scene(few, 10)
        write_scene(many, count)
        found = [[[measure(program, scene, folder) for scene in (few, many)] for program in words] for _ in range(rounds)]
        for i, program in enumerate(words):
            bytes_a_use = statistics.median((r[i][1][1] - r[i][0][1]) / (count - 10) for r in found)
            print("%s,%.0f,%.2f s" % (program, bytes_a_use, statistics.median(r[i][1][0] for r in found)))


if __name__ == "__main__":
    main()
