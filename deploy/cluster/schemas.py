"""Schemas that kubeconform reads without a network: Kubernetes' own, from the Python package kubernetes-validate, and those of
custom resources, from their definitions. usage: schemas.py VERSION TARGET DEFINITION.yaml…"""

import json
import os
import re
import sys

import kubernetes_validate
import yaml

version, target, *definitions = sys.argv[1:]
reference = re.compile(r'"(?:/api/_definitions\.json)?#/\$defs/([^"]+)"')


def write(path, schema):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(schema if isinstance(schema, str) else json.dumps(schema))


def native():
    package = os.path.dirname(kubernetes_validate.__file__)
    with open(f"{package}/kubernetes-json-schema/v{version}.0-local-strict/_definitions.json") as file:
        known = json.load(file)["$defs"]
    for definition in known.values():
        for kind in definition.get("x-kubernetes-group-version-kind", []):
            needed, waiting = set(), names_in(definition)
            while waiting:
                name = waiting.pop()
                if name not in needed:
                    needed.add(name)
                    waiting |= names_in(known[name]) - needed
            schema = {**definition, "$schema": "http://json-schema.org/draft-07/schema#", "definitions": {name: known[name] for name in needed}}
            group = kind["group"].split(".")[0]
            name = f"{kind['kind'].lower()}{'-' + group if group else ''}-{kind['version']}"
            write(f"{target}/native/{name}.json", reference.sub(r'"#/definitions/\1"', json.dumps(schema)))


def names_in(schema):
    return set(reference.findall(json.dumps(schema)))


def strict(schema):
    """No field that the definition does not name."""
    if isinstance(schema, list):
        for part in schema:
            strict(part)
    elif isinstance(schema, dict):
        if schema.get("x-kubernetes-int-or-string"):
            schema.pop("type", None)
            schema.setdefault("anyOf", [{"type": "integer"}, {"type": "string"}])
        if isinstance(schema.get("properties"), dict) and not schema.get("x-kubernetes-preserve-unknown-fields"):
            schema.setdefault("additionalProperties", False)
        for key, part in list(schema.items()):
            strict(list(part.values()) if key == "properties" else part)


def custom(file):
    for document in yaml.safe_load_all(file):
        if not document or document.get("kind") != "CustomResourceDefinition":
            continue
        for served in document["spec"]["versions"]:
            schema = served["schema"]["openAPIV3Schema"]
            strict(schema)
            fields = schema.setdefault("properties", {})
            fields.update(apiVersion={"type": "string"}, kind={"type": "string"}, metadata={"type": "object"})
            kind = document["spec"]["names"]["kind"].lower()
            write(f"{target}/custom/{document['spec']['group']}/{kind}_{served['name']}.json", schema)


native()
for path in definitions:
    with open(path) as file:
        custom(file)
