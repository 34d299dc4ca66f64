#!/usr/bin/env python3
"""The noise that eyes see, of two programs or two settings of one beside each other: of 8-bit sRGB values between black and white, as they
are and after a Gaussian with a standard deviation of 1 and 2 pixels, which is what eyes do from afar. Prints CSV.

usage: seen.py ONE OTHER SAMPLES[,SAMPLES ...] [SCENE.pbrt | FOLDER ...]     ONE, OTHER, scenes and settings as for quality.py

sharp, blurred by 1, by 2: the variance of ONE over that of OTHER, both between pictures of 2 LB_PAIRS seeds, mean of all pixels
"""
import os
import sys
import tempfile

import numpy as np

import quality


def shown(picture):
    picture = np.clip(picture, 0, 1)
    return np.where(picture <= 0.0031308, picture * 12.92, 1.055 * picture ** (1 / 2.4) - 0.055)


def variances(pictures):
    found = [np.var(pictures, axis=0, ddof=1).mean()]
    for quality.BLUR in (1, 2):
        found.append(np.var([quality.blurred(picture) for picture in pictures], axis=0, ddof=1).mean())
    return np.array(found)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    scenes = quality.scenes_of(sys.argv[4:])
    quality.print_origin("%d pictures" % (2 * quality.PAIRS))
    print("scene,samples,sharp,blurred by 1,by 2", flush=True)
    for spp in map(int, sys.argv[3].split(",")):
        settings = [quality.Setting(words, spp) for words in sys.argv[1:3]]
        ratios = []
        with tempfile.TemporaryDirectory() as folder:
            for scene in scenes:
                rounds = [quality.render(settings, scene, folder, seed, scene.size, [spp, spp])[1] for seed in range(2 * quality.PAIRS)]
                one, other = [variances([shown(pictures[i]) for pictures in rounds]) for i in (0, 1)]
                ratios.append(one / other)
                print(scene.name, spp, *("%.3f" % ratio for ratio in ratios[-1]), sep=",", flush=True)
        print("geometric mean", spp, *("%.3f" % mean for mean in np.exp(np.log(ratios).mean(0))), sep=",", flush=True)


if __name__ == "__main__":
    main()
