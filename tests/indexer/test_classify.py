"""What a document is: metadata over rules over the written table, each decision with its reason."""

import pytest
from pydantic import ValidationError

from indexer.classify import KIND_BY_DEFAULT, Subject, classify
from indexer.declared import Declared
from indexer.settings import IngestSettings
from mappings.document import Kind
from mappings.interval import DAY, Span

SPAN = Span.instant(100 * DAY)


def what(doc_id="d", title="", *, path="", heading="", settings=None, **declared):
    subject = Subject(doc_id, path or doc_id, title, heading)
    return classify(subject, Declared(**{"observed": SPAN, **declared}), settings or IngestSettings())


@pytest.mark.parametrize(
    ("doc_id", "title", "content_type", "kind"),
    [
        ("notes/1", "Django 3.1 release notes", "release_notes", Kind.EVENT),
        ("p/CHANGELOG@2.40", "2.40", "release_notes", Kind.EVENT),
        ("docs/CHANGELOG.md", "", "release_notes", Kind.EVENT),
        ("incident/2017-08-28-storage", "Storage", "incident", Kind.EVENT),
        ("x/incidents/a.md", "A", "incident", Kind.EVENT),
        ("x/1", "Incident report: mail", "incident", Kind.EVENT),
        ("handbook/runbooks/db.md", "Restart", "runbook", Kind.STATIC),
        ("handbook/faq.md", "Questions", "faq", Kind.STATIC),
        ("a", "Frequently asked questions", "faq", Kind.STATIC),
        ("handbook/policies/refunds.md", "Refunds", "policy", Kind.STATIC),
        ("a", "Refund policy", "policy", Kind.STATIC),
        ("a", "ISM API: Update policy", "reference", Kind.STATIC),
        ("legal/terms.md", "", "legal", Kind.STATIC),
        ("a", "Terms of service", "legal", Kind.STATIC),
        ("news/2024/office.md", "New office", "news", Kind.EVENT),
        ("a", "Announcing 3.0", "announcement", Kind.EVENT),
        ("docs/tutorials/first.md", "", "tutorial", Kind.STATIC),
        ("docs/releases/overview.md", "Overview", "reference", Kind.STATIC),
        ("a/newsroom/x.md", "Incidental expenses", "reference", Kind.STATIC),
    ],
)
def test_table_of_folders_names_and_titles(doc_id, title, content_type, kind):
    """The written table knows what people name one way only, and leaves the rest alone."""
    got = what(doc_id, title)
    assert (got.content_type, got.kind) == (content_type, kind)
    assert got.reasons[0].startswith(f"type {content_type}: ")


def test_metadata_overrides_the_table():
    """What the document says of itself holds, and the reason says so."""
    got = what("incidents/a", content_type="policy", kind=Kind.VERSIONED)
    assert (got.content_type, got.kind) == ("policy", Kind.VERSIONED)
    assert got.reasons[:2] == ("type policy: metadata", "kind VERSIONED: metadata")


@pytest.mark.parametrize(
    ("declared", "reason"),
    [
        ({"series": "s"}, "kind VERSIONED: has a series"),
        ({"release": "2.1"}, "kind VERSIONED: has a release"),
        ({"supersedes": ("x",)}, "kind VERSIONED: has a link"),
        ({}, KIND_BY_DEFAULT),
        ({"series": "d"}, KIND_BY_DEFAULT),
    ],
    ids=["series", "release", "link", "nothing", "itself"],
)
def test_kind_follows_from_signs_of_replacement(declared, reason):
    """What belongs to a series, has a release or a link is replaced; else it does not change."""
    assert reason in what(**declared).reasons


