"""Markdown, reST, HTML and text: the same page in each gives the same title, sections and dates."""

import pytest

from indexer.readers import ReaderOptions, ReadError, is_document, read_file
from indexer.readers.page import Page
from indexer.sections import split_sections

OPTIONS = ReaderOptions()


def read(text: str, path: str) -> Page:
    """Read a text as the file of that name; it is one page."""
    (page,) = read_file(text.encode(), path, OPTIONS)
    return page


def sections(page: Page) -> list[tuple[tuple[str, ...], str]]:
    """Return heading path, with the title, and text of each section."""
    return [((page.title, *section.path), section.text) for section in split_sections(page.title, page.text)]


SAME = {
    "page.md": "# Title\n\nIntro.\n\n## Sub\n\nBody.\n",
    "setext.md": "Title\n=====\n\nIntro.\n\nSub\n---\n\nBody.\n",
    "page.html": "<h1>Title</h1><p>Intro.</p><h2>Sub</h2><p>Body.</p>",
    "page.rst": "Title\n=====\n\nIntro.\n\nSub\n---\n\nBody.\n",
    "over.rst": "*****\nTitle\n*****\n\nIntro.\n\nSub\n~~~\n\nBody.\n",
    "page.txt": "Title\n=====\n\nIntro.\n\nSub\n---\n\nBody.\n",
    "crlf.md": "# Title\r\n\r\nIntro.\r\n\r\n## Sub\r\n\r\nBody.\r\n",
    "closed.md": "# Title #\n\nIntro.\n\n## Sub ##\n\nBody.\n",
    "declared.md": "---\ntitle: Title\n---\nIntro.\n\n## Sub\n\nBody.\n",
    "both.md": "---\ntitle: Title\n---\n# Title\n\nIntro.\n\n## Sub\n\nBody.\n",
    "comment.md": "<!-- generated\n# no\n-->\n# Title\n\nIntro.\n\n## Sub\n\nBody.\n",
}


@pytest.mark.parametrize(("path", "text"), SAME.items(), ids=SAME.keys())
def test_formats_give_the_same_sections(path: str, text: str) -> None:
    """Title and headings are found in every format, and the text is the same."""
    assert sections(read(text, path)) == [(("Title",), "Intro."), (("Title", "Sub"), "Body.")]


CODE = {
    "fence.md": "# T\n\n```sh\n# no heading\n```\n\nEnd.\n",
    "page.rst": "T\n=\n\n.. code-block:: sh\n\n    # no heading\n\nEnd.\n",
    "literal.rst": "T\n=\n\nRun::\n\n    # no heading\n\nEnd.\n",
    "page.html": "<h1>T</h1><pre># no heading</pre><p>End.</p>",
    "page.txt": "T\n\n# no heading\n\nEnd.\n",
    "hash.html": "<h1>T</h1><p># no heading</p><p>End.</p>",
    "hash.rst": "T\n=\n\n# no heading\n\nEnd.\n",
}


@pytest.mark.parametrize(("path", "text"), CODE.items(), ids=CODE.keys())
def test_code_and_plain_words_are_no_headings(path: str, text: str) -> None:
    """A hash in code, or in a format without hash headings, opens no section."""
    found = sections(read(text, path))
    assert [path for path, _ in found] == [("T",)]
    assert "# no heading" in found[0][1]


TITLES = [
    ("two of the first level", "a.md", "# One\n\nx\n\n# Two\n\ny\n", ""),
    ("text above the heading", "a.md", "Hello.\n\n# One\n", ""),
    ("front matter rules", "a.md", "---\ntitle: Other\n---\n# One\n\nx", "Other"),
    ("link in the heading", "a.md", "# [One](http://x.example) `two` {#anchor}\n", "One two"),
    ("title that is no text", "a.md", "---\ntitle: [a]\n---\n# One\n", "One"),
    ("head of the page", "a.html", "<title>Site | One</title><p>x</p>", "Site | One"),
    ("og:title", "a.html", "<title>Site</title><meta property=og:title content='One'><p>x</p>", "One"),
    ("h1 rules", "a.html", "<title>Site</title><h1>One <a class=headerlink href=#>¶</a></h1>", "One"),
    ("two h1", "a.html", "<title>Site</title><h1>One</h1><h1>Two</h1>", "Site"),
    ("field", "a.rst", ":title: One\n\nx\n", "One"),
    ("first line", "a.txt", "One\n\nBody text.\n", "One"),
    ("first sentence", "a.txt", "This is a sentence.\n\nBody.\n", ""),
    ("no blank line", "a.txt", "One\ntwo\n", ""),
]


@pytest.mark.parametrize(("path", "text", "title"), [row[1:] for row in TITLES], ids=[row[0] for row in TITLES])
def test_title_is_the_one_a_reader_sees(path: str, text: str, title: str) -> None:
    """A page has the title it declares, else its one heading of the first level, else none."""
    assert read(text, path).title == title


