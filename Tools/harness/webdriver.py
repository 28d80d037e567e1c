"""Drives headless Chromium through its driver: the few calls of W3C WebDriver that our tests need."""

import base64
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

from collector import wait_until

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """A browser with one window; ends with the `with` block."""

    def __init__(self, width=1280, height=900, dark=False):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.driver = None
        self.session = None
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--no-first-run", "--disable-background-networking", "--disable-sync",
            f"--window-size={width},{height}",
        ]
        if dark:
            arguments.append("--force-dark-mode")
        self.wanted = {"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": arguments},
        }}}

    def __enter__(self):
        program = shutil.which("chromedriver")
        self.driver = subprocess.Popen(
            [program, f"--port={self.port}"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until(self._is_up, "the browser's driver")
            answer = self._call("POST", "/session", self.wanted, limit=90)
        except BaseException:
            self.driver.kill()
            self.driver.wait()
            raise
        self.session = answer["sessionId"]
        return self

    def __exit__(self, *_):
        try:
            self._call("DELETE", f"/session/{self.session}")
        finally:
            self.driver.terminate()
            try:
                self.driver.wait(10)
            except subprocess.TimeoutExpired:
                self.driver.kill()
                self.driver.wait()

    def _is_up(self):
        try:
            return self._call("GET", "/status")["ready"]
        except OSError:
            return False

    def _call(self, method, path, body=None, limit=30):
        data = None if method in ("GET", "DELETE") else json.dumps(body or {}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", data=data, method=method,
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=limit) as answer:
                return json.loads(answer.read())["value"]
        except urllib.error.HTTPError as error:
            value = json.loads(error.read())["value"]
            raise LookupError(f"{value['error']}: {value['message'].splitlines()[0]}") from None

    def _on(self, method, path, body=None):
        return self._call(method, f"/session/{self.session}{path}", body)

    def go(self, address):
        self._on("POST", "/url", {"url": address})

    @property
    def address(self):
        return self._on("GET", "/url")

    @property
    def title(self):
        return self._on("GET", "/title")

    def all(self, css):
        """Every element that matches now."""
        found = self._on("POST", "/elements", {"using": "css selector", "value": css})
        return [Element(self, item[ELEMENT]) for item in found]

    def wait_for(self, css, limit=15):
        """The first element that matches, as soon as there is one."""
        return wait_until(lambda: self.all(css), f"an element '{css}' on {self.address}", limit)[0]

    def text(self):
        return self.run("return document.body.innerText")

    def run(self, script, *arguments):
        return self._on("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script):
        """Runs a script until it calls its last argument, which it may do much later."""
        return self._on("POST", "/execute/async", {"script": script, "args": []})

    def press(self, keys):
        """Types into whatever has the focus."""
        actions = [a for k in keys for a in ({"type": "keyDown", "value": k}, {"type": "keyUp", "value": k})]
        self._on("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def complaints(self):
        """What the page complained of since the last call: script errors, refused content, lost files."""
        entries = self._on("POST", "/se/log", {"type": "browser"})
        return [e["message"] for e in entries if e["level"] == "SEVERE"]

    def picture(self, path):
        """Writes the page, at full height, as a PNG."""
        height = self.run("return document.documentElement.scrollHeight")
        width = self.run("return window.innerWidth")
        self._on("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setDeviceMetricsOverride",
            "params": {"width": width, "height": max(height, 600), "deviceScaleFactor": 1, "mobile": False}})
        time.sleep(0.3)  # charts redraw after a change of size
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._on("GET", "/screenshot")))
        self._on("POST", "/goog/cdp/execute", {"cmd": "Emulation.clearDeviceMetricsOverride", "params": {}})

    def become(self, width, dark=False):
        """Looks at the page with another width and colour scheme."""
        self._on("POST", "/window/rect", {"width": width, "height": 900})
        self._on("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setEmulatedMedia",
            "params": {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]}})


class Element:
    """Something on the page, as long as it is there."""

    def __init__(self, browser, identifier):
        self.browser, self.identifier = browser, identifier

    def _on(self, method, path, body=None):
        return self.browser._on(method, f"/element/{self.identifier}{path}", body)

    @property
    def text(self):
        return self._on("GET", "/text")

    def attribute(self, name):
        return self._on("GET", f"/attribute/{name}")

    def click(self):
        self._on("POST", "/click")

    def type(self, text):
        self._on("POST", "/value", {"text": text})
