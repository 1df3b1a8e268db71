"""Layer S: protected paths and the shape of a patch, by tables."""

from __future__ import annotations

import pytest
from factories import FIXED, SHOP, files, patch

from bot.gate.layer import Options
from bot.gate.layers import structure
from bot.gate.protected import why_protected
from bot.nouns import Patch
from sandbox import File

TREE = files(
    {**SHOP, "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n[tool.pytest.ini_options]\naddopts = "-q"\n'}
)


def codes(change: Patch, tree: dict[str, File] = TREE, **more: object) -> set[str]:
    return {reason.code for reason in structure.shape(change, tree, **more)}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("tests/test_pricing.py", "test-changed"),
        ("Tests/Test_Pricing.PY", "test-changed"),
        ("shop/pricing_test.py", "test-changed"),
        ("shop/tests/data/case.json", "test-changed"),
        ("web/cart.spec.ts", "test-changed"),
        ("conftest.py", "conftest-changed"),
        ("shop/deep/conftest.py", "conftest-changed"),
        ("pytest.ini", "test-config-changed"),
        (".pytest.ini", "test-config-changed"),
        ("pytest.toml", "test-config-changed"),
        (".pytest.toml", "test-config-changed"),
        ("tox.ini", "test-config-changed"),
        ("noxfile.py", "test-config-changed"),
        (".coveragerc", "test-config-changed"),
        (".coverage", "test-config-changed"),
        ("run_tests.sh", "ci-changed"),
        (".ci/run", "ci-changed"),
        (".env", "test-config-changed"),
        (".github/workflows/ci.yml", "ci-changed"),
        (".GitHub/workflows/ci.yml", "ci-changed"),
        (".gitlab-ci.yml", "ci-changed"),
        ("Makefile", "ci-changed"),
        ("Dockerfile", "ci-changed"),
        ("requirements.txt", "dependency-changed"),
        ("requirements/dev.in", "dependency-changed"),
        ("poetry.lock", "dependency-changed"),
        ("setup.py", "dependency-changed"),
        ("sitecustomize.py", "startup-changed"),
        ("usercustomize.py", "startup-changed"),
        ("shop/x.pth", "startup-changed"),
        ("shop/__pycache__/pricing.cpython-311.pyc", "startup-changed"),
        ("shop.egg-info/entry_points.txt", "startup-changed"),
        ("shop/_speed.so", "startup-changed"),
        (".gitattributes", "repository-file-changed"),
        (".git/hooks/post-commit", "repository-file-changed"),
        (".gitmodules", "repository-file-changed"),
    ],
)  # fmt: skip
def test_protected_path_has_its_code(path: str, code: str) -> None:
    assert why_protected(path) == code


@pytest.mark.parametrize(
    "path",
    ["shop/pricing.py", "src/shop/latest.py", "contest.py", "shop/attest.py", "README.md", "shop/testimony.py",
     "shop/requirement.py", "shop/environment.py", "docs/index.rst", "protest/march.py", "shop/specification.py"],
)  # fmt: skip
def test_product_file_is_free(path: str) -> None:
    assert why_protected(path) is None


def test_file_in_which_tests_were_collected_is_protected_whatever_its_name() -> None:
    assert why_protected("checks/prices.py", {"checks/prices.py"}) == "test-changed"


def test_right_fix_has_nothing_against_it() -> None:
    assert codes(patch({"shop/pricing.py": FIXED})) == set()


PYPROJECT = TREE["pyproject.toml"].data.decode()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (PYPROJECT.replace('"-q"', '"-q -k nothing"'), "test-config-changed"),
        (PYPROJECT + "[tool.coverage.run]\nbranch = true\n", "project-config-changed"),
        (PYPROJECT.replace("[tool", 'dependencies = ["x"]\n[tool'), "project-config-changed"),
        (PYPROJECT + '[project.entry-points.pytest11]\nx = "shop.x"\n', "project-config-changed"),
        (PYPROJECT + '[build-system]\nrequires = ["evil"]\n', "project-config-changed"),
        (PYPROJECT + "not toml", "project-config-changed"),
    ],
    ids=["addopts", "coverage", "dependencies", "plugin", "build system", "broken"],
)
def test_pyproject_tables_that_steer_tests_or_installation_are_protected(text: str, code: str) -> None:
    found = codes(patch({"pyproject.toml": text}))
    assert found & {"test-config-changed", "project-config-changed"}
    assert code in found or "test-config-changed" in found


def test_pyproject_with_only_a_new_version_is_free() -> None:
    assert codes(patch({"pyproject.toml": PYPROJECT.replace('"1"', '"1.1"')})) == set()


