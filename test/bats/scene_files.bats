# Which scene files are taken, which are refused, and what is said then.
load common

# What stands before WorldBegin in the scenes here.
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

@test "a name is the same whether its accents are composed or not" {
  { view; printf 'MakeNamedMaterial "m\xc3\xa9" "string type" "diffuse" NamedMaterial "me\xcc\x81" Shape "sphere"\n'; } >a.pbrt
  run "$LBRENDER" -o a.png a.pbrt
  ended 0 "wrote a.png"
}

@test "what nothing uses stops no scene" {
  while IFS= read -r text; do
    { view; echo "$text"; } >a.pbrt
    echo "$text"
    run "$LBRENDER" -q -o a.png a.pbrt
    [ "$status" -eq 0 ]
    [ -z "$output" ]
  done <<'END'
AttributeBegin Scale 0 1 1 AttributeEnd Shape "sphere"
Material "hair" Material "diffuse" Shape "sphere"
MakeNamedMaterial "a" "string type" "hair" MakeNamedMedium "m" "string type" "cloud" Shape "sphere"
Texture "a" "float" "imagemap" "string filename" "nowhere.png" Shape "sphere"
Material "interface" "rgb reflectance" [ 1 1 1 ] Shape "sphere"
ObjectBegin "o" Material "hair" Shape "curve" ObjectEnd Shape "sphere"
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
