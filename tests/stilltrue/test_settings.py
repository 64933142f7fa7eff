"""Settings come from one file and the environment, and what is misspelt is refused."""

from pathlib import Path

import pytest

from stilltrue.errors import SettingsError
from stilltrue.settings import Settings, load_settings


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Stand in an empty folder with none of our variables set."""
    import os

    for name in [name for name in os.environ if name.startswith("STILLTRUE_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def write(folder: Path, text: str) -> Path:
    """Write a settings file."""
    path = folder / "stilltrue.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_need_no_file(tmp_path: Path) -> None:
    """Without file and variables the defaults hold, and the store lies where one stands."""
    settings = load_settings()
    assert (settings.ingest.mode, settings.search.depth) == ("strict", 100)
    assert settings.store.url == f"embedded:{tmp_path}/.stilltrue"


def test_file_is_found_upwards_and_its_store_lies_beside_it(tmp_path: Path) -> None:
    """From a folder below, the nearest file upwards rules, and its relative store is taken from its folder."""
    write(tmp_path, '[store]\nurl = "books"\n')
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert load_settings(folder=below).store.url == str(tmp_path / "books")


def test_folder_of_a_model_is_taken_from_the_file(tmp_path: Path) -> None:
    """A relative folder of a model is taken from the settings file, an absolute one as it is."""
    write(tmp_path, '[embedder]\nname = "minilm"\nfolder = "models/minilm"\n')
    assert load_settings().embedder.folder == tmp_path / "models" / "minilm"


def test_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable overrides one key and leaves the group's others to the file."""
    write(tmp_path, '[ingest]\nmode = "lenient"\nzone = "Europe/Berlin"\n')
    monkeypatch.setenv("STILLTRUE_INGEST__ZONE", "Asia/Tokyo")
    settings = load_settings()
    assert (settings.ingest.mode, settings.ingest.zone) == ("lenient", "Asia/Tokyo")


def test_named_file_wins_over_the_variable_that_names_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--config` rules, then STILLTRUE_CONFIG, then the folders upwards."""
    (tmp_path / "x").mkdir()
    other = write(tmp_path / "x", "[search]\ndepth = 7\n")
    monkeypatch.setenv("STILLTRUE_CONFIG", str(other))
    mine = write(tmp_path, "[search]\ndepth = 9\n")
    assert (load_settings().search.depth, load_settings(mine).search.depth) == (7, 9)


WRONG_FILES = [
    ("[serch]\ndepth = 3\n", "group 'serch' is not known; did you mean 'search'"),
    ("[search]\ndept = 3\n", "setting 'search.dept' is not known; did you mean 'depth'"),
    ("[search]\ndepth = 0\n", "setting search.depth: input should be greater than or equal to 1, got 0"),
    ("[search\n", "is no TOML"),
    ('[ingest]\nzone = "Mars/Base"\n', "setting ingest.zone: .*'Mars/Base'"),
    ("[profile.policy]\nhalf_life = 3\n", "setting 'profile.policy.half_life' is not known; did you mean"),
]


@pytest.mark.parametrize(("text", "message"), WRONG_FILES, ids=[message[:40] for _, message in WRONG_FILES])
def test_wrong_file_is_refused_with_the_remedy(tmp_path: Path, text: str, message: str) -> None:
    """A group, key or value that can not be is refused, and the nearest that can be is named."""
    write(tmp_path, text)
    with pytest.raises(SettingsError, match=message):
        load_settings()


WRONG_VARIABLES = [
    ("STILLTRUE_SERCH__DEPTH", "3", "group 'serch' is not known; did you mean 'search'"),
    ("STILLTRUE_SEARCH__DEPT", "3", "setting 'search.dept' is not known; did you mean 'depth'"),
    ("STILLTRUE_SEARCH__DEPTH", "deep", "setting search.depth: .* got 'deep'"),
    ("STILLTRUE_STORE_URL", "x", "STILLTRUE_STORE_URL is no setting; did you mean 'STILLTRUE_STORE__URL'"),
]


@pytest.mark.parametrize(("name", "value", "message"), WRONG_VARIABLES, ids=[row[0] for row in WRONG_VARIABLES])
def test_wrong_variable_is_refused(name: str, value: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable with our prefix that is no setting is refused."""
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=message):
        load_settings()


def test_absent_named_file_is_refused() -> None:
    """A file that was named must be there."""
    with pytest.raises(SettingsError, match="config 'nowhere.toml' can not be read"):
        load_settings("nowhere.toml")


def test_settings_do_not_change() -> None:
    """A value that was read stays as it is."""
    with pytest.raises(ValueError, match="frozen"):
        Settings().search.depth = 3  # type: ignore[misc]
