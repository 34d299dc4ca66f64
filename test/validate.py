#!/usr/bin/env python3
"""Checks a JSON file against a schema: the part of JSON Schema that lbrender --report-schema uses, no more.

usage: validate.py SCHEMA FILE
Prints the first difference and ends with status 1, or says nothing and ends with 0.
"""
import json
import re
import sys

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
}
KNOWN = {"$schema", "$defs", "$ref", "title", "type", "required", "additionalProperties", "properties", "const", "enum",
         "minimum", "maximum", "exclusiveMinimum", "pattern", "items", "minItems"}


def differ(path, why):
    print(f"{path}: {why}")
    sys.exit(1)


def check(value, schema, root, path):
    unknown = set(schema) - KNOWN
    if unknown:
        differ(path, f"the schema uses {unknown}, which this script does not know")
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return check(value, target, root, path)
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(TYPES[t](value) for t in types):
        differ(path, f"{value!r} is not {' or '.join(types)}")
    if "const" in schema and value != schema["const"]:
        differ(path, f"{value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        differ(path, f"{value!r} is none of {schema['enum']}")
    if TYPES["number"](value):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            differ(path, f"{value} is out of range")
        if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
            differ(path, f"{value} is out of range")
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        differ(path, f"{value!r} does not match {schema['pattern']}")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                differ(path, f"{name} is missing")
        for name, item in value.items():
            if name in properties:
                check(item, properties[name], root, f"{path}.{name}")
            elif schema.get("additionalProperties") is False:
                differ(path, f"{name} is not in the schema")
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            differ(path, "too few items")
        for i, item in enumerate(value):
            check(item, schema.get("items", {}), root, f"{path}[{i}]")


def main():
    with open(sys.argv[1]) as file:
        schema = json.load(file)
    with open(sys.argv[2]) as file:
        check(json.load(file), schema, schema, "report")


main()
