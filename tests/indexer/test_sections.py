"""How a Markdown text falls into sections: headings, fences, paths, and nothing lost."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.sections import split_sections

CASES = {
    "no heading": ("one\n\ntwo", [((), "one\n\ntwo")]),
    "atx": ("intro\n# A\na\n## B\nb\n# C\nc", [((), "intro"), (("A",), "a"), (("A", "B"), "b"), (("C",), "c")]),
    "closing hashes": ("## A ##\na", [(("A",), "a")]),
    "no space is no heading": ("#tag\n#!/bin/sh", [((), "#tag\n#!/bin/sh")]),
    "seven hashes are none": ("####### A\na", [((), "####### A\na")]),
    "four spaces are code": ("    # A\na", [((), "    # A\na")]),
    "setext": ("A\n===\na\n\nB\n---\nb", [(("A",), "a"), (("A", "B"), "b")]),
    "setext without a blank": ("A\n===\nB\n---\nb\nc\n===\nd", [(("A", "B"), "b\nc\n===\nd")]),
    "overline": ("=====\n A\n=====\na", [(("A",), "a")]),
    "rule is no heading": ("a\nb\n---\nc", [((), "a\nb\n---\nc")]),
    "rule after a blank": ("a\n\n---\n\nb", [((), "a\n\n---\n\nb")]),
    "list over a rule": ("- a\n---\nb", [((), "- a\n---\nb")]),
    "table": ("| a |\n|---|\n| 1 |", [((), "| a |\n|---|\n| 1 |")]),
    "two signs are too few": ("A\n--\na", [((), "A\n--\na")]),
    "fence": ("# A\n```\n# no\n```\n# B\nb", [(("A",), "```\n# no\n```"), (("B",), "b")]),
    "tilde fence in a list": (
        "# A\n- x\n  ~~~\n  # no\n  ~~~\n# B\nb", 
        [(("A",), "- x\n  ~~~\n  # no\n  ~~~"), (("B",), "b")],
    ),
    "longer fence holds a shorter": ("````\n```\n# no\n````\n# A\na", [((), "````\n```\n# no\n````"), (("A",), "a")]),
    "fence with a word does not close": (
        "```\n```py\n# no\n```\n# A\na", 
        [((), "```\n```py\n# no\n```"), (("A",), "a")],
    ),
    "inline code is no fence": ("```x``` y\n# A\na", [((), "```x``` y"), (("A",), "a")]),
    "open fence ends with the text": ("```\n# no", [((), "```\n# no")]),
    "level goes back": ("### A\na\n# B\nb\n### C\nc", [(("A",), "a"), (("B",), "b"), (("B", "C"), "c")]),
    "heading with nothing under it": ("# A\n# B\nb", [(("A",), "A"), (("B",), "b")]),
    "heading over headings": ("# A\n## B\nb", [(("A", "B"), "b")]),
    "anchor, link and code": ("# `a` [b](c \"d\") {#e}\nx", [(("a b",), "x")]),
    "endless heading is text": ("# " + "x" * 301, [((), "# " + "x" * 301)]),
    "empty heading is text": ("#\na", [((), "#\na")]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "sections"), CASES.values(), ids=CASES)
def test_text_falls_into_sections(text, sections):
    """Each section has its heading path and its text."""
    assert [(section.path, section.text) for section in split_sections("", text)] == sections


def test_heading_that_repeats_the_title_is_left_out():
    """A page that opens with its own title has no path of it."""
    sections = split_sections("How  it works", "# how it Works\n\nintro\n\n## Next\nb")
    assert [section.path for section in sections] == [(), ("Next",)]


@pytest.mark.parametrize(("title", "sections"), [("T", 1), ("", 0), ("  ", 0)])
def test_title_alone_is_its_own_text(title, sections):
    """A page of which only the title stands can be found by it; nothing at all has no section."""
    assert len(split_sections(title, " \n ")) == sections


LINES = st.sampled_from(
    ["# A", "## B", "text one", "text two.", "", "", "===", "---", "```", "~~~~", "    code", "- item", "| t |", "A"]
)


@given(st.lists(LINES, max_size=30))
def test_no_line_of_text_is_lost(lines):
    """What is no mark of a heading stands in one section, in order."""
    text = "\n".join(lines)
    sections = split_sections("", text)
    kept = [word for section in sections for word in re.findall(r"text|item|code|t \|", section.text)]
    assert kept == re.findall(r"text|item|code|t \|", "\n".join(x for x in lines))
    assert all(section.text.strip() for section in sections)
    assert split_sections("", text) == sections
