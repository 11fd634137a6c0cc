"""Concrete values of calls: .npz files without pickle, which are plain arrays and nothing else.

Tensor n of the call is ``n``; a ragged one is ``n.values`` and ``n.splits0`` ..., a sparse one ``n.indices``,
``n.values`` and ``n.shape``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tfmigrate.record.options import SAMPLES

PER_ENTRY = 4
LARGEST = 1 << 20
"""Bytes of one sample."""
ALL = 64 << 20
"""Bytes of all samples of one process."""


class Samples:
    """Writes samples beside a recording."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self._bytes = 0

    def keep(self, name: str, tensors: list[Any]) -> str | None:
        """The path, from ``folder``, of a file with the values of ``tensors``; None where they are too large."""
        import numpy as np

        arrays: dict[str, Any] = {}
        for number, tensor in enumerate(tensors):
            arrays.update((f"{number}{key}", _plain(part)) for key, part in _parts(tensor))
        size = sum(array.nbytes for array in arrays.values())
        if not arrays or size > LARGEST or self._bytes + size > ALL:
            return None
        if any(array.dtype.kind not in "biufcSU" for array in arrays.values()):
            return None
        self._count += 1
        self._bytes += size
        word = "".join(letter if letter.isalnum() else "_" for letter in name.rpartition(":")[2])
        path = Path(SAMPLES, f"{word[:60]}-{os.getpid()}-{self._count}.npz")
        (self._folder / SAMPLES).mkdir(exist_ok=True)
        np.savez_compressed(self._folder / path, **arrays)
        return path.as_posix()


def _parts(tensor: Any) -> list[tuple[str, Any]]:
    if hasattr(tensor, "flat_values"):
        splits = [(f".splits{number}", part) for number, part in enumerate(tensor.nested_row_splits)]
        return [(".values", tensor.flat_values), *splits]
    if hasattr(tensor, "dense_shape"):
        return [(".indices", tensor.indices), (".values", tensor.values), (".shape", tensor.dense_shape)]
    return [("", tensor)]


def _plain(tensor: Any) -> Any:
    import numpy as np

    array = np.asarray(tensor.numpy() if hasattr(tensor, "numpy") else tensor)
    if array.dtype.kind == "O":
        return array.astype(np.bytes_)
    return array.astype(np.float32) if array.dtype.name.startswith(("bfloat16", "float8")) else array
