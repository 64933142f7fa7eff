"""Own what a person types: `stilltrue COMMAND`. One module a command; each parses, calls one method, and renders.

Nothing heavy is imported before a command runs, so that `--version` and `--help` answer at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code: 0 fine, 1 a finding, 2 wrong use, 3 out of reach."""
    from stilltrue.cli.run import run

    sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))
