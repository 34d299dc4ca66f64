# Light groups: the parts of a picture that groups of lights have brought, each a layer of an EXR.
load common

# A scene with the groups sky, key and fill, and a distant light of none. $1, $2, $3: by what these three are scaled, $4:
# that light; $5: more of the integrator, $6: what goes before the world, $7: more of the world; GLASS: of the ball.
lit() {
  cat <<END
Film "rgb" "integer xresolution" 40 "integer yresolution" 30
LookAt 0 1 6  0 0 0  0 1 0 Camera "perspective" "float fov" 40
Sampler "independent" "integer pixelsamples" 16
Integrator "volpath" "integer maxdepth" 5 ${5-}
${6-}
WorldBegin
LightSource "infinite" "rgb L" [ .1 .2 .4 ] "float scale" ${1-1} "string lightgroup" "sky"
AttributeBegin
  AreaLightSource "diffuse" "rgb L" [ 5 4 3 ] "float scale" ${2-1} "string lightgroup" "key"
  Translate -2 2 0 Shape "sphere" "float radius" 0.4
AttributeEnd
AttributeBegin
  Attribute "light" "string lightgroup" "fill"
  LightSource "point" "point3 from" [ 3 3 3 ] "rgb I" [ 4 9 4 ] "float scale" ${3-1}
AttributeEnd
LightSource "distant" "rgb L" [ .3 .1 .1 ] "point3 from" [ 1 2 1 ] "float scale" ${4-1}
Material "diffuse" "rgb reflectance" [ .6 .5 .4 ]
Shape "trianglemesh" "point3 P" [ -8 -0.7 -8  8 -0.7 -8  8 -0.7 8  -8 -0.7 8 ] "integer indices" [ 0 1 2 0 2 3 ]
AttributeBegin Material "dielectric" ${GLASS-} Shape "sphere" "float radius" .7 AttributeEnd
${7-}
END
}

UNIFORM='"string lightsampler" "uniform"'

groups() { # renders view.pbrt to $1 with groups
  local out=$1
  shift
  "$LBRENDER" -q --bits=32 --compression=none --channels=lightgroups -o "$out" "$@" view.pbrt
}

# Runs Python on standard input, which has exr, read (the channels of a file) and f (rounds to float).
python_with_exr() {
  { printf 'import sys, struct\nsys.path.insert(0, "%s/test")\nimport exr\ndef read(n): return exr.read(n)[2]\ndef f(x): return struct.unpack("f", struct.pack("f", x))[0]\n' "$ROOT"; cat; } >script.py
  python3 script.py "$@"
}

# The groups of the EXR $1 add up to its R, G and B to the bit in any order of floats, and none is negative.
adds_up() {
  python_with_exr "$1" <<'END'
import itertools
v = read(sys.argv[1])
names = sorted({n[:-2] for n in v if n[-2:] in (".R", ".G", ".B")})
assert "default" in names
for order in itertools.islice(itertools.permutations(names), 24):
    for c in "RGB":
        for i, whole in enumerate(v[c]):
            total = 0.0
            for g in order:
                assert v[g + "." + c][i] >= 0
                total = f(total + v[g + "." + c][i])
            assert total == whole, (order, c, i, total, whole)
END
}

@test "light groups add up to the picture to the bit in any order: with glass, a mist that glows, a limit" {
  lit >view.pbrt
  groups a.exr
  adds_up a.exr
  glow='AttributeBegin MakeNamedMedium "mist" "string type" "homogeneous" "rgb sigma_a" [ .2 .1 .1 ] "rgb sigma_s" [ .2 .3 .1 ] "rgb Le" [ .3 .2 0 ]
    MediumInterface "mist" "" Material "interface" Translate 1 0 1 Shape "sphere" "float radius" 1 AttributeEnd'
  lit 1 1 1 1 "" "" "$glow" >view.pbrt
  groups a.exr
  adds_up a.exr
  lit | sed 's/"integer yresolution" 30/& "float maxcomponentvalue" 0.5/' >view.pbrt
  groups a.exr
  adds_up a.exr
}

