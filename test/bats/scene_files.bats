# Which scene files are read, which are refused, and with which messages.
load common

# Prints what stands before WorldBegin in the scenes here.
view() {
  cat <<END
Film "rgb" "integer xresolution" 8 "integer yresolution" 6
Sampler "independent" "integer pixelsamples" 1
LookAt 0 0 4  0 0 0  0 1 0
Camera "perspective" "float fov" 45
WorldBegin
LightSource "infinite"
END
}

@test "a name with accents is the same whether these are composed or not" {
  { view; printf 'MakeNamedMaterial "m\xc3\xa9" "string type" "diffuse" NamedMaterial "me\xcc\x81" Shape "sphere"\n'; } >a.pbrt
  run "$LBRENDER" -o a.png a.pbrt
  ended 0 "wrote a.png"
}

@test "a fault in something that nothing uses stops no scene" {
  while IFS= read -r text; do
    { view; echo "$text"; } >a.pbrt
    echo "$text"
    run "$LBRENDER" -q -o a.png a.pbrt
    [ "$status" -eq 0 ]
    [ -z "$output" ]
  done <<'END'
AttributeBegin Scale 0 1 1 AttributeEnd Shape "sphere"
Material "subsurface" "string name" "Milk" Material "diffuse" Shape "sphere"
MakeNamedMaterial "a" "string type" "measured" MakeNamedMedium "m" "string type" "cloud" Shape "sphere"
Texture "a" "float" "imagemap" "string filename" "nowhere.png" Shape "sphere"
Material "interface" "rgb reflectance" [ 1 1 1 ] Shape "sphere"
ObjectBegin "o" Material "measured" Shape "curve" ObjectEnd Shape "sphere"
END
}

@test "names that are not in the language are refused, used or not" {
  while IFS= read -r text; do
    { echo "${text%%:*}"; view; echo "${text#*:}"; } >a.pbrt
    echo "$text"
    run "$LBRENDER" -o a.png a.pbrt
    ended 1 "unknown"
    [ ! -e a.png ]
  done <<'END'
Accelerator "octree":Shape "sphere"
Integrator "volpath" "string lightsampler" "best":Shape "sphere"
:Material "jelly" Material "diffuse" Shape "sphere"
:ObjectBegin "o" Shape "teapot" ObjectEnd
END
}

@test "devices and pipes are refused at once, but a pipe may be the scene itself" {
  mkfifo pipe
  for bad in /dev/zero pipe; do
    while IFS= read -r text; do
      { view; echo "${text//FILE/$bad}"; } >a.pbrt
      echo "${text//FILE/$bad}"
      run timeout 20 "$LBRENDER" -o a.png a.pbrt
      ended 1 "a.pbrt:7:"
      [[ "$output" == *"a device, not a file"* || "$output" == *"a pipe, where a file is needed"* ]]
    done <<'END'
Include "FILE"
Import "FILE"
Shape "plymesh" "string filename" "FILE"
LightSource "infinite" "string filename" "FILE"
Texture "t" "spectrum" "imagemap" "string filename" "FILE" Material "diffuse" "texture reflectance" "t" Shape "sphere"
LightSource "point" "spectrum I" "FILE"
END
  done
  run timeout 20 "$LBRENDER" -o a.png /dev/zero
  ended 1 "/dev/zero: a device, not a file"
  run timeout 20 "$LBRENDER" -o a.png - </dev/zero
  ended 1 "<stdin>: a device, not a file"
  { view; echo 'Shape "sphere"'; } >a.pbrt
  cat a.pbrt >pipe &
  run timeout 20 "$LBRENDER" -o a.png pipe
  ended 0 "wrote a.png"
  wait
  rm a.png
  run timeout 20 "$LBRENDER" -o a.png - < <(cat a.pbrt)
  ended 0 "wrote a.png"
}

@test "files that each include the next one twice come to an end" {
  echo 'Material "diffuse"' >30
  for i in {1..29}; do printf 'Include "%d"\nInclude "%d"\n' $((i + 1)) $((i + 1)) >$i; done
  { view; echo 'Include "1"'; } >a.pbrt
  run timeout 120 "$LBRENDER" -o a.png a.pbrt
  ended 1 "the scene includes more than 100000 files"
  [ "${#lines[@]}" -eq 1 ]
}

