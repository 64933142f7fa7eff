"""The nouns: states, codes, identities of texts, and the errors that speak of them."""

from dataclasses import FrozenInstanceError, replace

import pytest

from mappings import errors
from mappings.document import Attributes, Code, Kind, Observation, State, code_of, content_hash, digest
from mappings.interval import Span

LIVE = {State.UNDATED, State.TEMPORAL, State.VALID}

CODES = [
    (State.FUTURE, Kind.STATIC, Code.FUTURE_OBSERVED),
    (State.RETRACTED, Kind.STATIC, Code.RETRACTED),
    (State.NOT_YET_VALID, Kind.STATIC, Code.NOT_YET_VALID),
    (State.EXPIRED, Kind.STATIC, Code.EXPIRED_STATIC_DOC),
    (State.EXPIRED, Kind.VERSIONED, Code.EXPIRED_VERSIONED_DOC),
    (State.EXPIRED, Kind.EVENT, Code.EXPIRED_EVENT),
    (State.SUPERSEDED, Kind.EVENT, Code.SUPERSEDED),
    (State.UNDATED, Kind.STATIC, Code.UNDATED),
    (State.TEMPORAL, Kind.EVENT, None),
    (State.VALID, Kind.STATIC, None),
]


@pytest.mark.parametrize(("state", "kind", "code"), CODES, ids=[f"{row[0]} {row[1]}" for row in CODES])
def test_state_has_its_code(state, kind, code):
    """What keeps a version out of the hits, or flags it, has one code; what is simply there has none."""
    assert code_of(state, kind) is code


def test_every_state_is_live_or_has_a_code():
    """No version can be out without a word why."""
    assert {state for state in State if state.is_live} == LIVE
    assert all(code_of(state, kind) for state in State for kind in Kind if state not in LIVE)


TEXTS = [
    ("same", ("t", "x"), ("t", "x"), True),
    ("other text", ("t", "x"), ("t", "y"), False),
    ("other title", ("t", "x"), ("u", "x"), False),
    ("the border moved", ("ab", "c"), ("a", "bc"), False),
    ("all in the title", ("abc", ""), ("", "abc"), False),
    ("case counts", ("T", "x"), ("t", "x"), False),
    ("half a surrogate pair", ("t", "\ud800"), ("t", "\ud801"), False),
]


@pytest.mark.parametrize(("one", "other", "equal"), [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_identity_of_a_text_is_over_title_and_text(one, other, equal):
    """Equal title and text give equal hashes, anything else gives another."""
    assert (content_hash(*one) == content_hash(*other)) is equal


def test_identity_is_32_hexadecimal_digits():
    """The hash does not depend on the process; it is stored."""
    assert content_hash("Quotas", "Ten per day.") == "606e78669ec87fca7c9a2e27c9ab9ec7"
    assert len(content_hash("", "")) == 32 and int(content_hash("", ""), 16)


def test_digest_tells_absent_from_the_word():
    """Parts are joined so that their number and ends count."""
    assert len({digest(), digest(""), digest("", ""), digest("a", "b"), digest("ab")}) == 5


BASE = Observation("h", Span.instant(5), valid_from=1, valid_until=9, until_source="declared", supersedes=("b",))

PARTS = [
    ({"content_hash": "i"}, True),
    ({"valid_from": 2}, True),
    ({"valid_until": 10}, True),
    ({"supersedes": ()}, True),
    ({"until_source": "ttl"}, True),  # an end that nobody declared is as none
    ({"observed": Span.instant(6)}, False),
    ({"sequence": 1}, False),
    ({"read_at": 7}, False),
    ({"attributes": Attributes(tags=("new",))}, False),
]


@pytest.mark.parametrize(("change", "new"), PARTS, ids=[next(iter(row[0])) for row in PARTS])
def test_only_content_and_declared_dates_make_a_version(change, new):
    """What else a reading says may change within one version."""
    assert (replace(BASE, **change).declared != BASE.declared) is new


def test_a_time_to_live_is_not_declared():
    """Two notices of one text with ends from their type are equal in what they declare, whatever the type says."""
    ends = [Observation("h", Span.instant(5), valid_until=at, until_source="ttl") for at in (7, 8)]
    assert ends[0].declared == ends[1].declared == ("h", None, None, ())


def test_values_can_not_be_changed():
    """What passed the door stays as it was checked."""
    with pytest.raises(FrozenInstanceError):
        BASE.draft = True


def test_error_reads_as_one_line_with_its_remedy():
    """Detail, then what to do; without a remedy the detail alone."""
    full = errors.StilltrueError("k must be 1, got 2", remedy="give 1")
    assert (str(full), full.detail, full.remedy) == ("k must be 1, got 2; give 1", "k must be 1, got 2", "give 1")
    assert str(errors.StilltrueError("it broke")) == "it broke"


def test_errors_of_the_words_are_value_errors_with_codes_of_their_own():
    """A caller may catch the base, the leaf or ValueError; programs read the code."""
    leaves = [errors.BadValueError, errors.MomentError, errors.ProfileError, errors.RecordError]
    assert all(issubclass(leaf, ValueError) and issubclass(leaf, errors.StilltrueError) for leaf in leaves)
    assert len({leaf.code for leaf in (errors.StilltrueError, *leaves)}) == 5
