# The report as text, JSON and CSV.
load common

valid() {
  python3 "$ROOT/test/validate.py" <("$LBRENDER" --report-schema) "$1"
}

@test "JSON reports are valid and add up, for every strategy" {
  scene >view.pbrt
  for strategy in $(strategies); do
    echo $strategy
    "$LBRENDER" -q --strategy=$strategy -t 3 --passes=2 --report=r.json view.pbrt
    valid r.json
    jq -e --arg s $strategy '.strategy == $s and .schema == "lbrender-report/1"' r.json
    jq -e '.frames | length == 1' r.json
    jq -e '.frames[0] | [.processors[].samples] | add == 4800' r.json
    jq -e '.frames[0] | [.processors[].pixels] | add == 2400' r.json
    jq -e '.frames[0] | [.processors[].share] | add | . > 0.999999 and . < 1.000001' r.json
    jq -e '.frames[0] | [.processors[].weight] | add | . > 0.999999 and . < 1.000001' r.json
    jq -e '.frames[0].passes | length == 2' r.json
    jq -e '[.frames[0].passes[] | [.processors[].samples] | add] == [2400, 2400]' r.json
    jq -e '.frames[0] | .t >= ([.processors[].finish_seconds] | max) - 1e-6' r.json
    jq -e '.frames[0] as $f | [$f.processors[] | .busy_seconds + .idle_seconds >= $f.t - 1e-6] | all' r.json
    jq -e '.frames[0] | (.efficiency - .t_min / .t) | . < 1e-6 and . > -1e-6' r.json
    jq -e '.frames[0] | (.imbalance - (.t - .t_min) / .t_min) | . < 1e-6 and . > -1e-6' r.json
    jq -e '.wall_seconds >= .frames[0].t and .load_seconds >= 0 and .peak_bytes > 1000000' r.json
  done
}

@test "--report-schema asks for every key that a report has, and for no other" {
  scene >view.pbrt
  "$LBRENDER" -q --report=r.json view.pbrt
  "$LBRENDER" --report-schema >schema.json
  jq -e '."$schema" == "https://json-schema.org/draft/2020-12/schema" and .title == "lbrender-report/1"' schema.json
  [ "$(jq -c '.frames[0].processors[0] | keys' r.json)" = "$(jq -c '."$defs".processor.required | sort' schema.json)" ]
  [ "$(jq -c '.frames[0].passes[0] | keys - ["chosen"]' r.json)" = "$(jq -c '."$defs".pass.required | sort' schema.json)" ]
  [ "$(jq -c '.frames[0] | keys - ["file", "checksum"]' r.json)" = "$(jq -c '."$defs".frame.required | sort' schema.json)" ]
  [ "$(jq -c 'keys - ["chosen"]' r.json)" = "$(jq -c '.required | sort' schema.json)" ]
  # It finds what it does not allow.
  jq 'del(.frames[0].processors[0].steps)' r.json >less.json
  run valid less.json
  ended 1 "steps"
  jq '.frames[0].processors[0].stops = 1' r.json >more.json
  run valid more.json
  ended 1 "stops"
}

# A figure that nobody counts would be 0 in every report.
@test "every figure of figures.h is set somewhere in the program" {
  names=$(sed -nE 's/^ *FIGURE\([A-Z]+, *([a-z_0-9]+),.*/\1/p' "$ROOT/core/report/figures.h" | sort -u)
  [ "$(wc -w <<<"$names")" -gt 40 ]
  for name in $names; do
    grep -rqE --include=*.c "(\.|->)$name *(=[^=]|[-+|]=|\+\+)|memcpy\([a-z]+->$name," "$ROOT"/{core,cli,hosts} || echo "nobody sets $name"
  done >unset
  diff unset /dev/null
}

@test "every form of the report has the checksum" {
  scene >view.pbrt
  "$LBRENDER" --report=r.json view.pbrt 2>text
  "$LBRENDER" -q --report=r.csv view.pbrt
  "$LBRENDER" -q --report=r.txt view.pbrt
  crc=$(jq -r .image.checksum r.json)
  [[ "$crc" =~ ^[0-9a-f]{8}$ ]]
  grep -q "wrote view.png  crc32c $crc" text
  grep -q "wrote view.png  crc32c $crc" r.txt
  grep -q ",\"view.png\",$crc$" r.csv
  [ "$(jq -r '.frames[0].checksum' r.json)" = "$crc" ]
}

