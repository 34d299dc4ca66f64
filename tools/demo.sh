#!/bin/bash
# Shows what the program is for, in half a minute: a picture by this machine's processors under `auto`, then the same scene by four
# null devices of speeds 10, 15, 25 and 50 % under `naive` and `bitrev`, and one page on which the two are seen side by side.
# usage: demo.sh LBRENDER FOLDER
set -eu
lbrender=$1 folder=$2
mkdir -p "$folder"
scene=$(dirname "$0")/../samples/gallery/still-life.pbrt
speeds=(10000 15000 25000 50000) # samples a second, which any processor of today exceeds
devices=$(printf ',null:speed=%s' "${speeds[@]}")

"$lbrender" --no-cache --spp=16 --tone-map=aces --report="$folder/demo-auto.csv" --report="$folder/demo-auto.html" \
  -o "$folder/demo.png" "$scene"
race() { # $1: strategy, $2: its weights, where it follows any
  "$lbrender" -q --no-cache --spp=4 --resolution=50% --strategy="$1" --devices="${devices#,}" ${2:+"--weights=$2"} \
    --partition-map="$folder/demo-$1.png" --report="$folder/demo-$1.csv" -o none "$scene"
}
race naive
race bitrev 0.1,0.15,0.25,0.5

# The column $2 of the first processor in the report of the strategy $1.
figure() {
  awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i } NR == 2 { print $column }' \
    "$folder/demo-$1.csv"
}

# A bar a processor: how long it was busy, of the time that the slower of both frames took.
bars() {
  awk -F, -v most="$(figure naive t)" '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    { busy = $column["busy_seconds"]
      printf "<tr><th>%s</th><td><i style=\"width:%.1f%%\"></i></td><td>%.2f s</td></tr>\n", $column["name"], 100 * busy / most, busy }
  ' "$folder/demo-$1.csv"
}

side() { # $1: strategy, $2: what it does
  awk -v efficiency="$(figure "$1" efficiency)" -v t="$(figure "$1" t)" -v name="$1" -v words="$2" 'BEGIN {
    printf "<section><h2>%s</h2>\n<p>%s</p>\n<p class=\"big\">%.1f %% <small>of what the processors could do, in %.2f s</small></p>\n",
      name, words, 100 * efficiency, t }'
  echo "<a href=\"demo-$1.png\"><img class=\"map\" alt=\"who rendered what under $1\" src=\"demo-$1.png\"/></a>"
  echo "<table>"
  bars "$1"
  echo "</table></section>"
}

{
  cat <<'END'
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>lbrender: one picture, four processors, two strategies</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
img { max-width: 100%; height: auto; border-radius: 4px }
img.map { width: 100%; image-rendering: pixelated }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 2rem }
.big { font-size: 2.2rem; margin: .3rem 0 } .big small { font-size: .95rem; color: #666 }
table { width: 100%; border-collapse: collapse; margin-top: .8rem } th { text-align: left; font-weight: normal; width: 4rem }
td:last-child { width: 4.5rem; text-align: right } td i { display: block; height: 1.1rem; background: #2a6f97; border-radius: 2px }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } .big small { color: #999 } }
</style></head><body>
<h1>One picture, four processors, two strategies</h1>
<div class="sides">
<a href="demo.png"><img alt="glass, wine, metal and fruit on a table, under the sky of an afternoon" src="demo.png"/></a>
<div>
END
  awk -v t="$(figure auto t)" -v efficiency="$(figure auto efficiency)" -v threads="$(figure auto threads)" 'BEGIN {
    printf "<p>This machine rendered it with %d CPU thread%s and whatever GPUs it has in %.2f s, under the strategy <b>auto</b>: " \
      "%.1f %% of what its processors could do (<a href=\"demo-auto.html\">the whole report</a>).</p>\n",
      threads, threads == 1 ? "" : "s", t, 100 * efficiency }'
  cat <<'END'
<p>Below, four processors that are paced to 10, 15, 25 and 50 % of one speed render it once more, at half the size. A colour is a
processor: what it rendered, and below it how long it was busy. All have the same bytes in the end; what differs is who waits for
whom.</p>
</div></div>
<div class="sides">
END
  side naive "One large tile each: the fastest is done first, and all wait for the slowest."
  side bitrev "Parts by their weights, spread over the whole picture: all are done at nearly the same time."
  echo "</div></body></html>"
} >"$folder/demo.html.part"
mv "$folder/demo.html.part" "$folder/demo.html"
awk -v naive="$(figure naive efficiency)" -v bitrev="$(figure bitrev efficiency)" 'BEGIN {
  printf "four processors of unlike speeds: naive %.1f %% of the ideal, bitrev %.1f %%\n", 100 * naive, 100 * bitrev }'
echo "look at $folder/demo.html (all of it on one page) and $folder/demo.png (the picture)"