@test "all errors are shown, one on each line" {
  printf 'WorldBegin\nShape "sphere" "float radius" one\nShpae "disk"\nTranslate 1 2\nScale 1 1 1\n' >a.pbrt
  run "$LBRENDER" -q -o a.png a.pbrt
  ended 1 'lbrender: a.pbrt:2:31: one is not a number'
  [ "${lines[1]}" = 'lbrender: a.pbrt:3:1: unknown directive Shpae; did you mean "Shape"?' ]
  [ "${lines[2]}" = 'lbrender: a.pbrt:5:1: Scale is no number; 3 numbers were expected' ]
  [ "${#lines[@]}" -eq 3 ]
}

@test "messages tell of scenes of pbrt-v3, and of files that are no scenes" {
  printf 'WorldBegin\nMaterial "matte" "color Kd" [ 1 1 1 ]\nShape "sphere"\nWorldEnd\n' >a.pbrt
  run "$LBRENDER" -o a.png a.pbrt
  ended 1 'a.pbrt:2:1: pbrt-v4 has no Material "matte"; this is a scene of pbrt-v3: "pbrt --upgrade'
  [ "${#lines[@]}" -eq 1 ]
  printf '\x89PNG\r\n\x1a\n\0\0' >a.png
  run "$LBRENDER" -o b.png a.png
  ended 1 "a.png:1:1: a PNG picture, not a scene"
  head -c 1000 /dev/urandom | tr '\n' '\0' >a.pbrt
  printf '\0' >>a.pbrt
  run "$LBRENDER" -o b.png a.pbrt
  ended 1 "a.pbrt:1:1: "
  [[ "$output" != *[$'\x01'-$'\x1f']* ]]
}

@test "a scene in which nothing shines warns that its picture is black" {
  dark='Film "rgb" "integer xresolution" 8 "integer yresolution" 8
Sampler "independent" "integer pixelsamples" 1
Camera "perspective"
WorldBegin
'
  black="the picture will be black"
  for shines in '' 'Shape "sphere"' 'LightSource "infinite" "rgb L" [ 0 0 0 ]' 'AreaLightSource "diffuse" "rgb L" [ 0 0 0 ] Shape "disk"' \
    'ObjectBegin "o" AreaLightSource "diffuse" Shape "disk" ObjectEnd ObjectInstance "o"'; do
    echo "$dark$shines" >view.pbrt
    run "$LBRENDER" view.pbrt
    ended 0 "$black"
    run "$LBRENDER" --frames=0-2 view.pbrt
    [ "$(grep -c "$black" <<<"$output")" -eq 1 ]
    run "$LBRENDER" -q view.pbrt
    [ -z "$output" ]
  done
  for shines in 'LightSource "infinite"' 'LightSource "infinite" "rgb L" [ 0 0 1e-6 ]' 'LightSource "point"' 'LightSource "distant"' \
    'LightSource "spot"' 'AreaLightSource "diffuse" Shape "disk"'; do
    echo "$dark$shines" >view.pbrt
    run "$LBRENDER" view.pbrt
    ended 0
    [[ "$output" != *"$black"* ]]
  done
  scene >view.pbrt
  run "$LBRENDER" view.pbrt
  [[ "$output" != *"$black"* ]]
}

@test "the progress of loading shows how long it has taken" {
  # The rest of the scene comes when the line is there.
  : >err
  { echo 'Film "rgb" "integer xresolution" 8 "integer yresolution" 8'; await grep -q loading err; echo 'Integrator "mandelbrot" WorldBegin'; } |
    "$LBRENDER" --progress=lines -o out.png - 2>err
  grep -qE "^loading elapsed [1-9][0-9]*\.[0-9] s, reading the scene$" err
  scene >view.pbrt
  run "$LBRENDER" --progress=lines view.pbrt
  [[ "$output" != *loading* ]]
  run bash -c '{ sleep 1.2; cat view.pbrt; } | "$0" -q --progress=lines -o out.png -' "$LBRENDER"
  ended 0
  [ -z "$output" ]
}

