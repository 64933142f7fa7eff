"""Own the engine on one machine: one SQLite file is the truth, a tantivy folder and arrays are derived from it."""
