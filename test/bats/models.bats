# Models of other programs: what becomes of them, and that nothing which is wrong with them ends the program.
# bats file_tags=long
load common

setup_file() {
  python3 "$BATS_TEST_DIRNAME/../models.py" "$BATS_FILE_TMPDIR"
  export MODELS=$BATS_FILE_TMPDIR
}

# Skips the test where the program was built without Assimp, or its library is missing.
needs_assimp() {
  run "$LBRENDER" -q --write-scene=try.pbrt "$MODELS/box.stl"
  if grep -qE 'built without Assimp|cannot be loaded' <<<"$output"; then
    skip "$output"
  fi
  ended 0
}

# Prints which channel is the strongest at the parts $2, $3 of the PFM picture's width and height, from the upper left: R, G or B;
# of grey, "=".
strongest() {
  python3 - "$@" <<'END'
import struct, sys
with open(sys.argv[1], "rb") as file:
    file.readline()
    width, height = map(int, file.readline().split())
    file.readline()
    data = file.read()
x, y = int(float(sys.argv[2]) * width), height - 1 - int(float(sys.argv[3]) * height)
rgb = struct.unpack_from("<3f", data, 12 * (y * width + x))
print("=" if max(rgb) < 1.5 * min(rgb) else "RGB"[rgb.index(max(rgb))])
END
}

# Prints that of four places, row by row.
corners_of() {
  echo "$(strongest $1 0.35 0.35)$(strongest $1 0.65 0.35)$(strongest $1 0.35 0.65)$(strongest $1 0.65 0.65)"
}

@test "a picture of a model is the right way round, from the front and from behind" {
  needs_assimp
  "$LBRENDER" -q --spp=16 --resolution=64x64 -o front.pfm "$MODELS/corners.glb"
  [ "$(corners_of front.pfm)" = "RGB=" ]
  "$LBRENDER" -q --spp=16 --resolution=64x64 --camera=back -o back.pfm "$MODELS/corners.glb"
  [ "$(corners_of back.pfm)" = "GR=B" ]
}

@test "the scene that is made of a model renders to the same bytes, and is made the same again" {
  needs_assimp
  for model in corners.glb metal.glb materials.gltf mirrored.gltf glow.gltf sets.gltf turned.gltf whole.glb instanced.glb colors.gltf colors.ply bent.gltf pair.gltf box.obj box.stl \
    box.ply; do
    for option in --verbose --studio; do
      echo "$model $option"
      "$LBRENDER" -q --spp=2 --resolution=10% $option -o model.pfm "$MODELS/$model"
      "$LBRENDER" -q $option --write-scene=made.pbrt "$MODELS/$model"
      cp made.pbrt before.pbrt
      "$LBRENDER" -q $option --write-scene=made.pbrt "$MODELS/$model"
      cmp made.pbrt before.pbrt
      "$LBRENDER" -q --spp=2 --resolution=10% -o scene.pfm made.pbrt
      cmp model.pfm scene.pfm
      rm -r made.pbrt made-parts
    done
  done
}

@test "what pbrt takes for comments aside, the scene is one of pbrt's own materials" {
  needs_assimp
  for model in metal.glb materials.gltf box.obj; do
    "$LBRENDER" -q --write-scene=made.pbrt "$MODELS/$model"
    grep -q '^#@lbrender .*"metallicroughness"' made.pbrt
    grep -v '^#' made.pbrt >plain.pbrt
    [ "$(grep -c metallicroughness plain.pbrt)" -eq 0 ]
    "$LBRENDER" -q --spp=1 --resolution=5% -o plain.png plain.pbrt
  done
}

# Prints where the nodes of the scene $1 stand: the numbers of each one's transformation, rounded, and of LookAt.
places_in() {
  python3 - "$1" <<'END'
import re, sys
text = open(sys.argv[1]).read()
for line in re.findall(r"^# node .*\n.*\nTransform \[(.*)\]", text, re.M) + re.findall(r"^LookAt(.*)", text, re.M):
    print(" ".join("%.3g" % (float(value) + 0.0) for value in line.split()))
END
}

