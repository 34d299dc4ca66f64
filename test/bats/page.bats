# --report x.html writes one page that needs no other file. It is checked as XML, and as a browser shows it.
load common

# Checks that the page $1 is well formed, has no script and asks for nothing outside itself, and prints its text.
whole() {
  python3 - "$1" <<'END'
import re, sys, xml.etree.ElementTree as tree
text = open(sys.argv[1], encoding="utf-8").read()
root = tree.fromstring(text)
assert text.startswith("<!DOCTYPE html>")
for element in root.iter():
    assert element.tag.split("}")[1] not in ("script", "link", "iframe", "object", "base", "form"), element.tag
    for name, value in element.attrib.items():
        assert not name.startswith("on"), name
        if name in ("src", "href"):
            assert value.startswith("data:image/png;base64,"), value[:40]
assert not re.search(r"url\(|@import|https?:", text.replace('xmlns="http://www.w3.org/1999/xhtml"', "")), "something is loaded"
print("\n".join(root.itertext()))
END
}

# Shows the page $1, $2 pixels wide, to a browser that is told what follows; fails where there is none that can.
browse() {
  local browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$PWD/browser" --window-size="$2,1000" \
    "${@:3}" "file://$PWD/$1" 2>browser.log || { tail browser.log; return 1; }
}

# Makes a picture of it, as $3.png.
screenshot() {
  browse "$1" "$2" "${@:4}" --screenshot="$PWD/$3.png" >/dev/null
}

need_browser() {
  command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || skip "no chromium"
}

@test "a page has the picture, the maps, the legend, the drawings and the figures of the run" {
  scene >view.pbrt
  "$LBRENDER" -q --no-cache --strategy=bitrev --weights=1,3 --devices=null:speed=10000,null:speed=30000 --report=r.html \
    --cost-map=cost.png --partition-map=who.png view.pbrt
  whole r.html >text
  for word in view.pbrt bitrev "40 x 30 pixels x 4 samples" "--strategy=bitrev" "$(uname -n)" "the picture" "who rendered what" "what each pixel cost" \
    "null0: weight 25.00 %, share 25" "null1: weight 75.00 %, share 7" "MB of memory, on" "T is the time until the last processor was done. Tmin is" Tmin imbalance efficiency "view.png, crc32c"; do
    grep -qF -- "$word" text || { echo "no \"$word\""; false; }
  done
  # It shows the picture and the map of the run, and each range stands in the time line.
  PYTHONPATH=$ROOT/test python3 - <<'END'
import base64, re, xml.etree.ElementTree as tree
from png import rows
root = tree.parse("r.html").getroot()
images = {e.get("alt"): base64.b64decode(e.get("src").split(",")[1]) for e in root.iter() if e.tag.endswith("img")}
assert rows(images["the picture"]) == rows(open("view.png", "rb").read())
maps = rows(open("who.png", "rb").read())[1], rows(open("cost.png", "rb").read())[1]
assert rows(images["who rendered what"])[1] == [row[:120] for row in maps[0][:30]]
assert rows(images["what each pixel cost"])[1] == [row[:120] for row in maps[1][:30]]
ranges = [e.text for e in root.iter() if e.tag.endswith("title") and re.search("range [0-9]+-[0-9]+,", e.text)]
ends = [tuple(map(int, re.search("range ([0-9]+)-([0-9]+),", r).groups())) for r in ranges]
assert sum(e - b for b, e in ends) >= 1200 and len(set(ends)) == len(ends), ends
END
}

@test "names on a page are text, whatever they hold" {
  name='<script>alert(1)</script>&amp;"'"'"$'\e]0;x\a\xe9'
  mkdir "<b>"
  scene >"<b>/x.pbrt"
  scene >view.pbrt
  cp view.pbrt "${name//\//_}.pbrt"
  "$LBRENDER" -q --report=r.html -o "a<i>&.png" "${name//\//_}.pbrt"
  whole r.html >text
  # A browser makes one line of lines, where it is not told otherwise.
  grep -A 1 '<p style="white-space:pre-line">of T: .* imbalance$' r.html | grep -q '^CPUs: threads had one in '
  grep -qF '<script>alert(1)<_script>&amp;"'"'"'\x1B]0;x\x07\xE9.pbrt' text
  grep -qF 'a<i>&.png, crc32c' text
  [ "$(grep -cF '<script' r.html)" -eq 0 ]
  [ "$(grep -cF '<i>' r.html)" -eq 0 ]
  "$LBRENDER" -q --compare --report=c.html "<b>/x.pbrt"
  whole c.html >text
  grep -qF '<b>/x.pbrt' text
}