@test "CSV has a header and one row for each processor" {
  scene >view.pbrt
  "$LBRENDER" -q -t 4 --report=r.csv view.pbrt
  python3 - <<'END'
import csv
rows = list(csv.DictReader(open("r.csv")))
assert [r["name"] for r in rows] == ["cpu0", "cpu1", "cpu2", "cpu3"], rows
assert sum(int(r["samples"]) for r in rows) == 4800
assert abs(sum(float(r["share"]) for r in rows) - 1) < 1e-6
assert all(int(r["peak_bytes"]) > 1000000 for r in rows)
END
}

@test "--report=- is standard output, in the form that is asked for" {
  scene >view.pbrt
  "$LBRENDER" -q --report=- --report-format=json view.pbrt >out.json
  valid out.json
  "$LBRENDER" -q --report=- view.pbrt >out.txt
  grep -q "^T " out.txt
  "$LBRENDER" -q --report=r.txt --report-format=csv view.pbrt
  head -1 r.txt | grep -q "^scene,strategy,frame"
}

@test "the text is at most 100 characters wide, with its columns in line" {
  scene >view.pbrt
  "$LBRENDER" -t 12 --report=r.txt view.pbrt
  [ "$(awk '{ print length }' r.txt | sort -n | tail -1)" -le 100 ]
  [ "$(grep -cE '^cpu[0-9]+ ' r.txt)" -eq 12 ]
  [ "$(grep -E '^(processor|cpu)' r.txt | awk '{ print length }' | sort -u | wc -l)" -eq 1 ]
  head -n 1 r.txt | grep -qE ' [0-9]+ MB$'
  grep -qE '^T [0-9.]+ s +Tmin [0-9.]+ s +imbalance ([0-9.-]+ %|-) +efficiency ([0-9.]+|-) +steals [0-9]+ +lost 0 +bad samples 0$' r.txt
}

@test "JSON and CSV of reports and races have host, version, command, threads, size, samples and times" {
  scene >"a view.pbrt"
  "$LBRENDER" -q --no-cache -t 3 --seed=7 --report=r.json "a view.pbrt" -o out.png
  "$LBRENDER" -q --no-cache -t 3 --seed=7 --report=r.csv "a view.pbrt" -o out.png
  "$LBRENDER" -q --no-cache -t 3 --seed=7 --compare --report=c.json "a view.pbrt"
  "$LBRENDER" -q --no-cache -t 3 --seed=7 --compare --report=c.csv "a view.pbrt"
  "$LBRENDER" -q --devices=cpu:1,null --simulate=5 --report=s.json "a view.pbrt"
  python3 - "$LBRENDER" <<'END'
import csv, json, platform, shlex, subprocess, sys
version = subprocess.run([sys.argv[1], "--version"], capture_output=True, text=True).stdout.split()[1]
for form in "r", "c":
    facts = json.load(open(form + ".json"))
    rows = list(csv.DictReader(open(form + ".csv")))
    image = facts.get("image", facts)
    assert facts["host"] == platform.node() and facts["version"] == version and facts["threads"] == 3, facts
    assert facts["wall_seconds"] > 0 and facts["load_seconds"] >= 0
    assert (image["width"], image["height"], image["spp"]) == (40, 30, 4)
    assert len(rows) == (3 if form == "r" else len(facts["strategies"]))
    for row in rows:
        assert None not in row and None not in row.values(), row
        assert row["host"] == platform.node() and row["version"] == version and row["scene"] == "a view.pbrt", row
        assert [row[k] for k in ("threads", "width", "height", "spp", "seed")] == ["3", "40", "30", "4", "7"], row
        assert float(row["wall_seconds"]) > 0
        # A shell reads the command as the same words.
        words = shlex.split(row["command"])
        assert words[0] == sys.argv[1] and "a view.pbrt" in words and words[-1] in ("out.png", "a view.pbrt"), words
simulated = json.load(open("s.json"))
assert simulated["threads"] == 2 and simulated["assumed_seconds"] == 600, simulated
END
}