@test "with --transparent light groups are without the background, and add up to what is left, over parts, too" {
  for how in --rgb --spectral; do
    # Neither picture has scouts where samples have a limit, else a picture that is not cut out has.
    lit | sed 's/"integer yresolution" 30/& "float maxcomponentvalue" 1e9/' >view.pbrt
    groups all.exr $how
    groups cut.exr $how --transparent
    [ $how = --spectral ] || adds_up cut.exr
    python_with_exr <<'END'
whole, cut = read("all.exr"), read("cut.exr")
bare = [i for i, a in enumerate(cut["A"]) if a == 0]
full = [i for i, a in enumerate(cut["A"]) if a == 1]
assert len(bare) > 50 and len(full) > 50, (len(bare), len(full))
groups = {n[:-2] for n in cut if n[-2:] in (".R", ".G", ".B")}
for c in "RGB":
    assert all(cut[g + "." + c][i] == 0 for g in groups for i in bare)
    assert all(cut[g + "." + c][i] == whole[g + "." + c][i] for g in groups for i in full)
    # Only the sky is seen behind all surfaces.
    assert all(abs(cut[g + "." + c][i] - x) <= 1e-6 * whole[c][i] for g in groups - {"sky"} for i, x in enumerate(whole[g + "." + c]))
    for i, x in enumerate(cut[c]):
        parts = [cut[g + "." + c][i] for g in groups]
        assert abs(sum(parts) - x) <= 1e-6 * max(map(abs, parts + [x, 1e-6])), (c, i, parts, x)
END
    for i in 1 2; do
      "$LBRENDER" -q $how --share=$i/2 --channels=lightgroups --transparent --part=$i.part -o none view.pbrt
    done
    "$LBRENDER" -q --bits=32 --compression=none --merge -o b.exr 2.part 1.part
    cmp cut.exr b.exr
    groups b.exr $how --transparent --strategy=steal -t 3 --passes=2
    cmp cut.exr b.exr
  done
  run "$LBRENDER" --merge --channels=lightgroups -o b.exr 1.part 2.part
  ended 1 "1.part has light groups without the background, as it was made with --transparent, which must be given here, too"
  # A mist before the sky, which lets a part of it through, and shines itself.
  mist='AttributeBegin MakeNamedMedium "mist" "string type" "homogeneous" "rgb sigma_a" [ .2 .1 .1 ] "rgb sigma_s" [ .2 .3 .1 ] "rgb Le" [ .3 .2 0 ]
    MediumInterface "mist" "" Material "interface" Translate 0 1 1 Shape "sphere" "float radius" 1.5 AttributeEnd'
  lit 1 1 1 1 "" "" "$mist" >view.pbrt
  groups cut.exr --transparent
  nearly_adds_up cut.exr
}

# The same to rounding, of each pixel's brightest.
nearly_adds_up() {
  python_with_exr "$1" <<'END'
v = read(sys.argv[1])
names = {n[:-2] for n in v if n[-2:] in (".R", ".G", ".B")}
assert len(names) == 4
for c in "RGB":
    for i, whole in enumerate(v[c]):
        parts = [v[g + "." + c][i] for g in names]
        assert abs(sum(parts) - whole) <= 1e-6 * max(map(abs, parts + [whole, 1e-6])), (c, i, parts, whole)
END
}

@test "where light can be below 0 groups add up to rounding: filters with negative weights, dispersion, wavelengths, other color spaces, sensors" {
  local GLASS='"spectrum eta" "glass-F11"'
  lit 1 1 1 1 "" 'PixelFilter "mitchell"' >view.pbrt
  groups a.exr
  nearly_adds_up a.exr
  lit >view.pbrt
  groups a.exr --spectral
  nearly_adds_up a.exr
  lit | sed 's/"integer yresolution" 30/& "float maxcomponentvalue" 0.5 "string sensor" "canon_eos_5d"/' >view.pbrt
  groups a.exr
  nearly_adds_up a.exr
  (echo 'ColorSpace "rec2020"' && lit) >view.pbrt
  groups a.exr
  nearly_adds_up a.exr
}

