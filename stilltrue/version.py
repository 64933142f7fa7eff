"""Own the version of the distribution: one literal, read by the build, the command line and the library.

It imports nothing, so that `stilltrue --version` answers before anything heavy is loaded.
"""

VERSION = "0.1.0"
