"""Own the way from a question to ranked, explained, dated evidence.

`reranker.core` is the arithmetic, `reranker.search` the one place that composes it over an engine.
"""
