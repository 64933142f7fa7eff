"""Declared dates: which key means what, what a day means where, and that nothing is guessed."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from indexer.declared import read_declared, read_end
from indexer.errors import Refused
from indexer.sources.base import FoundDate, RawDocument, RawEnd, RefusalCode
from mappings.document import Kind
from mappings.interval import Precision, Span, from_datetime
from tests.conftest import NOW


def us(*parts: int) -> int:
    return from_datetime(datetime(*parts, tzinfo=UTC))


def declare(metadata, *, zone="UTC", mode="strict", **more):
    with_date = metadata if mode == "lenient" or "found" in more else {"observed_at": "2020-01-01", **metadata}
    return read_declared(RawDocument("d", "", "text", with_date, "f:1", **more), zone=zone, mode=mode)


def refusal(metadata, **more) -> Refused:
    with pytest.raises(Refused) as caught:
        declare(metadata, **more)
    return caught.value


@pytest.mark.parametrize(
    ("key", "field", "value"),
    [
        *((key, "observed", Span(us(2024, 5, 1), us(2024, 5, 2), Precision.DAY)) for key in (
            "observed_at", "date", "published", "updated", "lastmod", "last_updated", "last_modified",
            "Last Updated", "last-modified", "lastModified", "DATE", "Observed_At",
        )),
        *((key, "valid_from", us(2024, 5, 1)) for key in (
            "valid_from", "effective", "effective_from", "effective_date", "start", "starts", "Effective-Date",
        )),
        ("valid_until", "valid_until", us(2024, 5, 1)),
        *((key, "valid_until", us(2024, 5, 2)) for key in (
            "expires", "expiry", "valid_through", "end", "ends", "validThrough",
        )),
        *((key, "verified_at", us(2024, 5, 1)) for key in (
            "last_reviewed", "reviewed", "verified", "verified_at", "Last Reviewed",
        )),
        *((key, "review_by", us(2024, 5, 2)) for key in ("review_by", "review_due", "review-due")),
        ("withdrawn", "withdrawn", us(2024, 5, 1)),
    ],
)  # fmt: skip
def test_key_of_a_date_means_its_field(key, field, value):
    """Every spelling of the table reaches its field, and a day means its start or its end as written there."""
    metadata = {key: "2024-05-01"}
    raw = RawDocument("d", "", "x", metadata if field == "observed" else {"date": "2020", **metadata}, "f:1")
    assert getattr(read_declared(raw, zone="UTC", mode="strict"), field) == value


@pytest.mark.parametrize(
    ("key", "given", "field", "value"),
    [
        ("supersedes", "old", "supersedes", ("old",)),
        ("replaces", ["b", "a", "b", "n/a"], "supersedes", ("a", "b")),
        ("lineage", "s", "series", "s"),
        ("release", 2.11, "release", "2.11"),
        ("version", "3.0", "release", "3.0"),
        ("release", date(2024, 5, 1), "release", "2024-05-01"),
        ("sequence", "17", "sequence", 17),
        ("draft", "yes", "draft", True),
        ("withdrawn_reason", "wrong", "withdrawn_reason", "wrong"),
        ("type", "Release Notes", "content_type", "release_notes"),
        ("content-type", "FAQ", "content_type", "faq"),
        ("type", "howto", "content_type", "howto"),
        ("category", "Runbook", "content_type", "runbook"),
        ("kind", "event", "kind", Kind.EVENT),
        ("topic", "rate limit", "topic", "rate limit"),
        ("value", 30, "value", "30"),
        ("tags", "a, b,a", "tags", ("a", "b")),
        ("tags", ["x", "y"], "tags", ("x", "y")),
        ("canonical", "https://x.example/", "url", "https://x.example/"),
        ("principals", ["hr", "board", "hr"], "principals", ("board", "hr")),
        ("principals", "hr", "principals", ("hr",)),
        ("source", "wiki", "source", "wiki"),
    ],
)
def test_other_keys_reach_their_fields(key, given, field, value):
    """Links, order, classification and rights are read by the same table."""
    assert getattr(declare({key: given}), field) == value


def test_unknown_keys_are_kept():
    """What the table does not know stays as it is; so does a category that names no type."""
    assert declare({"author": "ann", "category": "Billing"}).extra == {"author": "ann", "category": "Billing"}


def test_kind_of_another_tool_is_kept():
    """A page's `kind` that looks like none of ours belongs to the tool that the page was written for."""
    declared = declare({"kind": "article"}, path="page.md")
    assert (declared.kind, declared.extra) == (None, {"kind": "article"})


