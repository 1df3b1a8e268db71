import pytest

from quill import to_html


@pytest.fixture
def html():
    """HTML in one line, without the line ends between blocks."""
    return lambda source, **options: to_html(source, **options).replace(">\n", ">")


@pytest.fixture
def inline(html):
    """HTML of a single paragraph, without its tags."""
    return lambda source: html(source).removeprefix("<p>").removesuffix("</p>")
