"""A headless Chromium, spoken to through two pipes in its DevTools protocol.

Nothing but the browser is needed: no driver, no package. It starts with an empty profile of its
own, which is removed with it.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
PATIENCE = 60.0
"""Seconds after which an answer counts as missing."""

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

KEYS = {
    "Tab": ("Tab", 9, ""),
    "Enter": ("Enter", 13, "\r"),
    "Space": (" ", 32, " "),
    "ArrowDown": ("ArrowDown", 40, ""),
}


def executable() -> str:
    """Return where the browser stands: ``$CHROMIUM``, else the first of the usual names."""
    found = next(filter(None, (os.environ.get("CHROMIUM"), *map(shutil.which, NAMES))), None)
    if found is None:
        raise RuntimeError(f"no browser: set CHROMIUM, or install one of {', '.join(NAMES)}")
    return found


class Browser:
    """One browser process; closes with ``close``."""

    def __init__(self) -> None:
        self._profile = tempfile.mkdtemp(prefix="provado-chromium-")
        (theirs_in, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()
        # The browser reads from descriptor 3 and writes to 4; away from these first.
        theirs_in, theirs_out = (_moved(one) for one in (theirs_in, theirs_out))
        ours_in, ours_out = (_moved(one) for one in (ours_in, ours_out))
        command = [executable(), *FLAGS, f"--user-data-dir={self._profile}", "about:blank"]
        self._process = os.posix_spawn(
            command[0],
            command,
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, theirs_in, 3),
                (os.POSIX_SPAWN_DUP2, theirs_out, 4),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ],
            setsid=True,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._in, self._out = ours_in, ours_out
        self._number, self._rest = 0, b""
        self.events: list[dict[str, Any]] = []

    def send(self, method: str, session: str | None = None, /, **given: Any) -> dict[str, Any]:
        """Send a command and return its answer; what else comes meanwhile is kept as events."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": given}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        while True:
            answer = self._read(PATIENCE)
            if answer is None:
                raise TimeoutError(f"{method}: no answer within {PATIENCE:g} seconds")
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def wait(self, method: str, session: str) -> None:
        """Wait until an event of that name has come."""
        until = time.monotonic() + PATIENCE
        while not any(
            (e.get("method"), e.get("sessionId")) == (method, session) for e in self.events
        ):
            answer = self._read(max(until - time.monotonic(), 0.0))
            if answer is None:
                raise TimeoutError(f"{method}: it did not come within {PATIENCE:g} seconds")
            self.events.append(answer)

    def close(self) -> None:
        """End the browser and remove its profile."""
        os.close(self._out)
        os.close(self._in)
        try:
            os.killpg(self._process, signal.SIGKILL)
        finally:
            os.waitpid(self._process, 0)
            shutil.rmtree(self._profile, ignore_errors=True)

    def _read(self, patience: float) -> dict[str, Any] | None:
        while b"\0" not in self._rest:
            if not select.select([self._in], [], [], patience)[0]:
                return None
            more = os.read(self._in, 1 << 20)
            if not more:
                raise RuntimeError("the browser has gone")
            self._rest += more
        line, self._rest = self._rest.split(b"\0", 1)
        message: dict[str, Any] = json.loads(line)
        return message


class Page:
    """One tab with a file in it."""

    def __init__(
        self,
        browser: Browser,
        file: Path,
        *,
        width: int = 1280,
        dark: bool = False,
        script: bool = True,
        address: str = "",
    ) -> None:
        self._browser = browser
        target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        attached = browser.send("Target.attachToTarget", targetId=target, flatten=True)
        self._target, self._session = target, attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._send(f"{domain}.enable")
        self._send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        self.emulate(dark=dark)
        if not script:
            self._send("Emulation.setScriptExecutionDisabled", value=True)
        self.url = file.resolve().as_uri()
        # ``address``: what follows the file's own, from # on.
        self._send("Page.navigate", url=self.url + address)
        browser.wait("Page.loadEventFired", self._session)

    def emulate(self, *, dark: bool = False, media: str = "") -> None:
        """Set the preferred colors, and the medium (``print``)."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._send("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression, awaited if it is a promise."""
        answer = self._send(
            "Runtime.evaluate",
            expression=expression,
            returnByValue=True,
            awaitPromise=True,
            userGesture=True,
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def press(self, *names: str) -> None:
        """Press keys one after the other: names in ``KEYS``, else letters that are typed."""
        for name in names:
            key, code, text = KEYS.get(name, (name, ord(name.upper()[0]), name))
            pressed = {"key": key, "windowsVirtualKeyCode": code, "text": text}
            kind = "keyDown" if text else "rawKeyDown"
            self._send("Input.dispatchKeyEvent", type=kind, **pressed)
            self._send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def requests(self) -> list[str]:
        """Return the addresses of everything that was asked for since the tab was opened."""
        sent = self._events("Network.requestWillBeSent")
        return [event["request"]["url"] for event in sent]

    def refused(self) -> list[str]:
        """Return for each request that the page's policy stopped the reason."""
        failed = self._events("Network.loadingFailed")
        return [event["blockedReason"] for event in failed if "blockedReason" in event]

    def complaints(self) -> list[str]:
        """Return what the console showed: errors, warnings and refusals of the policy."""
        logged = [e["entry"]["text"] for e in self._events("Log.entryAdded")]
        thrown = [str(e["exceptionDetails"]) for e in self._events("Runtime.exceptionThrown")]
        called = [str(e["args"]) for e in self._events("Runtime.consoleAPICalled")]
        return [*logged, *thrown, *called]

    def picture(self, file: Path, *, whole: bool = True) -> None:
        """Write a picture of the page, or of its first screen."""
        shot = self._send("Page.captureScreenshot", captureBeyondViewport=whole)
        file.write_bytes(base64.b64decode(shot["data"]))

    def printed(self) -> bytes:
        """Return the page as PDF."""
        answer = self._send(
            "Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69
        )
        return base64.b64decode(answer["data"])

    def close(self) -> None:
        """Close the tab."""
        self._browser.send("Target.closeTarget", targetId=self._target)

    def _send(self, method: str, **given: Any) -> dict[str, Any]:
        return self._browser.send(method, self._session, **given)

    def _events(self, method: str) -> list[dict[str, Any]]:
        self.evaluate("new Promise(done => setTimeout(done, 50))")
        return [
            event["params"]
            for event in self._browser.events
            if (event.get("method"), event.get("sessionId")) == (method, self._session)
        ]


def _moved(descriptor: int) -> int:
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return moved