@test "a mesh that several shapes name is opened once" {
  command -v strace >/dev/null || skip "no strace"
  strace -o /dev/null true 2>/dev/null || skip "strace may not trace here"
  printf '%s\n' ply 'format ascii 1.0' 'element vertex 3' 'property float x' 'property float y' 'property float z' 'element face 1' \
    'property list uchar int vertex_indices' end_header '0 0 0' '0 1 0' '0 0 1' '3 0 1 2' >mesh.ply
  cat >view.pbrt <<'END'
Film "rgb" "integer xresolution" 8 "integer yresolution" 8
WorldBegin
LightSource "infinite"
Shape "plymesh" "string filename" "mesh.ply"
ObjectBegin "o"
  Shape "plymesh" "string filename" "mesh.ply"
ObjectEnd
ObjectInstance "o"
AttributeBegin
  Translate 1 0 0
  Shape "plymesh" "string filename" "mesh.ply"
AttributeEnd
END
  strace -f -e trace=open,openat -o trace "$LBRENDER" -q -t 1 --spp=1 view.pbrt
  [ "$(grep -c '"mesh.ply", O_RDONLY' trace)" -eq 1 ]
}

@test "what exporters and hands leave in a file means what pbrt takes it for" {
  printf 'MakeNamedMaterial "m" "string type" "diffuse"\n"rgb reflectance" [ 0.1 0.2 0.3 ]\n' >begun.pbrt
  turn=0
  while IFS='|' read -r odd plain; do
    for text in "$odd" "$plain"; do
      { view; echo "$text"; echo 'Shape "sphere"'; } >a.pbrt
      "$LBRENDER" -q -o $((turn++ % 2)).pfm a.pbrt
    done
    echo "$odd"
    cmp 0.pfm 1.pfm
  done <<'END'
Material "diffuse" "rgb reflectance" [ 1 0 0 ] "rgb reflectance" [ 0 0.5 0 ] | Material "diffuse" "rgb reflectance" [ 0 0.5 0 ]
Material "conductor" " float roughness" 0.5 | Material "conductor" "float roughness" 0.5
Include "begun.pbrt" "rgb reflectance" [ 0.4 0.5 0.6 ] NamedMaterial "m" | Material "diffuse" "rgb reflectance" [ 0.4 0.5 0.6 ]
MakeNamedMaterial "a" "rgb reflectance" [ 0 0 1 ] "string type" "diffuse" NamedMaterial "a" | Material "diffuse" "rgb reflectance" [ 0 0 1 ]
AttributeBegin AreaLightSource "diffuse" AttributeEnd | Identity
ObjectBegin "of nothing" AttributeBegin Scale 2 2 2 AttributeEnd ObjectEnd ObjectInstance "of nothing" | Identity
END
}

# Writes m.ply, a bent sheet with uv, and its copies m1.ply to m9.ply.
sheets() {
  python3 - <<'END'
side = 9
with open("m.ply", "w") as out:
    out.write("ply\nformat ascii 1.0\nelement vertex %d\n" % (side * side))
    out.write("".join("property float %s\n" % name for name in "xyzuv"))
    out.write("element face %d\nproperty list uchar int vertex_indices\nend_header\n" % ((side - 1) ** 2))
    for i in range(side * side):
        x, y = i % side / (side - 1), i // side / (side - 1)
        out.write("%g %g %g %g %g\n" % (x - .5, y - .5, .8 * x * (1 - x) - .1, x, y))
    for i in range((side - 1) ** 2):
        at = i // (side - 1) * side + i % (side - 1)
        out.write("4 %d %d %d %d\n" % (at, at + 1, at + side + 1, at + side))
END
  for i in 1 2 3 4 5 6 7 8 9; do cp m.ply m$i.ply; done
}

