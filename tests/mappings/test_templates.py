"""The templates of an index: composed, strict, and safe for a server without native libraries."""

import pytest

from mappings.templates import META, PARTS, VERSION, index_name, templates

BODIES = templates("kb", generation=2, dimension=7)


def fields(body):
    """Yield every field of a mapping."""
    yield from body["template"].get("mappings", {}).get("properties", {}).items()


def test_components_come_before_what_is_composed_of_them():
    """The order of the paths is that in which a server takes them."""
    seen = set()
    for path, body in BODIES.items():
        assert set(body.get("composed_of", ())) <= seen
        seen.add(path.rsplit("/", 1)[1])


@pytest.mark.parametrize("part", PARTS)
def test_each_part_has_a_template_for_its_name(part):
    """A template fits the index of its part and of no other."""
    name = index_name("kb", part, generation=2, label="2024")
    fitting = [
        path
        for path, body in BODIES.items()
        if any(name.startswith(pattern.rstrip("*")) for pattern in body.get("index_patterns", ()))
    ]
    assert fitting == [f"/_index_template/{name.removesuffix('-2024')}"]


def test_every_index_is_strict_and_says_its_version():
    """Nothing enters a mapping by itself, and a program sees what it is."""
    base = BODIES["/_component_template/kb-base"]["template"]["mappings"]
    assert base == {"dynamic": "strict", "date_detection": False, "_meta": {META: {"mapping": VERSION}}}
    assert all(body["composed_of"][0] == "kb-base" for body in BODIES.values() if "composed_of" in body)


def test_vectors_name_their_engine():
    """A vector without an engine would end a server that lacks the native library of the default."""
    vectors = [field for body in BODIES.values() if "template" in body for _, field in fields(body)
               if field["type"] == "knn_vector"]  # fmt: skip
    assert [(field["dimension"], field["method"]["engine"]) for field in vectors] == [(7, "lucene")]


def test_moments_are_integers():
    """What a filter compares has microseconds; only the date for people is a date."""
    passages = dict(fields(BODIES["/_component_template/kb-g2-passages"]))
    stamps = ("observed", "valid_from", "until", "withdrawn", "closed", "event_end")
    assert {passages[name]["type"] for name in stamps} == {"long"}
    assert [name for name, field in passages.items() if field["type"] == "date"] == ["observed_date"]
