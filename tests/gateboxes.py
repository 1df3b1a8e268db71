"""The gate's boxes over a real sandbox, and cases with a real baseline: what the tests of the gate share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from factories import files, patch

from bot.gate import judge as gate
from bot.gate.baseline import compare
from bot.gate.layer import Case, Options
from bot.nouns import Verdict
from bot.toolchains import python
from bot.work import GateBoxes
from sandbox import Command, Files, Image, Limits, Ran, Recipe
from sandbox.bubblewrap import BubblewrapSandbox

SECONDS = 900.0


class CountedBoxes(GateBoxes):
    """Boxes of the bubblewrap backend that count what was run in them."""

    def __init__(self, image: Image, tree: Files, args: Sequence[str] = (), seconds: float = SECONDS) -> None:
        self.ran: list[Ran] = []
        self.limits = Limits(timeout_s=seconds)
        self.sandbox, self.image = BubblewrapSandbox(), image
        super().__init__(python.launch(tree, args), self._count)

    def _count(self, command: Command) -> Ran:
        self.ran.append(self.sandbox.verify_fresh(self.image, command, self.limits))
        return self.ran[-1]


def image(requirements: str = "") -> Image:
    """The dependency image of a project that asks for `requirements`."""
    tree = files({"a.py": "", "requirements.txt": requirements} if requirements else {"a.py": ""})
    recipe, _ = python.recipe(tree)
    return BubblewrapSandbox().prepare(Recipe(recipe.files, recipe.steps))


def case_of(
    boxes: CountedBoxes, tree: Mapping[str, str | bytes], change: Mapping[str, str | None], **more: object
) -> Case:
    """The case of a patch to a tree, with the baseline of two real runs."""
    laid_out = files(tree)
    runs = []
    for _ in range(2):
        ran, run = boxes.suite(laid_out)
        assert run is not None, ran.output.decode()
        runs.append(run)
    return Case(laid_out, patch(change), compare(*runs), **more)  # type: ignore[arg-type]


def judged(
    image: Image,
    tree: Mapping[str, str | bytes],
    change: Mapping[str, str | None],
    options: Options | None = None,
    args: Sequence[str] = (),
) -> Verdict:
    """The whole gate on one patch, in real boxes."""
    boxes = CountedBoxes(image, files(tree), args)
    return gate.judge(case_of(boxes, tree, change), boxes, options)