@test "times of a simulation say how much work they assume" {
  scene >view.pbrt
  run "$LBRENDER" --simulate=2 view.pbrt
  ended 0 "with 600 s of work assumed"
  echo '{"processors": "2", "total_seconds": 42.5}' >spec.json
  run "$LBRENDER" --simulate=spec.json view.pbrt
  ended 0 "with 42.5 s of work assumed"
  run "$LBRENDER" --compare --simulate=2 view.pbrt
  ended 0 "2 processors, simulated, 600 s of work assumed"
  run "$LBRENDER" -t 1 view.pbrt
  [[ "$output" != *assumed* ]]
}

@test "a frame of less than a hundredth of a second has times, but no percentages" {
  scene >view.pbrt
  for seconds in 0.008 0.02; do
    echo '{"processors": "1", "total_seconds": '$seconds', "range_overhead": 0, "latency": 0}' >spec.json
    "$LBRENDER" -q --simulate=spec.json --report=$seconds.txt view.pbrt
  done
  grep -qE '^T 0\.00[0-9]+ s   Tmin 0\.0080 s   imbalance -   efficiency -   steals' 0.008.txt
  grep -qE '^T 0\.02[0-9]* s   Tmin 0\.02[0-9]* s   imbalance -?[0-9.]+ %   efficiency [0-9.]+ ' 0.02.txt
}

@test "a processor's CPU time stands beside its busy time" {
  scene >view.pbrt
  "$LBRENDER" -q --devices=null:speed=12000 --report=r.json view.pbrt
  "$LBRENDER" -q --devices=null:speed=12000 --report=r.txt view.pbrt
  # For most of the 0.4 s it waits.
  jq -e '.frames[0].processors[0] | .busy_seconds > 0.39 and .busy_cpu_seconds < 0.2' r.json
  read -r busy cpu < <(awk '/^processor/ { for (i = 1; i <= NF; i++) at[$i] = i } /^null0/ { print $at["busy"], $at["cpu"] }' r.txt)
  awk "BEGIN { exit !(${busy%s} > 0.39 && ${cpu%s} < 0.2) }"
}

@test "the report names the strategy that really ran" {
  scene >view.pbrt
  run "$LBRENDER" --strategy=strips -t 2 view.pbrt
  ended 0 "view.pbrt  strips  40x30 x 4 spp"
}

@test "progress has lines of one stable form when asked for, and none with -q or none" {
  scene >view.pbrt
  run "$LBRENDER" --progress=lines view.pbrt
  ended 0 "progress 100.0 % elapsed"
  run "$LBRENDER" --progress=none view.pbrt
  ended 0
  [[ "$output" != *progress\ 1* ]]
  run "$LBRENDER" -q --progress=lines view.pbrt
  ended 0
  [ -z "$output" ]
  run "$LBRENDER" --progress=bar --spp=1000 view.pbrt
  ended 0 "wrote view.png"
}

# Prints what a terminal of $1 columns is sent while "${@:2}" runs.
on_terminal() {
  python3 - "$@" <<'END'
import fcntl, os, pty, struct, sys, termios
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 25, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
said = b""
try:
    while chunk := os.read(terminal, 4096):
        said += chunk
except OSError:
    pass
os.waitpid(child, 0)
sys.stdout.write(said.decode())
END
}

@test "the bar is as long as the terminal is wide" {
  scene >view.pbrt
  for columns in 200 60 45 30 12; do
    on_terminal $columns "$LBRENDER" -t 1 --devices=null:speed=6000 --progress=bar view.pbrt >said
    # Each bar begins with a carriage return and the escape sequence that clears the line.
    python3 -c 'import re, sys; print("\n".join(re.findall("\r\x1b\\[K([^\r\n]*[0-9] ?%[^\r\n]*)", open("said", newline="").read())))' >bars
    [ -s bars ]
    [ "$(awk '{ print length }' bars | sort -n | tail -1)" -lt $columns ]
    # There is a bar where there is room for one; the times passed and left are cut last.
    case $columns in
      200) grep -q '^\[[#.]\{30\}\] ' bars ;;
      60 | 45) grep -q '^\[[#.]\{5,29\}\] ' bars ;;
      *) ! grep -q '^\[' bars ;;
    esac
  done
}