@test "what no group has brought is in the layer default: media that glow, and lights without a group" {
  mist='MakeNamedMedium "mist" "string type" "homogeneous" "rgb sigma_a" [ .2 .1 .1 ] "rgb sigma_s" [ .1 .1 .1 ] "rgb Le" [ .3 .2 .1 ]
    MediumInterface "mist" "" Material "interface" Translate 0 0 2 Shape "sphere" "float radius" 1'
  lit 0 0 0 0 "" "" "$mist" >view.pbrt
  groups a.exr
  python_with_exr <<'END'
v = read("a.exr")
assert all(v["default." + c] == v[c] for c in "RGB") and sum(v["R"]) > 0
assert sorted(v) == sorted(["R", "G", "B"] + [g + "." + c for g in ("default", "sky", "key", "fill") for c in "RGB"])
END
  # A light may say that it belongs to none. Where nothing emits, a layer is 0, not what rounding leaves.
  lit 1 1 1 0 | sed 's/"string lightgroup" "sky"/"string lightgroup" "default"/' >view.pbrt
  groups a.exr
  python_with_exr <<'END'
v = read("a.exr")
assert "sky.R" not in v and sum(v["default.B"]) > 0
END
  lit 1 1 1 0 >view.pbrt
  groups a.exr
  python_with_exr <<'END'
v = read("a.exr")
assert all(x == 0 for c in "RGB" for x in v["default." + c])
END
}

@test "a group is the picture of its lights alone: to rounding where the others are too dim to count, else on average" {
  local GLASS='"spectrum eta" "glass-F11"'
  # With lights chosen alike, the same random numbers are used whatever the others shine with.
  lit 1 1 1 1 "$UNIFORM" >view.pbrt
  groups all.exr
  lit 1 1e-25 1e-25 1e-25 "$UNIFORM" >view.pbrt
  groups sky.exr
  lit 1e-25 1 1e-25 1e-25 "$UNIFORM" >view.pbrt
  groups key.exr
  lit 1e-25 1e-25 1 1e-25 "$UNIFORM" >view.pbrt
  groups fill.exr
  lit 1e-25 1e-25 1e-25 1 "$UNIFORM" >view.pbrt
  groups default.exr
  python_with_exr <<'END'
v = read("all.exr")
for g in ("sky", "key", "fill", "default"):
    alone = read(g + ".exr")
    for c in "RGB":
        assert max(abs(a - b) for a, b in zip(v[g + "." + c], alone[c])) < 1e-6 * max(v[c]), g
    assert sum(alone["R"]) > 0
END
  # Lights that are not there at all: other random numbers, the same mean.
  lit >view.pbrt
  groups all.exr --spp=256
  lit 0 1 0 0 >view.pbrt
  "$LBRENDER" -q --bits=32 --compression=none --spp=256 -o key.exr view.pbrt
  python_with_exr <<'END'
v, alone = read("all.exr"), read("key.exr")
for c in "RGB":
    a, b = sum(v["key." + c]), sum(alone[c])
    assert abs(a / b - 1) < 0.03, (c, a, b)
END
}

@test "light is the same with light groups and without, also with wavelengths" {
  lit >view.pbrt
  for how in --rgb --spectral; do
    "$LBRENDER" -q $how --around=no -o a.pfm view.pbrt
    groups a.exr $how
    python_with_exr <<'END'
v = read("a.exr")
assert [list(v[c]) for c in "RGB"] == [list(p) for p in exr.read_pfm("a.pfm")]
END
  done
}