def test_setup_cfg_pytest_section_is_protected_and_metadata_is_free() -> None:
    tree = files({"setup.cfg": "[metadata]\nversion = 1\n[tool:pytest]\naddopts = -q\n"})
    assert codes(patch({"setup.cfg": "[metadata]\nversion = 2\n[tool:pytest]\naddopts = -q\n"}), tree) == set()
    assert codes(patch({"setup.cfg": "[metadata]\nversion = 1\n"}), tree) == {"test-config-changed"}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (Patch({}), "empty-patch"),
        (patch({"shop/pricing.py": SHOP["shop/pricing.py"]}), "empty-patch"),
        (patch({"shop/pricing.py": None}), "file-deleted"),
        (Patch({"shop/pricing.py": b"\xff"}), "binary"),
        (Patch({"shop/pricing.py": b"x = 1\0"}), "binary"),
        (patch({"shop/pricing.py": "x = '\u202e'\n"}), "invisible-characters"),
        (patch({"shop/pricing.py": "x\u200b = 1\n"}), "invisible-characters"),
        (patch({"shop/../x.py": "1"}), "odd-path"),
        (patch({"/etc/x.py": "1"}), "odd-path"),
        (patch({"SHOP/pricing.py": "1"}), "odd-path"),
        (patch({"shop/pricing.py/more.py": "1"}), "odd-path"),
        (patch({"shop": "1"}), "odd-path"),
        (patch({"new/a": "1", "new/a/b.py": "1"}), "odd-path"),
        (patch({"shop/a\nb.py": "1"}), "odd-path"),
        (Patch({"shop/pricing.py": FIXED.encode()}, {"shop/pricing.py": "100755"}), "mode-changed"),
        (Patch({"shop/l": b"/etc/passwd"}, {"shop/l": "120000"}), "mode-changed"),
        (Patch({"lib": b""}, {"lib": "160000"}), "mode-changed"),
        (patch({f"shop/m{n}.py": "x\n" for n in range(11)}), "too-large"),
        (patch({"shop/pricing.py": "x = 1\n" * 500}), "too-large"),
        (patch({"decimal.py": "x = 1\n"}), "shadows-module"),
        (patch({"pytest.py": "x = 1\n"}), "shadows-module"),
        (patch({"src/statistics/__init__.py": "x = 1\n"}), "shadows-module"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_odd_patch_has_its_code(change: Patch, code: str) -> None:
    assert code in codes(change)


def test_new_module_that_shadows_an_installed_package_is_refused() -> None:
    assert codes(patch({"freezegun.py": "x = 1\n"}), installed={"freezegun"}) == {"shadows-module"}


def test_new_module_beside_tests_or_on_the_configured_path_may_not_shadow_either() -> None:
    beside = files({"shop/pricing.py": "", "shop/test_pricing.py": ""})
    found = codes(patch({"shop/decimal.py": "x = 1\n"}), beside, test_files={"shop/test_pricing.py"})
    assert found == {"shadows-module"}
    configured = files({"pytest.ini": "[pytest]\npythonpath = . code\n", "code/shop.py": ""})
    assert codes(patch({"code/decimal.py": "x = 1\n"}), configured) == {"shadows-module"}
    helped = files({"tests/helpers.py": "", "tests/test_a.py": "", "shop.py": ""})
    assert codes(patch({"helpers.py": "x = 1\n"}), helped, test_files={"tests/test_a.py"}) == {"shadows-module"}


def test_policy_adds_protected_files_and_sets_the_limits() -> None:
    options = Options(protected=("shop/vendored/*",), max_files=1, max_changed_lines=2)
    assert codes(patch({"shop/vendored/x.py": "x\n"}), options=options) == {"protected-by-policy"}
    assert codes(patch({"a.py": "x\n", "b.py": "x\n"}), options=options) == {"too-large"}
    assert codes(patch({"a.py": "x\n" * 3}), options=options) == {"too-large"}


def test_policy_that_allows_dependency_edits_still_asks_for_a_person() -> None:
    more = PYPROJECT.replace("[tool", 'dependencies = ["x"]\n[tool')
    for change in (patch({"requirements.txt": "x\n"}), patch({"pyproject.toml": more})):
        found = structure.shape(change, TREE, options=Options(dependencies=True))
        assert [reason.hard for reason in found] == [False]


def test_new_module_in_the_projects_own_package_is_free() -> None:
    assert codes(patch({"shop/decimal.py": "x = 1\n"})) == set()


def test_editing_a_link_is_refused() -> None:
    tree = {**TREE, "way.py": File(b"shop/pricing.py", link=True)}
    assert "mode-changed" in codes(patch({"way.py": "x = 1\n"}), tree)
