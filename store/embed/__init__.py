"""Own the way from text to vectors: what an embedder is, and the ones that come with stilltrue."""

from store.embed.base import Embedder, identity
from store.embed.catalogue import get_embedder

__all__ = ["Embedder", "get_embedder", "identity"]
