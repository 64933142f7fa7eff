"""The embedder by meaning: held against the formulas written out, over a model small enough to be made here."""

import json
import math
import os
import struct
from pathlib import Path

import numpy as np
import pytest

from store.embed import get_embedder, identity
from store.embed.minilm import MiniLmEmbedder
from store.embed.safetensors import read_tensors
from store.embed.wordpiece import WordPiece
from store.errors import ModelError

WIDTH, INNER, LAYERS = 64, 96, 2
VOCABULARY = (
    "[PAD] [UNK] [CLS] [SEP] red door ##s blue roof ##ed play ##ing ! . , - caf ##e 日 本 a ##b ##a b é cafe $"
).split()


def shapes():
    yield "embeddings.word_embeddings.weight", (len(VOCABULARY), WIDTH)
    yield "embeddings.position_embeddings.weight", (300, WIDTH)
    yield "embeddings.token_type_embeddings.weight", (2, WIDTH)
    norms = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        norms += [f"{name}.attention.output.LayerNorm", f"{name}.output.LayerNorm"]
        widths = {
            "attention.self.query": (WIDTH, WIDTH),
            "attention.self.key": (WIDTH, WIDTH),
            "attention.self.value": (WIDTH, WIDTH),
            "attention.output.dense": (WIDTH, WIDTH),
            "intermediate.dense": (INNER, WIDTH),
            "output.dense": (WIDTH, INNER),
        }
        for part, (rows, columns) in widths.items():
            yield f"{name}.{part}.weight", (rows, columns)
            yield f"{name}.{part}.bias", (rows,)
    for name in norms:
        yield f"{name}.weight", (WIDTH,)
        yield f"{name}.bias", (WIDTH,)


def write_model(folder: Path, *, prefix="", dtype="F32", seed=5, **changes) -> Path:
    """Write a model of random numbers in the layout of the format."""
    folder.mkdir()
    random = np.random.default_rng(seed)
    header, blobs, at = {"__metadata__": {"format": "pt"}}, [], 0
    for name, shape in {**dict(shapes()), **changes}.items():
        numbers = random.normal(0, 0.3, shape) + (1.0 if name.endswith("LayerNorm.weight") else 0.0)
        blob = numbers.astype({"F32": "<f4", "F16": "<f2"}[dtype]).tobytes()
        header[prefix + name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(blob)]}
        blobs.append(blob)
        at += len(blob)
    header["position_ids"] = {"dtype": "I64", "shape": [0], "data_offsets": [at, at]}
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + b"".join(blobs))
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n", "utf-8")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="module")
def embedder(folder):
    return get_embedder("minilm", folder=folder)