# Prints a scene of sheets, of which number N is of the file $1N.ply, or all of $1.ply where $2 is empty. $3: what the sheets say besides.
scene_of_sheets() {
  sheet() { echo "Shape \"plymesh\" \"string filename\" \"$file${number:+$1}.ply\" $more"; }
  local file=$1 number=$2 more=${3-}
  cat <<END
LookAt 0 .6 4.2  0 0 0  0 1 0
Camera "perspective" "float fov" 42 "float shutteropen" 0 "float shutterclose" 1
Film "gbuffer" "integer xresolution" 48 "integer yresolution" 36
Sampler "zsobol" "integer pixelsamples" 4
Integrator "volpath" "integer maxdepth" 5
MakeNamedMedium "fog" "string type" "homogeneous" "rgb sigma_a" [ .5 1 1.5 ] "rgb sigma_s" [ 1 1 1 ]
WorldBegin
LightSource "infinite" "rgb L" [ .4 .5 .6 ]
Texture "holes" "float" "checkerboard" "float tex1" .4 "float tex2" .9 "float uscale" 8 "float vscale" 8
Texture "waves" "float" "checkerboard" "float tex1" 0 "float tex2" .05 "float uscale" 4 "float vscale" 4
ObjectBegin "red" Material "diffuse" "rgb reflectance" [ .8 .1 .1 ] $(sheet 1) ObjectEnd
ObjectBegin "gold" Material "conductor" "float roughness" .2 $(sheet 2) ObjectEnd
ObjectBegin "skin" Material "subsurface" "rgb mfp" [ .1 .05 .02 ] ReverseOrientation $(sheet 3) ObjectEnd
ObjectBegin "fog" Material "interface" MediumInterface "fog" "" $(sheet 4) ObjectEnd
ObjectBegin "two" Material "diffuse" $(sheet 5) Translate 0 0 .2 $(sheet 6) ObjectEnd
ObjectBegin "glass" Material "dielectric" $(sheet 7) ObjectEnd
AttributeBegin Translate -1.2 .6 0 Rotate 20 0 1 0 ObjectInstance "red" AttributeEnd
AttributeBegin Rotate 40 1 0 0 Scale 1.2 1 -1 ObjectInstance "gold" AttributeEnd
AttributeBegin Translate 1.2 .6 0 ObjectInstance "skin" AttributeEnd
AttributeBegin Translate -1.2 -.6 0 ObjectInstance "fog" AttributeEnd
AttributeBegin Translate 0 -.7 0 ObjectInstance "two" AttributeEnd
AttributeBegin Translate 1.2 -.6 0 ActiveTransform EndTime Rotate 50 0 1 0 ActiveTransform All ObjectInstance "glass" AttributeEnd
AttributeBegin Translate 0 1.1 -.4 AreaLightSource "diffuse" "rgb L" [ 3 2 1 ] $(sheet 8) AttributeEnd
AttributeBegin Translate 0 1.1 -.4 AreaLightSource "diffuse" "rgb L" [ 1 2 3 ] $(sheet 9) AttributeEnd
END
}

@test "shapes of one file, transformation and displacement are one mesh, and look as if each had its own" {
  sheets
  for more in "" '"texture alpha" "holes"' '"float alpha" .5' '"texture displacement" "waves" "float edgelength" .1'; do
    echo "$more"
    scene_of_sheets m "" "$more" >view.pbrt
    "$LBRENDER" --no-cache -v -o one.exr --cost-map=one.png view.pbrt 2>one.err
    "$LBRENDER" -q --no-cache --devices=null:code=wave -o wave.exr view.pbrt
    scene_of_sheets m 1 "$more" >view.pbrt
    "$LBRENDER" --no-cache -v -o many.exr --cost-map=many.png view.pbrt 2>many.err
    cmp one.exr many.exr
    cmp wave.exr many.exr
    cmp one.png many.png
    # The nine sheets have three transformations.
    one=$(sed -n 's/^lbrender: \([0-9]*\) triangles,.*/\1/p' one.err)
    many=$(sed -n 's/^lbrender: \([0-9]*\) triangles,.*/\1/p' many.err)
    echo "$one of $many triangles"
    [ $((9 * one)) -eq $((3 * many)) ]
  done
}

