"""Front matter: keys with their lines, and each way in which it can be wrong."""


import pytest

from indexer.readers.errors import FrontMatterError
from indexer.readers.frontmatter import split_front_matter

# nine levels of nine aliases: 387 million items, were they built
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


def test_yaml_values_stay_texts() -> None:
    """Dates, numbers and versions stay as written; only true, false and null are more than text."""
    front, body = split_front_matter(
        "---\ndate: 2024-05-24\nrelease: 2.10\nno: no\ndraft: true\nquoted: 'true'\nnone: ~\ntags: [a, b]\n"
        "deep: {x: {y: 1}}\n---\nText\n"
    )
    assert front.values == {
        "date": "2024-05-24",
        "release": "2.10",
        "no": "no",
        "draft": True,
        "quoted": "true",
        "none": None,
        "tags": ["a", "b"],
        "deep": {"x": {"y": "1"}},
    }
    assert (front.lines["date"], front.lines["tags"], front.height, body) == (2, 8, 10, "Text\n")


def test_toml_values_are_plain() -> None:
    """TOML's dates become ISO texts; numbers and flags are what TOML says."""
    front, body = split_front_matter(
        "+++\ndate = 2024-05-24\nat = 2024-05-24T10:00:00Z\n'draft' = true\nweight = 3\n"
        "[menu]\ndays = [2024-01-01]\n+++\nText"
    )
    assert front.values == {
        "date": "2024-05-24",
        "at": "2024-05-24T10:00:00+00:00",
        "draft": True,
        "weight": 3,
        "menu": {"days": ["2024-01-01"]},
    }
    assert (front.lines["draft"], front.height, body) == (4, 8, "Text")


NONE = {
    "no fence": "Text\n",
    "a rule, then text": "---\nSome words.\n---\nMore.\n",
    "a rule that opens nothing": "---\nSome words and no end.\n",
    "a list between rules": "---\n- item\n---\n",
    "a longer fence": "----\na: b\n----\n",
    "not on the first line": "\n---\na: b\n---\n",
    "only the fence": "---",
}


@pytest.mark.parametrize("text", NONE.values(), ids=NONE.keys())
def test_what_is_no_front_matter_is_text(text: str) -> None:
    """Rules and lists at the head of a page stay in it."""
    front, body = split_front_matter(text)
    assert (front.values, front.height, body) == ({}, 0, text)


@pytest.mark.parametrize("text", ["---\n---\nText", "---\n# only a comment\n---\nText"], ids=["empty", "comment"])
def test_empty_front_matter_is_fine(text: str) -> None:
    """A block without keys declares nothing."""
    front, body = split_front_matter(text)
    assert (front.values, body) == ({}, "Text")


WRONG = [
    ("never ends", "---\ntitle: x\n\nText without an end\n", "opens with --- on line 1 and never ends", 1),
    ("toml never ends", "+++\ntitle = 'x'\n", "opens with +++ on line 1 and never ends", 1),
    ("bad yaml", "---\ntitle: a: b\n---\n", "is no YAML", 2),
    ("tab", "---\na: b\n\tc: d\n---\n", "is no YAML", 3),
    ("unclosed quote", "---\na: 'b\n---\n", "is no YAML", 2),
    ("control character", "---\na: b\x01\n---\n", "is no YAML", 1),
    ("bad toml", "+++\na = 1\nb = \nc = 2\n+++\n", "is no TOML", 3),
    ("python tag", "---\na: !!python/object/apply:os.system [ls]\n---\n", "uses the tag", 2),
    ("own tag", "---\nx: 1\na: !secret b\n---\n", "uses the tag '!secret'", 3),
    ("alias", "---\na: &x 1\nb: *x\n---\n", "uses the alias *x", 3),
    ("merge key", "---\na: &x {b: c}\nd:\n  <<: *x\n---\n", "uses the alias *x", 4),
    ("bomb", f"---\n{BOMB}---\n", "uses the alias *a", 3),
    ("deep", "---\na: " + "[" * 30 + "]" * 30 + "\n---\n", "nested more than 20 levels", 2),
    ("very deep", "---\na: " + "[" * 10_000 + "\n---\n", "maximum nesting depth", 2),
    ("a key twice", "---\ndate: 2024\nx: y\ndate: 2025\n---\n", "key 'date' twice, first on line 2", 4),
    ("a key that is no text", "---\n? [a, b]\n: c\n---\n", "key that is no text", 2),
    ("not a mapping", "---\n[a, b]\n---\n", "holds no keys", 2),
    ("a quoted text", "---\n'just text'\n---\n", "holds no keys", 2),
    ("too long", "---\na: " + "x" * 70_000 + "\n---\n", "70,003 characters, at most 65,536", 1),
]


@pytest.mark.parametrize(("text", "detail", "line"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_wrong_front_matter_is_refused_with_its_line(text: str, detail: str, line: int) -> None:
    """Each fault has its own message, its line and a remedy."""
    with pytest.raises(FrontMatterError) as caught:
        split_front_matter(text)
    assert detail in caught.value.detail
    assert caught.value.line == line
    assert caught.value.remedy
