"""Own what a person types: `stilltrue COMMAND`. One module a command; each parses, calls one method, and renders.

Nothing heavy is imported before a command runs, so that `--version` and `--help` answer at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

# One product of 100,000 vectors is bound by memory: measured, a second BLAS thread makes it slower (8.0 for 5.0 ms).
# Set before numpy is loaded; what the environment says wins.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code: 0 fine, 1 a finding, 2 wrong use, 3 out of reach."""
    from stilltrue.cli.run import run

    sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))
