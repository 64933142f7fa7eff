"""The way in as a whole: what a report tells, what a record holds, and what a source may bring twice."""

import pytest

from indexer.ingest import ingest
from indexer.settings import IngestSettings
from indexer.sources.base import Refusal, RefusalCode
from indexer.verify import verify
from mappings.document import Kind
from tests.conftest import NOW
from tests.indexer.arrivals import EMBEDDER, open_index, state_of
from tests.indexer.library import fill, in_force, items, line_of, page, states


@pytest.fixture
def engine(quick_path):
    engine = open_index(quick_path / "index")
    yield engine
    assert verify(engine, IngestSettings()).differences == ()
    engine.close()


def test_report_counts_what_became_of_each_line(engine):
    """Added, unchanged, updated, closed, ended, refused: each line is counted once."""
    first = fill(engine, page("a", "2024-01-01"), page("b", "2024-01-01"), {"id": "c"})
    assert (first.read, first.added, len(first.refused), first.passages) == (3, 2, 1, 2)
    second = fill(
        engine,
        page("a", "2024-01-01"),
        page("a", "2024-02-01"),
        page("b", "2024-01-01", type="policy"),
        {"id": "b", "deleted": True, "observed_at": "2024-03-01"},
    )
    assert (second.added, second.unchanged, second.updated, second.closed, second.ended) == (1, 1, 1, 1, 1)
    assert not second.refused


def test_reading_the_same_source_again_changes_nothing(engine):
    """The second run leaves every byte of the index as it was, whenever it happens."""
    lines = (page("a", "2024-01-01"), page("a", "2024-02-01"), page("b", "2024-01-05", series="s", supersedes="a"))
    fill(engine, *lines)
    before, sequence = state_of(engine), engine.info().sequence
    report = fill(engine, *lines, now=NOW + 1)
    assert (report.unchanged, report.added, report.passages) == (3, 0, 0)
    assert (state_of(engine), engine.info().sequence) == (before, sequence)


def test_refusals_of_the_source_are_in_the_report(engine):
    """What a source could not read is told beside what the door refused."""
    refusal = Refusal("f:7", "", RefusalCode.NOT_UTF8, "line must be UTF-8", "convert it")
    report = ingest(engine, [refusal, *items(page("a", "2024-01-01"))], IngestSettings(), embedder=EMBEDDER, now=NOW)
    assert (report.refused, report.added) == ([refusal], 1)


BAD_DOCUMENTS = {
    "inverted window": (
        {"valid_from": "2024-02-02", "valid_until": "2024-02-01"}, RefusalCode.INVERTED_WINDOW, "must not lie after"
    ),
    "impossible date": ({"effective": "2024-02-30"}, RefusalCode.BAD_VALUE, "a day that does not exist"),
    "no date": ({"observed_at": "-"}, RefusalCode.UNDATED, "observed_at is missing"),
    "unknown key for a date": (
        {"observed_at": None, "last_updatd": "2024-01-01"}, RefusalCode.UNDATED, "did you mean 'last_updated'?"
    ),
    "nothing to read": ({"text": " \n", "title": " "}, RefusalCode.EMPTY, "neither a title nor a text"),
    "placeholder for readers": ({"principals": "TBD"}, RefusalCode.BAD_VALUE, "principals must be a list of names"),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "code", "message"), BAD_DOCUMENTS.values(), ids=BAD_DOCUMENTS)
def test_bad_document_is_refused_with_its_line_and_the_rest_goes_in(engine, fields, code, message):
    """The refusal names place, id, fault and remedy; the documents beside it go in."""
    report = fill(engine, page("a", "2024-01-01"), {**page("bad", "2024-01-01"), **fields}, page("z", "2024-01-01"))
    (refusal,) = report.refused
    assert (refusal.location, refusal.doc_id, refusal.code) == ("f:2", "bad", code)
    assert message in refusal.detail
    assert refusal.remedy
    assert (report.added, engine.info().documents) == (2, 2)


@pytest.mark.parametrize("batches", ["one run", "two runs"])
@pytest.mark.parametrize(
    ("second", "message"),
    [
        (page("a", "2024-01-01", "other text"), "with another text"),
        (page("a", "2024-01-01T12:00Z", "other text"), "with another text"),
        (page("a", "2024-01-01", valid_until="2024-05-01"), "with other dates"),
    ],
    ids=["two texts", "an hour of that day", "two windows"],
)
def test_two_ids_alike_are_refused(engine, second, message, batches):
    """What can not be ordered against a reading of the same document is refused, and the first one stands."""
    first = page("a", "2024-01-01")
    if batches == "one run":
        report = fill(engine, first, second)
    else:
        fill(engine, first)
        report = fill(engine, second)
    (refusal,) = report.refused
    assert refusal.code is RefusalCode.UNORDERED
    assert refusal.detail.startswith("id 'a' stands twice at 2024-01-01T")
    assert message in refusal.detail
    assert ("f:1" in refusal.detail) is (batches == "one run")
    assert in_force(engine, "a", "2024-06-01") == ["2024-01-01"]


