"""A cue is read where it speaks of time, and nowhere else."""

import pytest

from reranker.core.cue import read_cue, without


@pytest.mark.parametrize(
    ("query", "strength", "left"),
    [
        ("is the API down right now?", 0.70, "is the API down ?"),
        ("what is the rate limit today?", 0.70, "what is the rate limit ?"),
        ("current rate limit", 0.70, "rate limit"),
        ("are there any current outages", 0.70, "are there any outages"),
        ("how does it work now?", 0.70, "how does it work ?"),
        ("what changed recently", 0.55, "what"),
        ("recent changes to refunds", 0.55, "changes to refunds"),
        ("is the old limit still in force", 0.50, "is the old limit in force"),
        ("does it not need a key anymore?", 0.50, "does it not need a key ?"),
        ("is it available yet?", 0.50, "is it available ?"),
        ("has the refund policy changed", 0.50, "has the refund policy"),
        ("what changed in the handbook", 0.40, "what in the handbook"),
        ("what is new in version 3", 0.40, "what is in version 3"),
        ("updated limits for partners", 0.40, "limits for partners"),
        ("which backend is best", 0.35, "which backend is"),
        ("the best way to deploy", 0.35, "the way to deploy"),
        ("do you recommend redis?", 0.35, "do you redis?"),
        ("Should I use REST or gRPC", 0.35, "use REST or gRPC"),
    ],
)
def test_words_of_the_present(query, strength, left):
    """Each strength of the table, and the text that is left to search."""
    cue = read_cue(query)
    assert (cue.name, cue.strength, cue.is_superlative) == ("present", strength, False)
    assert without(query, cue.spans) == left


@pytest.mark.parametrize(
    ("query", "types", "left"),
    [
        ("latest Prometheus release notes", ("release_notes",), "Prometheus release notes"),
        ("What is new in the latest Django?", (), "What is new in the Django?"),
        ("most recent incident", ("incident",), "incident"),
        ("newest version of the policy on leave", ("release_notes",), "version of the policy on leave"),
        ("last base maps and imagery incident", ("incident",), "base maps and imagery incident"),
        ("Latest News", ("news", "breaking_news"), "News"),
        ("latest word on the still open request", (), "word on the still open request"),
    ],
)
def test_superlatives(query, types, left):
    """A superlative wins over words of the present, and its noun names what else to look at."""
    cue = read_cue(query)
    assert (cue.name, cue.strength, cue.content_types) == ("superlative", 0.70, types)
    assert cue.is_superlative
    assert without(query, cue.spans) == left


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("flights to New York", id="name"),
        pytest.param("subscribe to USA Today please", id="name-of-a-paper"),
        pytest.param("export a still image", id="adjective"),
        pytest.param("still image export", id="noun-after"),
        pytest.param("the interval now defaults to one minute", id="change-log"),
        pytest.param("fields can now", id="auxiliary"),
        pytest.param("voltage current relationships in networks", id="electricity"),
        pytest.param("information on high current switches", id="high-current"),
        pytest.param("print the current working directory", id="place-in-a-program"),
        pytest.param("which settings can be changed", id="could-change"),
        pytest.param("create a new map", id="to-be-made"),
        pytest.param("most recently used cache", id="most-recently"),
        pytest.param("when should I use a bar chart", id="not-asking-for-advice"),
        pytest.param("best practices for indexing", id="practices"),
        pytest.param("the legacy syntax is still supported", id="no-question"),
        pytest.param("yet another markup language", id="yet-another"),
        pytest.param("the last run failed with errors", id="last-run"),
        pytest.param("outages last month", id="last-month"),
        pytest.param("pull the image:latest tag", id="label"),
        pytest.param("sort by newest first", id="way-to-sort"),
        pytest.param("submit it at the latest on Friday", id="at-the-latest"),
        pytest.param("last", id="alone"),
        pytest.param("How may I reset my password", id="nothing"),
    ],
)
def test_other_senses_are_left_alone(query):
    """Unsure means unread."""
    assert read_cue(query) is None


def test_past_period_silences_the_present():
    """Beside a past period words of the present mean nothing; a superlative still asks for the newest then."""
    assert read_cue("current limit in 2019", taken=[(14, 21)], past=True) is None
    assert read_cue("latest release in 2019", taken=[(15, 22)], past=True).name == "superlative"


def test_characters_read_otherwise_are_not_read_again():
    """What a period took is no cue, and the spans count in the text as it was asked."""
    query = "incidents this week that are still open?"
    cue = read_cue("is it " + query, taken=[(16, 25)])
    assert [("is it " + query)[slice(*span)] for span in cue.spans] == ["still"]


def test_phrase_ends_where_it_is_too_long():
    """A noun far from its superlative names nothing."""
    query = "latest one two three four five six seven eight release"
    assert read_cue(query).content_types == ()


def test_nothing_left_leaves_all():
    """A question of cues alone is searched as it stands."""
    assert without("latest?", [(0, 6)]) == "latest?"