def test_rules_of_the_settings_come_before_the_table():
    """The first rule that fits decides type and kind; its pattern is the reason."""
    settings = IngestSettings(
        types=[
            {"path": "ops/**", "type": "runbook"},
            {"heading": "outage", "type": "incident", "kind": "EVENT"},
            {"path": "ops/*.md", "heading": "x", "type": "never"},
        ]
    )
    assert what("ops/news/a.md", settings=settings).reasons[0] == "type runbook: rule for path 'ops/**'"
    assert what("a", "Mail outage", settings=settings).content_type == "incident"
    assert what("a", heading="Outage of 2 May", settings=settings).kind is Kind.EVENT
    assert what("a", "Outages", settings=settings).content_type == "reference"


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("runbooks/**", "runbooks/a/b.md", True),
        ("runbooks/**", "x/runbooks/a.md", False),
        ("**/runbooks/*.md", "runbooks/a.md", True),
        ("**/runbooks/*.md", "x/y/runbooks/a.md", True),
        ("**/runbooks/*.md", "x/runbooks/y/a.md", False),
        ("*.md", "a/b.md", False),
        ("a?.md", "ab.md", True),
        ("a+b.md", "a+b.md", True),
    ],
)
def test_path_pattern(pattern, path, fits):
    """`**` crosses folders, `*` and `?` do not, and all else is itself."""
    settings = IngestSettings(types=[{"path": pattern, "type": "t"}])
    assert (what("d", path=path, settings=settings).content_type == "t") is fits


def test_series_pattern_makes_the_key_of_its_groups():
    """Pages that differ only in the release of their path share a series."""
    settings = IngestSettings(series=[{"path": r"(?P<series>.*)/v\d+(\.\d+)*/(?P<page>.*)"}])
    keys = {what(path, settings=settings).series for path in ("docs/v2.1/install.md", "docs/v3/install.md")}
    assert keys == {"docs/install.md"}
    assert what("docs/other.md", settings=settings).series == "docs/other.md"
    assert what("docs/v2/a.md", settings=settings, series="own").series == "own"


@pytest.mark.parametrize(
    ("content_type", "declared", "until", "source"),
    [
        ("announcement", {}, 102 * DAY, "ttl"),
        ("breaking_news", {"valid_from": 110 * DAY}, 117 * DAY, "ttl"),
        ("announcement", {"valid_until": 105 * DAY}, 105 * DAY, "declared"),
        ("incident", {}, None, None),
        ("policy", {}, None, None),
        ("policy", {"kind": Kind.EVENT}, None, None),
        ("announcement", {"observed": None}, None, None),
        ("announcement", {"kind": Kind.STATIC}, None, None),
    ],
)
def test_notice_without_an_end_lives_for_the_time_of_its_type(content_type, declared, until, source):
    """Only a notice has a time to live, and only where it declares no end."""
    got = what(content_type=content_type, **declared)
    assert (got.valid_until, got.until_source) == (until, source)


@pytest.mark.parametrize(
    ("content_type", "kind", "chronicle"),
    [("incident", None, True), ("announcement", None, False), ("incident", Kind.STATIC, False)],
)
def test_chronicle_is_an_event_whose_type_is_a_record(content_type, kind, chronicle):
    """Notice or chronicle goes by the content type, and only for events."""
    assert what(content_type=content_type, kind=kind).chronicle is chronicle


def test_series_pattern_that_matches_nothing_of_its_groups_makes_no_series():
    """An empty key is none: the document stands for itself."""
    settings = IngestSettings(series=[{"path": r"(?P<page>x?).*"}], zone="Europe/Berlin")
    assert what("docs/a.md", settings=settings).series == "docs/a.md"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"series": [{"path": "("}]}, "path must be a regular expression, got '('"),
        ({"series": [{"path": "a/(.*)"}]}, "path must have a named group"),
        ({"types": [{"type": "x"}]}, "must have a path or a heading"),
        ({"types": [{"type": "x", "heading": " "}]}, "heading must hold a word"),
        ({"zone": "Mars"}, "zone must be an IANA name, got 'Mars'"),
        ({"chunk_tokens": 5}, "greater than or equal to 40"),
        ({"modes": "strict"}, "Extra inputs are not permitted"),
    ],
)
def test_settings_that_can_not_work_are_refused(settings, message):
    """A rule that would do nothing, or everything, is an error at start."""
    with pytest.raises(ValidationError) as caught:
        IngestSettings(**settings)
    assert message in str(caught.value)
