"""Own what an HTML page says: its main part as Markdown, its title, its labelled lines.

What stands in the markup beside the text (meta elements, JSON-LD, time elements) is `indexer.readers.htmlmeta`'s.
Trees are walked by their links, never by recursion: pages nested ten thousand levels deep are read like others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from indexer.readers.errors import ReadError
from indexer.readers.htmlmeta import read_head
from indexer.readers.labels import labelled_dates
from indexer.readers.page import Page, ReaderOptions
from indexer.readers.plaintext import escape

_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_BLOCKS: Final = frozenset(
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form "
    "header hr li main menu nav ol p section summary table tbody tfoot thead tr ul".split()
).union(_HEADINGS)
_UNSEEN: Final = frozenset(
    "script style noscript template svg canvas iframe object head input select button textarea audio video".split()
)
# Beside the text of a page, though not of its date: menus and the foot that all pages of a site share.
_AROUND: Final = frozenset(["nav", "footer"])
_AROUND_ROLES: Final = frozenset(["navigation", "contentinfo", "search", "banner"])
_SPACE = re.compile(r"[ \t\n\r\xa0]+")
_PERMALINK: Final = "headerlink"


def read_html(text: str, options: ReaderOptions) -> Page:
    """Return an HTML page.

    Raises:
        ReadError: the parser can make nothing of it.
    """
    tree = LexborHTMLParser(text)
    body = tree.body
    if body is None:
        raise ReadError("file holds no HTML document", remedy="save it as text, or mend its markup")
    metadata, dates = read_head(tree, options.date_order)
    blocks = list(_blocks(_main_part(tree, body), _AROUND, dated=False))
    title, blocks = _titled(blocks, str(metadata.pop("title", "")))
    seen = enumerate((block.text for block in _blocks(body, frozenset(), dated=True) if not block.code), start=1)
    labels = (label for label in labelled_dates(seen, options.date_order))
    # A tree has no lines to point at; the label itself is quoted by whoever complains.
    return Page(
        title=title,
        text=_markdown(blocks),
        metadata=metadata,
        dates=(*dates, *(type(label)(label.key, label.value, label.source) for label in labels)),
    )


@dataclass(slots=True)
class _Block:
    """A run of text between two block elements; `level` of a heading, `item` for one of a list, `code` for pre."""

    text: str
    level: int = 0
    item: bool = False
    code: bool = False


@dataclass(slots=True)
class _Writer:
    pieces: list[str] = field(default_factory=list)
    level: int = 0
    items: int = 0
    fresh_item: bool = False

    def flush(self) -> Iterator[_Block]:
        """Yield the text gathered since the last block, if it says something."""
        text = _SPACE.sub(" ", "".join(self.pieces)).strip(" |")
        self.pieces.clear()
        if text:
            yield _Block(text, self.level, item=self.fresh_item)
            self.fresh_item = False


def _main_part(tree: LexborHTMLParser, body: LexborNode) -> LexborNode:
    for selector in ("main", "[role=main]", "article"):
        found = tree.css(selector)
        if len(found) == 1:
            return found[0]
    return body


def _titled(blocks: list[_Block], declared: str) -> tuple[str, list[_Block]]:
    """Take the one heading of the first level out as the title; else the head's own title holds."""
    top = [place for place, block in enumerate(blocks) if block.level == 1]
    if len(top) != 1:
        return declared, blocks
    return blocks[top[0]].text, blocks[: top[0]] + blocks[top[0] + 1 :]


def _markdown(blocks: list[_Block]) -> str:
    out: list[str] = []
    for before, block in zip([None, *blocks], blocks, strict=False):
        if out and not (before and before.item and block.item):
            out.append("")
        if block.code:
            out += ["```", block.text.replace("```", "` ` `"), "```"]
        elif block.level:
            out.append("#" * block.level + " " + block.text)
        else:
            out.append("- " + block.text if block.item else escape(block.text))
    return "\n".join(out)


def _blocks(root: LexborNode, around: frozenset[str], *, dated: bool) -> Iterator[_Block]:
    """Yield the blocks of a tree in order; `dated` writes time elements as the date they are marked with."""
    writer = _Writer()
    for node, entering in _walk(root, around, dated=dated):
        tag = node.tag or ""
        if tag == "-text" and entering:
            writer.pieces.append(node.text_content or "")
        elif tag == "pre" and entering:
            yield from writer.flush()
            yield _Block((node.text() or "").strip("\n"), code=True)
        elif tag == "time" and dated and entering and (marked := node.attributes.get("datetime")):
            writer.pieces.append(f" {marked} ")
        elif tag in ("td", "th"):
            writer.pieces.append(" | " if not entering else "")
        elif tag == "br" and entering:
            yield from writer.flush()
        elif tag in _BLOCKS:
            yield from writer.flush()
            writer.level = _HEADINGS.get(tag, 0) if entering else 0
            writer.fresh_item = tag == "li" and entering or (writer.fresh_item and entering)
    yield from writer.flush()


def _walk(root: LexborNode, around: frozenset[str], *, dated: bool) -> Iterator[tuple[LexborNode, bool]]:
    """Yield (node, entering) in reading order, leaving out what nobody sees."""
    node: LexborNode | None = root
    level = 0
    while node is not None:
        opaque = node is not root and _is_left_out(node, around)
        child = None
        if not opaque:
            yield node, True
            whole = node.tag == "pre" or (dated and node.tag == "time" and node.attributes.get("datetime"))
            child = None if whole else node.child
        if child is not None:
            node, level = child, level + 1
            continue
        if not opaque:
            yield node, False
        while node is not None and level and node.next is None:
            node, level = node.parent, level - 1
            if node is not None:
                yield node, False
        node = node.next if node is not None and level else None


def _is_left_out(node: LexborNode, around: frozenset[str]) -> bool:
    tag = node.tag or ""
    if tag[:1] == "-":
        return tag != "-text"
    if tag in _UNSEEN or tag in around:
        return True
    if tag == "header" and around and node.css_first("h1") is None:
        return True  # the head of the site, not of the page
    attributes = node.attributes
    if not attributes:
        return False
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    if around and attributes.get("role") in _AROUND_ROLES:
        return True
    return _PERMALINK in (attributes.get("class") or "").split()

