# Integrators by their names: what renders them, and what is said.
load common

# The room with integrator $1.
room() {
  sed "s/^Integrator.*/Integrator $1/" "$SAMPLES/room.pbrt"
}

@test "integrators: ambient occlusion has the same bytes under every strategy, by every instruction set and the GPU's pipeline" {
  room '"ambientocclusion" "float maxdistance" 1.5 "bool cossample" false' >room.pbrt
  small="--spp 4 --resolution 40x30"
  "$LBRENDER" -q -t 1 --isa=portable $small -o one.pfm room.pbrt
  for isa in $(isas); do
    "$LBRENDER" -q -t 3 --isa=$isa $small -o isa.pfm room.pbrt
    cmp one.pfm isa.pfm
  done
  for strategy in $(strategies); do
    "$LBRENDER" -q -t 4 --strategy=$strategy --passes 2 $small -o strategy.pfm room.pbrt
    cmp one.pfm strategy.pfm
  done
  "$LBRENDER" -q --devices cpu:1,null:code=wave $small -o wave.pfm room.pbrt
  cmp one.pfm wave.pfm
  "$LBRENDER" -q --devices cpu:2 --channels=albedo,N,Z,variance $small -o cpu.exr room.pbrt
  "$LBRENDER" -q --devices null:code=wave --channels=albedo,N,Z,variance $small -o wave.exr room.pbrt
  cmp cpu.exr wave.exr
}

@test "integrators: --regularize is the parameter of that name, to the same bytes everywhere" {
  small="--spp 4 --resolution 40x30"
  cp "$ROOT/test/scenes/metallicroughness.pbrt" asked.pbrt
  sed 's/ "bool regularize" true//' asked.pbrt >plain.pbrt
  [ "$(grep -c regularize plain.pbrt)" -eq 0 ]
  "$LBRENDER" -q -t 1 --isa=portable $small -o asked.pfm asked.pbrt
  "$LBRENDER" -q -t 1 --isa=portable $small -o plain.pfm plain.pbrt
  run cmp -s asked.pfm plain.pfm
  [ "$status" -eq 1 ]
  for isa in $(isas); do
    "$LBRENDER" -q -t 2 --isa=$isa --regularize $small -o isa.pfm plain.pbrt
    cmp asked.pfm isa.pfm
  done
  "$LBRENDER" -q --devices cpu:1,null:code=wave --regularize $small -o wave.pfm plain.pbrt
  cmp asked.pfm wave.pfm
}

@test "integrators: what pbrt's find by other ways is rendered by path tracing, and how that differs is said" {
  small="--spp 1 --resolution 8x6"
  for names in "path simplepath randomwalk lightpath sppm" "volpath simplevolpath bdpt mlt"; do
    for name in $names; do
      room "\"$name\"" >room.pbrt
      run "$LBRENDER" $small -o "$name.pfm" room.pbrt
      ended 0
      cmp "${names%% *}.pfm" "$name.pfm"
      [[ "$name" == *path && "$name" != lightpath ]] || [[ "$output" == *"integrator \"$name\" is rendered by path tracing"* ]]
    done
  done
  room '"function" "string function" "disk"' >room.pbrt
  run "$LBRENDER" $small -o function.pfm room.pbrt
  ended 1 'integrator "function" tests samplers and makes no picture'
  room '"ambientoclusion"' >room.pbrt
  run "$LBRENDER" $small -o none.pfm room.pbrt
  ended 1 'ambientocclusion'
}