@test "light groups have the same bytes on every instruction set, number of threads and strategy, over parts, resumed and merged" {
  local GLASS='"spectrum eta" "glass-F11"'
  lit >view.pbrt
  for how in --rgb --spectral; do
    groups a.exr $how -t 1 --isa=portable
    for isa in $(isas); do
      groups b.exr $how -t 3 --isa=$isa --passes=2 --strategy=steal
      cmp a.exr b.exr
    done
  done
  groups a.exr -t 1
  for strategy in $(strategies); do
    groups b.exr -t 3 --passes=2 --strategy=$strategy
    cmp a.exr b.exr
  done
  for i in 1 2 3; do
    "$LBRENDER" -q --share=$i/3 --channels=lightgroups --part=$i.part -o none view.pbrt
  done
  "$LBRENDER" -q --bits=32 --compression=none --merge -o b.exr 3.part 1.part 2.part
  cmp a.exr b.exr
  "$LBRENDER" -q --samples=0:5 --channels=lightgroups,samples --part=begun.part -o none view.pbrt
  groups b.exr --resume=begun.part
  cmp a.exr b.exr
  # A picture without groups goes on with the part that has them, and another name is another channel.
  "$LBRENDER" -q --resume=begun.part -o b.pfm view.pbrt
  "$LBRENDER" -q --around=no -o a.pfm view.pbrt
  cmp a.pfm b.pfm
  lit | sed 's/"key"/"kick"/' >view.pbrt
  "$LBRENDER" -q --share=1/3 --channels=lightgroups --part=1.part -o none view.pbrt
  run "$LBRENDER" --merge -o b.exr 1.part 2.part 3.part
  ended 1 "its lightgroups have other names"
}

@test "at half floats light groups are floats that add up to what R, G and B were rounded from" {
  lit >view.pbrt
  "$LBRENDER" -q --bits=16 --compression=none --channels=lightgroups -o a.exr view.pbrt
  python_with_exr <<'END'
v = read("a.exr")
for c in "RGB":
    for i, whole in enumerate(v[c]):
        total = f(f(f(v["key." + c][i] + v["sky." + c][i]) + v["fill." + c][i]) + v["default." + c][i])
        assert struct.unpack("e", struct.pack("e", total))[0] == whole
END
}

@test "OpenEXR's and OpenImageIO's own tools read light groups, and their sum differs from the picture by nothing" {
  command -v exrheader >/dev/null && command -v oiiotool >/dev/null || skip "exrheader or oiiotool is not there"
  lit >view.pbrt
  "$LBRENDER" -q --bits=32 --channels=lightgroups -o a.exr view.pbrt
  exrheader a.exr >header
  [ "$(grep -c -E '(default|fill|key|sky)\.[RGB], 32-bit floating-point' header)" = 12 ]
  oiiotool a.exr --ch fill.R,fill.G,fill.B a.exr --ch default.R,default.G,default.B --add a.exr --ch sky.R,sky.G,sky.B --add \
    a.exr --ch key.R,key.G,key.B --add --chnames R,G,B -o sum.exr
  run oiiotool a.exr --ch R,G,B sum.exr --fail 0 --warn 0 --hardwarn 0 --diff
  ended 0 PASS
  "$LBRENDER" -q --bits=32 --channels=lightgroups --compression=dwaa -o dwaa.exr view.pbrt
  run oiiotool a.exr dwaa.exr --fail 0.5 --warn 0.5 --diff
  ended 0 PASS
}

@test "what cannot be a light group, and who cannot have one, is an error" {
  group() {
    lit | sed "s/\"sky\"/\"$1\"/" >view.pbrt
    run "$LBRENDER" --channels=lightgroups -o a.exr view.pbrt
    ended 1 "$2"
  }
  group a.b "a light group's name has up to 63 letters"
  group "a b" "a light group's name has up to 63 letters"
  group Albedo 'cannot be called "Albedo"'
  group CryptoObject00 'cannot be called "CryptoObject00"'
  lit | sed 's/"string lightgroup" "sky"/"float lightgroup" 3/' >view.pbrt
  run "$LBRENDER" -o a.exr view.pbrt
  ended 1 lightgroup
  (lit && for i in $(seq 62); do echo "LightSource \"point\" \"string lightgroup\" \"g$i\""; done) >view.pbrt
  run "$LBRENDER" --channels=lightgroups -o a.exr view.pbrt
  ended 1 "there are more than 64 light groups"
  lit >view.pbrt
  run "$LBRENDER" --channels=lightgroups -o a.png view.pbrt
  ended 2 "have no room for them"
  lit | sed 's/Integrator "volpath".*/Integrator "ambientocclusion"/' >view.pbrt
  run "$LBRENDER" --channels=lightgroups -o a.exr view.pbrt
  ended 1 '"ambientocclusion" knows no lights'
  scene >view.pbrt
  run "$LBRENDER" --channels=lightgroups -o a.exr view.pbrt
  ended 1 "shows no surfaces"
}

