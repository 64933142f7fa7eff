"""JSON lines: what goes in, what is refused with its line, and that a fault never takes its neighbours along."""

import gzip
import json
from hashlib import sha256
from pathlib import Path

import pytest

from indexer.errors import SourceError
from indexer.sources.base import RawDocument, RawEnd, Refusal, RefusalCode
from indexer.sources.jsonl import MAX_LINE_BYTES, JsonLines, read_line

GOOD = b'{"id": "a", "title": "A", "text": "alpha", "observed_at": "2024-01-01"}'
ALSO_GOOD = b'{"id": "z", "text": "omega", "observed_at": "2024-01-02"}'


def items_of(folder: Path, data: bytes, name: str = "docs.jsonl") -> list[object]:
    path = folder / name
    path.write_bytes(data)
    return list(JsonLines(path))


BAD_LINES = {
    "not UTF-8": (b'{"id": "b", "text": "caf\xe9"}', RefusalCode.NOT_UTF8, "line must be UTF-8, got byte 0xe9"),
    "half a surrogate": (b'{"id": "b", "text": "\\ud83d x"}', RefusalCode.NOT_UTF8, "half of a surrogate pair"),
    "no JSON": (b"id: b", RefusalCode.NOT_JSON, "line is no JSON"),
    "cut off": (b'{"id": "b", "text": "be', RefusalCode.NOT_JSON, "line is no JSON"),
    "two objects": (b'{"id": "b"} {"id": "c"}', RefusalCode.NOT_JSON, "Extra data"),
    "nested for ever": (b'{"id": "b", "x": ' + b"[" * 100_000, RefusalCode.NOT_JSON, "nested too deeply"),
    "a list": (b'["b", "text"]', RefusalCode.NOT_AN_OBJECT, "line must be a JSON object, got ['b', 'text']"),
    "a number": (b"7", RefusalCode.NOT_AN_OBJECT, "line must be a JSON object, got 7"),
    "null": (b"null", RefusalCode.NOT_AN_OBJECT, "got None"),
    "no id": (b'{"text": "be"}', RefusalCode.MISSING_FIELD, "id is missing"),
    "null id": (b'{"id": null, "text": "be"}', RefusalCode.MISSING_FIELD, "id is missing"),
    "empty id": (b'{"id": "  ", "text": "be"}', RefusalCode.BAD_VALUE, "id must be a text that is not empty"),
    "id true": (b'{"id": true, "text": "be"}', RefusalCode.BAD_VALUE, "id must be a text"),
    "id with a blank": (b'{"id": "b ", "text": "be"}', RefusalCode.BAD_VALUE, "must not begin or end with white"),
    "id of two lines": (b'{"id": "b\\nc", "text": "be"}', RefusalCode.CONTROL_CHARACTER, "U+000A in 'b\\nc'"),
    "endless id": (b'{"id": "%s", "text": "be"}' % (b"b" * 1025), RefusalCode.BAD_VALUE, "at most 1024 bytes"),
    "no text": (b'{"id": "b", "title": "B"}', RefusalCode.MISSING_FIELD, "text is missing"),
    "null text": (b'{"id": "b", "text": null}', RefusalCode.MISSING_FIELD, "text is missing"),
    "text is a list": (b'{"id": "b", "text": ["be"]}', RefusalCode.BAD_VALUE, "text must be a text, got ['be']"),
    "title is a number": (b'{"id": "b", "title": 3, "text": "be"}', RefusalCode.BAD_VALUE, "title must be a text"),
    "NUL": (b'{"id": "b", "text": "b\\u0000e"}', RefusalCode.CONTROL_CHARACTER, "text must not hold NUL"),
    "raw control": (b'{"id": "b", "text": "b\x07e"}', RefusalCode.CONTROL_CHARACTER, "control character U+0007"),
    "NaN": (b'{"id": "b", "text": "be", "x": NaN}', RefusalCode.NUMBER_OUT_OF_RANGE, "must be finite"),
    "infinity": (b'{"id": "b", "text": "be", "x": -Infinity}', RefusalCode.NUMBER_OUT_OF_RANGE, "got -Infinity"),
    "1e999": (b'{"id": "b", "text": "be", "x": 1e999}', RefusalCode.NUMBER_OUT_OF_RANGE, "got 1e999"),
    "over 64 bits": (
        b'{"id": "b", "text": "be", "x": 9223372036854775808}',
        RefusalCode.NUMBER_OUT_OF_RANGE,
        "fit 64 bits, got 9223372036854775808",
    ),
    "5,000 digits": (b'{"id": "b", "x": ' + b"9" * 5_000 + b"}", RefusalCode.NUMBER_OUT_OF_RANGE, "fit 64 bits"),
    "a key twice": (b'{"id": "b", "text": "x", "text": "y"}', RefusalCode.DUPLICATE_KEY, "'text' stands twice"),
    "deleted: maybe": (b'{"id": "b", "deleted": "maybe"}', RefusalCode.BAD_VALUE, "deleted must be true or false"),
}


@pytest.mark.parametrize(("line", "code", "message"), BAD_LINES.values(), ids=BAD_LINES)
def test_bad_line_is_reported_and_the_rest_goes_in(tmp_path, line, code, message):
    """A line that can not be read is refused with its number, reason and remedy; its neighbours go in."""
    first, refusal, last = items_of(tmp_path, b"\n".join((GOOD, line, ALSO_GOOD)))
    assert (first.doc_id, last.doc_id) == ("a", "z")
    assert isinstance(refusal, Refusal)
    assert (refusal.location, refusal.code) == ("docs.jsonl:2", code)
    assert message in refusal.detail
    assert refusal.remedy


