/* The schema of the JSON report: its frame by hand, the figures from their tables. */
#include "core/report/report_write.h"

#include "core/report/json_text.h"
#include "core/report/report_forms.h"

/* jansson's "o" steals the reference; a NULL there makes the whole pack fail, and the caller sees NULL. */

static json_t *refer(const char *definition)
{
    return json_pack("{s:s+}", "$ref", "#/$defs/", definition);
}

static json_t *type_of(const char *name)
{
    return json_pack("{s:s}", "type", name);
}

static json_t *array_of(const char *definition, int least)
{
    return json_pack("{s:s, s:i, s:o}", "type", "array", "minItems", least, "items", refer(definition));
}

static json_t *whole_within(json_int_t least, json_int_t most)
{
    return json_pack("{s:s, s:I, s:I}", "type", "integer", "minimum", least, "maximum", most);
}

/* Either may be missing: the picture may not have been written. */
static json_t *text_or_null(const char *pattern)
{
    return pattern ? json_pack("{s:[s, s], s:s}", "type", "string", "null", "pattern", pattern)
                   : json_pack("{s:[s, s]}", "type", "string", "null");
}

static const char CHECKSUM[] = "^[0-9a-f]{8}$";

/* ---- objects ---- */

struct schema_object {
    json_t *required, *properties;
};

static struct schema_object object_begin(void)
{
    return (struct schema_object){json_array(), json_object()};
}

static void may_have(struct schema_object *object, const char *name, json_t *schema)
{
    if (json_object_set_new(object->properties, name, schema)) {
        json_decref(object->properties); /* out of memory */
        object->properties = NULL;
    }
}

static void has(struct schema_object *object, const char *name, json_t *schema)
{
    may_have(object, name, schema);
    if (json_array_append_new(object->required, json_string(name))) {
        json_decref(object->required);
        object->required = NULL;
    }
}

static json_t *object_end(struct schema_object object)
{
    return json_pack("{s:s, s:o, s:b, s:o}", "type", "object", "required", object.required,
                     "additionalProperties", 0, "properties", object.properties);
}

/* ---- figures ---- */

static json_t *schema_of(enum lb_figure_kind kind)
{
    static const char *const definitions[] = {
        [LB_FIGURE_NAME] = "processor_name", [LB_FIGURE_WORD] = "word",       [LB_FIGURE_TEXT] = "text",
        [LB_FIGURE_LABEL] = "text",          [LB_FIGURE_DEVICE] = "kind",     [LB_FIGURE_SOURCE] = "source",
        [LB_FIGURE_COUNT] = "count",         [LB_FIGURE_SECONDS] = "seconds", [LB_FIGURE_WEIGHT] = "weight",
        [LB_FIGURE_SHARE] = "share",         [LB_FIGURE_RATIO] = "ratio"};
    if (kind == LB_FIGURE_NUMBER)
        return type_of("number");
    return kind == LB_FIGURE_FLAG ? type_of("boolean") : refer(definitions[kind]);
}

static void has_figures(struct schema_object *object, const struct lb_figures *figures)
{
    for (size_t i = 0; i < figures->count; i++)
        if (figures->items[i].told == LB_TOLD_ALL || figures->items[i].told == LB_TOLD_JSON)
            has(object, figures->items[i].name, schema_of(figures->items[i].kind));
}

static void has_balance(struct schema_object *object)
{
    has_figures(object, &lb_balance_figures);
    has(object, "processors", array_of("processor", 1));
    may_have(object, "cost_unit", json_pack("{s:s}", "const", "rays"));
}

static json_t *processor_schema(void)
{
    struct schema_object object = object_begin();
    has_figures(&object, &lb_processor_figures);
    may_have(&object, "host", refer("host"));
    return object_end(object);
}

static json_t *host_schema(void)
{
    struct schema_object object = object_begin();
    has_figures(&object, &lb_host_figures);
    has(&object, "processors", array_of("host_processor", 0));
    return object_end(object);
}

