#!/usr/bin/env python3
"""Renders small scenes of many kinds of spectra with pbrt-v4 and with lbrender --spectral: lamps, lines, sensors, metals, glasses, hair,
media, wax, layers and color spaces that the scenes of ../shared/data/scenes/spectral do not have.

usage: spectral_kinds.py LBRENDER PBRT [SAMPLES [NAME...]]

pbrt takes SAMPLES (128), lbrender twice as many, with two seeds each. Prints CSV: of each scene the mean of each channel over that of pbrt's
picture, the largest standard error of these, and z, the difference of 8 x 8 blocks over what noise would give. Needs numpy.
"""
import random
import sys
import tempfile

from beside import compare

HEAD = """LookAt 0 1 6  0 .2 0  0 1 0
Camera "perspective" "float fov" 34
Sampler "zsobol"
Integrator "volpath" "integer maxdepth" %d
%sFilm "rgb" "integer xresolution" 64 "integer yresolution" 64 %s
PixelFilter "box" "float xradius" .5 "float yradius" .5
WorldBegin
"""
FLOOR = """Material "diffuse" "rgb reflectance" [ .55 .5 .42 ]
Shape "trianglemesh" "point3 P" [ -8 -1 -8 8 -1 -8 8 -1 8 -8 -1 8 ] "integer indices" [ 0 1 2 0 2 3 ]
Material "diffuse" "rgb reflectance" [ .15 .35 .6 ]
Shape "trianglemesh" "point3 P" [ -8 -1 -4 8 -1 -4 8 7 -4 -8 7 -4 ] "integer indices" [ 0 1 2 0 2 3 ]
"""
METAL = '"conductor" "spectrum eta" "metal-%s-eta" "spectrum k" "metal-%s-k" "float roughness" %g'
LINES = "[ 400 0 434 0 435 8 437 8 438 0 544 0 545 6 547 6 548 0 610 0 611 9 613 9 614 0 700 0 ]"


def metal(name, roughness):
    return METAL % (name, name, roughness)


def red(r, g, b):
    """A diffuse material of a color."""
    return '"diffuse" "rgb reflectance" [ %g %g %g ]' % (r, g, b)


def ball(place, radius, before=""):
    return 'AttributeBegin\n%sTranslate %s\nShape "sphere" "float radius" %g\nAttributeEnd\n' % (before, place, radius)


def lamp(light, scale=12):
    return ball("-2 3.2 1", 0.6, 'AreaLightSource "diffuse" %s "float scale" %g\n' % (light, scale))


def sky(light):
    return 'LightSource "infinite" %s\n' % light


def three(*materials):
    """Three balls on the floor."""
    return FLOOR + "".join("Material %s\n%s" % (m, ball(p, 0.8)) for m, p in zip(materials, ("-1.8 -.2 0", "0 -.2 .3", "1.8 -.2 -.2")))


def medium(name, rest):
    return 'MakeNamedMedium "%s" "string type" "homogeneous" %s\n' % (name, rest)


def strands(count, seed):
    """Hair that hangs down."""
    chance, text = random.Random(seed), ""
    for _ in range(count):
        x, z, points = chance.uniform(-1.5, 1.5), chance.uniform(-0.5, 0.5), []
        for k in range(4):
            points += [x + chance.uniform(-0.1, 0.1), 1.4 - 0.75 * k, z + chance.uniform(-0.15, 0.15)]
        text += 'Shape "curve" "point3 P" [ %s ] "float width" .05 "string type" "cylinder"\n' % " ".join("%.3f" % v for v in points)
    return text


def scene(depth, *parts, film="", space=""):
    return HEAD % (depth, space, film) + "".join(parts)


def illuminant(name):
    return lamp('"spectrum L" "stdillum-%s"' % name, 0.12)


