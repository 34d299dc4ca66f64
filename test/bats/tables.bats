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
  [ "$status" -eq 0 ] && [ -z "$output" ]
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
