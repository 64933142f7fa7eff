"""How sections become passages: bounded, split where it hurts least, nothing lost, ids that last."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexer.chunking import Chunk, chunk, count_tokens, passage_id, slugify, split_text
from indexer.sections import split_sections
from mappings.document import Section

LIMIT = 40


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0), ("two words", 2), ("a-b, (c)", 7), ("x" * 33, 3), ("-" * 17, 2),
        ("東京に雪", 4), ("한국어 글", 4), ("naïve café", 2),
    ],
)  # fmt: skip
def test_tokens_are_counted_as_written(text, tokens):
    """A run of 16 letters, a run of 16 signs, or one character of an unspaced script."""
    assert count_tokens(text) == tokens


def words(count: int, first: int = 0) -> str:
    return " ".join(f"w{i}" for i in range(first, first + count))


CASES = {
    "fits": ("a b c", ["a b c"]),
    "a fifth over fits": (words(48), [words(48)]),
    "two paragraphs that fit": (f"{words(20)}\n\n{words(15)}", [f"{words(20)}\n\n{words(15)}"]),
    "paragraphs are packed": (
        f"{words(30)}\n\n{words(20)}\n\n{words(15)}",
        [words(30), f"{words(20)}\n\n{words(15)}"],
    ),
    "a remnant may make it a fifth too long": (
        f"{words(39)}\n\n{words(38)}\n\nthe end",
        [words(39), f"{words(38)}\n\nthe end"],
    ),
    "sentences": (
        f"{words(25)}. {words(20).capitalize()}. {words(12).capitalize()}.",
        [f"{words(25)}.", f"{words(20).capitalize()}. {words(12).capitalize()}."],
    ),
    "list items": (f"- {words(30)}\n- {words(25)}", [f"- {words(30)}", f"- {words(25)}"]),
    "words": (words(100), [words(40), words(40, 40), words(20, 80)]),
    "code stays together": (
        f"{words(25)}\n\n```\n{words(10)}\n\n{words(14)}\n```",
        [words(25), f"```\n{words(10)}\n\n{words(14)}\n```"],
    ),
    "long code at lines": (
        "```\n" + "\n".join(words(15, 15 * i) for i in range(4)) + "\n```",
        ["```\n" + words(15) + "\n" + words(15, 15), words(15, 30) + "\n" + words(15, 45) + "\n```"],
    ),
    "white space alone": (" \n " * 100, []),
    "one endless word": ("x" * 16 * 100, ["x" * 640, "x" * 640, "x" * 320]),
}


@pytest.mark.parametrize(("text", "pieces"), CASES.values(), ids=CASES)
def test_text_is_split_at_paragraphs_then_sentences_then_words(text, pieces):
    """The pieces are as large as the bound allows, and cut where it hurts least."""
    assert split_text(text, limit=LIMIT) == pieces


TEXTS = st.lists(
    st.sampled_from(
        ["word ", "Sentence. ", "x" * 50, "\n", "\n\n", "```\n", "- item\n", "| a | b |\n", "東京", "?!", "  "]
    ),
    max_size=200,
).map("".join)


@given(TEXTS)
@example("```\n" * 200)
@example(" \n\n \n" + "a " * 100 + " ")
def test_no_text_is_lost_and_no_piece_is_too_long(text):
    """The pieces, joined, are the text up to white space; each is within the bound; again gives the same."""
    pieces = split_text(text, limit=LIMIT)
    assert squeezed("".join(pieces)) == squeezed(text)
    assert all(0 < count_tokens(piece) <= LIMIT * 1.2 for piece in pieces if squeezed(piece))
    assert split_text(text, limit=LIMIT) == pieces


@given(TEXTS, TEXTS)
def test_edit_at_the_end_changes_no_passage_before_it(text, more):
    """Packing goes from the front: all passages but the last two are those of before."""
    before, after = split_text(text, limit=LIMIT), split_text(f"{text}\n\n{more}", limit=LIMIT)
    if "```" not in text:
        assert after[: max(0, len(before) - 2)] == before[: max(0, len(before) - 2)]


@pytest.mark.parametrize("unit", ["\n", "# a\n", "```\n", ". ", "- a\n", "| a |", "\n\f", "#", "[a](", "x", "a\u00a0"])
def test_odd_text_takes_time_in_proportion_to_its_length(unit):
    """Nothing in a text of 200,000 characters makes the cutting go over it again and again."""
    text = "a. B " + unit * (200_000 // len(unit)) + " z"
    pieces = chunk(split_sections("T", text), limit=200)
    assert squeezed("".join(piece.text for piece in pieces)).endswith("z")


def test_chunks_are_numbered_within_their_slug():
    """Sections of one name go on counting, so that no two passages of a document share an id."""
    sections = [Section(("A", "Example"), words(60)), Section((), "top"), Section(("a", "example!"), "again")]
    assert [(piece.slug, piece.number) for piece in chunk(sections, limit=LIMIT)] == [
        ("a/example", 0),
        ("a/example", 1),
        ("top", 0),
        ("a/example", 2),
    ]


@pytest.mark.parametrize(
    ("path", "slug"),
    [
        ((), "top"),
        (("Über uns",), "über-uns"),
        (("v2.1 – new", "What's in"), "v2.1-new/what-s-in"),
        (("!!!",), "top"),
        (("x" * 300,), "x" * 120),
    ],
)
def test_slug_is_short_and_readable(path, slug):
    """Letters of any script, digits and dots stay; the rest becomes dashes."""
    assert slugify(path) == slug


def test_passage_id_names_document_section_and_version():
    """The id can be read; past 400 bytes it is a hash."""
    piece = Chunk(("A",), "a", 3, "text")
    assert passage_id("docs/x.md", piece, "0123456789abcdef") == "docs/x.md#a.3@0123456789ab"
    long = passage_id("ü" * 200, piece, "0123456789abcdef")
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", long)
    assert long != passage_id("ü" * 200, Chunk(("A",), "a", 4, "text"), "0123456789abcdef")
