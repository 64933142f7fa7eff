"""Which engine a URL means."""

import pytest

from store import open_engine
from store.embedded.engine import EmbeddedEngine
from store.errors import StoreMissingError, StoreUrlError
from tests.store.worlds import EMBEDDER


@pytest.mark.parametrize("form", ["embedded:{}", "EMBEDDED:{}", "{}"], ids=["scheme", "capitals", "path"])
def test_a_path_is_embedded(tmp_path, form):
    """A plain path means what embedded: means."""
    engine = open_engine(form.format(tmp_path / "index"), embedder=EMBEDDER, create=True)
    assert isinstance(engine, EmbeddedEngine)
    assert engine.path == tmp_path / "index"
    assert engine.info().engine == "embedded"
    engine.close()


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("embeded:x", "did you mean embedded:PATH"),
        ("mysql://host/x", "known schemes are embedded, opensearch, opensearch.https; a plain path is embedded"),
        ("opensaerch://h/x", "did you mean opensearch://HOST:9200/NAME"),
        ("embedded:", "names no place"),
        ("", "names no place"),
    ],
)
def test_another_url_is_refused(url, hint):
    """An unknown scheme is refused with what is known and the nearest; a URL must name a place."""
    with pytest.raises(StoreUrlError, match=hint) as caught:
        open_engine(url)
    assert repr(url) in str(caught.value)


def test_strange_paths(tmp_path):
    """A path may hold what means something in a URL; one letter before a colon is no scheme."""
    for name in ("a b", "50%", "what?", "no#1", "ünï", "c:x"):
        engine = open_engine(str(tmp_path / name), embedder=EMBEDDER, create=True)
        assert engine.info().passages == 0
        engine.close()
    with pytest.raises(StoreMissingError):
        open_engine("c:none")
