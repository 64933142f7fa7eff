"""The log of rejections is bounded, keyed by the question, and shown to who asked."""

import threading

import pytest

from mappings.document import Code
from store.rejections import Rejection, Rejections

SEEN = (
    Rejection(Code.SUPERSEDED, "policy", "a", "a#1"),
    Rejection(Code.SUPERSEDED, "policy", "a", "a#2"),
    Rejection(Code.EXPIRED_EVENT, "news", "b", "b#1"),
)


def entry(query_id="q", principals=()):
    return Rejections(query_id, 3, 2, 1, tuple(principals), ((Code.SUPERSEDED, 7),), SEEN)


def test_entry_comes_back_as_it_was(engine):
    """What was logged is read whole, also by another process that opens the index."""
    engine.log_rejections(entry(), keep=10)
    assert engine.rejections("q") == entry()


def test_counts_by_code_and_content_type():
    """The candidates that were looked at are counted by both."""
    assert entry().by_type() == {(Code.EXPIRED_EVENT, "news"): 1, (Code.SUPERSEDED, "policy"): 2}


@pytest.mark.parametrize(
    ("asked_by", "read_by", "shown"),
    [((), (), True), (("hr", "it"), ("it", "hr"), True), (("hr",), (), False), ((), ("hr",), False)],
)
def test_only_who_asked_is_shown(engine, asked_by, read_by, shown):
    """Nobody learns from the log of another."""
    engine.log_rejections(entry(principals=asked_by), keep=10)
    assert (engine.rejections("q", read_by) is not None) is shown


def test_only_the_newest_are_kept(engine):
    """The log is bounded, and asking again makes an entry new."""
    for name in ("a", "b", "c", "a", "d"):
        engine.log_rejections(entry(name), keep=3)
    assert [name for name in "abcd" if engine.rejections(name)] == ["a", "c", "d"]


def test_nothing_was_logged(engine):
    """Before the first question there is no entry, and no file."""
    assert engine.rejections("q") is None


def test_questions_at_once_do_not_mix(engine):
    """Several threads log, each entry stays its own."""
    threads = [
        threading.Thread(target=engine.log_rejections, args=(entry(f"q{at}"),), kwargs={"keep": 100}) for at in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(engine.rejections(f"q{at}") == entry(f"q{at}") for at in range(8))
