"""A long verification takes no more memory than a short one (``tests/benchmarks/verify_many.py`` runs a thousand models)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tfmigrate.claim import Claim
from tfmigrate.verify.cases import Symbol
from tfmigrate.verify.model import CodeTree, Mode, Settings
from tfmigrate.verify.prover import Prover, Target
from tfmigrate.verify.run import Zygote
from tfmigrate.verify.verdict import VerdictStatus

TEXT = "import tensorflow as tf\n\n\ndef net(x):\n    return tf.nn.relu(x) * {}\n"
CASES = (
    "import tensorflow as tf\nimport tfmigrate\n\n\n@tfmigrate.case('net:net')\ndef net(module):\n"
    "    return module.net, [tf.ones([n, 2000]) * n for n in (2, 3, 2)]\n"
)


def resident(pid: int) -> float:
    """MiB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


@pytest.mark.tf
def test_memory_is_flat(zygotes: dict[str, Zygote], tmp_path: Path) -> None:
    zygote, path = zygotes["3"], os.path.realpath(tmp_path / "net.py")
    Path(path).write_text(TEXT.format("2.0"))
    (tmp_path / "tfmigrate_cases.py").write_text(CASES)
    settings = Settings("3", (Mode.EAGER,))
    prover = Prover([(zygote, settings)], None, lambda name: None)
    used = []
    for number in range(40):
        trees = [
            CodeTree((str(tmp_path),), {path: TEXT.format(factor).encode()})
            for factor in ("2.0", f"(2.0 + 0.0 * {number})")
        ]
        symbol = Symbol("net", "net", path, str(tmp_path))
        report = prover.prove(Target(symbol, "net.py", trees[0], trees[1], (Claim(),), {}))
        assert report.status is VerdictStatus.SAME, report
        used.append((resident(os.getpid()), resident(zygote.pid)))
    (ours, theirs), (ours_later, theirs_later) = used[9], used[-1]
    assert ours_later - ours < 3.0 and theirs_later - theirs < 3.0, used
