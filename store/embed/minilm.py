"""Own the embedder by meaning: a sentence transformer of the MiniLM family, run by numpy alone.

The model is a folder with `model.safetensors` and `vocab.txt`, for example that of all-MiniLM-L6-v2. Per layer:

    x = norm(x + attention(x)); x = norm(x + W2 gelu(W1 x)); at the end the mean over tokens, of length 1

Source: Wang et al., "MiniLM: Deep Self-Attention Distillation", 2020; Reimers and Gurevych, "Sentence-BERT", 2019.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from store.embed.safetensors import read_tensors
from store.embed.wordpiece import WordPiece
from store.errors import ModelError

Tensor = NDArray[np.float32]

# On questions from judged sets between 0.2 and 0.4, without a clear best; words rank first in all of them.
SEMANTIC_SHARE: Final = 0.3
# Read off questions that are about nothing in an index (`benchmarks/verdicts.py`, twelve sets): 0.986 of a held-out
# half of the list and 0.906 of other sets' questions lie below it, 0.031 of those that have an answer.
ANSWER_THRESHOLD: Final = 0.27

# Tokens of a text that are read: what the model was trained with.
_LONGEST: Final = 256
# Numbers per attention head in every model of the family.
_HEAD: Final = 32
# Tokens, padding included, that go through a layer at once: beyond this the arrays leave the processor's cache.
_BATCH_TOKENS: Final = 1_024
_EPSILON: Final = np.float32(1e-12)
# What padding is weighed with before the softmax: small enough to vanish, large enough for float32.
_NOTHING: Final = np.float32(-1e9)


class MiniLmEmbedder:
    """Embed by meaning."""

    name = "minilm"
    semantic_share = SEMANTIC_SHARE
    answer_threshold = ANSWER_THRESHOLD

    def __init__(self, folder: Path) -> None:
        """Load the model of a folder; raises ModelError where it holds none."""
        self._tokens = WordPiece(folder / "vocab.txt")
        self._weights = read_tensors(folder / "model.safetensors")
        words = self._weights.get("embeddings.word_embeddings.weight", np.zeros((0, 0), dtype=np.float32))
        if not words.size or words.shape[1] % _HEAD or len(words) < len(self._tokens):
            raise ModelError(
                f"model in {folder.name!r} must have a row of a multiple of {_HEAD} numbers for each of"
                f" {len(self._tokens)} tokens, got shape {words.shape}",
                remedy="give the folder of one model of the MiniLM family",
            )
        self._words = words
        self.dimension = int(words.shape[1])
        self._layers = [_Layer(self._weights, number) for number in _layer_numbers(self._weights)]
        # Two models of one shape are told apart by what they are made of.
        self.version = f"{zlib.crc32(words.tobytes()):08x}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return (n, dimension) float32, each row of length 1, or all zeros for a text without words."""
        tokens = [self._tokens.encode(text, _LONGEST) for text in texts]
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for batch in _batches(tokens):
            rows[batch] = self._forward([tokens[at] for at in batch])
        return rows

    def _forward(self, tokens: Sequence[Sequence[int]]) -> Tensor:
        length = max(map(len, tokens))
        numbers = np.full((len(tokens), length), self._tokens.pad)
        for row, some in zip(numbers, tokens, strict=True):
            row[: len(some)] = some
        present = np.arange(length) < np.array([len(some) for some in tokens])[:, None]
        x: Tensor = self._words[numbers]
        x += self._weights["embeddings.position_embeddings.weight"][:length]
        x += self._weights["embeddings.token_type_embeddings.weight"][0]
        x = _norm(x, self._weights, "embeddings.LayerNorm")
        masked = np.where(present, np.float32(0), _NOTHING)[:, None, None, :]
        for layer in self._layers:
            x = layer(x, masked)
        x *= present[:, :, None]
        mean: Tensor = x.sum(axis=1)
        mean /= np.sqrt(np.square(mean).sum(axis=1, keepdims=True))
        return mean


class _Layer:
    """One layer: attention over the tokens of a text, then a net over each token."""

    def __init__(self, weights: dict[str, Tensor], number: int) -> None:
        self._weights = weights
        self._name = f"encoder.layer.{number}"

    def __call__(self, x: Tensor, masked: Tensor) -> Tensor:
        attended = self._linear(self._attention(x, masked), "attention.output.dense")
        x = _norm(x + attended, self._weights, f"{self._name}.attention.output.LayerNorm")
        net = self._linear(_gelu(self._linear(x, "intermediate.dense")), "output.dense")
        return _norm(x + net, self._weights, f"{self._name}.output.LayerNorm")

    def _attention(self, x: Tensor, masked: Tensor) -> Tensor:
        """Return, for each token, the values of all tokens of its text weighed by likeness of query and key."""
        batch, length, width = x.shape
        heads = (batch, length, width // _HEAD, _HEAD)
        query, key, value = (
            np.ascontiguousarray(self._linear(x, f"attention.self.{name}").reshape(heads).transpose(0, 2, 1, 3))
            for name in ("query", "key", "value")
        )
        query *= np.float32(1 / math.sqrt(_HEAD))
        weights = query @ key.transpose(0, 1, 3, 2)
        weights += masked
        weights -= weights.max(axis=-1, keepdims=True)
        np.exp(weights, out=weights)
        mixed = weights @ value
        mixed /= weights.sum(axis=-1, keepdims=True)
        return np.ascontiguousarray(mixed.transpose(0, 2, 1, 3)).reshape(batch, length, width)

    def _linear(self, x: Tensor, name: str) -> Tensor:
        weight, bias = (self._weights[f"{self._name}.{name}.{part}"] for part in ("weight", "bias"))
        product: Tensor = x.reshape(-1, x.shape[-1]) @ weight.T
        product += bias
        return product.reshape(*x.shape[:-1], len(bias))


def _gelu(x: Tensor) -> Tensor:
    """Return x times the normal distribution function of x, by the tanh form: off by less than 5e-4.

    Source: Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016.
    """
    inner = x * x
    inner *= np.float32(0.044715)
    inner += np.float32(1)
    inner *= x
    inner *= np.float32(math.sqrt(2 / math.pi))
    np.tanh(inner, out=inner)
    inner += np.float32(1)
    inner *= x
    inner *= np.float32(0.5)
    return inner


def _norm(x: Tensor, weights: dict[str, Tensor], name: str) -> Tensor:
    """Return rows with mean 0 and deviation 1, scaled and moved."""
    centred: Tensor = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + _EPSILON)
    centred /= deviation
    centred *= weights[f"{name}.weight"]
    centred += weights[f"{name}.bias"]
    return centred


def _batches(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield places of texts of like length, so that little is padded; texts without words are left out."""
    order = sorted((len(some), at) for at, some in enumerate(tokens) if len(some) > 2)
    batch: list[int] = []
    for length, at in order:
        if batch and length * (len(batch) + 1) > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _layer_numbers(weights: dict[str, Tensor]) -> range:
    names = [name.split(".")[2] for name in weights if name.startswith("encoder.layer.")]
    return range(1 + max(map(int, names), default=-1))