@pytest.mark.parametrize(
    "second",
    [
        page("a", "2024-01-01", "other", sequence=2),
        page("a", "2024-01-02", "other"),
        page("a", "2024-01-01", draft=True, valid_from="2024-03-01"),
    ],
    ids=["sequence", "next day", "draft"],
)
def test_what_can_be_ordered_is_taken(engine, second):
    """A sequence or a later day orders two readings; a draft needs no order."""
    assert not fill(engine, page("a", "2024-01-01", sequence=1), second).refused


def test_lenient_mode_keeps_what_can_not_be_ordered(engine):
    """Both stay live, and the clash is told by the records."""
    fill(engine, page("a", "2024-01-01", "one"), page("a", "2024-01-01", "two"), mode="lenient")
    standings = line_of(engine, "a").standings(NOW, NOW)
    assert [(str(row.state), str(row.clash)) for row in standings] == [("VALID", "CONFLICT")] * 2


def test_lenient_mode_keeps_undated_documents_flagged(engine):
    """Of several undated readings the last one read stands; beside a dated one it is history."""
    report = fill(engine, page("a", None, "one"), page("a", None, "two"), page("a", None, "one"), mode="lenient")
    assert (report.undated, engine.info().undated) == (3, 1)
    assert states(engine, "a", "2024-06-01") == {"undated": "UNDATED"}
    fill(engine, page("a", "2024-01-01", "three"), mode="lenient")
    assert states(engine, "a", "2024-06-01") == {"2024-01-01": "VALID", "undated": "SUPERSEDED"}


def test_undated_document_comes_back_when_it_is_read_after_its_end(engine):
    """An end closes what was read before it; the same text read after it is in force again."""
    fill(engine, page("a", None, "one"), mode="lenient")
    fill(engine, {"id": "a", "deleted": True}, now=NOW + 10, mode="lenient")
    assert states(engine, "a", "2024-06-02") == {"undated": "RETRACTED"}
    assert fill(engine, page("a", None, "one"), now=NOW + 20, mode="lenient").unchanged == 1
    assert states(engine, "a", "2024-06-02") == {"undated": "UNDATED"}


def test_late_arrival_finds_its_place(engine):
    """A version that arrives late is known from its own date."""
    fill(engine, page("a", "2024-01-01"), page("a", "2024-05-01"))
    fill(engine, page("a", "2024-03-01"))
    assert in_force(engine, "a", "2024-04-01") == ["2024-03-01"]
    assert in_force(engine, "a", "2024-06-01") == ["2024-05-01"]


def test_kind_follows_from_several_states(engine):
    """A page that was seen in two states is one that is replaced."""
    fill(engine, page("a", "2024-01-01"), page("b", "2024-01-01"))
    fill(engine, page("a", "2024-02-01"))
    kinds = {each.doc_id: each.kind for each in engine.stored(engine.series_keys()).values()}
    assert kinds == {"a": Kind.VERSIONED, "b": Kind.STATIC}
    assert fill(engine, page("a", "2024-01-01"), page("a", "2024-02-01")).unchanged == 2


def test_document_moves_to_the_series_of_its_latest_reading(engine):
    """With all its readings; a late reading of before does not move it back."""
    fill(engine, page("a", "2024-01-01", series="one"), page("b", "2024-01-01", series="one"))
    fill(engine, page("a", "2024-03-01", series="two"))
    assert engine.series_of(["a", "b"]) == {"a": "two", "b": "one"}
    fill(engine, page("a", "2024-02-01", series="one"))
    assert engine.series_of(["a"]) == {"a": "two"}
    assert len(line_of(engine, "a").versions) == 3
    fill(engine, page("b", "2024-04-01", series="two"))
    assert list(engine.series_keys()) == ["two"]


