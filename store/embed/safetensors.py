"""Own reading tensors from a safetensors file: a length, a JSON header, then the numbers.

Source: the format's description at https://github.com/huggingface/safetensors.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson
from numpy.typing import NDArray

from store.errors import ModelError

_DTYPES: Final[dict[str, np.dtype[Any]]] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}
# A larger header is a file of something else.
_LARGEST_HEADER: Final = 10_000_000
# Files saved from a whole model name the transformer before each of its tensors.
_PREFIX_ENDS_BEFORE: Final = "embeddings.word_embeddings.weight"


def read_tensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """Return the floating point tensors of a file as float32, by name without the model's prefix.

    Raises:
        ModelError: the file is absent or is no such file.
    """
    try:
        data = np.memmap(path, dtype=np.uint8, mode="r")
        (length,) = struct.unpack("<Q", data[:8].tobytes())
        if length > _LARGEST_HEADER:
            raise ValueError(f"a header of {length} bytes")
        header = orjson.loads(data[8 : 8 + length].tobytes())
        entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
        tensors = {
            name: _tensor(data[8 + length :], entry) for name, entry in entries.items() if entry["dtype"] in _DTYPES
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, struct.error) as error:
        raise ModelError(
            f"model {path.name!r} can not be read: {error}", remedy="give the folder of the whole model"
        ) from error
    prefixes = (name.removesuffix(_PREFIX_ENDS_BEFORE) for name in tensors if name.endswith(_PREFIX_ENDS_BEFORE))
    prefix = min(prefixes, default="")
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items()}


def _tensor(data: NDArray[np.uint8], entry: dict[str, Any]) -> NDArray[np.float32]:
    start, end = entry["data_offsets"]
    numbers: NDArray[Any] = np.frombuffer(data[start:end].tobytes(), dtype=_DTYPES[entry["dtype"]])
    tensor: NDArray[np.float32] = numbers.reshape(entry["shape"]).astype(np.float32)
    return tensor