@test "GPUs are left out of light groups with a note where no option names them, and refused where one does" {
  lit >view.pbrt
  run "$LBRENDER" --devices=wave --channels=lightgroups -o b.exr view.pbrt
  ended 1 "they do not tell light groups apart; --devices=cpu goes without them"
  [ -x "$FAKE" ] || skip "built without CUDA"
  groups a.exr
  FAKE_CUDA="devices=2" run "$FAKE" --bits=32 --compression=none --channels=lightgroups -o b.exr view.pbrt
  ended 0 "GPUs are left out: they do not tell light groups apart"
  cmp a.exr b.exr
}

# A scene that GPUs are left out of by what it holds, as small as lit's.
for_cpus() {
  sed -e 's/^Film.*/Film "rgb" "integer xresolution" 40 "integer yresolution" 30/; s/^Sampler.*/Sampler "independent" "integer pixelsamples" 4/' \
    -e "s,\.\./\.\./\.\./samples,$ROOT/samples," "$ROOT/test/scenes/cpu/coat.pbrt"
}

@test "GPUs are left out of scenes that they do not render, and the CPU threads are as many as without GPUs" {
  [ -x "$FAKE" ] || skip "built without CUDA"
  for_cpus >view.pbrt
  for how in "" "--frames=0-1"; do
    FAKE_CUDA="devices=1" run "$FAKE" $how --report=r.json -o "b#.exr" view.pbrt
    ended 0 "GPUs are left out: they do not render a clearcoat with normals of its own yet"
    [ "$(echo "$output" | grep -c "left out")" = 1 ]
    jq -r '.frames[-1].processors[].kind' r.json >kinds
    [ "$(sort -u kinds)" = cpu ]
    [ "$(wc -l <kinds)" = "$("$LBRENDER" --list-devices | sed -n 's/^cpu *\([0-9]*\) threads.*/\1/p')" ]
  done
  # Where they alone are weighed, and where they are simulated or raced, they are left out, too.
  FAKE_CUDA="devices=1" run "$FAKE" --weights=2,1 --dry-run view.pbrt
  ended 0 "processors  2"
  FAKE_CUDA="devices=1" run "$FAKE" --compare=pool,tiles --spp=1 view.pbrt
  ended 0 "GPUs are left out"
  # One that is named is lost, as it was.
  FAKE_CUDA="devices=1" run "$FAKE" --devices=cuda,cpu:1 -o b.exr view.pbrt
  ended 3 "they do not render a clearcoat with normals of its own yet"
}

@test "a frame that GPUs are left out of loses none of them: CPU threads render in their place, in a race, too" {
  [ -x "$FAKE" ] || skip "built without CUDA"
  lit >view0.pbrt
  for_cpus >view1.pbrt
  cp view0.pbrt view2.pbrt
  "$LBRENDER" -q --bits=32 --compression=none --frames=0-2 -o "a#.exr" "view#.pbrt"
  gpus=$("$LBRENDER" --list-devices | sed -n 's/^cpu *\([0-9]*\) threads.*/\1/p') # a thread feeds each: there are no others
  FAKE_CUDA="devices=$gpus" run "$FAKE" --bits=32 --compression=none --frames=0-2 --report=r.json -o "b#.exr" "view#.pbrt"
  ended 0 "GPUs are left out: they do not render a clearcoat with normals of its own yet"
  [[ "$output" != *"was lost"* ]]
  for i in 0 1 2; do cmp a$i.exr b$i.exr; done
  jq -r '.frames[] | [.processors[].kind] | unique | join(" ")' r.json >kinds
  printf '%s\n' cuda cpu cuda | diff - kinds
  jq -e '.frames[1].processors | length == '"$gpus" r.json
  FAKE_CUDA="devices=1" run "$FAKE" --frames=0-2 --compare=pool,tiles "view#.pbrt"
  ended 0 "GPUs are left out"
  [[ "$output" != *"was lost"* ]]
}
