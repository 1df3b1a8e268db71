"""docs/gate.md explains every reason that the gate can give, each reason has a test, and the picture has every layer."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path

import pytest

from bot.gate import judge

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "docs" / "gate.md").read_text("utf-8")
DOCUMENTED = set(re.findall(r"^\| `([a-z-]+)`", GUIDE, re.MULTILINE)) | {"cannot-judge"}
CODE = re.compile(r"^[a-z]+(-[a-z]+)*$")


def given() -> set[str]:
    """Codes of reasons, read from the gate's source: arguments of Reason, parts of facts, keys and values of tables."""
    found: set[str] = set()
    for path in sorted((ROOT / "bot" / "gate").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Reason", "_reason"):
                found |= {part.value for part in node.args[:2] if isinstance(part, ast.Constant)}
            if isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
                found |= {part.value for part in node.value.elts[:1] if isinstance(part, ast.Constant)}
    return {code for code in found if isinstance(code, str) and CODE.match(code)} - {
        layer.LAYER for layer in judge.LAYERS
    }


@pytest.mark.parametrize("code", sorted(given()))
def test_reason_stands_in_the_guide(code: str) -> None:
    assert code in DOCUMENTED


@pytest.mark.parametrize("code", sorted(DOCUMENTED))
def test_reason_of_the_guide_can_be_given_and_has_a_test(code: str) -> None:
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "bot").rglob("*.py"))
    tests = "".join(
        path.read_text("utf-8") for path in (ROOT / "tests").glob("test_*.py") if path.name != Path(__file__).name
    )
    assert f'"{code}"' in sources
    assert f'"{code}"' in tests


def test_every_layer_has_its_section_and_its_row_in_the_picture() -> None:
    names = [layer.LAYER for layer in judge.LAYERS]
    assert re.findall(r"^## (\w+): ", GUIDE, re.MULTILINE) == names
    rows = runpy.run_path(str(ROOT / "scripts" / "draw_gate.py"))["ROWS"]
    assert [row.name for row in rows] == names
