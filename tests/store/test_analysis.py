"""Terms are Lucene's: held against what a server of that library answered for the strings in `data/`."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.analysis import STOP_WORDS, analyze, stem
from store.wordbreak import MAX_WORD, pieces, words

DATA = Path(__file__).with_name("data")


def cases(path):
    return [pytest.param(row["text"], row["tokens"], id=f"{number}") for number, row in enumerate(read(path))]


def read(path):
    return json.loads(path.read_text("utf-8"))


@pytest.mark.parametrize(("text", "tokens"), cases(DATA / "english_analyzer.json"))
def test_gives_the_tokens_of_the_english_analyzer(text, tokens):
    """Every string of the parity fixture gives the server's tokens."""
    assert analyze(text) == tokens


@pytest.mark.parametrize(("text", "tokens"), cases(DATA / "english_more.json"))
def test_gives_the_tokens_for_stems_and_scripts(text, tokens):
    """Stems of every step, scripts, emoji, and joined words give the server's tokens."""
    assert analyze(text) == tokens


@pytest.mark.bench
def test_gives_the_tokens_of_the_benchmark_lines(bench_root):
    """Every line of the benchmark's own parity file gives the server's tokens."""
    rows = read(bench_root.parent / "opensearch" / "english_analyzer_bench.json")
    assert [row["text"] for row in rows if analyze(row["text"]) != row["tokens"]] == []


def test_the_one_white_space_that_joins_is_dropped():
    """A narrow no-break space stays inside Lucene's token; here, the one difference, it is left out of the term."""
    assert analyze("p \u202f6.0, 10\u202f000 \u202f") == ["p", "6.0", "10000"]


@given(st.text(max_size=60) | st.text(alphabet="a1. \u00a0\u2003\u202f\u3000_", max_size=12))
def test_terms_hold_no_white_space(text):
    """A term is never empty, never a stop word as written, and never parted by white space."""
    for term in analyze(text):
        assert term.split() == [term]


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_line_break_parts_words(one, other):
    """What stands on two lines gives the terms of the one, then those of the other."""
    assert analyze(f"{one}\n{other}") == analyze(one) + analyze(other)


@given(st.text(alphabet="abcdeiloszgy", min_size=1, max_size=12))
def test_a_stem_does_not_depend_on_what_was_stemmed_before(word):
    """The stem of a word is the same at every call."""
    assert stem(word) == stem(word)


def test_stop_words_give_nothing():
    """None of the stop words is a term, however it is written."""
    assert [term for word in sorted(STOP_WORDS) for term in analyze(f"{word} {word.upper()}")] == []


@pytest.mark.parametrize(
    "text",
    ["_" * 200_000, "a'" * 100_000, "_\u0301" * 100_000, "1," * 100_000, "\u200d" * 200_000, "x" * 200_000],
    ids=["underscores", "apostrophes", "marked joins", "commas", "joiners", "one word"],
)
def test_long_runs_cost_no_more_than_their_length(text):
    """A megabyte of one character is read in a moment; a square of its length would take hours."""
    assert sum(map(len, analyze(text))) <= len(text)


def test_long_words_are_cut():
    """A word of more than 255 characters is cut as though the text ended there."""
    assert [len(part) for part in pieces("y" * 600)] == [MAX_WORD, MAX_WORD, 90]
    assert [len(term) for term in analyze("y" * 600 + " z")] == [255, 255, 90, 1]


def test_words_keep_their_case_and_order():
    """Words come as they are written."""
    assert words("Réunion at 10:30, see node.js") == ["Réunion", "at", "10", "30", "see", "node.js"]
