"""A box of smoke over a floor: grids.py N > scene.pbrt has N x N x N densities; 0: the floor alone (bench/results/media.md)."""
import math
import sys

n = int(sys.argv[1])
print('LookAt 0 2.2 5  0 0.8 0  0 1 0 Camera "perspective" "float fov" 36 Film "rgb" "integer xresolution" 400 "integer yresolution" 300 "string filename" "grids.exr"')
print('Integrator "volpath" "integer maxdepth" 30 Sampler "independent" "integer pixelsamples" 16 WorldBegin')
print('LightSource "infinite" "rgb L" [ .4 .45 .5 ] LightSource "distant" "point3 from" [ 1 2 2 ] "rgb L" [ 3 3 3 ]')
print('AttributeBegin Rotate -90 1 0 0 Material "diffuse" "rgb reflectance" [ .4 .4 .4 ] Shape "disk" "float radius" 8 AttributeEnd')
if n:
    print('AttributeBegin Translate -1 0.05 -1 Scale 2 2 2')
    print(f'MakeNamedMedium "smoke" "string type" "uniformgrid" "integer nx" {n} "integer ny" {n} "integer nz" {n}')
    print('"rgb sigma_a" [ .5 .5 .5 ] "rgb sigma_s" [ 6 6 6 ] "float g" 0.3 "float density" [')
    waves = [[math.sin(f * math.pi * (i + 0.5) / n) for i in range(n)] for f in (1, 7, 23)]
    for z in range(n):
        for y in range(n):
            ball, fine = waves[0][y] * waves[0][z], waves[1][y] * waves[2][z]
            print(' '.join('%.3g' % max(0.0, ball * waves[0][x] + 0.3 * fine * waves[1][x] - 0.2) for x in range(n)))
    print('] MediumInterface "smoke" "" Material "interface" Translate .5 .5 .5 Shape "sphere" "float radius" 0.87 AttributeEnd')