def test_kind_misspelt_on_a_page_is_refused():
    """One that looks like ours was meant for us."""
    assert "kind must be one of" in refusal({"kind": "versionned"}, path="page.md").detail


@pytest.mark.parametrize("value", ["", "  ", "-", "–", "n/a", "N/A", "TBD", "tba", "none", "Null", "unknown", None, []])
@pytest.mark.parametrize("key", ["valid_from", "expires", "series", "release", "kind", "supersedes", "sequence"])
def test_placeholder_counts_as_absent(key, value):
    """A value that stands for nothing is nothing."""
    assert declare({key: value}) == declare({})


@pytest.mark.parametrize("value", ["", "-", "TBD", ["hr", ""], [None], 7], ids=repr)
def test_placeholder_for_readers_is_refused(value):
    """Nothing written by mistake may open a document to everybody."""
    assert "principals must be a list of names" in refusal({"principals": value}).detail


NAMES = ["series", "source", "release", "topic", "content_type", "url", "tags", "supersedes", "principals"]


@pytest.mark.parametrize("character", ["\x00", "\x1b[31m", "\x7f", "\x9b31m"], ids=ascii)
@pytest.mark.parametrize("key", NAMES)
def test_name_that_a_terminal_would_obey_is_refused(key, character):
    """Names are printed as they stand, so they hold nothing but what can be seen."""
    refused = refusal({key: f"a{character}b"})
    assert (refused.code, refused.key) == ("CONTROL_CHARACTER", key)
    assert f"{key} must hold no control character, got U+{ord(character[0]):04X} in 'a\\x" in refused.detail


@pytest.mark.parametrize("space", ["\t", "\n", "\x0b", "\r\n", "\x85"], ids=ascii)
def test_white_space_in_a_name_is_one_space(space):
    """A folded line of front matter is no control character."""
    assert declare({"series": f"a{space}b"}).series == "a b"


BAD_VALUES = {
    "impossible day": ("published", "2024-02-30", "published must be a date (moment names a day that does not exist)"),
    "month 13": ("effective", "2024-13-01", "effective must be a date"),
    "prose": ("expires", "next spring", "expires must be a date (moment is not readable), got 'next spring'"),
    "slashes": ("date", "01/02/2024", "date must be a date"),
    "seconds since 1970": ("updated", 1709251200, "updated must be a date, got 1709251200"),
    "milliseconds": ("updated", "1709251200000", "updated must be a date"),
    "digits run together": ("valid_from", 20240301, "valid_from must be a date, got 20240301"),
    "a fraction": ("valid_from", 2024.5, "valid_from must be a date, got 2024.5"),
    "true": ("expires", True, "expires must be a date, got True"),
    "a list": ("published", ["2024-01-01"], "published must be a date"),
    "year 202": ("observed_at", "0202-05-01", "must lie in the years 1400 to 2999, got '0202-05-01'"),
    "year 3024": ("valid_from", "3024-05-01", "must lie in the years 1400 to 2999"),
    "hour 25": ("valid_from", "2024-05-01T25:00", "valid_from must be a date (moment does not exist)"),
    "withdrawn: true": ("withdrawn", True, "withdrawn must be a date, got True"),
    "kind": ("kind", "PERMANENT", "kind must be one of STATIC, VERSIONED, EVENT, got 'PERMANENT'"),
    "sequence": ("sequence", "second", "sequence must be a whole number, got 'second'"),
    "sequence beyond bounds": ("sequence", 2**62, "sequence must be a whole number"),
    "draft": ("draft", "perhaps", "draft must be true or false, got 'perhaps'"),
    "a mapping": ("series", {"a": 1}, "series must be a text, got {'a': 1}"),
    "a list as links": ("supersedes", [["a"]], "supersedes must be a text"),
    "endless type": ("type", "x" * 65, "type must be a name of 1 to 64 characters"),
}  # fmt: skip


