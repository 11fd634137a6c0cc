"""Scripts that start to work on import are recognised, and nothing else is."""

from __future__ import annotations

import pytest

from tfmigrate.verify.scripts import find_import_side_effect


@pytest.mark.parametrize(
    "source",
    [
        "model.fit(x, y)",
        "main()",
        "for epoch in range(3):\n    train(epoch)",
        "if DEBUG:\n    pass\nelse:\n    history = build().fit(x)",
        "with strategy.scope():\n    model.fit(x)",
        "sys.exit(main())",
    ],
)
def test_working_scripts(source: str) -> None:
    reason = find_import_side_effect(source)
    assert "when the file is imported" in reason
    assert 'if __name__ == "__main__":' in reason


@pytest.mark.parametrize(
    "source",
    [
        "if __name__ == '__main__':\n    main()",
        "if '__main__' == __name__ and DEBUG:\n    model.fit(x)",
        "try:\n    import a\nexcept ImportError:\n    if __name__ == '__main__':\n        main()",
        "def run():\n    model.fit(x)",
        "class A:\n    def run(self):\n        self.fit(x)",
        "go = lambda: model.fit(x)",
        "fit = 3\nprint('fit')",
        "def broken(:",
    ],
)
def test_importable_modules(source: str) -> None:
    assert find_import_side_effect(source) == ""


def test_the_line_is_named() -> None:
    assert find_import_side_effect("x = 1\n\ntrain_model(x)\n").startswith("line 3 calls train_model()")
