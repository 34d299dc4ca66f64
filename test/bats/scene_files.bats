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
