#!/bin/bash
# Renders the scenes of samples/gallery and shows them on one page. A scene's first line is its caption; its second may name the
# options that it is meant to be rendered with.
# usage: gallery.sh LBRENDER FOLDER
set -eu
lbrender=$1 folder=$2
scenes=$(dirname "$0")/../samples/gallery
mkdir -p "$folder"
{
  cat <<'END'
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>lbrender's gallery</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 84rem; margin: 2rem auto; padding: 0 1rem; color: #ddd; background: #181818 }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(22rem, 1fr)); gap: 1.5rem }
figure { margin: 0 } img { width: 100%; height: auto; border-radius: 3px } figcaption { color: #bbb } small { color: #888 }
</style></head><body><h1>The gallery</h1><main>
END
  for scene in "$scenes"/*.pbrt; do
    name=$(basename "$scene" .pbrt)
    mapfile -t options < <(sed -n '2s/^# Options: //p' "$scene" | tr ' ' '\n')
    "$lbrender" --no-cache --quiet "${options[@]}" --report="$folder/$name.csv" -o "$folder/$name.png" "$scene"
    seconds=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } NR == 2 { printf "%.1f", $column["wall_seconds"] }' \
      "$folder/$name.csv")
    echo "$name: $seconds s" >&2
    echo "<figure><a href=\"$name.png\"><img alt=\"$name\" src=\"$name.png\"/></a>"
    echo "<figcaption>$(sed -n '1s/^# //p' "$scene") <small>$name.pbrt, $seconds s</small></figcaption></figure>"
  done
  echo "</main></body></html>"
} >"$folder/index.html.part"
mv "$folder/index.html.part" "$folder/index.html"
echo "look at $folder/index.html"
