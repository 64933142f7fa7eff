"""Bytes to text: marks, encodings, line ends, and what is no text."""

import pytest

from indexer.readers.encoding import decode
from indexer.readers.errors import BinaryFileError, EncodingError, PointerError, TooLargeError
from indexer.readers.page import ReaderOptions

PLAIN = ReaderOptions()

READ = {
    "utf-8": ("Über".encode(), "Über"),
    "utf-8 with mark": (b"\xef\xbb\xbf" + "Über".encode(), "Über"),
    "utf-16 little": (b"\xff\xfe" + "Über".encode("utf-16-le"), "Über"),
    "utf-16 big": (b"\xfe\xff" + "Über".encode("utf-16-be"), "Über"),
    "utf-32 little": (b"\xff\xfe\0\0" + "Über".encode("utf-32-le"), "Über"),
    "crlf": (b"a\r\nb\rc\n", "a\nb\nc\n"),
    "form feed": (b"a\x0cb", "a\nb"),
    "line separator": ("a\u2028b".encode(), "a\nb"),
    "what nobody sees": ("a\x08b\ufeffc\x1b[0m\x9b1m".encode(), "abc[0m1m"),
    "tab stays": (b"a\tb", "a\tb"),
    "empty": (b"", ""),
}


@pytest.mark.parametrize(("data", "text"), READ.values(), ids=READ.keys())
def test_text_is_read(data: bytes, text: str) -> None:
    """Marks tell the encoding, all line ends are one, unseen characters are gone."""
    assert decode(data, PLAIN) == text


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_a_setting_reads_what_is_not_utf8(encoding: str) -> None:
    """Another encoding is read when it was named, and only where UTF-8 does not fit."""
    options = ReaderOptions(encoding=encoding)
    assert decode("Über".encode(encoding), options) == "Über"
    assert decode("Über".encode(), options) == "Über"


REFUSED = {
    "latin-1": (b"one\ntwo \xdcber", EncodingError, "byte 0xdc at byte 8"),
    "utf-16 without mark": ("a text".encode("utf-16-le") * 40, EncodingError, "looks like UTF-16"),
    "half a utf-16": (b"\xff\xfea", EncodingError, "not utf-16-le, which its byte order mark says"),
    "an image": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", BinaryFileError, "a NUL at byte 8"),
    "nul far away": (b"a" * 9_000 + b"\0", BinaryFileError, "NUL characters"),
    "git lfs pointer": (b"version https://git-lfs.example/spec/v1\noid sha256:0\n", PointerError, "Git LFS pointer"),
    "too large": (b"a" * 2_000, TooLargeError, "2,000 bytes, at most 1,000"),
}


@pytest.mark.parametrize(("data", "error", "detail"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_no_text_is_refused(data: bytes, error: type[Exception], detail: str) -> None:
    """Each kind of file has its own message and a remedy."""
    options = ReaderOptions(max_bytes=1_000) if error is TooLargeError else PLAIN
    with pytest.raises(error) as caught:
        decode(data, options)
    assert detail in caught.value.detail  # type: ignore[attr-defined]
    assert caught.value.remedy  # type: ignore[attr-defined]


def test_a_file_that_is_not_utf8_names_its_line() -> None:
    """The line of the first byte that does not fit is told."""
    with pytest.raises(EncodingError) as caught:
        decode(b"one\ntwo \xdcber", PLAIN)
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("encoding", "data", "detail"),
    [
        ("klingon", b"\xff", "must be one that Python knows, got 'klingon'"),
        ("ascii", b"\xff", "the setting encoding says"),
    ],
)
def test_a_setting_that_does_not_fit_is_said(encoding: str, data: bytes, detail: str) -> None:
    """An unknown encoding, and one that is not the file's, are told apart."""
    with pytest.raises(EncodingError, match=detail):
        decode(data, ReaderOptions(encoding=encoding))