def test_readers_are_those_of_the_latest_reading(engine):
    """A late reading of before opens nothing; the latest decides for all versions and their passages."""
    fill(engine, page("a", "2024-01-01"), page("a", "2024-03-01", principals=["hr"]))
    fill(engine, page("a", "2024-02-01"))
    assert {each.readers for each in engine.stored(["a"]).values()} == {("hr",)}
    assert in_force(engine, "a", "2024-01-15") == []
    assert in_force(engine, "a", "2024-01-15", reader=("hr",)) == ["2024-01-01"]
    fill(engine, page("a", "2024-03-01"))
    assert {each.readers for each in engine.stored(["a"]).values()} == {()}


def test_draft_is_kept_and_says_nothing(engine):
    """It makes no version, replaces nothing, has no passage and names no readers, but its text is kept."""
    fill(engine, page("a", "2024-01-01"), page("a", "2024-02-01", draft=True, principals=["hr"]))
    (version,) = line_of(engine, "a").versions
    record = line_of(engine, "a").record
    drafts = [o.content_hash for o in record.documents["a"].observations if o.draft]
    assert list(engine.contents(drafts)) == drafts
    assert (len(engine.stored(["a"])), record.documents["a"].principals) == (1, ())


def test_end_may_arrive_before_its_document(engine):
    """An end of what is not there waits and holds when the document comes, also in another series."""
    fill(engine, {"id": "a", "deleted": True, "observed_at": "2024-03-01"})
    fill(engine, page("a", "2024-01-01", series="s"))
    assert engine.series_of(["a"]) == {"a": "s"}
    assert (in_force(engine, "a", "2024-02-01"), in_force(engine, "a", "2024-04-01")) == (["2024-01-01"], [])


def test_withdrawal_declared_by_the_document_itself(engine):
    """A line may say that its text never held; the version before is in force again from then on."""
    fill(engine, page("a", "2024-01-01"), page("a", "2024-03-01", withdrawn="2024-05-01", withdrawn_reason="wrong"))
    assert in_force(engine, "a", "2024-04-01") == ["2024-03-01"]
    assert in_force(engine, "a", "2024-06-01") == ["2024-01-01"]
    assert in_force(engine, "a", "2024-04-01", known="2024-06-01") == ["2024-01-01"]


def test_passage_that_stays_is_stored_once_and_keeps_its_age(engine):
    """A change elsewhere on the page adds one passage and leaves the other as it was."""
    fixed = "# Fixed\n\nalways so\n\n# News\n\n"
    fill(engine, page("a", "2024-01-01", fixed + "one"), page("a", "2024-02-01", fixed + "two"))
    stored = engine.stored(["a"])
    assert sorted(key.split("@")[0] for key in stored) == ["a#fixed.0", "a#news.0", "a#news.0"]
    assert len({each.stamps.observed for each in stored.values()}) == 2


def test_texts_of_old_versions_are_kept_once(engine):
    """A text that returns is the same content."""
    fill(engine, page("a", "2024-01-01", "one"), page("a", "2024-02-01", "two"), page("a", "2024-03-01", "one"))
    hashes = [version.content_hash for version in line_of(engine, "a").versions]
    assert len(hashes) == 3
    assert {content.text for content in engine.contents(hashes).values()} == {"one", "two"}


def test_progress_is_told_after_each_batch(engine, monkeypatch):
    """The report so far is handed over, for whoever shows it."""
    monkeypatch.setattr("indexer.ingest.BATCH_DOCUMENTS", 2)
    seen = []
    lines = [page(f"d{i}", "2024-01-01") for i in range(5)]
    ingest(engine, items(*lines), IngestSettings(), embedder=EMBEDDER, now=NOW, progress=lambda r: seen.append(r.read))
    assert seen == [2, 4, 5]


def test_notes_of_a_source_are_told(engine):
    """What was changed to read a document is in the report."""
    report = fill(engine, page("a", "2024-01-01", "bell \u0007 rings"))
    (note,) = report.notes
    assert (note.doc_id, note.location) == ("a", "f:1")
    assert "became spaces" in note.text


def test_unknown_keys_are_kept_and_decide_nothing(engine):
    """What stilltrue has no word for stays with the reading; a change of it is an update, and no other version."""
    fill(engine, page("a", "2024-01-01", Owner="ann", meta={"b": [1, None], "a": True}))
    first = line_of(engine, "a")
    report = fill(engine, page("a", "2024-01-01", Owner="bob"), now=NOW + 1)
    assert (report.updated, report.added, report.passages) == (1, 0, 0)
    (before,), (after,) = first.versions, line_of(engine, "a").versions
    assert before.first.attributes.metadata == '{"Owner":"ann","meta":{"a":true,"b":[1,null]}}'
    assert after.first.attributes.metadata == '{"Owner":"bob"}'
    assert (before.version_id, before.content_hash) == (after.version_id, after.content_hash)