def test_rst_keeps_what_is_said_and_drops_markup() -> None:
    """Fields become metadata; roles, targets, options and build directives leave only their words."""
    page = read(
        ".. _top:\n\n======\nLimits\n======\n\n:Date: 2024-03-01\n:Status: final\n  text\n:orphan:\n\n"
        "See :setting:`DEBUG`, :doc:`the guide </guide>`, `docs <http://x.example>`_, ``x = 1`` and Foo_.\n\n"
        ".. toctree::\n   :maxdepth: 2\n\n   a\n\n.. note:: Careful.\n\n   More care.\n\n"
        ".. versionadded:: 2.1\n   Was there.\n\n.. image:: x.png\n   :alt: y\n\n.. a comment\n   of two lines\n\n"
        ".. [1] A footnote.\n\n.. unknown:: arg\n   :option: x\n\n   Kept.\n\n-----\n\nEnd.\n",
        "limits.rst",
    )
    assert page.metadata == {"Date": "2024-03-01", "Status": "final text", "orphan": True}
    assert page.lines == {"Date": 7, "Status": 8, "orphan": 10}
    assert page.title == "Limits"
    assert page.text.split("\n\n") == [
        "See `DEBUG`, the guide, [docs](http://x.example), `x = 1` and Foo.",
        "Note: Careful.",
        "More care.",
        "New in version 2.1:",
        "Was there.",
        "[1] A footnote.",
        "arg",
        "Kept.",
        "End.",
    ]


def test_html_reads_the_main_part_and_leaves_out_what_stands_around() -> None:
    """Menus, foot, scripts and hidden parts are no text; lists, tables and breaks keep their lines."""
    page = read(
        "<body><header>Site</header><nav>Menu</nav><main><h1>Leave</h1><p>You <b>get</b><br>16 weeks.</p>"
        "<ul><li>one</li><li><p>two</p></li></ul><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr>"
        "</table><script>no()</script><div hidden>no</div><p aria-hidden=true>no</p></main>"
        "<footer>Foot</footer></body>",
        "leave.html",
    )
    assert page.text.split("\n\n") == ["You get", "16 weeks.", "- one\n- two", "a | b", "1 | 2"]


def test_html_metadata_declares_dates() -> None:
    """Meta elements, JSON-LD, microdata, time elements and labelled lines are found; other things' dates are not."""
    page = read(
        "<head><meta property=article:modified_time content='2024-03-01T10:00:00+01:00'>"
        "<meta name=series content=leave><meta name=viewport content=x><link rel=canonical href=https://x.example/l>"
        '<script type="application/ld+json">{"@graph": [{"@type": "Article", "datePublished": "2023-01-05"},'
        '{"@type": "Comment", "datePublished": "2025-01-01"}]}</script>'
        '<script type="application/ld+json">not json</script></head>'
        "<p>Text from <time datetime=2019-01-01>2019</time></p><time itemprop=dateModified datetime=2024-02-02>x</time>"
        "<p>Effective: <time datetime=2024-07-01>next July</time></p><footer>Last reviewed: 5 May 2024</footer>",
        "leave.html",
    )
    assert page.metadata == {"series": "leave", "url": "https://x.example/l"}
    assert [(date.key, date.value, date.source) for date in page.dates] == [
        ("last_updated", "2024-03-01T10:00:00+01:00", "markup"),
        ("last_updated", "2024-02-02", "markup"),
        ("published", "2023-01-05", "markup"),
        ("effective", "2024-07-01", "label"),
        ("last_reviewed", "2024-05-05", "label"),
    ]


def test_labels_are_found_with_their_lines() -> None:
    """A labelled line tells where it stands in the file, front matter counted; code is not looked at."""
    page = read("---\na: b\n---\n# T\n\nUpdated: 2024-01-02\n\n```\nUpdated: 2025-01-01\n```\n", "a.md")
    assert [(date.value, date.line) for date in page.dates] == [("2024-01-02", 6)]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.md", True),
        ("a.MD", True),
        ("docs/a.rst", True),
        ("a.htm", True),
        ("README", True),
        ("Changelog", True),
        ("a.png", False),
        ("a.py", False),
        ("LICENSE", False),
        ("a.md.bak", False),
        (".md", False),
    ],
)
def test_names_tell_documents(path: str, expected: bool) -> None:
    """Extensions, and a few names without one, are documents."""
    assert is_document(path) is expected


def test_a_file_of_another_kind_is_refused() -> None:
    """Whoever asks for a file that is none gets a message."""
    with pytest.raises(ReadError, match="must be Markdown, reST, HTML or text"):
        read_file(b"x", "a.png", OPTIONS)


DEEP = {
    "page.html": "<div>" * 10_000 + "deep" + "</div>" * 10_000,
    "quote.md": ">" * 10_000 + " deep\n",
    "list.md": "".join(f"{'  ' * n}- deep\n" for n in range(300)),
    "note.rst": "".join(f"{'   ' * n}.. note::\n\n" for n in range(300)) + "   " * 300 + "deep\n",
    "headings.md": "".join("#" * (n % 6 + 1) + f" h{n}\n\ndeep\n\n" for n in range(5_000)),
    "brackets.md": "[" * 10_000 + "deep" + "]" * 10_000,
    "ld.html": '<script type="application/ld+json">' + "[" * 10_000 + "</script><p>deep",
}


@pytest.mark.parametrize(("path", "text"), DEEP.items(), ids=DEEP.keys())
def test_deep_nesting_is_read(path: str, text: str) -> None:
    """Nesting of any depth is read without recursion, and in time."""
    assert "deep" in read(text, path).text