def test_document_keeps_id_title_text_and_all_other_keys(tmp_path):
    """Everything but id, title and text is metadata, as written."""
    line = {"id": "b", "title": "B", "text": "be", "series": None, "Last-Updated": "2024", "x": [1, {"y": 2.5}]}
    (document,) = items_of(tmp_path, json.dumps(line).encode())
    assert isinstance(document, RawDocument)
    assert (document.doc_id, document.title, document.text, document.location) == ("b", "B", "be", "docs.jsonl:1")
    assert document.metadata == {"series": None, "Last-Updated": "2024", "x": [1, {"y": 2.5}]}


def test_deleted_line_is_an_end(tmp_path):
    """`deleted: true` needs no text and ends the document; false changes nothing."""
    lines = b'{"id": "b", "Deleted": true, "observed_at": "2024-02-01"}\n{"id": "c", "deleted": false, "text": "x"}'
    end, document = items_of(tmp_path, lines)
    assert isinstance(end, RawEnd)
    assert (end.doc_id, end.metadata["observed_at"]) == ("b", "2024-02-01")
    assert isinstance(document, RawDocument)


def test_stray_control_characters_become_spaces_with_a_note():
    """What a scanner left in a text does not keep the document out, and is told."""
    item = read_line(b'{"id": "b", "text": "list is redundant\\u0019 in\\u009b tab\\tstays"}', "f:1")
    assert item.text == "list is redundant  in  tab\tstays"
    assert item.notes == ("text: 2 control characters became spaces, the first is U+0019",)


@pytest.mark.parametrize("name", ["docs.jsonl", "docs.jsonl.gz"])
def test_blank_lines_bom_and_windows_line_ends_are_no_fault(tmp_path, name):
    """Blank lines are passed over and counted; a byte order mark and CRLF do not matter."""
    data = b"\xef\xbb\xbf" + GOOD + b"\r\n\r\n   \r\n" + ALSO_GOOD + b"\r\n"
    items = items_of(tmp_path, gzip.compress(data) if name.endswith("gz") else data, name)
    assert [(item.doc_id, item.location) for item in items] == [("a", f"{name}:1"), ("z", f"{name}:4")]


def test_line_of_one_megabyte_goes_in(tmp_path):
    """A long document is a document."""
    line = json.dumps({"id": "b", "text": "word " * 200_000}).encode()
    (document,) = items_of(tmp_path, line)
    assert len(document.text) == 1_000_000


def test_line_over_the_bound_is_refused_and_passed_over(tmp_path):
    """A line of more than 16 MiB is refused without being held, and the next line goes in."""
    huge = b'{"id": "b", "text": "' + b"x" * MAX_LINE_BYTES + b'"}'
    refusal, document = items_of(tmp_path, huge + b"\n" + GOOD)
    assert (refusal.code, refusal.location) == (RefusalCode.LINE_TOO_LONG, "docs.jsonl:1")
    assert (document.doc_id, document.location) == ("a", "docs.jsonl:2")


def test_truncated_gzip_gives_what_stands_before_the_cut(tmp_path):
    """What can be unpacked goes in, the fault is reported once, and no line is made up."""
    ids = [f"doc-{i}" for i in range(400)]
    lines = [json.dumps({"id": each, "text": sha256(each.encode()).hexdigest()}).encode() for each in ids]
    whole = gzip.compress(b"\n".join(lines))
    seen = set()
    for cut in range(len(whole) // 4, len(whole) - 9, len(whole) // 8):
        *documents, refusal = items_of(tmp_path, whole[:cut], "docs.jsonl.gz")
        seen.add(len(documents))
        assert [item.doc_id for item in documents] == ids[: len(documents)]
        assert (refusal.code, refusal.location) == (RefusalCode.UNREADABLE, f"docs.jsonl.gz:{len(documents) + 1}")
        assert "what stands before this line went in" in refusal.remedy
    assert len(seen) > 1


@pytest.mark.parametrize("data", [b"no gzip at all", gzip.compress(GOOD)[:-4] + b"\0\0\0\0"], ids=["no gzip", "size"])
def test_broken_gzip_is_reported(tmp_path, data):
    """A file that only calls itself gzip, or fails its checksum, is reported."""
    items = items_of(tmp_path, data, "docs.jsonl.gz")
    assert items[-1].code is RefusalCode.UNREADABLE


def test_gzip_is_told_by_its_content(tmp_path):
    """A gzipped file without the ending is unpacked all the same."""
    (document,) = items_of(tmp_path, gzip.compress(GOOD), "export.jsonl")
    assert document.doc_id == "a"


@pytest.mark.parametrize("make", [lambda path: path / "absent.jsonl", lambda path: path], ids=["absent", "a folder"])
def test_what_is_no_file_is_an_error(tmp_path, make):
    """A path that names no file is an error of the call, not a refusal."""
    with pytest.raises(SourceError, match="source must be a file of JSON lines, got"):
        JsonLines(make(tmp_path))


def test_empty_file_gives_nothing(tmp_path):
    """An empty file holds no documents and no faults."""
    assert items_of(tmp_path, b"") == []
    assert items_of(tmp_path, b"", "docs.jsonl.gz") == []


def test_number_as_id_is_taken_as_its_text():
    """Exports number their rows; the id is the text of the number."""
    assert read_line(b'{"id": 17, "text": "x"}', "f:1").doc_id == "17"
