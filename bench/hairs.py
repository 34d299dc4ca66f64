"""A ball with hair: hairs.py SEGMENTS [PER_STRAND] > scene.pbrt; 0 segments: the ball alone (bench/results/curves.md)."""
import math
import random
import sys

n, per = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 4
r = random.Random(1)
print('LookAt 0 0.3 4  0 0.2 0  0 1 0 Camera "perspective" "float fov" 40 Film "rgb" "integer xresolution" 400 "integer yresolution" 300 "string filename" "hairs.exr"')
print('Integrator "path" "integer maxdepth" 8 Sampler "independent" "integer pixelsamples" 16 WorldBegin')
print('LightSource "infinite" "rgb L" [ .4 .45 .5 ] LightSource "distant" "point3 from" [ 1 2 2 ] "rgb L" [ 3 3 3 ]')
print('Material "diffuse" "rgb reflectance" [ .3 .25 .2 ] Shape "sphere" "float radius" 1')
if n:
    print('Material "hair" "float eumelanin" 0.8')
for i in range(n // per):
    z = r.uniform(-1, 1); a = r.uniform(0, 2 * math.pi); s = math.sqrt(1 - z * z)
    p = [s * math.cos(a), z, s * math.sin(a)]; d = p[:]
    pts = [p[:]]
    for k in range(3 * per):
        d = [d[0] + r.uniform(-.15, .15), d[1] - .06 + r.uniform(-.15, .15), d[2] + r.uniform(-.15, .15)]
        l = math.sqrt(sum(c * c for c in d)); d = [c / l for c in d]
        p = [p[j] + d[j] * .5 / (3 * per) for j in range(3)]
        pts.append(p[:])
    print('Shape "curve" "string type" "cylinder" "float width0" .004 "float width1" .001 "point3 P" [ ' + ' '.join('%.5g' % c for q in pts for c in q) + ' ]')