def written_out(weights, tokens):
    """Return the vector of one text by the formulas of the papers, token by token and head by head."""
    w = {name: tensor.astype(np.float64) for name, tensor in weights.items()}

    def norm(x, name):
        x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12)
        return x * w[f"{name}.weight"] + w[f"{name}.bias"]

    def linear(x, name):
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    positions = w["embeddings.position_embeddings.weight"][: len(tokens)]
    kinds = w["embeddings.token_type_embeddings.weight"][0]
    x = norm(w["embeddings.word_embeddings.weight"][tokens] + positions + kinds, "embeddings.LayerNorm")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        heads = []
        for head in range(WIDTH // 32):
            part = slice(32 * head, 32 * head + 32)
            q, k, v = (linear(x, f"{name}.attention.self.{p}")[:, part] for p in ("query", "key", "value"))
            likeness = np.exp(q @ k.T / math.sqrt(32))
            heads.append(likeness / likeness.sum(-1, keepdims=True) @ v)
        attended = linear(np.concatenate(heads, axis=1), f"{name}.attention.output.dense")
        x = norm(x + attended, f"{name}.attention.output.LayerNorm")
        inner = linear(x, f"{name}.intermediate.dense")
        inner = inner * 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
        x = norm(x + linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


TEXTS = ["red door", "red doors played!", "blue roof, red door. " * 12, "unknown 日本", "a"]


def test_gives_what_the_formulas_give(folder, embedder):
    """Batched, padded and in float32, every text has the vector that the formulas give it alone."""
    weights = read_tensors(folder / "model.safetensors")
    tokens = WordPiece(folder / "vocab.txt")
    wanted = [written_out(weights, tokens.encode(text, 256)) for text in TEXTS]
    assert np.allclose(embedder.embed(TEXTS), wanted, atol=2e-3)
    assert np.square(embedder.embed(TEXTS)).sum(axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)


def test_a_text_has_one_vector(embedder):
    """Alone or among others, whatever the order, a text has the same vector."""
    many = embedder.embed(TEXTS * 30)
    assert np.allclose(many, np.tile(embedder.embed(TEXTS), (30, 1)), atol=1e-5)
    assert np.allclose(embedder.embed(TEXTS[::-1])[::-1], embedder.embed(TEXTS), atol=1e-5)


def test_without_words_all_is_zero(embedder):
    """A text without words has a row of zeros, and no texts give no rows."""
    assert not embedder.embed(["", " \n"]).any()
    assert embedder.embed([]).shape == (0, WIDTH)


def test_what_is_past_the_limit_is_not_read(embedder):
    """Texts are read up to 256 tokens."""
    long = embedder.embed(["red " * 254, "red " * 254 + "door", "red " * 253])
    assert np.array_equal(long[0], long[1])
    assert not np.allclose(long[0], long[2], atol=1e-6)


def test_is_known_by_its_weights(embedder, folder, tmp_path):
    """Name and dimension alone do not tell two models apart: the version does."""
    other = MiniLmEmbedder(write_model(tmp_path / "other", seed=6))
    assert identity(embedder) == identity(MiniLmEmbedder(folder))
    assert identity(embedder).version != identity(other).version
    assert (embedder.name, embedder.dimension, embedder.semantic_share) == ("minilm", WIDTH, 0.3)


@pytest.mark.parametrize("changes", [{"prefix": "bert."}, {"dtype": "F16"}], ids=["prefixed", "halves"])
def test_other_ways_to_write_a_model(embedder, tmp_path, changes):
    """A prefix of names and numbers of 16 bits are read as well."""
    other = MiniLmEmbedder(write_model(tmp_path / "other", **changes))
    assert np.allclose(other.embed(TEXTS), embedder.embed(TEXTS), atol=5e-3)


def spoil(name, data):
    return lambda folder: (folder / name).write_bytes(data)


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (lambda folder: (folder / "vocab.txt").unlink(), "'vocab.txt' can not be read"),
        (lambda folder: (folder / "model.safetensors").unlink(), "'model.safetensors' can not be read"),
        (spoil("vocab.txt", b"\xff\xfe"), "'vocab.txt' can not be read"),
        (spoil("vocab.txt", b"red\n"), r"must hold '\[PAD\]'"),
        (spoil("vocab.txt", "\n".join(VOCABULARY + ["x", "y"]).encode()), "for each of 29 tokens"),
        (spoil("model.safetensors", b""), "can not be read"),
        (spoil("model.safetensors", b"PK\x03\x04" * 90), "a header of"),
        (spoil("model.safetensors", struct.pack("<Q", 2) + b"[]"), "can not be read"),
        (spoil("model.safetensors", struct.pack("<Q", 2) + b"{}"), r"got shape \(0, 0\)"),
        (spoil("model.safetensors", struct.pack("<Q", 9) + b'{"a": {}}'), "can not be read"),
    ],
)
def test_a_folder_without_a_model_is_refused(tmp_path, harm, message):
    """What is missing or wrong is said, with what to give instead."""
    folder = write_model(tmp_path / "model")
    harm(folder)
    with pytest.raises(ModelError, match=message) as caught:
        MiniLmEmbedder(folder)
    assert caught.value.remedy


def test_a_folder_must_be_named():
    """Without a folder there is no model."""
    with pytest.raises(ModelError, match="needs the folder of its model; name a folder that holds"):
        get_embedder("minilm")


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Red DOORS", "red door ##s"),
        ("played,playing!", "play ##ed , play ##ing !"),
        ("Café é e\u0301", "cafe [UNK] [UNK]"),
        ("日本 red日", "日 本 red 日"),
        ("a\u00adb\u200ba\x00b\ufffd", "a ##b ##a ##b"),
        ("a\u3000b\ta\nb", "a b a b"),
        ("$a-b“a”", "$ a - b [UNK] a [UNK]"),
        ("xyz", "[UNK]"),
        ("ab" * 51, "[UNK]"),
        ("ab" * 50, "a " + "##b ##a " * 49 + "##b"),
    ],
)
def test_tokens(folder, text, pieces):
    """Words are parted at marks, without accents, into the longest pieces that the vocabulary has."""
    numbers = WordPiece(folder / "vocab.txt").encode(text, 1000)
    assert [VOCABULARY[number] for number in numbers] == ["[CLS]", *pieces.split(), "[SEP]"]


@pytest.mark.skipif("STILLTRUE_MINILM" not in os.environ, reason="name the folder of a model in STILLTRUE_MINILM")
def test_the_real_model_knows_meaning():
    """With the published weights, other words for the same are nearer than the same subject."""
    embedder = get_embedder("minilm", folder=Path(os.environ["STILLTRUE_MINILM"]))
    question, answer, other = embedder.embed(
        ["how long do refunds take", "reimbursement is paid within five days", "the weather is nice"]
    )
    assert question @ answer == pytest.approx(0.552, abs=0.005)
    assert question @ other < 0.05
