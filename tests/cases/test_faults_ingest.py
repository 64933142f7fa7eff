"""Known faults of taking documents in; each test names its case (F-…)."""

from dataclasses import replace

import numpy as np
import pytest

from indexer.readers import ReaderOptions, read_file
from indexer.sections import split_sections
from mappings.errors import ProfileError
from mappings.interval import format_instant
from mappings.profile import DEFAULT_PROFILES
from store.errors import RowError
from tests.cases.shelf import Shelf
from tests.store.worlds import row


def test_f_tr_03_every_instant_becomes_utc_at_the_door(shelf: Shelf) -> None:
    """F-TR-03: dates with and without a zone in one pool lose no query; a value without a zone is in UTC."""
    shelf.lines(
        {"id": "aware", "content_type": "policy", "observed_at": "2025-06-10T12:00:00+02:00", "text": "quay"},
        {"id": "naive", "content_type": "policy", "observed_at": "2025-06-10T12:00:00", "text": "quay"},
        {
            "id": "aware_end",
            "content_type": "policy",
            "observed_at": "2025-05-29T10:00:00Z",
            "valid_until": "2025-07-01T00:00:00+02:00",
            "text": "quay",
        },
    )
    assert {hit.doc_id for hit in shelf.ask("quay").hits} == {"aware", "naive", "aware_end"}
    assert (shelf.date("aware"), shelf.date("naive")) == ("2025-06-10T10:00:00Z", "2025-06-10T12:00:00Z")
    assert format_instant(shelf.observation("aware_end").valid_until) == "2025-06-30T22:00:00Z"


def test_f_tr_07_a_window_that_ends_before_it_starts_is_refused(shelf: Shelf) -> None:
    """F-TR-07: an inverted window is refused with its reason; an empty one is kept and never in force."""
    window = {"observed_at": "2025-06-08T10:00:00Z", "valid_from": "2025-06-10T00:00:00Z", "text": "quay"}
    shelf.lines(
        {"id": "inverted", "content_type": "policy", **window, "valid_until": "2025-06-01T00:00:00Z"},
        {"id": "empty", "content_type": "policy", **window, "valid_until": "2025-06-10T00:00:00Z"},
    )
    (refusal,) = shelf.report.refused
    assert (refusal.doc_id, refusal.code) == ("inverted", "INVERTED_WINDOW")
    assert shelf.ask("quay").hits == ()
    assert shelf.report.added == 1


def test_f_tr_31_documents_added_later_move_no_others(shelf: Shelf) -> None:
    """F-TR-31: indexing in two steps leaves the vectors of the first alone, and stores a repeat once."""
    first = [
        {"id": "a1", "observed_at": "2025-06-08T10:00:00Z", "text": "alpha beta"},
        {"id": "a2", "observed_at": "2025-06-08T10:00:00Z", "text": "beta gamma"},
    ]
    shelf.lines(*first)
    before = {hit.doc_id: hit.to_json() for hit in shelf.ask("alpha").hits}
    shelf.lines(
        {"id": "b1", "observed_at": "2025-06-13T10:00:00Z", "text": "delta epsilon"},
        {"id": "b2", "observed_at": "2025-06-13T10:00:00Z", "text": "zeta eta"},
    )
    shelf.lines(first[0])
    assert (shelf.report.added, shelf.report.unchanged) == (0, 1)
    after = {hit.doc_id: hit.to_json() for hit in shelf.ask("alpha").hits}
    assert next(iter(after)) == "a1"
    assert {doc_id: hit["cosine"] for doc_id, hit in before.items()} == {
        doc_id: after[doc_id]["cosine"] for doc_id in before
    }
    assert len(set(shelf.engine.series_keys())) == 4


def test_f_gp_20_nan_in_a_vector_is_refused(shelf: Shelf) -> None:
    """F-GP-20: a vector that is no number is refused where it is stored, and nothing of the call is."""
    vectors = {"bad": np.full(512, np.nan, dtype=np.float32), "good": np.zeros(512, dtype=np.float32)}
    with shelf.engine.writer() as writer, pytest.raises(RowError, match="bad"):
        writer.put([row("p1", text_key="bad"), row("p2", text_key="good")], vectors)
    assert shelf.engine.info().passages == 0


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 0, -1], ids=str)
def test_f_gp_20_nan_in_a_setting_is_refused(value: float) -> None:
    """F-GP-20: a half-life that is no positive number is refused."""
    with pytest.raises(ProfileError, match="half_life_days"):
        replace(DEFAULT_PROFILES["policy"], half_life_days=value)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("m.md", "# Title\n\nIntro.\n\n## Sub\n\nBody.\n"),
        ("h.html", "<h1>Title</h1><p>Intro.</p><h2>Sub</h2><p>Body.</p>"),
        ("r.rst", "Title\n=====\n\nIntro.\n\nSub\n---\n\nBody.\n"),
    ],
    ids=["markdown", "html", "rest"],
)
def test_f_gp_23_headings_of_other_formats_are_headings(path: str, text: str) -> None:
    """F-GP-23: Markdown, HTML and reST give the same sections."""
    (page,) = read_file(text.encode(), path, ReaderOptions())
    found = [((page.title, *section.path), section.text) for section in split_sections(page.title, page.text)]
    assert found == [(("Title",), "Intro."), (("Title", "Sub"), "Body.")]

