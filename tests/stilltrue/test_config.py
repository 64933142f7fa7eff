"""The account of the settings: what is in force, where it came from, and the pages that are made of the models."""

import json
import os
import re
from pathlib import Path

import pytest

from stilltrue.cli.run import run
from stilltrue.in_force import example_file, known_settings, markdown_table, settings_in_force
from stilltrue.settings import ProfileSettings, Settings, load_settings, setting_variables
from tests.stilltrue.expecting import expect

ROOT = Path(__file__).resolve().parents[2]
TABLE = re.compile(r"\| key \| default \| means \|\n(?:\|.*\n)+")


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Stand in an empty folder with none of our variables set."""
    for name in [name for name in os.environ if name.startswith("STILLTRUE_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_each_value_says_where_it_came_from(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable, a file and a default are told apart, also where a group is one variable."""
    text = '[search]\ndepth = 7\nrelevance_gate = 0.1\n[profile.policy]\nhalf_life_days = 3\n'
    (clean / "stilltrue.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("STILLTRUE_SEARCH__RELEVANCE_GATE", "0.2")
    monkeypatch.setenv("STILLTRUE_TIME", '{"language": "de"}')
    monkeypatch.setenv("STILLTRUE_PROFILE__NEWS__HALF_LIFE_DAYS", "2")
    path, settings = settings_in_force()
    found = {each.key: (each.value, each.origin) for each in settings}
    assert path == clean / "stilltrue.toml"
    assert found["search.depth"] == (7, "file")
    assert found["search.relevance_gate"] == (0.2, "environment")
    assert found["time.language"] == ("de", "environment")
    assert found["time.words"] == (True, "default")
    assert found["profile.policy.half_life_days"] == (3.0, "file")
    assert found["profile.news.half_life_days"] == (2.0, "environment")
    assert found["store.url"] == (f"embedded:{clean}/.stilltrue", "default")


def test_config_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    """With --json every setting stands in one document, with its origin."""
    assert run(["config", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["file"] is None
    assert list(document["settings"]) == [known.key for known in known_settings()]
    assert document["settings"]["search.depth"] == {"value": 100, "origin": "default", "place": None}


def test_config_names_file_and_variables(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table says which file was found and names the variable that set a value."""
    (clean / "stilltrue.toml").write_text('[ingest]\ntypes = [{ path = "a/**", type = "faq" }]\n', encoding="utf-8")
    os.environ["STILLTRUE_INGEST__ZONE"] = "Asia/Tokyo"
    try:
        assert run(["config"]) == 0
    finally:
        del os.environ["STILLTRUE_INGEST__ZONE"]
    shown = capsys.readouterr().out
    assert shown.startswith(f"settings file: {clean / 'stilltrue.toml'}\n")
    assert re.search(r"ingest\.zone +Asia/Tokyo +STILLTRUE_INGEST__ZONE\n", shown)
    assert re.search(r'ingest\.types +\[\{"type": "faq", "path": "a/\*\*"\}\] +file\n', shown)


def test_secrets_are_masked(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A password inside an address is not shown, in either form."""
    (clean / "stilltrue.toml").write_text('[store]\nurl = "search://me:hunter2@host:9200"\n', encoding="utf-8")
    for arguments in (["config"], ["config", "--json"]):
        assert run(arguments) == 0
        shown = capsys.readouterr().out
        assert "hunter2" not in shown
        assert "search://me:********@host:9200" in shown


def test_settings_that_can_not_be_are_refused_here_too(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What every other command refuses, `config` refuses in the same words."""
    (clean / "stilltrue.toml").write_text("[search]\ndept = 3\n", encoding="utf-8")
    assert run(["config"]) == 2
    assert "setting 'search.dept' is not known; did you mean 'depth'" in capsys.readouterr().err


def test_every_setting_has_a_meaning_and_a_variable() -> None:
    """Each setting says what it means, and its variable is one that the environment is read for."""
    known = list(known_settings())
    assert [each.key for each in known if not each.meaning] == []
    assert [each.variable for each in known] == setting_variables()
    assert [name for name, field in ProfileSettings.model_fields.items() if not field.description] == []


def test_example_file_is_made_of_the_models() -> None:
    """`stilltrue.example.toml` is what the models give, and what `config --example` prints."""
    expect(ROOT / "stilltrue.example.toml", example_file())


def test_example_prints_the_same_file(capsys: pytest.CaptureFixture[str]) -> None:
    """`config --example` prints that file."""
    assert run(["config", "--example"]) == 0
    assert capsys.readouterr().out == example_file()


def test_example_says_nothing_as_it_stands_and_holds_with_every_mark_taken_away(clean: Path) -> None:
    """As it stands it sets nothing; with every setting in force it is valid, and what has a default keeps it."""
    path = clean / "stilltrue.toml"
    path.write_text(example_file(), encoding="utf-8")
    plain = load_settings()
    assert plain.model_dump(exclude={"store", "profile"}) == Settings().model_dump(exclude={"store", "profile"})
    assert plain.profiles() == Settings().profiles()
    whole = re.sub(r"^#(?=\w+ = )", "", example_file(), flags=re.MULTILINE)
    path.write_text(whole, encoding="utf-8")
    full = load_settings()
    for known in known_settings():
        group, key = known.key.split(".")
        if known.default is not None and known.key != "store.url":
            assert getattr(getattr(full, group), key) == known.default
    assert len(re.findall(r"^\w+ = ", whole, flags=re.MULTILINE)) == len(list(known_settings())) + len(
        ProfileSettings.model_fields
    )


def test_table_of_the_readme_is_made_of_the_models() -> None:
    """The README's table of settings is what the models give."""
    path = ROOT / "README.md"
    readme = path.read_text(encoding="utf-8")
    assert len(TABLE.findall(readme)) == 1
    expect(path, TABLE.sub(lambda _: markdown_table() + "\n", readme))
