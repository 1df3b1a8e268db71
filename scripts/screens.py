"""Draws what Regreen writes on GitHub, as GitHub shows it: Markdown with GitHub's own style, in Chromium, to PNG.

    make screens          needs npm and its default registry, and a Chromium (scripts/browser.sh)

Every text comes from bot/wording.py, made from docs/screens/evidence.json: the record of a real repair. The frames
around the texts are drawn here, after GitHub's.
"""

from __future__ import annotations

import dataclasses
import html
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from npm_package import Package
from playwright.sync_api import Page, sync_playwright

from bot import answers, wording
from bot.jobs import decode
from bot.nouns import Evidence, Outcome, Publication, SearchStats, TestChange

TARGET = Path(__file__).parent.parent / "docs" / "screens"
STYLE = Package(
    "github-markdown-css",
    "5.9.0",
    "tmT5sY+zvg2302XLYEfH2mtkViIM1SWf2nvYoF5N1ZsO0V6B2qZTiw3GOzw4vpjLygK/KG35qRlPFweHqfzz5w==",
)
WIDTH = 880

_FRAME = """
body { margin: 0; padding: 16px; background: #fff; color: #1f2328; font: 14px/1.5 "Noto Sans", sans-serif }
.box { border: 1px solid #d1d9e0; border-radius: 6px; overflow: hidden }
.head { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; padding: 8px 16px; color: #59636e }
.head b { color: #1f2328 }
.bot { border: 1px solid #d1d9e0; border-radius: 2em; padding: 0 6px; font-size: 12px; margin-left: 4px }
.markdown-body { padding: 16px; font-size: 14px }
h1.title { font-size: 26px; font-weight: 400; margin: 0 0 8px }
h1.title span { color: #59636e }
.state { display: inline-block; border-radius: 2em; padding: 4px 12px; color: #fff; background: #1a7f37 }
.state { margin-bottom: 16px }
.check { padding: 16px; border-bottom: 1px solid #d1d9e0; font-size: 20px; font-weight: 600 }
.dot { display: inline-block; width: 16px; height: 16px; border-radius: 50%; vertical-align: -1px; margin-right: 8px }
.success { background: #1a7f37 }
.neutral { background: #59636e }
.button { float: right; font-size: 14px; font-weight: 500; background: #f6f8fa }
.button { border: 1px solid #d1d9e0; border-radius: 6px; padding: 3px 12px }
"""


@dataclass(frozen=True)
class Screen:
    """One picture: what it shows, the Markdown in it, and the frame around that."""

    name: str
    about: str
    markdown: str
    frame: Callable[[str], str]


def screens(evidence: Evidence) -> list[Screen]:
    """Every kind of page that a maintainer meets."""
    return [
        Screen("pull-request", "A verified fix", body(evidence), pull_frame(wording.pull_title(evidence))),
        Screen("check-run", "The check run of a fix", *check(evidence, OPENED)),
        Screen("comment", "The comment after `/regreen fix`", commented(evidence, OPENED), comment_frame),
        Screen("fork", "Where nothing can be pushed or suggested", commented(evidence, PATCH_ONLY), comment_frame),
        Screen("refusal", "A project that cannot be set up", commented(refusal(evidence)), comment_frame),
        Screen("abstention", "Several repairs that pass, and no way to choose", *check(abstention(evidence))),
        Screen("base-broken", "The base is broken as well", *check(outcome(evidence, Outcome.BASE_BROKEN))),
        Screen("flaky", "A test that is red once and green once", *check(outcome(evidence, Outcome.FLAKY))),
        Screen("budget", "The budget is spent", *check(budget(evidence))),
        Screen("help", "The answer to a command that there is not", answers.help_text("fxi"), comment_frame),
    ]


OPENED = Publication("opened", number=7, url="https://github.com/ada/shop/pull/7")
PATCH_ONLY = Publication("patch-only", why="Nothing can be pushed to a fork, and the fix lies outside of its diff.")


def body(evidence: Evidence) -> str:
    return wording.pull_body(evidence, marker="<!-- regreen:job=1 -->", about="For #5.")


def commented(evidence: Evidence, published: Publication | None = None) -> str:
    return wording.comment(evidence, marker="<!-- regreen:sticky -->", published=published)


def check(evidence: Evidence, published: Publication | None = None) -> tuple[str, Callable[[str], str]]:
    return wording.check_summary(evidence, published), check_frame(evidence, published)


def outcome(evidence: Evidence, reached: Outcome, message: str = "") -> Evidence:
    return dataclasses.replace(evidence, outcome=str(reached), message=message or wording.sentence(reached))


