"""A headless Chromium, driven by its DevTools protocol."""

import importlib.util
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run")
FLAGS += ("--disable-background-networking", "--disable-component-update", "--remote-debugging-port=0")
PATIENCE = 60  # seconds
READY = "document.body.dataset.ready === 'yes'"


def found():
    """Path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A browser with one tab and no network; `errors` and `requests` keep what its pages log, throw and ask for."""

    def __init__(self):
        import websocket

        self.profile = tempfile.mkdtemp(prefix="ironbark-browser-")
        command = [found(), *FLAGS, f"--user-data-dir={self.profile}", "about:blank"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, **quiet, start_new_session=True)
        self.errors, self.requests, self.ids, self.loads = [], [], itertools.count(1), 0
        address = "ws://127.0.0.1:{}{}".format(*self._address())
        self.socket = websocket.create_connection(address, timeout=PATIENCE, suppress_origin=True)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Network.setBlockedURLs", urls=["http://*", "https://*", "ws://*", "wss://*"])

    def _address(self):
        path, end = Path(self.profile, "DevToolsActivePort"), time.monotonic() + PATIENCE
        while not (path.exists() and path.read_text().count("\n")):
            if time.monotonic() > end:
                raise RuntimeError("Chromium did not start")
            time.sleep(0.05)
        return path.read_text().split("\n")[:2]

    def call(self, method, **params):
        """Result of a command of the protocol; events that come before it are noted."""
        number = next(self.ids)
        about = {"sessionId": self.session} if hasattr(self, "session") else {}
        self.socket.send(json.dumps({"id": number, "method": method, "params": params} | about))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self._note(message.get("method"), message.get("params", {}))

    def _note(self, event, params):
        if event == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            about = params["exceptionDetails"]
            self.errors.append(about.get("exception", {}).get("description", about["text"]))
        elif event == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.errors.append(" ".join(str(item.get("value", item.get("description"))) for item in params["args"]))
        elif event == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        elif event == "Page.loadEventFired":
            self.loads += 1

    def open(self, path):
        """Load a page from a file, and wait for it and for its script."""
        for address in ("about:blank", f"file://{path}"):  # from the same page, a new hash alone loads nothing
            before = self.loads
            self.call("Page.navigate", url=address)
            self.wait(lambda before=before: self.loads > before)
        self.wait(READY)

    def violations(self):
        """What axe-core finds wrong with a page; skips the test without it."""
        pytest.importorskip("axe_core_python")
        place = Path(importlib.util.find_spec("axe_core_python").origin).parent / "axe.min.js"
        self.run(place.read_text(encoding="utf-8") + ";1")
        found = "r.violations.map(v => [v.id, v.nodes[0].html, v.nodes[0].failureSummary])"
        return self.run(f"axe.run({{preload: false}}).then(r => {found})")

    def run(self, script):
        """Value of a JavaScript expression; promises are waited for."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description", "exception"))
        return result["result"].get("value")

    def wait(self, condition):
        """Wait until a function is true, or a JavaScript expression."""
        end = time.monotonic() + PATIENCE
        while not (self.run(condition) if isinstance(condition, str) else self._noted() and condition()):
            if time.monotonic() > end:
                raise TimeoutError(f"{condition} did not become true; errors: {self.errors}")
            time.sleep(0.05)

    def _noted(self):
        """Note the events so far; False while the page goes, which refuses scripts."""
        try:
            self.run("true")
        except RuntimeError as error:
            if "navigated" not in str(error):
                raise
            return False
        return True

    def look(self, width=1280, height=900, dark=False):
        """Set the size of the screen and the colour scheme."""
        phone = width < 600
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def choose(self, selector, value):
        """Choose the option of this value or text from a list, as a reader does."""
        wanted = json.dumps(value)
        found = f"Array.from(list.options ?? []).find(o => o.text === {wanted})?.value ?? {wanted}"
        event = "list.dispatchEvent(new Event('{}', {{bubbles: true}}))".format
        change = f"list.value = {found}; {event('input')}; {event('change')}"
        self.run(f"(list => {{ {change} }})(document.querySelector({json.dumps(selector)}))")

    def close(self):
        """End the browser and remove its profile."""
        self.socket.close()
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(PATIENCE)
        shutil.rmtree(self.profile, ignore_errors=True)
