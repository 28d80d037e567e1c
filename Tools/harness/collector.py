"""A server of this checkout on a scratch data folder, for tests that talk to it from outside."""

import http.cookiejar
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def wait_until(claim, what, limit=30, pause=0.05):
    """Asks again and again until the answer is true; an error after `limit` seconds."""
    deadline = time.monotonic() + limit
    while True:
        answer = claim()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {limit} s")
        time.sleep(pause)


class Collector:
    """`footfall serve`, or another command that serves; ends with the `with` block."""

    def __init__(self, command=("serve",), program=None):
        self.program = program or os.path.join(ROOT, "Server/.build/debug/footfall")
        self.command = command
        self.folder = tempfile.mkdtemp(prefix="collector-", dir=os.path.join(ROOT, ".footfall"))
        self.data = os.path.join(self.folder, "data")
        self.log = os.path.join(self.folder, "log.txt")
        self.process = None
        self.address = None
        self.visitor = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, value, trace):
        self.stop()
        if kind is None:
            shutil.rmtree(self.folder)
        else:
            print(f"The data folder and the server's log are in {self.folder}.")

    def start(self, port=0):
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                [self.program, *self.command, "--data", self.data, "--port", str(port)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_until(lambda: self.printed(r"listens on (http://\S+)"), "the server's address")
        self.address = self.printed(r"listens on (http://\S+)")
        wait_until(lambda: self.get("/readyz")[0] == 200, "the server's readiness")

    def stop(self, limit=15):
        """Ends it gracefully, by its own process id."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"the server did not stop within {limit} s")

    def printed(self, pattern):
        """The last match of a pattern in what the server printed, or None."""
        with open(self.log) as log:
            text = log.read()
        if self.process.poll() is not None:
            raise AssertionError(f"the server ended early:\n{text}")
        found = re.findall(pattern, text)
        return found[-1] if found else None

    @property
    def key(self):
        return self.printed(r"\b(ff_pub_\S+)")

    @property
    def sign_in_address(self):
        return self.printed(r"(http://\S+/sign-in/\S+)")

    def get(self, path):
        try:
            with urllib.request.urlopen(self.address + path, timeout=5) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, ""
        except OSError:
            return 0, ""

    def page(self, path):
        """A page of the dashboard as whoever has the printed address sees it, without a browser."""
        if self.visitor is None:
            cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
            self.visitor = urllib.request.build_opener(cookies)
            address = self.sign_in_address
            with self.visitor.open(address, timeout=5) as answer:
                hidden = re.findall(r'type="hidden" name="([^"]+)" value="([^"]+)"', answer.read().decode())
            self.visitor.open(address, urllib.parse.urlencode(hidden).encode(), timeout=5).close()
        with self.visitor.open(self.address + path, timeout=5) as answer:
            return answer.read().decode()

    def run(self, *words):
        """What another command of the program prints, on this server's data folder."""
        return subprocess.run(
            [self.program, *words, "--data", self.data], check=True, stdout=subprocess.PIPE, text=True,
            timeout=30).stdout

    def send(self, events, **more):
        """Sends events to /v1/events and returns the answer."""
        body = json.dumps({"events": events}).encode()
        request = urllib.request.Request(
            self.address + "/v1/events", data=body, method="POST",
            headers={"Authorization": f"Bearer {self.key}", "Content-Type": "application/json", **more})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, json.loads(answer.read())

    def events(self, project=1):
        """Everything stored for a project, oldest first; the server must have stopped."""
        output = subprocess.run(
            [self.program, "events", "--data", self.data, "--project", str(project),
             "--limit", "1000000", "--format", "ndjson"],
            check=True, stdout=subprocess.PIPE, timeout=120).stdout
        return [json.loads(line) for line in output.splitlines()]
