"""Own the written table of HTML metadata: meta elements, JSON-LD, microdata and time elements that declare dates.

A value that is no date declares none: these fields are filled by programs, and half of what they hold is theirs. What
a page declares under a key of our own table (`series`, `valid_from` …) in a meta element is metadata like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import orjson
from selectolax.lexbor import LexborHTMLParser, LexborNode

from indexer.readers.humandate import DateOrder
from indexer.readers.labels import iso_of
from indexer.readers.page import PageDate

_PUBLISHED: Final = "published"
_UPDATED: Final = "last_updated"

# name, property or itemprop (lower case) → declared key
META_DATES: Final[dict[str, str]] = {
    **dict.fromkeys(
        (
            "article:published_time", "article:published", "og:published_time", "datepublished", "dateposted", "date",
            "dc.date", "dc.date.issued", "dc.date.created", "dcterms.date", "dcterms.issued", "dcterms.created",
            "pubdate", "publish-date", "publish_date", "publication_date", "citation_publication_date",
            "citation_date", "parsely-pub-date",
        ),
        _PUBLISHED,
    ),
    **dict.fromkeys(
        (
            "article:modified_time", "article:modified", "og:updated_time", "og:modified_time", "datemodified",
            "dc.date.modified", "dcterms.modified", "last-modified", "last_modified", "lastmod", "last-updated",
            "last_updated", "modified", "revised", "updated",
        ),
        _UPDATED,
    ),
    **dict.fromkeys(("article:expiration_time", "validthrough"), "valid_through"),
    "expires": "expires",
    "validfrom": "effective",
    "startdate": "start",
    "enddate": "end",
}  # fmt: skip

# Dates of what stands on a page, or stands around it, are not the page's.
_NOT_THE_PAGE: Final = frozenset(
    "comment review person organization website imageobject videoobject breadcrumblist product offer rating".split()
)
_LD_KEYS: Final = frozenset(
    "datepublished dateposted datemodified expires validfrom validthrough startdate enddate".split()
)
_TIME_CLASSES: Final = {
    "updated": _UPDATED, "dt-updated": _UPDATED, "modified": _UPDATED,
    "published": _PUBLISHED, "dt-published": _PUBLISHED, "entry-date": _PUBLISHED,
}  # fmt: skip
# Names that programs talk to each other with.
_MACHINE: Final = frozenset(
    "viewport robots googlebot generator theme-color referrer format-detection color-scheme csrf-token csrf-param "
    "msapplication-tilecolor".split()
)


def read_head(tree: LexborHTMLParser, order: DateOrder | None) -> tuple[dict[str, object], tuple[PageDate, ...]]:
    """Return the metadata and the dates that the markup of a page declares."""
    metadata: dict[str, object] = {}
    declared: list[tuple[str, str]] = []
    for node in tree.css("meta"):
        _meta(node, metadata, declared)
    declared += _microdata(tree)
    declared += _linked_data(tree)
    if title := tree.css_first("title"):
        metadata.setdefault("title", " ".join(title.text().split()))
    if (link := tree.css_first("link[rel=canonical]")) and (address := link.attributes.get("href")):
        metadata["url"] = address
    dates = ((key, iso_of(value.strip(), order)) for key, value in declared)
    found = dict.fromkeys((key, iso) for key, iso in dates if iso)
    return metadata, tuple(PageDate(key, iso, "markup") for key, iso in found)


def _meta(node: LexborNode, metadata: dict[str, object], declared: list[tuple[str, str]]) -> None:
    attributes = node.attributes
    name = attributes.get("property") or attributes.get("name") or attributes.get("itemprop") or ""
    value = (attributes.get("content") or "").strip()
    if not name or not value:
        if (attributes.get("http-equiv") or "").lower() == "last-modified" and value:
            declared.append((_UPDATED, value))
        return
    if key := META_DATES.get(name.lower()):
        declared.append((key, value))
    elif name.lower() in ("og:title", "title"):
        metadata["title"] = " ".join(value.split())
    elif name.lower() == "og:url":
        metadata.setdefault("url", value)
    elif ":" not in name and name.lower() not in _MACHINE:
        metadata[name] = value


def _microdata(tree: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    for node in tree.css("time, [itemprop]"):
        attributes = node.attributes
        value = attributes.get("datetime") or attributes.get("content") or ""
        prop = (attributes.get("itemprop") or "").lower()
        if not value or node.tag == "meta":
            continue
        if prop in META_DATES:
            yield META_DATES[prop], value
        elif node.tag == "time":
            if "pubdate" in attributes:
                yield _PUBLISHED, value
            for name in (attributes.get("class") or "").lower().split():
                if name in _TIME_CLASSES:
                    yield _TIME_CLASSES[name], value


def _linked_data(tree: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    for node in tree.css("script"):
        if (node.attributes.get("type") or "").strip().lower() != "application/ld+json":
            continue
        try:
            data = orjson.loads(node.text() or "")
        except orjson.JSONDecodeError:
            continue  # a program's slip, and no date
        for item in _items(data):
            for key, value in item.items():
                if str(key).lower() in _LD_KEYS and isinstance(value, str):
                    yield META_DATES[str(key).lower()], value


def _items(data: object) -> Iterator[dict[str, object]]:
    """Yield the things that describe the page: those at the top, and those of a graph at the top."""
    for item in data if isinstance(data, list) else [data]:
        if not isinstance(item, dict):
            continue
        graph = item.get("@graph")
        for thing in graph if isinstance(graph, list) else [item]:
            if isinstance(thing, dict) and not _NOT_THE_PAGE.intersection(_types(thing)):
                yield thing


def _types(thing: dict[str, object]) -> list[str]:
    kind = thing.get("@type")
    return [str(name).lower() for name in (kind if isinstance(kind, list) else [kind])]