static json_t *host_processor_schema(void)
{
    struct schema_object object = object_begin();
    has_figures(&object, &lb_host_processor_figures);
    return object_end(object);
}

static json_t *pass_schema(void)
{
    struct schema_object object = object_begin();
    has(&object, "pass", refer("count"));
    may_have(&object, "chosen", type_of("string"));
    has_balance(&object);
    return object_end(object);
}

static json_t *frame_schema(void)
{
    struct schema_object object = object_begin();
    has(&object, "frame", refer("count"));
    has_balance(&object);
    has(&object, "passes", array_of("pass", 1));
    has(&object, "wall_seconds", refer("seconds"));
    may_have(&object, "incomplete", type_of("boolean"));
    may_have(&object, "file", type_of("string"));
    may_have(&object, "checksum", json_pack("{s:s, s:s}", "type", "string", "pattern", CHECKSUM));
    may_have(&object, "denoised_by", type_of("string"));
    may_have(&object, "denoise_seconds", refer("seconds"));
    return object_end(object);
}

static json_t *image_schema(void)
{
    struct schema_object object = object_begin();
    has(&object, "width", whole_within(1, 65535));
    has(&object, "height", whole_within(1, 65535));
    has(&object, "spp", json_pack("{s:s, s:i}", "type", "integer", "minimum", 1));
    has(&object, "seed", refer("count"));
    has(&object, "file", text_or_null(NULL));
    has(&object, "checksum", text_or_null(CHECKSUM));
    return object_end(object);
}

/* What the kinds of figures are, and the objects. */
static json_t *definitions(const char *const *kind_names)
{
    json_t *sources = json_array(), *kinds = json_array();
    for (enum lb_source source = LB_SOURCE_EQUAL; source <= LB_SOURCE_MEASURED; source++)
        json_array_append_new(sources, json_string(lb_source_name(source)));
    for (; *kind_names; kind_names++)
        json_array_append_new(kinds, json_string(*kind_names));
    return json_pack("{s:{s:s, s:i}, s:{s:s, s:i}, s:{s:s, s:i}, s:{s:s, s:i, s:i}, s:{s:s, s:i, s:i}, "
                     "s:{s:o}, s:{s:o}, s:{s:s, s:s}, s:{s:s, s:s}, s:{s:s}, s:o, s:o, s:o, s:o, s:o}",
                     "count", "type", "integer", "minimum", 0, "seconds", "type", "number", "minimum", 0,
                     "ratio", "type", "number", "minimum", 0, "weight", "type", "number", "exclusiveMinimum",
                     0, "maximum", 1, "share", "type", "number", "minimum", 0, "maximum", 1, "source", "enum",
                     sources, "kind", "enum", kinds, "processor_name", "type", "string", "pattern",
                     "^[a-z]+[0-9]+$", "word", "type", "string", "pattern", "^[a-z]+$", "text", "type",
                     "string", "frame", frame_schema(), "pass", pass_schema(), "processor",
                     processor_schema(), "host", host_schema(), "host_processor", host_processor_schema());
}

char *lb_report_schema(const char *const *kind_names)
{
    struct schema_object object = object_begin();
    has(&object, "schema", json_pack("{s:s}", "const", LB_REPORT_SCHEMA));
    has_figures(&object, &lb_run_figures);
    has(&object, "strategy", type_of("string"));
    has(&object, "image", image_schema());
    has(&object, "frames", array_of("frame", 0));
    may_have(&object, "simulated", type_of("boolean"));
    may_have(&object, "assumed_seconds", refer("seconds"));
    may_have(&object, "chosen", type_of("string"));
    json_t *root = json_pack("{s:s, s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema", "title",
                             LB_REPORT_SCHEMA);
    json_t *top = object_end(object);
    bool failed =
        json_object_update(root, top) || json_object_set_new(root, "$defs", definitions(kind_names));
    char *text = lb_json_write(failed ? NULL : root);
    json_decref(top);
    json_decref(root);
    return text;
}
