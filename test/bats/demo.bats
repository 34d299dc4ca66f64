# What `make demo` and `make gallery` show.
load common

# Prints the efficiency of the strategy $1, in per cent, as the demo's page has it.
shown() {
  sed -n "/<h2>$1</,/<\\/section>/p" demo/demo.html | grep -oE '"big">[0-9.]+' | grep -oE '[0-9.]+'
}

@test "the demo's page has one picture, and the imbalance of naive beside the balance of bitrev" {
  run "$ROOT/tools/demo.sh" "$LBRENDER" demo
  ended 0 "look at demo/demo.html"
  python3 -c 'import sys, xml.dom.minidom as m; m.parseString(open(sys.argv[1]).read().split("\n", 1)[1])' demo/demo.html
  [ "$(png_size demo/demo.png)" = 600x400 ]
  for file in $(grep -oE '(src|href)="[^"]+"' demo/demo.html | cut -d'"' -f2 | sort -u); do [ -s "demo/$file" ]; done
  [ "$(grep -c '<tr><th>null' demo/demo.html)" -eq 8 ]
  # Four tiles of one size by speeds of 10 to 50 %: the slowest makes 2.5 times the ideal time and more.
  awk -v naive="$(shown naive)" -v bitrev="$(shown bitrev)" 'BEGIN { exit !(naive < 45 && bitrev > naive + 20) }'
}

@test "the gallery's page has each scene, with its caption" {
  mkdir tools samples samples/gallery
  cp "$ROOT/tools/gallery.sh" tools
  scene | sed '1i # A set.\n# Options: --exposure=1' >samples/gallery/set.pbrt
  run tools/gallery.sh "$LBRENDER" page
  ended 0 "look at page/index.html"
  python3 -c 'import sys, xml.dom.minidom as m; m.parseString(open(sys.argv[1]).read().split("\n", 1)[1])' page/index.html
  grep -q 'A set. <small>set.pbrt' page/index.html
  "$LBRENDER" -q --exposure=1 -o right.png samples/gallery/set.pbrt
  cmp right.png page/set.png
}