@pytest.mark.parametrize(("key", "value", "message"), BAD_VALUES.values(), ids=BAD_VALUES)
def test_value_that_does_not_parse_is_refused_with_key_and_value(key, value, message):
    """Nothing is guessed: the key, what it must be, and what it is."""
    refused = refusal({key: value})
    assert message in refused.detail
    assert (refused.code, refused.key) == (RefusalCode.BAD_VALUE, key)
    assert refused.remedy


def test_latest_of_several_observed_keys_wins_and_is_recorded():
    """Published, then updated: the update is when this state could first be read."""
    declared = declare(
        {"observed_at": None, "published": "2023-01-01", "last_updated": "2024-03-01", "date": "2023-05"}
    )
    assert (declared.observed.start, declared.date_source) == (us(2024, 3, 1), "last_updated")


def test_latest_review_counts():
    """Of several reviews the latest is the verification."""
    assert declare({"reviewed": "2024-01-01", "verified_at": "2024-02-01"}).verified_at == us(2024, 2, 1)


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"valid_from": "2024-01-01", "effective": "2024-02-01"}, "valid_from and effective are one field but differ"),
        ({"Valid-From": "2024-01-01", "valid_from": "2024"}, ""),
        ({"series": "a", "lineage": "b"}, "series and lineage are one field but differ, got 'a' and 'b'"),
        ({"valid_until": "2024-01-01", "expires": "2024-01-01"}, "(excluded) and expires (included) give two ends"),
    ],
    ids=["two starts", "two spellings that agree", "two series", "one day, two meanings"],
)
def test_keys_of_one_field_must_agree(metadata, message):
    """Two keys that say different things are refused; two that say the same are one."""
    if message:
        refused = refusal(metadata)
        assert refused.code is RefusalCode.DUPLICATE_KEY
        assert message in refused.detail
    else:
        assert declare(metadata).valid_from == us(2024, 1, 1)


def test_inverted_window_is_refused_and_an_empty_one_allowed():
    """From after until is a fault; from equal to until is a window that is never in force."""
    refused = refusal({"valid_from": "2024-06-02", "valid_until": "2024-06-01"})
    assert refused.code is RefusalCode.INVERTED_WINDOW
    assert refused.detail == (
        "valid_from must not lie after valid_until, got 2024-06-02T00:00:00Z > 2024-06-01T00:00:00Z"
    )
    empty = declare({"valid_from": "2024-06-01", "valid_until": "2024-06-01"})
    assert empty.valid_from == empty.valid_until
    assert declare({"valid_from": "2024-06-01", "expires": "2024-06-01"}).valid_until == us(2024, 6, 2)


@pytest.mark.parametrize(
    ("value", "end"),
    [
        ("2024-05-01", us(2024, 5, 2)),
        ("2024-05", us(2024, 6, 1)),
        ("2024", us(2025, 1, 1)),
        ("2024-05-01T10:00Z", us(2024, 5, 1, 10)),
        (date(2024, 5, 1), us(2024, 5, 2)),
        (datetime(2024, 5, 1, 10, tzinfo=UTC), us(2024, 5, 1, 10)),
        ("9999-12-31", None),
        (date(9999, 12, 31), None),
    ],
    ids=str,
)
def test_inclusive_end_is_the_end_of_what_was_given(value, end):
    """A day, month or year is meant whole, an instant is itself, and the year 9999 is how databases write "open"."""
    assert declare({"expires": value}).valid_until == end


