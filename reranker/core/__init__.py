"""Own every number that orders results: arrays in, arrays out, each with a sibling that explains it.

Nothing here reads a clock, draws at random, or imports more than numpy and `mappings`.
"""
