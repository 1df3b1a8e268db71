"""GitHub's OpenAPI description as judge: is this request, this response, this webhook what GitHub would send?"""

from __future__ import annotations

import gzip
import json
import threading
from importlib.resources import files
from typing import Any

import jsonschema_rs

REST = "urn:localhub:rest"
WEBHOOKS = "urn:localhub:webhooks"

# Lowercase, as the description says; every 4xx and 5xx follows one of these two shapes.
BASIC_ERROR = "#/components/schemas/basic-error"
VALIDATION_ERROR = "#/components/schemas/validation-error"


class Description:
    """Answers with a list of faults, empty when the body conforms; validators are compiled at first use."""

    def __init__(self) -> None:
        self.rest = load("rest")
        self.webhooks = load("webhooks")
        self._registry = jsonschema_rs.Registry(
            [(REST, self.rest), (WEBHOOKS, self.webhooks)], draft=jsonschema_rs.Draft202012
        )
        self._validators: dict[str, jsonschema_rs.Draft202012Validator] = {}
        self._lock = threading.Lock()

    def operations(self) -> set[str]:
        """Every described operation as "VERB /path"."""
        return {f"{verb.upper()} {path}" for path, verbs in self.rest["paths"].items() for verb in verbs}

    def request_faults(self, operation: str, body: object) -> list[str]:
        """`body` is None when the request had none."""
        described = self._operation(operation).get("requestBody")
        if described is None:
            return []
        if body is None:
            return ["the body is missing"] if described["required"] else []
        where = f"{pointer(operation)}/requestBody/content/application~1json/schema"
        return self._faults(REST, where, body)

    def response_faults(self, operation: str, status: int, body: object) -> list[str]:
        if status >= 400:
            return self._error_faults(body)
        responses = self._operation(operation)["responses"]
        if str(status) not in responses:
            return [f"status {status} is not described"]
        if "application/json" not in responses[str(status)]["content"]:
            return ["a body, where the description has none"] if body is not None else []
        where = f"{pointer(operation)}/responses/{status}/content/application~1json/schema"
        return self._faults(REST, where, body)

    def webhook_faults(self, event: str, body: dict[str, Any]) -> list[str]:
        name = webhook_name(event, body)
        if name not in self.webhooks["webhooks"]:
            return [f"webhook {name} is not in the description"]
        return self._faults(WEBHOOKS, f"#/webhooks/{name}/schema", body)

    def _operation(self, operation: str) -> dict[str, Any]:
        verb, path = operation.split(" ", 1)
        found: dict[str, Any] = self.rest["paths"][path][verb.lower()]
        return found

    def _error_faults(self, body: object) -> list[str]:
        # The schemas require nothing; GitHub always sends these two.
        held = body if isinstance(body, dict) else {}
        missing = [key for key in ("message", "documentation_url") if key not in held]
        shape = VALIDATION_ERROR if "errors" in held else BASIC_ERROR
        return [f"the error lacks {key}" for key in missing] + self._faults(REST, shape, body)

    def _faults(self, document: str, where: str, body: object) -> list[str]:
        validator = self._validator(document + where)
        return [
            f"/{'/'.join(map(str, each.instance_path))}: {each.message[:300]}" for each in validator.iter_errors(body)
        ]

    def _validator(self, reference: str) -> jsonschema_rs.Draft202012Validator:
        with self._lock:
            if reference not in self._validators:
                self._validators[reference] = jsonschema_rs.Draft202012Validator(
                    {"$ref": reference}, registry=self._registry, validate_formats=True
                )
            return self._validators[reference]


def load(name: str) -> dict[str, Any]:
    packed = files("localhub.contract").joinpath(f"{name}.json.gz").read_bytes()
    found: dict[str, Any] = json.loads(gzip.decompress(packed))
    return found


def pointer(operation: str) -> str:
    verb, path = operation.split(" ", 1)
    escaped = path.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")
    return f"#/paths/{escaped}/{verb.lower()}"


def webhook_name(event: str, body: dict[str, Any]) -> str:
    parts = [event, *([body["action"]] if "action" in body else [])]
    return "-".join(parts).replace("_", "-")
