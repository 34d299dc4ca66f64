# Cryptomatte: which objects and materials a pixel shows, and how much of it each covers.
load common

decode() {
  python3 "$ROOT/test/cryptomatte.py" "$@"
}

# $1: what is in the world; the rest goes before it.
view() {
  cat <<END
Film "rgb" "integer xresolution" 40 "integer yresolution" 30 ${2-}
LookAt 0 0 -6  0 0 0  0 1 0 Camera "perspective" "float fov" 45
Sampler "independent" "integer pixelsamples" 16
WorldBegin
LightSource "infinite"
$1
END
}

BALL='AttributeBegin Attribute "shape" "string name" "ball" Shape "sphere" "float radius" 1 AttributeEnd'
DISK='AttributeBegin Translate -.9 0 -1.5 Shape "disk" "string name" "a disk" "float radius" 0.8 AttributeEnd'
WALL='Shape "trianglemesh" "string name" "wall" "integer indices" [ 0 1 2 ] "point3 P" [ -9 -9 2 9 -9 2 0 3 2 ]'

make() {
  "$LBRENDER" -q --bits=32 --compression=none "$@"
}

@test "the matte of an object that nothing hides is the alpha of a picture of that object alone" {
  for filter in box gaussian mitchell; do
    head="PixelFilter \"$filter\""
    view "$BALL $DISK $WALL" "$head" >all.pbrt
    view "$DISK" "$head" >disk.pbrt
    view "$BALL $DISK" "$head" >two.pbrt
    make --channels=A,cryptoobject,cryptomaterial -o all.exr all.pbrt
    # A filter with negative weights gives parts below 0 and above 1, which are cut off.
    [ $filter = mitchell ] || decode all.exr covered
    make --channels=A -o disk.exr disk.pbrt
    decode all.exr CryptoObject "a disk" disk.exr
    # All three have one material, the default.
    make --channels=A -o alpha.exr all.pbrt
    decode all.exr CryptoMaterial "material 1" alpha.exr
  done
  # The ball is behind the disk: its matte is what the two cover without what the disk covers.
  [ "$(decode all.exr | grep -c ball)" = 1 ]
}

@test "names are the shape's own, its object's, its mesh file's, or its number; materials' are theirs or their number" {
  printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n-1 -1 0\n1 -1 0\n0 1 0\n3 0 1 2\n' >leaf.v2.ply
  view 'Shape "sphere"
    ObjectBegin "tree" Shape "disk" Shape "disk" "string name" "bark" ObjectEnd
    AttributeBegin Translate -2 0 0 ObjectInstance "tree" Translate 4 0 0 ObjectInstance "tree" AttributeEnd
    MakeNamedMaterial "gold \"24\"" "string type" "diffuse" NamedMaterial "gold \"24\""
    Shape "plymesh" "string filename" "leaf.v2.ply"
    Material "diffuse" Shape "disk" "string name" "tree"' >view.pbrt
  make --channels=cryptoobject,cryptomaterial -o a.exr view.pbrt
  decode a.exr | cut -d' ' -f1-3 >names
  printf 'CryptoMaterial gold "24"\nCryptoMaterial material 1\nCryptoMaterial material 3\nCryptoObject bark %s\nCryptoObject leaf %s\nCryptoObject shape 1\nCryptoObject tree %s\n' \
    "$(decode a.exr | awk '/bark/ { print $3 }')" "$(decode a.exr | awk '/leaf/ { print $3 }')" "$(decode a.exr | awk '/tree/ { print $3 }')" >expected
  diff names expected
}

# $1 disks in a row, each with a name of its own, so that the middle pixels show many.
many() {
  for i in $(seq "$1"); do
    echo "AttributeBegin Translate $((i % 8)) 0 $i Scale .02 .02 1 Shape \"disk\" \"string name\" \"disk $i\" AttributeEnd"
  done
}

@test "a pixel with more names than can be told is counted, and --cryptomatte-levels tells more of them" {
  for i in $(seq 40); do
    echo "Shape \"trianglemesh\" \"string name\" \"$i\" \"integer indices\" [ 0 1 2 ] \"point3 P\" [ $i 0 0 $i.9 0 0 $i.4 9 0 ]"
  done >stripes
  printf 'Film "rgb" "integer xresolution" 4 "integer yresolution" 1 LookAt 20 1 -80 20 1 0 0 1 0\nCamera "perspective" "float fov" 8\nPixelFilter "box"\nSampler "independent" "integer pixelsamples" 4096\nWorldBegin\nInclude "stripes"\n' >view.pbrt
  run "$LBRENDER" --bits=32 --compression=none --channels=A,cryptoobject -o few.exr view.pbrt
  ended 0 "Cryptomatte: 3 pixels show more names than 8 each, and have none: --cryptomatte-levels=12 tells more"
  run "$LBRENDER" --cryptomatte-levels=12 --bits=32 --compression=none --channels=A,cryptoobject -o many.exr view.pbrt
  ended 0 "wrote many.exr"
  [ "$(echo "$output" | grep -c Cryptomatte:)" = 0 ]
  decode many.exr covered
  # With 40 names a sum each is enough where there are 42 of them.
  make --cryptomatte-levels=19 --channels=A,cryptoobject -o all.exr view.pbrt
  decode many.exr >a
  decode all.exr >b
  diff a b
}