@test "each scene of the gallery says what it is for, is small, and renders without a warning" {
  for scene in "$SAMPLES"/gallery/*.pbrt; do
    head -1 "$scene" | grep -q '^# [A-Z].*\.$'
    run "$LBRENDER" --no-cache --resolution=24x16 --spp=1 -o none "$scene"
    ended 0 "Tmin"
    [ "$(grep -c warning <<<"$output")" = 0 ]
  done
  [ -z "$(find "$SAMPLES/gallery" -size +300k)" ]
  [ "$(du -sk "$SAMPLES/gallery" | cut -f1)" -le 3072 ]
}

@test "a file of another kind is named as what it is" {
  printf 'o cube\nv 0 0 0\n' >a.obj
  printf '{"asset": {"version": "2.0"}}' >a.gltf
  printf 'glTF\2\0\0\0' >a.glb
  printf '#usda 1.0\n' >a.usda
  printf 'PXR-USDC\0\0' >a.usd
  printf '<?xml version="1.0"?>\n<!-- a room -->\n<scene version="3.0.0"></scene>\n' >a.xml
  printf 'ply\nformat ascii 1.0\n' >a.ply
  printf 'Kaydara FBX Binary  \0' >a.fbx
  printf '\x89PNG\r\n' >a.png
  printf '\x89lbpart\n' >a.part
  cp a.glb model.scene
  while IFS='>' read -r file said; do
    run "$LBRENDER" "$file"
    ended 1 "lbrender: $file:1:1: $said"
    [ "${#lines[@]}" -eq 1 ]
  done <<'END'
a.usda>a USD scene
a.usd>a USD scene
a.xml>a Mitsuba scene
a.png>a PNG picture
a.part>part of a picture, not a scene: --merge joins
model.scene>a glTF model and no scene; given by itself, under a name that ends in .glb, it is rendered
END
  # Models are read where they are given by themselves, and are no part of a scene's text.
  while IFS='>' read -r file said; do
    echo "Include \"$file\"" >includes.pbrt
    run "$LBRENDER" includes.pbrt
    ended 1 "a.${file#*.}:1:1: $said"
  done <<'END'
a.obj>an OBJ model and no scene
a.gltf>a glTF model and no scene
a.glb>a glTF model and no scene
a.ply>a PLY mesh
a.fbx>an FBX model and no scene
END
  scene >scene.txt # a scene is known by its text
  "$LBRENDER" -q -o none scene.txt
}

@test "triangles without an area are a note, once a mesh" {
  cat >view.pbrt <<'END'
Film "rgb" "integer xresolution" 8 "integer yresolution" 8
WorldBegin
LightSource "infinite"
Shape "plymesh" "string filename" "mesh.ply"
Translate 1 0 0
Shape "plymesh" "string filename" "mesh.ply"
END
  printf '%s\n' ply 'format ascii 1.0' 'element vertex 3' 'property float x' 'property float y' 'property float z' 'element face 2' \
    'property list uchar int vertex_indices' end_header '0 0 0' '0 1 0' '0 0 1' '3 0 1 2' '3 0 1 1' >mesh.ply
  run "$LBRENDER" --spp=1 -o none view.pbrt
  ended 0
  [[ "$output" != *"no area"* ]]
  run "$LBRENDER" -v --spp=1 -o none view.pbrt
  [ "$(grep -c "1 of 2 triangles have no area" <<<"$output")" -eq 1 ]
}

@test "300,000 uses of an object take fewer than 315 bytes each" {
  if grep -q __asan_init "$LBRENDER" || grep -q __tsan_init "$LBRENDER"; then
    skip "a sanitizer has memory of its own"
  fi
  for count in 10 300000; do
    { view; echo 'ObjectBegin "o" Shape "sphere" ObjectEnd'
      awk -v n=$count 'BEGIN { for (i = 0; i < n; i++)
        printf "AttributeBegin Translate %d %d %d ObjectInstance \"o\" AttributeEnd\n", i % 50, i / 50 % 50, -i / 2500 }'
    } >a.pbrt
    "$LBRENDER" -q --no-cache --report=$count.json -o none a.pbrt
  done
  jq -n --slurpfile few 10.json --slurpfile many 300000.json '($many[0].peak_bytes - $few[0].peak_bytes) / 299990' >each
  awk '{ print; exit !($1 < 315) }' each
}
