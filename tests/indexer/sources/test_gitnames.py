"""Names of documents in a history: kept through renames, given once, back with the file."""

from hypothesis import given
from hypothesis import strategies as st

from indexer.sources.gitnames import Names


def test_a_renamed_document_keeps_its_name_and_its_old_path_gives_a_new_one() -> None:
    """The name is the path of the first commit; the next document there gets ~2, then ~3."""
    names = Names()
    assert names.add("a.md") == "a.md"
    names.move([("a.md", "b.md")])
    assert names.live == {"b.md": "a.md"}
    assert names.add("a.md") == "a.md~2"
    names.move([("a.md", "c.md")])
    assert names.add("a.md") == "a.md~3"


def test_a_deleted_document_comes_back_at_its_last_path() -> None:
    """The file's return is the document's return, wherever it was first."""
    names = Names()
    names.add("a.md")
    names.move([("a.md", "b.md")])
    assert names.end("b.md") == "a.md"
    assert names.end("b.md") is None
    assert names.add("b.md") == "a.md"
    assert names.add("a.md") == "a.md~2"


def test_a_document_that_moves_over_an_ended_one_leaves_it_no_path() -> None:
    """What ended at a path does not come back when another document has stood there since."""
    names = Names()
    names.add("a.md")
    names.end("a.md")
    names.add("x.md")
    names.move([("x.md", "a.md")])
    names.end("a.md")
    assert names.add("a.md") == "x.md"


def test_two_documents_change_places() -> None:
    """Moves of one commit happen at once."""
    names = Names()
    names.add("a.md")
    names.add("b.md")
    names.move([("a.md", "b.md"), ("b.md", "a.md"), ("none.md", "c.md")])
    assert names.live == {"b.md": "a.md", "a.md": "b.md"}


PATHS = st.sampled_from(["a", "b", "c", "d"])
STEPS = st.lists(st.tuples(st.sampled_from(["add", "end", "move"]), PATHS, PATHS), max_size=30)


@given(STEPS)
def test_names_are_unique_and_survive_being_written(steps: list[tuple[str, str, str]]) -> None:
    """No two documents share a name, and names written and read again go on alike."""
    names = Names()
    for kind, path, other in steps:
        if kind == "add":
            names.add(path)
        elif kind == "end":
            names.end(path)
        elif other not in names.live:
            names.move([(path, other)])
    given_names = [*names.live.values(), *names.gone.values()]
    assert len(given_names) == len(set(given_names))
    copy = Names.from_json(names.to_json(), list(names.live))
    assert (copy.live, copy.gone, copy.taken) == (names.live, names.gone, names.taken)