@test "there is a page of frames, of a simulation, of hundreds of processors and of a race" {
  scene >view.pbrt
  "$LBRENDER" -q --frames=0-2 --report=r.html -o f.png view.pbrt
  whole r.html >text
  [ "$(grep -c '^Frame [012]$' text)" -eq 3 ]
  [ "$(grep -c '^the picture$' text)" -eq 3 ]
  "$LBRENDER" -q --strategy=steal --simulate=300x1 --report=s.html view.pbrt
  whole s.html >text
  grep -q "Simulated: .*600 s of work assumed" text
  grep -q "^and 44 more$" text
  "$LBRENDER" -q --compare --simulate=3 --report=c.html view.pbrt
  whole c.html >text
  for strategy in $(strategies); do
    [ "$(grep -c "^$strategy$" text)" -eq 3 ]
  done
  # A card a strategy, each with the map that --partition-map would write, and ranges in its time line.
  [ "$(grep -c 'class="card"' c.html)" -eq "$(strategies | wc -l)" ]
  for strategy in $(strategies); do grep -q "alt=\"$strategy: who rendered what\"" c.html; done
  "$LBRENDER" -q --compare=pool,naive --repeat=2 -t 2 --report=c.html view.pbrt
  whole c.html >text
  [ "$(grep -c 'class="card"' c.html)" -eq 2 ]
  grep -q "range 0-" text
  "$LBRENDER" -q --report=r.txt --report-format=html view.pbrt
  whole r.txt >text
  # A large picture is scaled down.
  "$LBRENDER" -q --spp=1 --resolution=3300x8 --report=big.html view.pbrt
  whole big.html >text
  grep -qF "the picture, at 1/3 of its size" text
}

@test "the strategies of a race stand side by side, in the order that the reader chooses" {
  scene >view.pbrt
  "$LBRENDER" -q --compare=steal,naive,pool --simulate=4x1,4x3 --report=c.html --report=c.json view.pbrt
  need_browser
  python3 - <<'END'
page = open("c.html").read()
script = """<script>//<![CDATA[
let told = [], wide = document.scrollingElement.scrollWidth > innerWidth;
let bars = document.querySelector(".bars"), cut = bars.scrollWidth > bars.clientWidth;
for (let key of document.querySelectorAll(".sort input")) {
  key.click();
  let cards = [...document.querySelectorAll(".card")].map(c => [+getComputedStyle(c).order, c.querySelector("h4").textContent]);
  told.push(key.id + " " + cards.sort((a, b) => a[0] - b[0]).map(c => c[1]).join(" "));
}
document.body.innerHTML = "<pre>" + told.join("\\n") + "\\nwide " + wide + " cut " + cut + "</pre>";
//]]></script></body>"""
open("tried.xhtml", "w").write(page.replace("</body>", script))
END
  browse tried.xhtml 420 --dump-dom >tried
  grep -q "by-name naive pool steal" tried
  grep -q "by-time $(jq -r '[.strategies[].strategy] | join(" ")' c.json)" tried
  grep -q "by-efficiency $(jq -r '[.strategies | sort_by(-.efficiency)[].strategy] | join(" ")' c.json)" tried
  grep -q "wide false cut false" tried
}

@test "a page fits a telephone, and its pictures fill the window when they are clicked" {
  scene >view.pbrt
  "$LBRENDER" -q --no-cache --devices=8*null:speed=10000 --report=r.html --cost-map=cost.png view.pbrt
  need_browser
  python3 - <<'END'
page = open("r.html").read()
script = """<script>//<![CDATA[
let image = document.querySelector("figure img"), wide = document.scrollingElement.scrollWidth > innerWidth;
let before = image.getBoundingClientRect().height;
document.querySelector("figure input").click();
let after = image.getBoundingClientRect().height;
document.body.innerHTML = "wide " + wide + " grows " + (after >= innerHeight - 1 && before < after);
//]]></script></body>"""
open("tried.xhtml", "w").write(page.replace("</body>", script))
END
  browse tried.xhtml 420 --dump-dom >tried
  grep -q "wide false grows true" tried
}

@test "a browser shows who was busy for how long" {
  need_browser
  scene >view.pbrt
  "$LBRENDER" -q --no-cache --strategy=naive --devices=null:speed=10000,null:speed=20000 --report=r.html view.pbrt
  screenshot r.html 1200 light
  screenshot r.html 1200 dark --blink-settings=preferredColorScheme=0
  differ light.png dark.png
  PYTHONPATH=$ROOT/test python3 - <<'END'
import re
from png import rows
page = open("r.html").read()
busy = [float(re.search("null%d: busy ([0-9.]+) s" % i, page)[1]) for i in (0, 1)]
colors = [bytes(map(int, re.findall(r"rgb\((\d+),(\d+),(\d+)\)", page[:page.index("null%d: weight" % i)])[-1])) for i in (0, 1)]
for name in "light.png", "dark.png":
    longest = [0, 0]
    for row in rows(open(name, "rb").read())[1]:
        for i in (0, 1):
            runs = re.findall(b"(?:%s)+" % re.escape(colors[i]), row)
            longest[i] = max([longest[i]] + [len(run) // 3 for run in runs])
    # The bar of the slower processor is longer by as much as it is slower.
    assert longest[1] > 350 and abs(longest[0] / longest[1] / (busy[0] / busy[1]) - 1) < 0.03, (name, longest, busy)
END
}