SCENES = {
    "metals": scene(8, lamp('"blackbody L" 2700'), sky('"rgb L" [ .3 .4 .7 ]'),
                    three(metal("Ag", 0.15), metal("CuZn", 0.05), '"conductor" "rgb reflectance" [ .9 .4 .2 ] "float roughness" .3')),
    "oxides": scene(8, illuminant("F7"), three(metal("Al", 0.1), metal("TiO2", 0.2), metal("MgO", 0.1))),
    "glasses": scene(20, illuminant("F4"), sky('"rgb L" [ .3 .3 .3 ]'),
                     three('"dielectric" "spectrum eta" "glass-F5" "float roughness" .2', '"dielectric" "spectrum eta" "glass-BAF10"',
                           '"thindielectric" "spectrum eta" "glass-LASF9"')),
    "absorbing": scene(20, lamp('"rgb L" [ 1 .7 .3 ]'), sky('"rgb L" [ .2 .3 .3 ]'),
                       medium("clear", '"rgb sigma_a" [ .2 1.5 3 ] "rgb sigma_s" [ 0 0 0 ]'),
                       medium("milk", '"rgb sigma_a" [ .1 .3 .05 ] "rgb sigma_s" [ 1 2 4 ] "float g" .6'), FLOOR,
                       ball("-1.2 -.1 0", 0.9, 'MediumInterface "clear" ""\nMaterial "dielectric" "float eta" 1.4\n'),
                       ball("1.1 0 0", 0.9, 'MediumInterface "milk" ""\nMaterial "interface"\n')),
    "wax": scene(50, illuminant("F12"), sky('"rgb L" [ .2 .2 .25 ]'),
                 three('"subsurface" "string name" "Ketchup" "float scale" 6',
                       '"subsurface" "rgb reflectance" [ .8 .5 .2 ] "rgb mfp" [ .5 .2 .1 ]',
                       '"subsurface" "rgb sigma_a" [ .1 .4 1 ] "rgb sigma_s" [ 4 5 6 ] "float roughness" .3')),
    "layers": scene(20, lamp('"blackbody L" 3500'), sky('"spectrum L" "stdillum-F11" "float scale" .01'),
                    three('"coateddiffuse" "rgb reflectance" [ .7 .1 .3 ] "float roughness" .1 "rgb albedo" [ .5 .8 .2 ] '
                          '"float thickness" .2 "float g" .3',
                          '"coatedconductor" "spectrum conductor.eta" "metal-Au-eta" "spectrum conductor.k" "metal-Au-k" '
                          '"float interface.roughness" .02 "float conductor.roughness" .2',
                          '"diffusetransmission" "rgb reflectance" [ .2 .6 .1 ] "rgb transmittance" [ .5 .2 .1 ]')),
    "nikon": scene(5, illuminant("F1"), three(red(.8, .1, .1), red(.1, .7, .2), red(.1, .15, .8)),
                   film='"string sensor" "nikon_d850" "float iso" 200'),
    "sony": scene(5, lamp('"blackbody L" 4000'), three(red(.8, .7, .1), metal("Cu", 0.2), red(.6, .15, .8)),
                  film='"string sensor" "sony_ilce_7rm3" "float whitebalance" 4000 "float iso" 150'),
    "balance": scene(5, lamp('"blackbody L" 3000'), three(red(.8, .7, .1), red(.3, .3, .3), red(.6, .15, .8)), film='"float whitebalance" 3000'),
    "spaces": scene(5, lamp('"rgb L" [ .5 .9 .6 ]'),
                    three(red(.6, .3, .25), red(.3, .55, .3), red(.2, .25, .7) + '\nColorSpace "aces2065-1"'), space='ColorSpace "rec2020"\n'),
    "lines": scene(12, lamp('"spectrum L" ' + LINES, 1),
                   three('"diffuse" "spectrum reflectance" [ 400 .1 500 .9 600 .2 700 .8 ]',
                         '"coateddiffuse" "rgb reflectance" [ .2 .7 .3 ] "spectrum eta" [ 400 1.62 500 1.55 600 1.52 700 1.5 ] "float roughness" .1',
                         red(.6, .6, .15))),
    "lights": scene(5, 'LightSource "spot" "blackbody I" 2200 "float scale" 40 "point3 from" [ -3 4 3 ] "point3 to" [ -1 0 0 ] "float coneangle" 35\n'
                    'LightSource "point" "spectrum I" "stdillum-F3" "float scale" .15 "point3 from" [ 3 4 2 ]\n'
                    'LightSource "distant" "rgb L" [ .1 .3 .9 ] "point3 from" [ 0 5 2 ] "point3 to" [ 0 0 0 ] "float illuminance" 2\n',
                    three(red(.8, .3, .1), '"coateddiffuse" "rgb reflectance" [ .1 .5 .6 ] "spectrum eta" "glass-BK7"', red(.2, .6, .15))),
    "glow": scene(20, sky('"rgb L" [ .1 .1 .12 ]'),
                  medium("gas", '"spectrum Le" "stdillum-F8" "float Lescale" .02 "rgb sigma_a" [ .3 .6 1.2 ] "rgb sigma_s" [ .5 1 2 ]'), FLOOR,
                  ball("0 0 0", 1, 'MediumInterface "gas" ""\nMaterial "interface"\n')),
    "fair": scene(30, illuminant("F9"), sky('"rgb L" [ .3 .25 .2 ]'), FLOOR,
                  'Material "hair" "float pheomelanin" .9 "float eumelanin" .2 "float beta_m" .25\n', strands(70, 5)),
    "dyed": scene(30, lamp('"blackbody L" 5000'), FLOOR, 'Material "hair" "rgb reflectance" [ .5 .25 .1 ] "float beta_m" .3 "float beta_n" .4\n',
                  strands(60, 6), 'Material "hair" "rgb sigma_a" [ .2 .6 1.6 ]\n', strands(30, 7)),
}


def main():
    lbrender, pbrt, samples, names = sys.argv[1], sys.argv[2], int((sys.argv[3:] or [128])[0]), sys.argv[4:]
    print("scene,R,G,B,error,z")
    with tempfile.TemporaryDirectory() as folder:
        for name in names or SCENES:
            found = compare(lbrender, pbrt, SCENES[name], samples, "--spectral", folder)
            print(",".join([name, *("%.4f" % ratio for ratio in found["ratio"]), "%.4f" % found["error"], "%.2f" % found["z"]]), flush=True)


main()