def test_zone_of_the_settings_holds_where_none_is_given():
    """A day and a naive time are in the configured zone; an offset rules itself."""
    declared = declare(
        {"valid_from": "2024-07-01", "verified": datetime(2024, 7, 1, 9), "observed_at": "2024-07-01T09:00+09:00"},  # noqa: DTZ001
        zone="Europe/Berlin",
    )
    assert declared.valid_from == us(2024, 6, 30, 22)
    assert declared.verified_at == us(2024, 7, 1, 7)
    assert declared.observed.start == us(2024, 7, 1)


def test_values_of_yaml_are_moments_too():
    """Front matter gives dates, aware times and bare years as such."""
    summer = timezone(timedelta(hours=2))
    declared = declare({"date": 2021, "effective": date(2024, 5, 1), "verified": datetime(2024, 5, 1, tzinfo=summer)})
    assert declared.valid_from == us(2024, 5, 1)
    assert declared.verified_at == us(2024, 4, 30, 22)
    assert declared.observed == Span(us(2021, 1, 1), us(2022, 1, 1), Precision.YEAR)


def test_strict_mode_refuses_what_has_no_date_and_names_a_likely_slip():
    """The refusal names field and remedy, and the unknown key that is nearly one of the table."""
    with pytest.raises(Refused) as caught:
        read_declared(RawDocument("d", "", "x", {"obseved_at": "2024"}, "f:1"), zone="UTC", mode="strict")
    assert caught.value.code is RefusalCode.UNDATED
    assert (
        caught.value.detail == "observed_at is missing, and key 'obseved_at' is not known (did you mean 'observed_at'?)"
    )
    assert "--lenient" in caught.value.remedy


def test_lenient_mode_keeps_what_has_no_date():
    """Without a date the document is undated, not dated now."""
    assert declare({"valid_from": "2024-01-01"}, mode="lenient").observed is None


FOUND = (FoundDate("observed_at", "2024-02-02", "git"), FoundDate("effective", "2024-02-10", "label", "medium"))


def test_found_dates_fill_what_the_metadata_leaves_open():
    """A commit dates a page without front matter; a labelled line gives its start."""
    declared = declare({}, found=FOUND)
    assert (declared.observed.start, declared.date_source, declared.valid_from) == (
        us(2024, 2, 2), "git", us(2024, 2, 10),
    )  # fmt: skip


def test_metadata_comes_before_what_was_found():
    """The document's own word counts more than the file's time."""
    declared = declare({"date": "2023-01-01", "valid_from": "2023-01-05"}, found=FOUND)
    assert (declared.observed.start, declared.date_source) == (us(2023, 1, 1), "date")
    assert (declared.valid_from, declared.own_date) == (us(2023, 1, 5), None)


def test_history_comes_before_metadata_and_keeps_the_own_date():
    """In a history the commits are the observations; the date in the front matter is kept beside."""
    declared = declare({"date": "2023-01-01"}, found=FOUND, found_rules=True)
    assert (declared.observed.start, declared.date_source, declared.own_date) == (
        us(2024, 2, 2), "git", us(2023, 1, 1),
    )  # fmt: skip


def test_low_confidence_is_kept():
    """A date somebody asked to guess is marked so."""
    found = (FoundDate("observed_at", "2024-02-02", "mtime", "low"),)
    assert declare({}, found=found).date_confidence == "low"


@pytest.mark.parametrize("mode", ["strict", "lenient"])
def test_end_has_the_date_of_its_line(mode):
    """An end is at the start of the day that its line gives."""
    raw = RawEnd("d", {"date": "2024-07-01", "sequence": 4}, "f:2")
    at, sequence = read_end(raw, zone="UTC", mode=mode, now=NOW)
    assert (at.start, sequence) == (us(2024, 7, 1), 4)


def test_end_without_a_date_is_refused_or_is_now():
    """Strict mode refuses it; lenient mode ends the document at the moment of the run."""
    raw = RawEnd("d", {}, "f:2")
    assert read_end(raw, zone="UTC", mode="lenient", now=NOW) == (Span.instant(NOW), None)
    with pytest.raises(Refused, match="end of document 'd' has no date"):
        read_end(raw, zone="UTC", mode="strict", now=NOW)
