"""What is shipped is what is in the tree, and what `stilltrue` exports is what it says."""

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import stilltrue

ROOT = Path(__file__).resolve().parents[2]
TOP = ("mappings", "store", "indexer", "reranker", "stilltrue")
# At most eight names: what a newcomer has to learn.
MOST_EXPORTS = 8


def tree() -> set[str]:
    """Return the dotted names of all packages in the working tree."""
    found = (path.parent.relative_to(ROOT) for top in TOP for path in (ROOT / top).rglob("__init__.py"))
    return {".".join(path.parts) for path in found}


def test_listed_packages_are_those_of_the_tree() -> None:
    """The list in pyproject.toml names every package and no other."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(project["tool"]["setuptools"]["packages"]) == tree()


@pytest.mark.parametrize("package", TOP)
def test_package_says_that_it_is_typed(package: str) -> None:
    """Each top package carries the marker that type checkers look for."""
    assert (ROOT / package / "py.typed").is_file()


def test_exports_are_few_sorted_and_real() -> None:
    """`stilltrue.__all__` is sorted, short, and each name loads."""
    assert stilltrue.__all__ == sorted(stilltrue.__all__)
    assert len(stilltrue.__all__) <= MOST_EXPORTS
    assert all(getattr(stilltrue, name) is not None for name in stilltrue.__all__)


def test_unknown_name_is_an_attribute_error() -> None:
    """A name that is not exported fails as in any module."""
    with pytest.raises(AttributeError, match="no attribute 'opne'"):
        stilltrue.opne  # noqa: B018 - the look-up is the test


def test_version_answers_before_anything_heavy_is_loaded() -> None:
    """`stilltrue --version` imports neither numpy nor an engine nor the settings."""
    program = (
        "import sys\nfrom stilltrue.cli.run import run\ncode = run(['--version'])\n"
        "heavy = {'numpy', 'tantivy', 'pydantic', 'rich', 'orjson', 'sqlite3'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy or code else 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"stilltrue {stilltrue.__version__}\n"), done.stderr


@pytest.mark.slow
def test_wheel_holds_every_source_file(tmp_path: Path) -> None:
    """A built wheel holds each module, each data file and each marker of the tree, and nothing else of ours."""
    copy = tmp_path / "source"
    for top in TOP:  # built from a copy, so that nothing is left beside the sources
        shutil.copytree(ROOT / top, copy / top, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, copy)
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), "."]
    done = subprocess.run(build, cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    shipped = {name for name in names if name.split("/")[0] in TOP}
    paths = (path for top in TOP for path in (copy / top).rglob("*") if path.is_file())
    assert shipped == {path.relative_to(copy).as_posix() for path in paths}
