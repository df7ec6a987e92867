"""The one rule of bodies that the document states in words only: see `info.description`."""

import schemathesis


def has_forbidden_name(value):
    if isinstance(value, list):
        return any(map(has_forbidden_name, value))
    if not isinstance(value, dict):
        return False
    constructor = value.get("constructor")
    if "__proto__" in value or (isinstance(constructor, dict) and "prototype" in constructor):
        return True
    return any(map(has_forbidden_name, value.values()))


@schemathesis.hook
def filter_body(context, body):
    return not has_forbidden_name(body)
