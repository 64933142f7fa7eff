"""Own the sample corpus: a small company's handbook over four years, as a git history that code builds."""
