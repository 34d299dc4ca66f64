# The tables under bench/results are what bench/tables.py makes of the CSV beside them.
load common

setup() {
  cd "$BATS_TEST_DIRNAME/../.."
  command -v python3 >/dev/null || skip "no python3 here"
  tables="python3 $PWD/bench/tables.py"
}

# Makes a page of one table, with its CSV, in the test's own folder.
small_page() {
  mkdir -p "$BATS_TEST_TMPDIR/csv"
  cd "$BATS_TEST_TMPDIR"
  printf '# 2026-11-22, commit abc\nmap,speeds,least,at\na,same,0.9,7\na,even,0.8,64\nb,same,1.0,1\n' >csv/x.csv
  printf '# Page\n\n<!-- table x.csv%s -->\n<!-- end -->\nwords\n' "$1" >page.md
}

@test "tables: the tables of every page are those of its CSV" {
  run $tables --check
  [ "$status" -eq 0 ]
  [ -z "$output" ]
}

@test "tables: a table has the figures as they stand in the CSV, and says when they were measured" {
  small_page ""
  $tables page.md
  diff page.md - <<'END'
# Page

<!-- table x.csv -->
2026-11-22, commit abc.

| map | speeds | least | at |
| --- | --- | ---: | ---: |
| a | same | 0.9 | 7 |
| a | even | 0.8 | 64 |
| b | same | 1.0 | 1 |
<!-- end -->
words
END
  cp page.md before.md
  $tables page.md
  cmp page.md before.md
  $tables --check page.md
}

@test "tables: values of a column become columns" {
  small_page " rows=map columns=speeds cells=least,at"
  $tables page.md
  grep -Fx '| map | same | at | even | at |' page.md
  grep -Fx '| a | 0.9 | 7 | 0.8 | 64 |' page.md
  grep -Fx '| b | 1.0 | 1 |  |  |' page.md
}

@test "tables: a figure that was changed on the page alone, a table without marks and a missing CSV are noticed" {
  small_page ""
  $tables page.md
  sed 's/0\.8/0.9/' page.md >changed.md
  run $tables --check changed.md
  [ "$status" -eq 1 ]
  [[ $output == "changed.md: its tables are not those of csv/"* ]]
  grep '|' page.md >stray.md
  run $tables --check stray.md
  [ "$status" -eq 1 ]
  [ "$output" = "stray.md:1: a table outside of marks" ]
  sed 's/x.csv/y.csv/' page.md >missing.md
  run $tables --check missing.md
  [ "$status" -eq 1 ]
  [[ $output == *"y.csv"* ]]
  echo 'a,same,0.9' >>csv/x.csv
  run $tables --check page.md
  [ "$status" -eq 1 ]
  [ "$output" = "page.md: x.csv: 3 cells where the head has 4: a,same,0.9" ]
}

# Two folders with a table each, of which one figure of four is worse by 0.003, one by 0.002, a line is gone and one is new.
two_versions() {
  cd "$BATS_TEST_TMPDIR"
  mkdir -p before after
  cat >before/balance-64.csv <<'CSV'
# a date
map,speeds,strategy,least,at
a,same,auto,0.990,64
a,even,auto,0.980,64
a,same,steal,0.970,64
a,even,steal,0.960,64
b,same,auto,0.950,64
CSV
  sed 's/0\.990/0.987/; s/0\.980/0.978/; s/0\.970/0.999/; s/,64$/,63/; s/^b,/c,/' before/balance-64.csv >after/balance-64.csv
  compare="python3 $BATS_TEST_DIRNAME/../../bench/compare_tables.py"
}

@test "tables: what is worse by more than the limit, gone or new is named" {
  two_versions
  run $compare before after
  [ "$status" -eq 1 ]
  diff <(echo "$output") - <<'END'
balance-64.csv: a, same, auto: least 0.990 -> 0.987
balance-64.csv: b, same, auto: least is gone
balance-64.csv: c, same, auto: least is new
balance-64.csv: 4 figures, 1 worse
4 figures compared, 1 worse by more than 0.002
END
  run $compare --limit=0.003 before after
  [ "$status" -eq 0 ]
  run $compare --limit=0.0019 before after
  [[ $output == *"2 worse by more than 0.0019" ]]
  run $compare --strategies=steal,push before after
  [ "$status" -eq 0 ]
  [ "$output" = "balance-64.csv: 2 figures, 0 worse
2 figures compared, 0 worse by more than 0.002" ]
}

@test "tables: low figures, percents and variances are compared as what they are" {
  two_versions
  printf 'scene,best other,auto s,other s,auto/other,imbalance\nx,pool,1.00,1.00,1.000,0.10 %%\n' >before/race.csv
  printf 'scene,best other,auto s,other s,auto/other,imbalance\nx,push,2.00,2.00,0.900,0.31 %%\n' >after/race.csv
  run $compare before after race.csv
  [ "$status" -eq 1 ]
  [ "${lines[0]}" = "race.csv: x: imbalance 0.10 % -> 0.31 %" ]
  sed -i 's/0.31 %/0.29 %/' after/race.csv
  $compare before after race.csv
  head='animation,strategy,speed-up,saved,variance: strategy,settled variance: strategy,efficiency: mean,efficiency: least settled,efficiency: frame 0'
  printf '%s\nx,pbt,0.5,0.3,10.00,1.00,0.9,0.9,0.9\n' "$head" >before/orbit.csv
  printf '%s\nx,pbt,0.5,0.3,10.01,1.01,0.9,0.9,0.9\n' "$head" >after/orbit.csv
  run $compare before after orbit.csv
  [ "$status" -eq 1 ]
  [ "${lines[0]}" = "orbit.csv: x, pbt: settled variance: strategy 1.00 -> 1.01" ]
  [ "${lines[1]}" = "orbit.csv: 7 figures, 1 worse" ]
}

@test "tables: versions are revisions, too; what is neither, and files of unknown columns, are refused" {
  two_versions
  run $compare before no-such-version
  [ "$status" -eq 2 ]
  [[ $output == *"no-such-version is neither a folder nor a revision" ]]
  run $compare before after ptxas.csv
  [ "$status" -eq 2 ]
  [[ $output == *"ptxas.csv"*"is not known here" ]]
  run $compare before
  [ "$status" -eq 2 ]
  [[ $output == *"usage: compare_tables.py"* ]]
  git -C "$BATS_TEST_DIRNAME" rev-parse --quiet --verify 'HEAD^{commit}' >/dev/null || skip "no revisions here"
  run $compare HEAD HEAD balance-64.csv
  [ "$status" -eq 0 ]
  [[ ${lines[0]} =~ ^"balance-64.csv: "[0-9]+" figures, 0 worse"$ ]]
}
