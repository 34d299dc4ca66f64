# The manual page lbrender-scene.5 names all that the sources know of the language.

load common

setup() {
    cd "$BATS_TEST_DIRNAME/../.."
}

# Prints the manual's words, without macros and escapes.
manual() {
    sed -e 's/\\-/-/g' -e 's/\\(dq/"/g' -e 's/\\f[BRI]//g' man/lbrender-scene.5 | tr -s ' ",;().:[]' '\n' | sort -u
}

# Prints the words of standard input that are not in the manual.
missing() {
    sort -u | comm -23 - <(manual)
}

# Prints the first string of each row of a table: names FILE TABLE
names() {
    sed -n "/ $2\[\] = {/,/^};/p" "$1" | grep -oE '\{"[A-Za-z0-9-]+"' | tr -d '{"'
}

@test "every directive is in the manual" {
    [ "$(names core/language/directives.c directives | wc -l)" -gt 38 ]
    [ -z "$(names core/language/directives.c directives | missing)" ]
}

@test "every kind that the builder knows is in the manual" {
    for table in materials/material.c:kinds shapes/shape.c:kinds lights/light.c:kinds integrators/integrator.c:integrators textures/texture.c:kinds \
        integrators/integrator.c:samplers textures/mapping.c:mappings film/filter.c:filters; do
        known=$(names "core/scene/${table%:*}" "${table#*:}")
        [ "$(wc -l <<<"$known")" -gt 3 ]
        echo "$table: $(missing <<<"$known")"
        [ -z "$(missing <<<"$known")" ]
    done
}

@test "every medium and every preset of one is in the manual" {
    known=$(names core/scene/media/medium.c kinds)
    [ "$(wc -l <<<"$known")" -ge 5 ]
    [ -z "$(missing <<<"$known")" ]
    known=$(sed -n '/ presets\[\] = {/,/^};/s/^ *{"\([^"]*\)".*/\1/p' core/scene/media/presets.c)
    [ "$(wc -l <<<"$known")" -ge 47 ]
    # Ends of the manual's lines are spaces here.
    page=$(tr -s '\n' ' ' <man/lbrender-scene.5)
    while read -r preset; do
        [[ "$page" == *[\ ,]"$preset"[,.]* ]] || { echo "$preset"; false; }
    done <<<"$known"
}

@test "every named spectrum is in the manual" {
    known=$(grep -hoE '"(metal|glass|illum|stdillum)-[A-Za-z0-9-]+"' core/scene/spectrum/{metals,glasses,illuminants}.c |
        tr -d '"' | sed -E 's/^(metal|glass)-//; s/-(eta|k)$//')
    [ "$(wc -l <<<"$known")" -gt 30 ]
    # The manual names the twelve fluorescent lamps by the first and the last.
    [ -z "$(grep -vE '^stdillum-F([2-9]|1[01])$' <<<"$known" | missing)" ]
}

# The words of test/unit/pbrt_names.txt: what stands in quotes, or between brackets at the head of a plugin.
table_words() {
    grep -v '^#' test/unit/pbrt_names.txt | grep -oE '"[^"]*"|^\[[^]]*\]|^[a-z0-9]+ [A-Za-z0-9_.]+ = ' | tr -d '"[]=' | tr ' ' '\n' | sort -u
}

# The table of pbrt's names is also where fuzzers' words come from (test/fuzz/words.py).
@test "every kind and parameter that the builder knows is in the table of pbrt-v4's names" {
    for table in materials/material.c:kinds shapes/shape.c:kinds lights/light.c:kinds integrators/integrator.c:integrators textures/texture.c:kinds \
        integrators/integrator.c:samplers textures/mapping.c:mappings film/filter.c:filters media/medium.c:kinds; do
        known=$(names "core/scene/${table%:*}" "${table#*:}" | sort -u)
        [ "$(wc -l <<<"$known")" -gt 3 ]
        # The material's other name for interface is a form of pbrt-v3.
        echo "$table: $(comm -23 - <(table_words) <<<"$known" | grep -vx none)"
        [ -z "$(comm -23 - <(table_words) <<<"$known" | grep -vx none)" ]
    done
    known=$(names core/language/directives.c directives | sort -u)
    echo "directives: $(comm -23 - <(table_words) <<<"$known")"
    [ -z "$(comm -23 - <(table_words) <<<"$known")" ]
    # What look-ups ask for; the last are those of our own integrator and of light groups.
    known=$(grep -hoE 'parameters, "[A-Za-z0-9_.]+"' core/scene/*/*.c | grep -oE '"[^"]+"' | tr -d '"' | sort -u)
    [ "$(wc -l <<<"$known")" -gt 80 ]
    echo "parameters: $(comm -23 - <(table_words) <<<"$known" | grep -vxE 'center|width|maxiterations|lightgroup')"
    [ -z "$(comm -23 - <(table_words) <<<"$known" | grep -vxE 'center|width|maxiterations|lightgroup')" ]
}

@test "the fuzzers' dictionary has the words of the table, each as libFuzzer wants it" {
    test/fuzz/words.py >"$BATS_TEST_TMPDIR/dict"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/dict")" -gt 300 ]
    no_line -vE '^"(\\"[^"\\]*\\"|[A-Za-z]+)"$' "$BATS_TEST_TMPDIR/dict"
    for word in diffusetransmission "float temperaturecutoff" "float xradius"; do
        grep -qxF "\"\\\"$word\\\"\"" "$BATS_TEST_TMPDIR/dict"
    done
    grep -qx '"CoordSysTransform"' "$BATS_TEST_TMPDIR/dict"
}