@test "--frames shows nodes and cameras of a model where its animation has them" {
  needs_assimp
  run "$LBRENDER" --write-scene=slide.pbrt --animation=slide --frames=1-3,2/4 "$MODELS/moving.gltf"
  ended 0 "wrote 2 scenes of frames, as slide-0001.pbrt"
  [ "$(ls slide*)" = "$(printf 'slide-0001.pbrt\nslide-0003.pbrt\n\nslide-parts:\nmesh-0.ply')" ]
  # Half a second: a quarter of the way to the right, no step yet, 22.5 degrees around z at 1.25 of the size.
  [ "$(places_in slide-0001.pbrt)" = "1 0 0 0 0 1 0 0 0 0 1 0 -5 0 0 1
1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1
1.15 0.478 0 0 -0.478 1.15 0 0 0 0 1.25 0 6 0 0 1
0 0 20 0 0 19 0 1 0" ]
  # A second and a half: three quarters of the way, one step.
  [ "$(places_in slide-0003.pbrt)" = "1 0 0 0 0 1 0 0 0 0 1 0 -3 0 0 1
1 0 0 0 0 1 0 0 0 0 1 0 0 1 0 1
0.67 1.62 0 0 -1.62 0.67 0 0 0 0 1.75 0 6 0 0 1
0 0 20 0 0 19 0 1 0" ]
  # The camera moves along; a second at two frames a second is frame 2; what is beyond the end stays there.
  run "$LBRENDER" -q --write-scene=other.pbrt --animation=other --fps=2 --frames=2-8,6 "$MODELS/moving.gltf"
  ended 0
  [ "$(places_in other-0002.pbrt | sed -n '1p;4p')" = "1 0 0 0 0 1 0 0 0 0 1 0 -8 0 0 1
-2 0 20 -2 0 19 0 1 0" ]
  [ "$(places_in other-0008.pbrt | sed -n '1p;4p')" = "1 0 0 0 0 1 0 0 0 0 1 0 -10 0 0 1
-4 0 20 -4 0 19 0 1 0" ]
  # 24 frames a second where nothing else is known.
  run "$LBRENDER" --write-scene=known.pbrt --frames=12 "$MODELS/moving.gltf"
  ended 0 'of its 2 animations the first one is shown; --animation chooses another: "other"'
  [ "$(places_in known-0012.pbrt)" = "$(places_in slide-0001.pbrt)" ]
  # Without --frames all stands as the file has it.
  "$LBRENDER" -q --write-scene=still.pbrt "$MODELS/moving.gltf"
  [ "$(places_in still.pbrt | head -1)" = "1 0 0 0 0 1 0 0 0 0 1 0 -6 0 0 1" ]
}

@test "a frame of a model's animation is the same alone, among others, and from its written scene" {
  needs_assimp
  local small="-q --spp=2 --resolution=48x48"
  "$LBRENDER" $small --animation=slide --frames=0-3/4 -o row.pfm "$MODELS/moving.gltf"
  "$LBRENDER" $small --animation=slide --frames=2-2/4 -o alone.pfm "$MODELS/moving.gltf"
  cmp row-0002.pfm alone-0002.pfm
  differ row-0001.pfm row-0002.pfm
  "$LBRENDER" -q --animation=slide --frames=0-3/4 --write-scene=made.pbrt "$MODELS/moving.gltf"
  "$LBRENDER" $small --frames=0-3 -o made.pfm made-####.pbrt
  for f in 0 1 2 3; do cmp row-000$f.pfm made-000$f.pfm; done
}

@test "what is wrong with an animation's options is said" {
  needs_assimp
  run "$LBRENDER" --frames=0-1/2 --animation=run "$MODELS/moving.gltf"
  ended 1 'moving.gltf: no animation is called "run"; there are: "slide", "other"'
  run "$LBRENDER" --frames=0-1/2 --animation=run "$MODELS/box.obj"
  ended 1 'box.obj: no animation is called "run", nor is there any other'
  run "$LBRENDER" --fps=24 "$MODELS/moving.gltf"
  ended 2 "--fps without --frames"
  scene >view.pbrt
  run "$LBRENDER" --frames=0-1 --fps=24 view.pbrt
  ended 2 "--fps is for models"
}

# Prints the vertices of the PLY files, one file after another.
corners_in() {
  python3 - "$@" <<'END'
import struct, sys
for name in sys.argv[1:]:
    data = open(name, "rb").read()
    begin = data.index(b"end_header\n") + 11
    stride = data[:begin].count(b"property float")
    rows = [struct.unpack_from("<%df" % stride, data, begin + 4 * stride * i) for i in range(4)]
    print(" ".join("%g,%g,%g" % tuple(round(v, 4) + 0.0 for v in row[:3]) for row in rows), "%g" % round(rows[3][5], 4))
END
}

@test "skins and morph targets bend meshes, at rest and by --frames" {
  needs_assimp
  "$LBRENDER" -q --write-scene=rest.pbrt "$MODELS/bent.gltf"
  # The last number is the z of the last corner's normal.
  [ "$(corners_in rest-parts/mesh-0.ply rest-parts/mesh-1.ply)" = "-1,-1,0 1,-1,0 2,1,0 0,1,0 1
-1,-1,0.25 1,-1,0.25 1,1,0.25 -1,1,0.25 1" ]
  # The node of the skin does not count, and that of the flag does.
  [ "$(grep '^Transform' rest.pbrt | sed -n 2,3p)" = "Transform [ 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 ]
Transform [ 1 0 0 0 0 1 0 0 0 0 1 0 0 0 -3 1 ]" ]
  run "$LBRENDER" --animation=bend --fps=1 --frames=0-3/4 --write-scene=bent.pbrt "$MODELS/bent.gltf"
  ended 0
  [ "$(grep -c 'left out' <<<"$output")" -eq 0 ]
  corners_in bent-parts/mesh-0-000{0,1,3}.ply bent-parts/mesh-1-000{0,1,3}.ply
  [ "$(corners_in bent-parts/mesh-0-000{0,1,3}.ply bent-parts/mesh-1-000{0,1,3}.ply)" = "-1,-1,0 1,-1,0 1,1,0 -1,1,0 1
-1,-1,0 1,-1,0 2,1,0 0,1,0 1
-1,-1,0 1,-1,0 3,-1,0 1,-1,0 -1
-1,-1,2 1,-1,2 1,1,2 -1,1,2 1
-1,-1,1.5 1,-1,1.5 1,1,1.5 -1,1,1.5 1
-1,-1,1 1,-1,1 1,1,1 -1,1,1 1" ]
  # Where targets' weights step they step.
  "$LBRENDER" -q --animation=other --fps=2 --frames=0-3 --write-scene=other.pbrt "$MODELS/bent.gltf"
  [ "$(corners_in other-parts/mesh-1-000{0,1,2}.ply | cut -d' ' -f1)" = "-1,-1,1
-1,-1,1
-1,-1,4" ]
  # A frame is the same from its written scene.
  "$LBRENDER" -q --spp=2 --resolution=48x48 --animation=bend --fps=1 --frames=1-1/4 -o model.pfm "$MODELS/bent.gltf"
  "$LBRENDER" -q --spp=2 --resolution=48x48 --frames=1-1/4 -o scene.pfm 'bent-####.pbrt'
  cmp model-0001.pfm scene-0001.pfm
}

@test "an image says where a surface is metal" {
  needs_assimp
  "$LBRENDER" -q --write-scene=mixed.pbrt "$MODELS/metal.glb"
  # Where the image says metal the picture is that of a square of the metal, elsewhere that of one of the paint.
  "$LBRENDER" -q --spp=64 --resolution=32x32 -o mixed.pfm mixed.pbrt
  for part in paint:0 metal:1; do
    sed "s/\"texture metallic\" \"metallic-0\"/\"float metallic\" ${part#*:}/" mixed.pbrt >${part%:*}.pbrt
    "$LBRENDER" -q --spp=64 --resolution=32x32 -o ${part%:*}.pfm ${part%:*}.pbrt
  done
  python3 - <<'END'
import struct
def halves(name):
    with open(name, "rb") as file:
        file.readline(), file.readline(), file.readline()
        v = struct.unpack("<%df" % (32 * 32 * 3), file.read())
    return [sum(v[3 * (32 * y + x)] for y in range(12, 20) for x in columns) for columns in (range(10, 14), range(18, 22))]
(left, right), (base, paint), (metal, other) = halves("mixed.pfm"), halves("paint.pfm"), halves("metal.pfm")
print(left, metal, base, right, paint, other)
assert abs(left - metal) < 0.001 * metal and abs(right - paint) < 0.001 * paint
assert abs(base - metal) > 0.005 * metal and abs(paint - other) > 0.005 * other # five times what is allowed above
END
}

# Shows that the material of number $1 in the scene made.pbrt is written with all of the further parameters.
has_material() {
  local line number=$1
  line=$(grep "^#@lbrender MakeNamedMaterial \"material-$number\" " made.pbrt)
  for part in "${@:2}"; do
    if [[ "$line" != *" $part"* ]]; then
      echo "no $part in: $line"
      return 1
    fi
  done
}

@test "each part of glTF's material becomes its parameter" {
  needs_assimp
  "$LBRENDER" -q --write-scene=made.pbrt "$MODELS/materials.gltf"
  has_material 0 '"float metallic" [ 0 ]' '"float roughness" [ 0.5 ]'
  has_material 1 '"texture basecolor" "basecolor-1"'
  grep '^Texture "basecolor-1"' made.pbrt | grep -q '"float scale" \[ 0.5 \]'
  has_material 2 '"texture basecolor" "basecolor-2"'
  has_material 3 '"texture metallic" "metallic-3"' '"texture roughness" "roughness-3"'
  grep 'Texture "metallic-3"' made.pbrt | grep -q '"float scale" \[ 0.69999'
  has_material 4 '"float transmission" [ 1 ]'
  [ "$(grep 'material-4"' made.pbrt | grep -c thinwalled)" -eq 0 ]
  has_material 5 '"texture transmission" "transmission-5"' '"bool thinwalled" false' '"float ior" [ 1.33'
  # Half of red, a quarter of green and all of blue are left after 2 units.
  grep -q '^MakeNamedMedium "medium-5" .*"rgb sigma_a" \[ 0.3465735[0-9]* 0.693147[0-9]* 0 \]' made.pbrt
  grep -q '^MediumInterface "medium-5" ""' made.pbrt
  has_material 6 '"texture clearcoat" "clearcoat-6"' '"float clearcoatroughness" [ 0.3'
  has_material 7 '"rgb sheencolor" [ 0.89999' '"texture sheenroughness" "sheenroughness-7"'
  has_material 8 '"texture specular" "specular-8"' '"rgb specularcolor" [ 1.5 1 0.5 ]'
  grep -q '^AreaLightSource "diffuse" "float scale" \[ 4 \] "string filename"' made.pbrt
  grep -q '^MakeNamedMaterial "material-10" "string type" "diffuse" "rgb reflectance" \[ 0 0 0 \]' made.pbrt
  grep -q '^AreaLightSource "diffuse" "float scale" \[ 1 \] "rgb L" \[ 0.2[0-9]* 0.4[0-9]* 0.6[0-9]* \]' made.pbrt
  has_material 11 '"float metallic" [ 0 ]' '"float roughness" [ 0.25 ]' '"rgb specularcolor" [ 7.499' '"rgb basecolor" [ 0.2'
  grep '^Shape' made.pbrt | grep -q 'mesh-12.ply" "texture alpha" "alpha-12"'
  grep '^Shape' made.pbrt | grep -q 'mesh-13.ply" "float alpha" \[ 0.25 \]'
  has_material 14 '"string normalmap"'
  has_material 15 '"bool clearcoatnormalmap" true' '"string normalmap"'
  has_material 16 '"string clearcoatnormals"'
  [ "$(grep 'material-16"' made.pbrt | grep -c 'normalmap')" -eq 0 ]
  has_material 17 '"string clearcoatnormals"' '"string normalmap"'
  [ "$(grep 'MakeNamedMaterial "material-1[67]"' made.pbrt | grep -v '^#@lbrender' | grep -c 'clearcoatnormals')" -eq 0 ]
}

@test "a clearcoat with a normal map of its own is that of a surface with the map whose coat goes along" {
  # Black below the coat, so that only its light is seen; the map leans by 0.6 to u.
  python3 -c 'import struct; open("lean.pfm", "wb").write(b"PF\n1 1\n-1\n" + struct.pack("<3f", 0.8, 0.5, 0.9))'
  black='"rgb basecolor" [ 0 0 0 ] "float metallic" 0 "float specular" 0 "float clearcoat" 1 "float clearcoatroughness" 0.5'
  for name in own shared none; do
    case $name in
      own) coat='"string clearcoatnormals" "lean.pfm"' ;;
      shared) coat='"string normalmap" "lean.pfm" "bool clearcoatnormalmap" true' ;;
      none) coat= ;;
    esac
    cat >$name.pbrt <<END
LookAt 0 0 4  0 0 0  0 1 0
Camera "perspective" "float fov" 40
Film "rgb" "integer xresolution" 32 "integer yresolution" 32
Sampler "zsobol" "integer pixelsamples" 256
WorldBegin
LightSource "distant" "point3 from" [ 2 1 4 ] "point3 to" [ 0 0 0 ] "rgb L" [ 9 9 9 ]
Material "metallicroughness" $black $coat
Shape "bilinearmesh" "point3 P" [ -1 -1 0  1 -1 0  -1 1 0  1 1 0 ]
END
    "$LBRENDER" -q -o $name.pfm $name.pbrt
  done
  awk -v own=$(brightness own.pfm 0.5 0.5) -v shared=$(brightness shared.pfm 0.5 0.5) -v none=$(brightness none.pfm 0.5 0.5) \
    'BEGIN { print own, shared, none; exit !(own > 0.01 && own > 0.99 * shared && own < 1.01 * shared && (none > 1.1 * own || none < 0.9 * own)) }'
}

@test "of two shapes of a node one shines, and the other does not" {
  needs_assimp
  "$LBRENDER" -q --write-scene=made.pbrt "$MODELS/materials.gltf"
  # Each light, but for the key light at the end, stands in a block that its one shape ends.
  [ "$(grep -A2 '^AreaLightSource' made.pbrt | grep -c '^AttributeEnd')" -eq "$(grep -c '^AreaLightSource' made.pbrt)" ]
}

# Prints the mean of the PFM picture $1 around the parts $2, $3 of its width and height, from the upper left.
brightness() {
  python3 - "$@" <<'END'
import struct, sys
with open(sys.argv[1], "rb") as file:
    file.readline()
    width, height = map(int, file.readline().split())
    file.readline()
    data = struct.unpack("<%df" % (3 * width * height), file.read())
x, y, r = int(float(sys.argv[2]) * width), height - 1 - int(float(sys.argv[3]) * height), width // 16
values = [v for j in range(y - r, y + r) for v in data[3 * (j * width + x - r):3 * (j * width + x + r)]]
print(sum(values) / len(values))
END
}

@test "a normal map looks the same where its image is mirrored, and where a node mirrors the mesh" {
  needs_assimp
  "$LBRENDER" -q --write-scene=made.pbrt "$MODELS/mirrored.gltf"
  sed -i '/^# a soft sky/,$d' made.pbrt # light from afar falls on all squares alike
  echo 'LightSource "distant" "point3 from" [ 0 1 1 ] "point3 to" [ 0 0 0 ] "rgb L" [ 3 3 3 ]' >>made.pbrt
  "$LBRENDER" -q --spp=64 --resolution=64x64 -o a.pfm made.pbrt
  plain=$(brightness a.pfm 0.28 0.28)
  for place in '0.72 0.28' '0.5 0.72'; do
    awk -v a=$plain -v b=$(brightness a.pfm $place) 'BEGIN { print a, b; exit !(a > 0.05 && b > 0.98 * a && b < 1.02 * a) }'
  done
  # The map's y turned, as it was without a mesh of its own, is another brightness.
  sed -i 's/^NamedMaterial "material-0-mirrored"/NamedMaterial "material-0"/' made.pbrt
  "$LBRENDER" -q --spp=64 --resolution=64x64 -o b.pfm made.pbrt
  awk -v a=$plain -v b=$(brightness b.pfm 0.72 0.28) 'BEGIN { exit !(b < 0.9 * a || b > 1.1 * a) }'
}

@test "a normal map is written as PNG, as other images of 8 bits would not be taken as numbers" {
  needs_assimp
  cat >flat.pbrt <<'END'
Film "rgb" "integer xresolution" 16 "integer yresolution" 16
WorldBegin
LightSource "infinite" "rgb L" [ 0.2159 0.2159 1 ]
END
  "$LBRENDER" -q --spp=1 -o flat.jpg flat.pbrt
  cp "$MODELS/box.obj" .
  printf 'newmtl varnish\nKd 0.5 0.5 0.5\nPr 0.4\nnorm flat.jpg\n' >box.mtl
  "$LBRENDER" -q --write-scene=made.pbrt box.obj
  grep -q '"string normalmap" "made-parts/texture-[0-9]*.png"' made.pbrt
}

@test "pbrt, which copies the image of a light for each triangle, does not get it for many" {
  needs_assimp
  "$LBRENDER" -q --write-scene=few.pbrt "$MODELS/glow.gltf"
  [ "$(grep -c '^AreaLightSource .*"string filename"' few.pbrt)" -eq 1 ]
  python3 - "$MODELS/glow.gltf" <<'END'
import base64, json, struct, sys
model = json.load(open(sys.argv[1]))
indices = struct.pack("<6H", 0, 1, 2, 0, 2, 3) * 40
model["buffers"].append({"byteLength": len(indices), "uri": "data:application/octet-stream;base64," + base64.b64encode(indices).decode()})
model["bufferViews"].append({"buffer": 1, "byteLength": len(indices)})
model["accessors"].append({"bufferView": len(model["bufferViews"]) - 1, "componentType": 5123, "count": 240, "type": "SCALAR"})
model["meshes"][0]["primitives"][0]["indices"] = len(model["accessors"]) - 1
json.dump(model, open("many.gltf", "w"))
END
  "$LBRENDER" -q --write-scene=many.pbrt many.gltf
  [ "$(grep -c '^AreaLightSource .*"string filename"' many.pbrt)" -eq 0 ]
  [ "$(grep -c '^#@lbrender AreaLightSource .*"string filename"' many.pbrt)" -eq 1 ]
}

@test "an image of light is in its place though its coordinates lie beyond it" {
  needs_assimp
  "$LBRENDER" -q --spp=16 --resolution=64x64 -o a.pfm "$MODELS/glow.gltf"
  [ "$(corners_of a.pfm)" = "RBRB" ]
}

@test "an image of light may be grey, or tinted" {
  needs_assimp
  for name in grey even half made; do
    "$LBRENDER" -q --spp=16 --resolution=64x64 -o $name.pfm "$MODELS/glow-$name.gltf"
  done
  for pair in "grey even" "half made"; do
    read -r a b <<<"$pair"
    python3 "$ROOT/test/pfm_error.py" $a.pfm $b.pfm >off
    awk '{ print; exit !($1 < 1e-5) }' off
  done
}

@test "candela, lux and nits of a glTF file are to each other as they should be" {
  needs_assimp
  "$LBRENDER" -q --write-scene=lamps.pbrt "$MODELS/lamps.gltf"
  [ "$(grep -c '^LightSource' lamps.pbrt)" -eq 3 ]
  for kind in point distant spot; do
    grep -vE "^LightSource \"($(echo point distant spot | sed "s/$kind//; s/^ //; s/ $//; s/ \+/|/"))\"" lamps.pbrt >$kind.pbrt
    [ "$(grep -c '^LightSource' $kind.pbrt)" -eq 1 ]
    "$LBRENDER" -q --spp=64 --resolution=64x64 -o $kind.pfm $kind.pbrt
    awk -v lit=$(brightness $kind.pfm 0.25 0.5) -v shines=$(brightness $kind.pfm 0.75 0.5) \
      'BEGIN { print lit, shines; exit !(shines > 0.1 && lit > 0.99 * shines && lit < 1.01 * shines) }'
  done
  # A lamp moves, and stays as bright as it is.
  "$LBRENDER" -q --frames=0-1/2 --write-scene=come.pbrt "$MODELS/lamps.gltf"
  grep -q '^LightSource "point" "point3 from" \[ 0 0 100 \]' come-0000.pbrt
  grep -q '^LightSource "point" "point3 from" \[ 0 0 75 \]' come-0001.pbrt
  [ "$(grep '^LightSource "point"' come-0000.pbrt | grep -o 'rgb I.*')" = "$(grep '^LightSource "point"' come-0001.pbrt | grep -o 'rgb I.*')" ]
}

@test "lights of other files bring their color to the model, and a camera that does not see it is left out" {
  needs_assimp
  run "$LBRENDER" --write-scene=away.pbrt "$MODELS/away.dae"
  ended 0 "its first camera does not see it"
  grep '^LightSource' away.pbrt | awk '{ scale[NR] = $(NF - 1) } END { print scale[1], scale[2]; exit !(NR == 2 && scale[2] > 99 * scale[1] && scale[2] < 101 * scale[1]) }'
  run "$LBRENDER" --camera=c --write-scene=away.pbrt "$MODELS/away.dae"
  ended 0
  [ "$(grep -c 'does not see it' <<<"$output")" -eq 0 ]
}

@test "alpha may be that of grey, and of colors in a palette" {
  needs_assimp
  for form in rgba grey palette; do
    "$LBRENDER" -q --write-scene=$form.pbrt "$MODELS/cut-$form.gltf"
    grep -q '"texture alpha"' $form.pbrt
    sed -i '/^# a soft sky/,$d' $form.pbrt
    "$LBRENDER" -q --spp=16 --resolution=64x64 -o $form.pfm $form.pbrt
    [ "$(brightness $form.pfm 0.65 0.65)" = 0.0 ]
    cmp rgba.pfm $form.pfm
  done
  awk -v a=$(brightness rgba.pfm 0.35 0.65) 'BEGIN { exit !(a > 0.4) }'
}

@test "an image that a model clamps goes on as its edge" {
  needs_assimp
  python3 - "$MODELS/cut-rgba.gltf" <<'END'
import json, sys
model = json.load(open(sys.argv[1]))
json.dump(model, open("repeats.gltf", "w"))
model["samplers"] = [{"wrapS": 33071, "wrapT": 33071}]
model["textures"][0]["sampler"] = 0
json.dump(model, open("clamps.gltf", "w"))
END
  for name in repeats clamps; do
    "$LBRENDER" -q --write-scene=$name.pbrt $name.gltf
  done
  [ "$(grep -c 'wrap' repeats.pbrt)" -eq 0 ]
  for texture in basecolor alpha; do
    grep "^Texture \"$texture-0\"" clamps.pbrt | grep -q '"string wrap" "clamp"'
  done
}

@test "a glTF file that requires what the library misreads is an error" {
  needs_assimp
  sed 's/"asset": {/"extensionsRequired": [ "EXT_meshopt_compression" ], "asset": {/' "$MODELS/pair.gltf" >small.gltf
  run "$LBRENDER" --spp=1 -o a.png small.gltf
  ended 1 "small.gltf: it requires EXT_meshopt_compression, which the library Assimp does not read"
  [ ! -e a.png ]
}

@test "a model whose size is lost beside its place is an error" {
  needs_assimp
  printf 'v 7 7 7\nv 7.000002 7 7\nv 7 7.000002 7\nf 1 2 3\n' >point.obj
  run "$LBRENDER" --spp=1 -o a.png point.obj
  ended 1 "point.obj: it has no extent"
}

@test "colors of vertices are the surface's, interpolated over its triangles" {
  needs_assimp
  for model in colors.gltf colors.ply; do
    "$LBRENDER" -q --write-scene=made.pbrt "$MODELS/$model"
    "$LBRENDER" -q --spp=64 --resolution=64x64 --look-at=0,0,3/0,0,0 --fov=45 -o a.pfm made.pbrt
    # Lower left red, lower right green, white above it, and black on the upper left.
    [ "$(strongest a.pfm 0.15 0.85)$(strongest a.pfm 0.85 0.85)$(strongest a.pfm 0.85 0.15)" = "RG=" ]
    [ "$(strongest a.pfm 0.5 0.87)" != "=" ] # between red and green
    python3 - a.pfm <<'END'
import struct, sys
with open(sys.argv[1], "rb") as file:
    file.readline(), file.readline(), file.readline()
    v = struct.unpack("<%df" % (64 * 64 * 3), file.read())
pixel = lambda x, y: v[3 * (64 * y + x):3 * (64 * y + x) + 3] # y upwards
# Along the lower edge red falls as much as green rises; both are halves in the middle.
left, middle, right = pixel(12, 10), pixel(32, 10), pixel(52, 10)
print(left, middle, right)
assert left[0] > 2 * left[1] and right[1] > 2 * right[0] and 0.8 < middle[0] / middle[1] < 1.25
END
  done
}

@test "images of a material may have different texture coordinates" {
  needs_assimp
  run "$LBRENDER" --write-scene=made.pbrt "$MODELS/sets.gltf"
  ended 0 'has other texture coordinates'
  [ "$(grep -c 'has other texture coordinates' <<<"$output")" -eq 1 ]
  # The coat has coordinates of its own, so its roughness cannot.
  grep 'Texture "clearcoat-0"' made.pbrt | grep -q 'mapping" "uv1"'
  [ "$(grep 'Texture "clearcoatroughness-0"' made.pbrt | grep -c uv1)" -eq 0 ]
  python3 - <<'END'
import struct
data = open("made-parts/mesh-0.ply", "rb").read()
head, rows = data.split(b"end_header\n", 1)
assert [line.split()[-1] for line in head.split(b"\n") if b"property float" in line][-4:] == [b"u", b"v", b"u1", b"v1"]
floats = head.count(b"property float")
rows = [struct.unpack_from("<%df" % floats, rows, 4 * floats * i)[-4:] for i in range(4)]
assert rows == [(0, 0, 1, 0), (2, 0, 1, 1), (2, 1, 0, 1), (0, 1, 0, 0)], rows
END
  # Metal has half of u, which the mesh has doubled.
  grep 'Texture "metallic-0"' made.pbrt | grep -q '"float uscale" \[ 0.5 \] "float vscale" \[ 1 \]'
  [ "$(grep 'Texture "basecolor-0"' made.pbrt | grep -c uscale)" -eq 0 ]
  # From the left there are red, blue, red and blue.
  "$LBRENDER" -q --spp=16 --resolution=64x64 -o a.pfm made.pbrt
  [ "$(for x in 0.15 0.4 0.6 0.85; do strongest a.pfm $x 0.5; done | tr -d '\n')" = RBRB ]
}

@test "coordinates are scaled, turned and shifted as KHR_texture_transform says" {
  needs_assimp
  "$LBRENDER" -q --write-scene=made.pbrt "$MODELS/turned.gltf"
  python3 - <<'END'
import math, struct
data = open("made-parts/mesh-0.ply", "rb").read()
begin = data.index(b"end_header\n") + 11
stride = data[:begin].count(b"property float")
for i in range(4):
    row = struct.unpack_from("<%df" % stride, data, begin + 4 * stride * i)
    u, v = 0.5 + 0.5 * row[0], 0.5 - 0.5 * row[1] # v points down in the file
    u, v, c, s = 1.5 * u, 2.0 * v, math.cos(0.3), math.sin(0.3)
    wanted = c * u + s * v - 0.2, 1.0 - (c * v - s * u + 0.1)
    print(row, wanted)
    assert all(abs(a - b) < 1e-5 for a, b in zip(row[-2:], wanted))
END
}

@test "colors of vertices multiply images" {
  needs_assimp
  python3 - "$MODELS" <<'END'
import base64, json, struct, sys
def colored(name, colors, factor):
    model = json.load(open(sys.argv[1] + "/turned.gltf"))
    data = b"".join(struct.pack("<4f", *color) for color in colors)
    model["buffers"].append({"byteLength": len(data), "uri": "data:;base64," + base64.b64encode(data).decode()})
    model["bufferViews"].append({"buffer": 1, "byteLength": len(data)})
    model["accessors"].append({"bufferView": len(model["bufferViews"]) - 1, "componentType": 5126, "count": 4, "type": "VEC4"})
    if colors[0] != (1, 1, 1, 1):
        model["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = len(model["accessors"]) - 1
    model["materials"][0].update(alphaMode="BLEND")
    model["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = factor
    json.dump(model, open(name, "w"))
color = (0.5, 0.25, 0.75, 0.5)
colored("factor.gltf", [(1, 1, 1, 1)] * 4, color)
colored("even.gltf", [color] * 4, (1, 1, 1, 1))
colored("half.gltf", [(1, 0.5, 1, 1)] * 4, (0.5, 0.5, 0.75, 0.5))
colored("uneven.gltf", [color] * 3 + [(0.5, 0.25, 0.751, 0.5)], (1, 1, 1, 0.5))
colored("corners.gltf", [(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 0.2, 1), (0, 0, 0.2, 1)], (1, 1, 1, 1))
END
  for name in factor even half uneven; do
    run "$LBRENDER" --quiet --spp=4 --resolution=64x64 -o $name.pfm $name.gltf
    ended 0
  done
  cmp factor.pfm even.pfm
  cmp factor.pfm half.pfm
  # Where they differ they are an image by second coordinates, to half a step of its 16 bits.
  "$LBRENDER" -q --spp=4 --resolution=64x64 -o uneven.pfm uneven.gltf
  python3 "$ROOT/test/pfm_error.py" uneven.pfm factor.pfm >off
  awk '{ print; exit !($1 < 1e-5) }' off
  run "$LBRENDER" --write-scene=made.pbrt corners.gltf
  ended 0
  [[ "$output" != *"left out"* ]]
  "$LBRENDER" -q --spp=4 --resolution=64x64 -o a.pfm corners.gltf
  "$LBRENDER" -q --spp=4 --resolution=64x64 -o b.pfm made.pbrt
  cmp a.pfm b.pfm
  # The image is blue and a little green, which is what the corner on the lower right leaves of it.
  [ "$(strongest a.pfm 0.3 0.3)$(strongest a.pfm 0.8 0.86)" = BG ]
  # pbrt gets the image alone.
  grep -v '^#' made.pbrt >plain.pbrt
  run grep -cE 'uv1|vertexcolor|painted' plain.pbrt
  [ "$output" = 0 ]
}

@test "glTF: vertices of whole numbers are those of floats, and a node with instances is as many nodes" {
  needs_assimp
  same() { # the pictures of two models
    "$LBRENDER" -q --spp=4 --resolution=48x48 -o one.pfm "$MODELS/$1"
    "$LBRENDER" -q --spp=4 --resolution=48x48 -o two.pfm "$MODELS/$2"
    cmp one.pfm two.pfm
  }
  same corners.glb whole.glb
  same corners.glb whole.gltf
  same many.glb instanced.glb
  same many.glb instanced.gltf
  "$LBRENDER" -q --write-scene=made.pbrt "$MODELS/instanced.gltf"
  [ "$(grep -c '^ObjectInstance' made.pbrt)" -eq 3 ]
}

@test "glTF: whole numbers and places of instances whose bytes are not all there are an error" {
  needs_assimp
  python3 - "$MODELS" <<'END'
import json, sys
for name, number, key in ("whole.gltf", 4, "POSITION"), ("instanced.gltf", 3, "SCALE"):
    for what in "count", "byteOffset", "bufferView", "sparse", "type":
        model = json.load(open(sys.argv[1] + "/" + name))
        accessor = next(a for a in model["accessors"][2:] if a["type"] == "VEC3" and (name[0] == "i" or a["componentType"] == 5120))
        accessor[what] = {"sparse": {}, "type": "VEC2" if name[0] == "i" else "MAT4"}.get(what, 2000000000)
        json.dump(model, open(what + "-" + name, "w"))
END
  for what in count byteOffset bufferView sparse type; do
    run "$LBRENDER" -q --spp=1 --resolution=16x16 -o a.png $what-instanced.gltf
    ended 1 "which places instances, is sparse, or its bytes are not there"
    [ $what != type ] || continue
    run "$LBRENDER" -q --spp=1 --resolution=16x16 -o a.png $what-whole.gltf
    ended 1 "whose numbers are whole, is sparse, or its bytes are not there"
  done
}

@test "meshes that several nodes show are instances" {
  needs_assimp
  "$LBRENDER" -q --write-scene=pair.pbrt "$MODELS/pair.gltf"
  [ "$(grep -c '^ObjectBegin' pair.pbrt)" -eq 2 ]
  [ "$(grep -c '^ObjectInstance' pair.pbrt)" -eq 4 ]
  [ "$(ls pair-parts | wc -l)" -eq 2 ]
}

@test "Cryptomatte knows a model's nodes by their names, and those that share a mesh by the mesh's" {
  needs_assimp
  python3 - "$MODELS" <<'END'
import json, sys
model = json.load(open(sys.argv[1] + "/sets.gltf"))
model["nodes"][0]["name"] = 'a "b" \\ c\nd'
json.dump(model, open("named.gltf", "w"))
model = json.load(open(sys.argv[1] + "/pair.gltf"))
for i, mesh in enumerate(model["meshes"]):
    mesh["name"] = "shared %d" % i
json.dump(model, open("pair.gltf", "w"))
END
  names() {
    "$LBRENDER" -q --spp=2 --resolution=32x32 --bits=32 --compression=none --channels=cryptoobject -o a.exr "$1"
    python3 "$ROOT/test/cryptomatte.py" a.exr | grep CryptoObject | sed 's/^CryptoObject \(.*\) [^ ]*$/\1/'
  }
  names named.gltf | cat -A
  [ "$(names named.gltf | grep -cF 'a "b" \ c\nd')" -eq 1 ]
  names pair.gltf
  [ "$(names pair.gltf | grep -c '^shared [0-9]')" -ge 1 ]
}

# Prints how much of the EXR picture $1 is free of the model on the left, on the right, above and below, in per cent.
free_in() {
  PYTHONPATH=$ROOT/test python3 - "$1" <<'END'
import sys, exr
width, height, values = exr.read(sys.argv[1])
seen = [(i % width, i // width) for i, a in enumerate(values["A"]) if a > 0]
columns, rows = zip(*seen)
print(*(round(100 * x) for x in (min(columns) / width, 1 - (max(columns) + 1) / width, min(rows) / height, 1 - (max(rows) + 1) / height)))
END
}

@test "a model without camera fills the picture, and of a turntable no frame cuts it off" {
  needs_assimp
  cat >long.obj <<'END'
v -9 0 0
v 9 0 0
v 9 1 0
v -9 1 0.1
f 1 2 3 4
END
  # A model that is much smaller than the box around it.
  cat >gem.obj <<'END'
v -1 0 0
v 1 0 0
v 0 -1 0
v 0 1 0
v 0 0 -1
v 0 0 1
f 1 3 6 4
f 2 4 6 3
f 2 3 5 4
f 1 4 5 3
END
  look() { "$LBRENDER" -q --spp=4 --resolution=192x108 --channels=A --compression=none -o a.exr "$@"; }
  for model in "$MODELS/box.obj" gem.obj long.obj; do
    look "$model"
    free_in a.exr
    free_in a.exr | awk '{ least = 100; for (i = 1; i <= 4; i++) least = $i < least ? $i : least; exit !(least >= 3 && least <= 6) }'
  done
  look --turntable=6 -o turn.exr long.obj
  for f in 0 1 2 3 4 5; do
    free_in turn-000$f.exr
    free_in turn-000$f.exr | awk '{ for (i = 1; i <= 4; i++) if ($i < 3) exit 1 }'
  done
}

@test "a camera that the model lacks is an error that names those that it has" {
  needs_assimp
  run "$LBRENDER" --camera=side -o a.png "$MODELS/corners.glb"
  ended 1 'no camera is called "side"; there are: "front", "back"'
  run "$LBRENDER" --camera=side -o a.png "$MODELS/box.stl"
  ended 1 'no camera is called "side", nor is there any other'
  [ ! -e a.png ]
}

@test "options of models are refused with scenes" {
  scene >a.pbrt
  for option in --studio --camera=a --write-scene=b.pbrt; do
    run "$LBRENDER" $option a.pbrt
    ended 2 "is for models"
  done
  [ ! -e b.pbrt ]
}

@test "what is no model, or is not there, is one error" {
  needs_assimp
  echo nonsense >a.glb
  : >b.obj
  mkfifo c.stl
  for file in a.glb b.obj c.stl d.ply; do
    run timeout 60 "$LBRENDER" -o a.png $file
    ended 1 "$file: "
    [ "${#lines[@]}" -eq 1 ]
  done
  [ ! -e a.png ]
}

@test "an image that a model lacks is a warning" {
  needs_assimp
  cp "$MODELS/box.obj" .
  printf 'newmtl varnish\nKd 1 1 1\nmap_Kd gone.png\n' >box.mtl
  run "$LBRENDER" --spp=1 --resolution=5% -o a.png box.obj
  ended 0 'its image "gone.png" is not there'
  [ -s a.png ]
}

@test "a PLY file that is cut short, or claims too much, is refused at once" {
  needs_assimp
  for bytes in 30 80 140; do
    head -c $bytes "$MODELS/box.ply" >a.ply
    run timeout 5 "$LBRENDER" -o a.png a.ply
    ended 1 'a.ply:'
  done
  sed 's/^element vertex 8/element vertex 4294967295/' "$MODELS/box.ply" >a.ply
  run timeout 5 "$LBRENDER" -o a.png a.ply
  ended 1 'a.ply:'
  # Blender 2.4 began a comment so.
  sed 's/^element vertex/Created by Blender3D 247, source file:\nelement vertex/' "$MODELS/box.ply" >a.ply
  "$LBRENDER" -q --spp=1 --resolution=5% -o a.png a.ply
}

@test "OBJ's materials are mapped as the manual says" {
  needs_assimp
  cp "$MODELS/box.obj" .
  cat >box.mtl <<'END'
newmtl varnish
Kd 0.7 0.2 0.1
Ks 0.5 0.5 0.5
Ns 14
Ni 1.45
END
  "$LBRENDER" -q --write-scene=made.pbrt box.obj
  # (2 / 16)^(1/4) = 0.5946; and 0.08 times 0.5 is 1.1857 times what an index of 1.45 reflects.
  has_material 1 '"rgb basecolor" [ 0.69' '"float metallic" [ 0 ]' '"float roughness" [ 0.59460' '"rgb specularcolor" [ 1.1856' \
    '"float ior" [ 1.45'
  echo 'illum 3' >>box.mtl
  "$LBRENDER" -q --write-scene=made.pbrt box.obj
  has_material 1 '"rgb specularcolor" [ 14.8' # all of 0.5
  # Nothing would be seen: it is transparency that is 0.
  printf 'newmtl varnish\nKd 0.7 0.2 0.1\nd 0\n' >other.mtl
  sed 's/box.mtl/other.mtl/' box.obj >other.obj
  "$LBRENDER" -q --write-scene=other.pbrt other.obj
  [ "$(grep -c 'alpha' other.pbrt)" -eq 0 ]
  printf 'd 0.25\nillum 7\n' >>box.mtl
  "$LBRENDER" -q --write-scene=made.pbrt box.obj
  has_material 1 '"bool thinwalled" false' '"float transmission" [ 0.75 ]'
  printf 'newmtl varnish\nKd 0.7 0.2 0.1\nPr 0.3\nPm 0.6\nPc 0.5\nPcr 0.125\nPs 0.25\n' >box.mtl
  "$LBRENDER" -q --write-scene=made.pbrt box.obj
  has_material 1 '"float metallic" [ 0.6' '"float roughness" [ 0.3' '"float clearcoat" [ 0.5 ]' '"float clearcoatroughness" [ 0.125 ]' \
    '"rgb sheencolor" [ 0.25 0.25 0.25 ]'
  printf 'newmtl varnish\nKd 0.7 0.2 0.1\n' >box.mtl
  "$LBRENDER" -q --write-scene=made.pbrt box.obj
  grep -q '^MakeNamedMaterial "material-1" "string type" "diffuse" "rgb reflectance" \[ 0.69[0-9]* 0.2[0-9]* 0.1[0-9]* \]' made.pbrt
}

@test "200 damaged models are an error each or a picture, and leave nothing behind" {
  needs_assimp
  mkdir temporary
  TMPDIR=$PWD/temporary run python3 "$ROOT/test/damaged_models.py" "$LBRENDER" "$MODELS" "${LB_DAMAGED_MODELS:-200}"
  echo "$output"
  [ "$status" -eq 0 ]
  [ -z "$(ls -A temporary)" ]
}

@test "a program that is killed leaves no folder behind" {
  needs_assimp
  mkdir temporary
  TMPDIR=$PWD/temporary "$LBRENDER" -q --spp=1000000 -o a.png "$MODELS/box.obj" 3>&- &
  program=$!
  appeared() { [ -s temporary/.lbrender-*/scene.pbrt ]; }
  await appeared
  kill -KILL $program
  gone() { [ -z "$(ls -A temporary)" ]; }
  await gone
}
