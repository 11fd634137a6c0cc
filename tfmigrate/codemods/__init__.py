"""The codemods' import package.

In a wheel the modules lie in this folder. In a checkout (and in an editable install) they lie in the top-level
``codemods/`` folder, whose files must not become importable as a top-level ``codemods``: users have folders of that name.
"""

from pathlib import Path

_checkout = Path(__file__).resolve().parent.parent.parent / "codemods"
if (_checkout.parent / "pyproject.toml").is_file() and _checkout.is_dir():
    __path__.append(str(_checkout))
