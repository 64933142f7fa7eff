"""Releases by name: from the day of one to the day of the next greater major.minor, where it is sure which is meant."""

import pytest

from mappings.interval import parse_moment
from reranker.timewords import Releases
from tests.reranker.timewords.reading import ask, one, reasons, said

DAYS = [
    ("OpenSearch", "2.10", "2023-09-25"),
    ("OpenSearch", "2.11", "2023-10-16"),
    ("OpenSearch", "2.11", "2023-12-01"),
    ("OpenSearch", "2.11.1", "2023-11-20"),
    ("OpenSearch", "2.12", "2024-02-20"),
    ("OpenSearch", "1.3.15", "2024-03-01"),
    ("OpenSearch", "3.0.0-rc1", "2024-03-02"),
    ("Django", "3.1", "2020-08-04"),
    ("Django", "4.0", "2021-12-07"),
    ("Django", "4.2", "2023-04-03"),
    ("Django", "5.0", "2023-12-04"),
    ("Prometheus", "4.2", "2030-01-01"),
]
RELEASES = Releases.of((product, release, parse_moment(day).start) for product, release, day in DAYS)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("cluster settings in OpenSearch 2.11", "2023-10-16", "2024-02-20"),
        ("cluster settings in opensearch v2.11", "2023-10-16", "2024-02-20"),
        ("cluster settings in OpenSearch version 2.10", "2023-09-25", "2023-10-16"),
        ("cluster settings in OpenSearch 2.11.1", "2023-11-20", "2024-02-20"),
        ("cluster settings in OpenSearch 2.12", "2024-02-20", "-"),
        ("settings as of 2.11", "2023-10-16", "2024-02-20"),
        ("changes since 2.11", "2023-10-16", "-"),
        ("changes after 2.11", "2024-02-20", "-"),
        ("changes before 2.11", "-", "2023-10-16"),
        ("changes until Django 4.2", "-", "2023-12-04"),
        ("changes from v4 to v5 in Django", "2021-12-07", "-"),
        ("changes between 3.1 and Django 4.2", "2020-08-04", "2023-12-04"),
        ("which settings in 4.2 does Django have", "2023-04-03", "2023-12-04"),
        ("LANGUAGE_CODE in Django 4", "2021-12-07", "2023-12-04"),
        ("In 3.1, which settings are new", "2020-08-04", "2021-12-07"),
        ("how do I scrape in Django in Django 3.1", "2020-08-04", "2021-12-07"),
    ],
)
def test_a_release_is_a_range(text, start, end):
    """The smallest day that carries the name starts it; patches and back-ports do not end it."""
    assert one(text, releases=RELEASES) == ("range", start, end)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("settings in 4.2", "release 4.2 is ambiguous: django, prometheus"),
        ("settings in OpenSearch 9.9", "no release 9.9 of opensearch is known"),
        ("settings in Ruby 3.2", "no release ruby 3.2 is known"),
        ("settings since 7.7", "no release 7.7 is known"),
        ("changes after OpenSearch 2.12", "no later release is known"),
        ("changes from 2.12 to 2.10", "the second release is not the later one"),
        ("A note. It began like this: in 3.1, it was so", "a release without its product, in the middle of the text"),
    ],
)
def test_an_unsure_release_is_left_alone_and_says_why(text, reason):
    """Unknown, ambiguous and the wrong way round: the question keeps its words."""
    assert reasons(text, releases=RELEASES) == [reason]
    assert ask(text, releases=RELEASES).rest == text


@pytest.mark.parametrize("text", ["OpenSearch 2.11", "upgrade to Django 4.2", "in 3.5 seconds", "in Windows 10"])
def test_a_release_that_is_the_subject_is_not_even_unread(text):
    """Without a word of time a release is what the question is about."""
    assert ask(text, releases=RELEASES).spans == ()


def test_without_an_index_no_release_is_read():
    """A version number alone says nothing about time."""
    assert said("cluster settings in OpenSearch 2.11") == []


def test_an_index_that_does_not_say_its_product_is_about_one():
    """Releases without a product answer to the product of the question, as there is only one."""
    nameless = Releases.of(("", release, parse_moment(day).start) for _, release, day in DAYS[:5])
    assert one("settings in OpenSearch 2.11", releases=nameless)[1:] == ("2023-10-16", "2024-02-20")
    assert one("settings in 2.11", releases=nameless)[1:] == ("2023-10-16", "2024-02-20")
