"""Own the table of bad and odd files: what each holds, and what must be said about it."""

from __future__ import annotations

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


def dated(front: str, text: str = "Some words.") -> str:
    """Return a page whose only fault is in its front matter."""
    return f"---\n{front}\n---\n{text}\n"


# file → (content, code, what the message says)
REFUSED: dict[str, tuple[str | bytes, str, str]] = {
    "latin-1.md": ("caf\xe9".encode("latin-1"), "NOT_UTF8", "byte 0xe9 at byte 3"),
    "utf-16-unmarked.md": ("Some words. ".encode("utf-16-le") * 9, "NOT_UTF8", "looks like UTF-16"),
    "utf-16-broken.md": (b"\xff\xfea", "NOT_UTF8", "which its byte order mark says"),
    "image.md": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "BINARY", "a NUL at byte 8"),
    "nul-late.md": (b"a" * 9_000 + b"\0", "BINARY", "holds NUL characters"),
    "lfs.md": (b"version https://git-lfs.example/spec/v1\noid sha256:0\n", "LFS_POINTER", "Git LFS pointer"),
    "empty.md": (b"", "EMPTY", "file says nothing"),
    "blank.md": (b" \n\t\r\n", "EMPTY", "file says nothing"),
    "only-front-matter.md": (dated("date: 2024-01-01", ""), "EMPTY", "file says nothing"),
    "only-a-comment.md": ("<!-- nothing -->", "EMPTY", "file says nothing"),
    "only-scripts.html": ("<script>run()</script>", "EMPTY", "file says nothing"),
    "never-ends.md": ("---\ndate: 2024-01-01\n\nWords.\n", "FRONT_MATTER", "opens with --- on line 1 and never ends"),
    "toml-never-ends.md": ("+++\na = 1\n", "FRONT_MATTER", "opens with +++ on line 1 and never ends"),
    "bad-yaml.md": (dated("title: a: b"), "FRONT_MATTER", "is no YAML"),
    "bad-toml.md": ("+++\na = \nb = 1\n+++\nWords.\n", "FRONT_MATTER", "is no TOML"),
    "tag.md": (dated("a: !!python/object:os.system x"), "FRONT_MATTER", "uses the tag"),
    "alias.md": (dated("a: &x 1\nb: *x"), "FRONT_MATTER", "uses the alias *x"),
    "bomb.md": (dated(BOMB), "FRONT_MATTER", "uses the alias *a"),
    "deep-yaml.md": (dated("a: " + "[" * 40 + "]" * 40), "FRONT_MATTER", "nested more than 20 levels"),
    "key-twice.md": (dated("date: 2024-01-01\ndate: 2025-01-01"), "FRONT_MATTER", "the key 'date' twice"),
    "no-keys.md": (dated("[a, b]"), "FRONT_MATTER", "holds no keys"),
    "key-no-text.md": (dated("? [a]\n: b"), "FRONT_MATTER", "a key that is no text"),
    "long-front-matter.md": (dated("a: " + "x" * 70_000), "FRONT_MATTER", "at most 65,536 are read"),
    "undated.md": ("Some words.", "UNDATED", "observed_at is missing"),
    "misspelt-key.md": (dated("publishd: 2024-01-01"), "UNDATED", "did you mean 'published'?"),
    "date-blank.md": (dated("date: TBD"), "UNDATED", "observed_at is missing"),
    "date-word.md": (dated("date: soon"), "BAD_VALUE", "date must be a date"),
    "date-impossible.md": (dated("date: 2025-02-30"), "BAD_VALUE", "names a day that does not exist"),
    "date-open-order.md": (dated("date: 03/04/2025"), "BAD_VALUE", "day first or the month first, got '03/04/2025'"),
    "date-two-digits.md": (dated("date: 02-07-18"), "BAD_VALUE", "day first or the month first, got '02-07-18'"),
    "date-junk.md": (dated("date: 1p9"), "BAD_VALUE", "got '1p9'"),
    "date-number.md": (dated("date: '10'"), "BAD_VALUE", "got '10'"),
    "date-version.md": (dated("date: '3.10'"), "BAD_VALUE", "got '3.10'"),
    "date-product.md": (dated("date: 11g"), "BAD_VALUE", "got '11g'"),
    "date-far.md": (dated("date: January 1st, 9999999999"), "BAD_VALUE", "got 'January 1st, 9999999999'"),
    "date-range.md": (dated("date: JUN. 2013 - 2020"), "BAD_VALUE", "got 'JUN. 2013 - 2020'"),
    "date-early.md": (dated("date: 0202-05-01"), "BAD_VALUE", "years 1400 to 2999"),
    "date-negative.md": (dated("date: -86400"), "BAD_VALUE", "got '-86400'"),
    "date-weekday.md": (dated("date: Monday, 2 July 2024"), "BAD_VALUE", "got 'Monday, 2 July 2024'"),
    "date-part-number.md": (dated("date: '2022-51'"), "BAD_VALUE", "got '2022-51'"),
    "window-inverted.md": (
        dated("date: 2024-01-01\neffective: 2024-05-01\nexpires: 2024-04-01"), "INVERTED_WINDOW", "must not lie after"
    ),
    "window-twice.md": (
        dated("date: 2024-01-01\nvalid_until: 2024-05-01\nexpires: 2024-05-01"), "DUPLICATE_KEY", "give two ends"
    ),
    "kind.md": (dated("date: 2024-01-01\nkind: evnt"), "BAD_VALUE", "kind must be one of"),
    "nobody.md": (dated("date: 2024-01-01\nprincipals: '-'"), "BAD_VALUE", "principals must be a list of names"),
    "sequence.md": (dated("date: 2024-01-01\nsequence: third"), "BAD_VALUE", "sequence must be a whole number"),
    "draft.md": (dated("date: 2024-01-01\ndraft: maybe"), "BAD_VALUE", "draft must be true or false"),
    "withdrawn.md": (dated("date: 2024-01-01\nwithdrawn: perhaps"), "BAD_VALUE", "withdrawn must be a date"),
}  # fmt: skip