@test "mattes have the same bytes from every strategy, thread count and processor, over parts, resumed and merged" {
  many 60 >disks
  view 'Include "disks"' >view.pbrt
  options="--cryptomatte-levels=4 --channels=A,cryptoobject,cryptomaterial view.pbrt"
  make -t 1 -o a.exr $options
  for strategy in $(strategies); do
    make -t 3 --passes=2 --strategy=$strategy -o b.exr $options
    cmp a.exr b.exr
  done
  make --devices=null:code=wave --strategy=pool -o b.exr $options
  cmp a.exr b.exr
  for i in 1 2 3; do
    "$LBRENDER" -q --share=$i/3 --part=$i.part -o none $options
  done
  make --merge -o b.exr 3.part 1.part 2.part
  cmp a.exr b.exr
  "$LBRENDER" -q --samples=0:5 --part=begun.part -o none $options
  make --resume=begun.part -o b.exr $options
  cmp a.exr b.exr
  # Names that differ make other mattes, and the parts no whole.
  sed -i 's/disk 7"/disc 7"/' disks
  "$LBRENDER" -q --share=1/3 --part=1.part -o none $options
  run "$LBRENDER" --merge -o b.exr 1.part 2.part 3.part
  ended 1 "its objects have other names"
  # A picture that leaves the mattes out goes on with the part that has them.
  "$LBRENDER" -q --bits=32 --compression=none --channels=A --resume=begun.part -o b.exr view.pbrt
  make --channels=A -o c.exr view.pbrt
  cmp b.exr c.exr
}

@test "light is the same with mattes and without" {
  view "$BALL $DISK" >view.pbrt
  make -o a.pfm view.pbrt 2>/dev/null
  make --channels=cryptoobject,cryptomaterial -o b.exr view.pbrt
  python3 - "$ROOT/test" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import exr
_, _, v = exr.read("b.exr")
assert [v[c] for c in "RGB"] == exr.read_pfm("a.pfm")
END
}

@test "a compression that would change the mattes' numbers is an error, and so are levels that there are not" {
  view "$BALL" >view.pbrt
  for compression in dwaa dwab; do
    run "$LBRENDER" --channels=cryptoobject --compression=$compression -o a.exr view.pbrt
    ended 2 "--compression=$compression: it would change the numbers of Cryptomatte"
  done
  for levels in 0 33 x; do
    run "$LBRENDER" --channels=cryptoobject --cryptomatte-levels=$levels -o a.exr view.pbrt
    ended 2 "--cryptomatte-levels"
  done
}

@test "OpenEXR's and OpenImageIO's own tools read the mattes" {
  command -v exrheader >/dev/null && command -v oiiotool >/dev/null || skip "exrheader or oiiotool is not there"
  view "$BALL $DISK" >view.pbrt
  "$LBRENDER" -q --compression=zip --channels=cryptoobject -o a.exr view.pbrt
  exrheader a.exr >header
  [ "$(grep -c 'CryptoObject0[0-2].[RGBA], 32-bit floating-point' header)" = 12 ]
  grep -q 'cryptomatte/3ae39a5/manifest (type string): "{"ball":"645d3bc4","a disk":"' header
  run oiiotool --info -v a.exr
  ended 0 'cryptomatte/3ae39a5/name: "CryptoObject"'
  run oiiotool a.exr --ch CryptoObject00.G --printstats
  ended 0 "Stats Max: 1.000000 (float)"
}

@test "the compositor of Blender decodes the matte that is the alpha of a picture of the object alone" {
  command -v blender >/dev/null && command -v oiiotool >/dev/null || skip "blender or oiiotool is not there"
  view "$BALL $DISK $WALL" >all.pbrt
  view "$DISK" >disk.pbrt
  make --channels=cryptoobject,cryptomaterial -o all.exr all.pbrt
  make --channels=A -o disk.exr disk.pbrt
  matte() { blender -b --python-exit-code 1 --python "$ROOT/test/blender_matte.py" -- all.exr CryptoObject "$1" .; }
  matte "a disk"
  oiiotool disk.exr --ch A matte0001.exr --ch R --fail 0 --warn 0 --hardwarn 0 --diff
  matte ball
  run oiiotool disk.exr --ch A matte0001.exr --ch R --diff
  ended 1 FAILURE
}
