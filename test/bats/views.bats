# test/views.py, which tries the views of a collection of scenes.
load common

setup() {
  cd "$BATS_TEST_TMPDIR"
  mkdir -p all/a all/b/parts
  export LBRENDER
}

VIEW='Film "rgb" "string filename" "out.exr" WorldBegin LightSource "infinite" "string filename" "sky.exr" Include "parts/mesh.pbrt"'

@test "the views of a collection, what passes and the first error of what does not" {
  echo 'WorldBegin Shape "sphere" # "nowhere.ply"' >all/a/good.pbrt
  echo 'WorldBegin Shape "sphere" Shape "sphinx" Shape "cube"' | gzip >all/a/poor.pbrt.gz
  echo 'Shape "cone" # no WorldBegin' >all/a/part.pbrt
  run python3 "$ROOT/test/views.py" all
  ended 1 "1 of 2 views pass"
  [[ $output == *"a/good.pbrt     passes"* ]]
  [[ $output == *'a/poor.pbrt.gz  refused  a/poor.pbrt.gz:1:27: unknown shape "sphinx"'* ]]
  run python3 "$ROOT/test/views.py" --csv all
  [ "${lines[0]}" = view,result,message ]
  [ "${lines[1]}" = a/good.pbrt,passes, ]
  rm all/a/poor.pbrt.gz
  run python3 "$ROOT/test/views.py" all
  ended 0 "1 of 1 views pass"
  run python3 "$ROOT/test/views.py" all/b
  ended 2 "no .pbrt file with a WorldBegin"
}

@test "small files stand in for those that a collection lacks" {
  echo "$VIEW" >all/b/view.pbrt
  echo 'Texture "t" "float" "imagemap" "string filename" "textures/t.jpg" Shape "plymesh" "string filename" "m.ply.gz" "texture alpha" "t"
    Material "dielectric" "spectrum eta" "glass.spd" Shape "sphere"' >all/b/parts/mesh.pbrt
  run python3 "$ROOT/test/views.py" all
  ended 1 "refused"
  run python3 "$ROOT/test/views.py" --fill filled all
  ended 0 "1 of 1 views pass"
  [ -e filled/b/textures/t.jpg ]
  [ -e filled/b/m.ply.gz ]
  [ ! -e filled/b/out.exr ]
  [ ! -e all/b/sky.exr ]
  run python3 "$ROOT/test/views.py" --fill filled all
  ended 2 "is there already"
}