# file → (content, words that must be found in what went in)
FINE: dict[str, tuple[str | bytes, str]] = {
    "bom.md": (b"\xef\xbb\xbf" + dated("date: 2024-01-01", "Marked words.").encode(), "Marked words."),
    "utf-16.md": (b"\xff\xfe" + dated("date: 2024-01-01", "Wide words.").encode("utf-16-le"), "Wide words."),
    "crlf.md": (dated("date: 2024-01-01", "One.\n\nTwo.").replace("\n", "\r\n"), "One.\n\nTwo."),
    "control.md": (dated("date: 2024-01-01", "Bell\x07 and escape\x1b."), "Bell and escape."),
    "deep.html": ("<p>Updated: 2024-01-01</p>" + "<div>" * 10_000 + "Deep words.", "Deep words."),
    "deep.md": (dated("date: 2024-01-01", ">" * 10_000 + " Quoted words."), "Quoted words."),
    "long-line.md": (dated("date: 2024-01-01", "word " * 200_000), "word word"),
    "rule.md": ("---\nUpdated: 2024-01-01\n", "Updated: 2024-01-01"),
    "date-words.md": (dated("date: Fri, 22 Sep 17 22:05:03 +0300", "Mailed."), "Mailed."),
    "unclosed-fence.md": (dated("date: 2024-01-01", "```\n# code"), "# code"),
    "it's \"odd\" #1 100% ü 🌧.md": (dated("date: 2024-01-01", "Odd name."), "Odd name."),
    "twin.md": (dated("date: 2024-01-01", "Lower twin."), "Lower twin."),
    "Twin.md": (dated("date: 2024-01-01", "Upper twin."), "Upper twin."),
    "a/b/c/d/e/f/g/h/i/j/deep-folder.md": (dated("date: 2024-01-01", "Far down."), "Far down."),
}
FINE["rule.md"] = ("---\n\nUpdated: 2024-01-01\n\n---\n\nBetween rules.\n", "Between rules.")