def refusal(evidence: Evidence) -> Evidence:
    message = (
        "The dependencies cannot be installed: the step 'install the requirements' failed. Correct the requirement "
        "that it names, or make the package reachable from this machine. Its last words:\n"
        "error: No solution found when resolving dependencies\n"
        "  cause: Because colour-mapp was not found in the package registry and you require colour-mapp==1.2,\n"
        "  we can conclude that your requirements are unsatisfiable."
    )
    return outcome(evidence, Outcome.CANNOT_SET_UP, message)


def abstention(evidence: Evidence) -> Evidence:
    stats = SearchStats(
        tried=1480, seconds=3, places=("shop/pricing.py:6", "shop/pricing.py:11"),
        doubt="2 changes pass all tests and answer differently: `apply_discount(3, 34)` gives 1.98 or 2",
    )  # fmt: skip
    red = TestChange(evidence.tests[0].id, "failed", "", "AssertionError: assert 17 == 16.99")
    known = dataclasses.replace(evidence, tests=(red,))
    return outcome(known, Outcome.GAVE_UP, wording.gave_up({"search": stats}, []))


def budget(evidence: Evidence) -> Evidence:
    stats = SearchStats(tried=12, seconds=212, places=("shop/pricing.py:6",), best="2 of 3 red tests turn green")
    message = wording.gave_up({"agent": stats}, [], limit="$3.00 of $3.00 are spent.")
    return outcome(evidence, Outcome.OVER_BUDGET, message)


def pull_frame(title: str) -> Callable[[str], str]:
    def frame(inner: str) -> str:
        top = f'<h1 class="title">{html.escape(title)} <span>#7</span></h1><div class="state">Open</div>'
        return top + box("opened this pull request", inner)

    return frame


def comment_frame(inner: str) -> str:
    return box("commented", inner)


def box(did: str, inner: str) -> str:
    head = f'<div class="head"><b>regreen</b><span class="bot">bot</span> {did}</div>'
    return f'<div class="box">{head}<article class="markdown-body">{inner}</article></div>'


def check_frame(evidence: Evidence, published: Publication | None) -> Callable[[str], str]:
    fixed = evidence.outcome == Outcome.FIXED
    title, dot = wording.check_title(evidence, published), "success" if fixed else "neutral"
    offered = wording.buttons(Outcome(evidence.outcome))
    buttons = "".join(f'<span class="button">{html.escape(each["label"])}</span>' for each in offered)

    def frame(inner: str) -> str:
        head = (
            f'<div class="head"><b>regreen</b> &nbsp;·&nbsp; check run on <code>{evidence.head_sha[:7]}</code></div>'
        )
        top = f'<div class="check">{buttons}<span class="dot {dot}"></span>{html.escape(title)}</div>'
        return f'<div class="box">{head}{top}<article class="markdown-body">{inner}</article></div>'

    return frame


def rendered(markdown: str) -> str:
    """The Markdown as GitHub shows it: tables, folded sections open, diffs in colour, numbers of issues as links."""
    page = MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown)
    page = page.replace("<details>", "<details open>")
    page = re.sub(r'(<code class="language-diff">)(.*?)(</code>)', _coloured, page, flags=re.DOTALL)
    page = re.sub(r"(?<![&\w])#(\d+)(?!;)", r'<a href="#">#\1</a>', page)
    return re.sub(r"(?<![\"\w])(https://github\.com/[\w/-]+)", r'<a href="#">\1</a>', page)


def _coloured(found: re.Match[str]) -> str:
    kinds = {"+": "pl-mi1", "-": "pl-md"}
    lines = [
        f'<span class="{kinds[line[0]]}">{line}</span>' if line[:1] in kinds else line
        for line in found[2].split("\n")
    ]
    return found[1] + "\n".join(lines) + found[3]


def document(screen: Screen, style: str) -> str:
    """The whole page of one screen."""
    inner = screen.frame(rendered(screen.markdown))
    return f'<!DOCTYPE html><meta charset="utf-8"><style>{style}{_FRAME}</style><body>{inner}</body>'


def read_evidence() -> Evidence:
    """The record of the repair that all texts are made from."""
    return decode(Evidence, json.loads((TARGET / "evidence.json").read_text(encoding="utf-8")))


def draw(page: Page, screen: Screen, style: str) -> None:
    page.set_content(document(screen, style))
    (TARGET / f"{screen.name}.png").write_bytes(page.screenshot(full_page=True))


def main() -> None:
    with STYLE.opened() as held:
        style = held.read("github-markdown-light.css").decode()
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 200})
        for screen in screens(read_evidence()):
            draw(page, screen, style)
            print(f"docs/screens/{screen.name}.png: {(TARGET / f'{screen.name}.png').stat().st_size // 1024} kB")
        browser.close()


if __name__ == "__main__":
    main()
