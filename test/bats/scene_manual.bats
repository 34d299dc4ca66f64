# The manual page lbrender-scene.5 names all that the sources know of the language.

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
    for table in build_material.c:kinds build_shape.c:kinds build_light.c:kinds build_integrator.c:integrators build_texture.c:kinds \
        build_mapping.c:mappings build_tables.c:filters; do
        known=$(names "core/scene/${table%:*}" "${table#*:}")
        [ "$(wc -l <<<"$known")" -gt 3 ]
        echo "$table: $(missing <<<"$known")"
        [ -z "$(missing <<<"$known")" ]
    done
}

@test "every medium and every preset of one is in the manual" {
    known=$(names core/scene/build_medium.c kinds)
    [ "$(wc -l <<<"$known")" -ge 5 ]
    [ -z "$(missing <<<"$known")" ]
    known=$(sed -n '/ presets\[\] = {/,/^};/s/^ *{"\([^"]*\)".*/\1/p' core/scene/medium_presets.c)
    [ "$(wc -l <<<"$known")" -ge 47 ]
    # Ends of the manual's lines are spaces here.
    page=$(tr -s '\n' ' ' <man/lbrender-scene.5)
    while read -r preset; do
        [[ "$page" == *[\ ,]"$preset"[,.]* ]] || { echo "$preset"; false; }
    done <<<"$known"
}

@test "every named spectrum is in the manual" {
    known=$(grep -hoE '"(metal|glass|illum|stdillum)-[A-Za-z0-9-]+"' core/scene/spectrum_{metals,glasses,illuminants}.c |
        tr -d '"' | sed -E 's/^(metal|glass)-//; s/-(eta|k)$//')
    [ "$(wc -l <<<"$known")" -gt 30 ]
    # The manual names the twelve fluorescent lamps by the first and the last.
    [ -z "$(grep -vE '^stdillum-F([2-9]|1[01])$' <<<"$known" | missing)" ]
}
