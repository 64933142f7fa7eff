"""Compare what is made with a file that holds what was made; `UPDATE_EXPECTED=1` writes the file anew."""

import os
from pathlib import Path


def expect(path: Path, made: str) -> None:
    """Fail where the file does not hold exactly this, line by line; with UPDATE_EXPECTED set, write it."""
    if os.environ.get("UPDATE_EXPECTED"):
        path.write_text(made, encoding="utf-8")
    held = path.read_text(encoding="utf-8") if path.is_file() else ""
    assert made.splitlines() == held.splitlines(), f"{path.name} is not what is made; UPDATE_EXPECTED=1 writes it anew"
