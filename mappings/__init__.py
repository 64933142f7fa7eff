"""Own the words: what Python and an index must agree on, and the truth about one series.

This package reads no clock, draws nothing at random, and imports nothing of the other packages.
"""
