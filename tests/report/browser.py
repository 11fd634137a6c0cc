"""A real browser without a window, told what to do over its debugging pipe (no driver, no port).

https://chromedevtools.github.io/devtools-protocol/
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "chrome-headless-shell",
)
_PATIENCE_S = 60


def executable() -> str | None:
    """The browser on PATH, or the one that TFMIGRATE_BROWSER names."""
    return next(filter(None, map(shutil.which, (os.environ.get("TFMIGRATE_BROWSER", ""), *NAMES))), None)


class Page:
    """One page. ``events`` are all that the browser has told of, in order."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back, self._rest, self._number, self._session = to, back, b"", 0, ""
        self.events: list[Any] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **parameters: Any) -> Any:
        """Send a command and wait for its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def _read(self) -> Any:
        while b"\0" not in self._rest:
            data = os.read(self._back, 1 << 16)
            assert data, "the browser is gone"
            self._rest += data
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def open(self, file: Path, width: int, height: int, scheme: str) -> None:
        """Load ``file`` at that size of the window, in ``light`` or ``dark``, and wait until it is there."""
        self.events.clear()
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.ask("Emulation.setDeviceMetricsOverride", **size)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.ask("Page.navigate", url=file.as_uri())
        started = time.monotonic()
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            assert time.monotonic() - started < _PATIENCE_S, "the page does not load"
            self.events.append(self._read())

    def evaluate(self, expression: str) -> Any:
        """The value of an expression of JavaScript."""
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def screenshot(self, file: Path) -> None:
        """Keep a picture of the whole page."""
        picture = self.ask("Page.captureScreenshot", captureBeyondViewport=True, format="png")
        file.write_bytes(base64.b64decode(picture["data"]))

    @property
    def requests(self) -> list[str]:
        """What was loaded."""
        sent = [event for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]

    @property
    def complaints(self) -> list[Any]:
        """What went to the console."""
        kinds = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [event["params"] for event in self.events if event.get("method") in kinds]


@contextlib.contextmanager
def browser(executable: str, profile: Path) -> Iterator[Page]:
    """A browser that runs as long as the block."""
    their_input, to = os.pipe()
    back, their_output = os.pipe()
    options = [
        "--headless",
        "--no-sandbox",  # It is run as root in containers.
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--remote-debugging-pipe",
        f"--user-data-dir={profile}",
    ]
    script = f'exec "$@" 3<&{their_input} 4>&{their_output}'  # The two that it reads from and writes to.
    with (profile.parent / "browser.log").open("wb") as log:
        process = subprocess.Popen(
            ["bash", "-c", script, "bash", executable, *options],
            pass_fds=(their_input, their_output),
            stdout=log,
            stderr=log,
        )
    os.close(their_input)
    os.close(their_output)
    try:
        yield Page(to, back)
    finally:
        os.close(to)  # The end of its input ends it.
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(back)
