"""The programs under torture. Each is ended by its own process id, never by name."""

import asyncio
import json
import os
import re
import signal
import time
import urllib.error
import urllib.request

from verdict import Kill, Stored, Tracked, client_of, number_of


class Failure(Exception):
    """The torture itself could not go on."""


async def end(process, number, limit=15):
    """Sends a signal and waits; kills what does not end by itself."""
    if process is None or process.returncode is not None:
        return
    process.send_signal(number)
    try:
        await asyncio.wait_for(process.wait(), limit)
    except asyncio.TimeoutError:
        process.kill()
        await process.wait()
        raise Failure(f"process {process.pid} did not end {limit} s after signal {number}")


class Server:
    """`footfall serve` on one data folder and one port."""

    def __init__(self, program, folder, port):
        self.program, self.folder, self.port = program, folder, port
        self.data = os.path.join(folder, "data")
        self.log = os.path.join(folder, "server.txt")
        self.key = None
        self.process = None
        self.kills = 0

    async def start(self):
        with open(self.log, "a") as log:
            self.process = await asyncio.create_subprocess_exec(
                self.program, "serve", "--data", self.data, "--port", str(self.port),
                stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log)
        await self.wait_until_ready()
        if self.key is None:
            self.key = re.search(r"\bff_pub_\S+", open(self.log).read()).group()

    async def wait_until_ready(self, limit=30):
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            if self.process.returncode is not None:
                raise Failure(f"the server ended with status {self.process.returncode}; see {self.log}")
            if (await asyncio.to_thread(self.get, "/readyz"))[0] == 200:
                return
            await asyncio.sleep(0.05)
        raise Failure(f"the server was not ready after {limit} s; see {self.log}")

    def get(self, path):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, ""
        except OSError:
            return 0, ""

    async def kill(self):
        self.kills += 1
        self.process.kill()
        await self.process.wait()

    async def stop(self):
        await end(self.process, signal.SIGTERM)

    async def events(self):
        """Everything that is stored, by client; the server must have stopped."""
        process = await asyncio.create_subprocess_exec(
            self.program, "events", "--data", self.data, "--project", "1", "--limit", "10000000",
            "--format", "ndjson", stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE)
        output, _ = await asyncio.wait_for(process.communicate(), 120)
        if process.returncode != 0:
            raise Failure(f"'footfall events' ended with status {process.returncode}")
        clients = {}
        for line in output.splitlines():
            event = json.loads(line)
            if event["name"] != "Torture":
                continue
            stored = Stored(event["id"], number_of(event["id"]), event["seq"])
            clients.setdefault(client_of(event["id"]), []).append(stored)
        for events in clients.values():
            events.sort(key=lambda event: event.sequence)
        return clients


class Client:
    """`footfall-torture-client` on one storage folder."""

    def __init__(self, program, folder, index, rate):
        self.program, self.index, self.rate = program, index, rate
        self.storage = os.path.join(folder, f"client-{index}")
        self.notes = os.path.join(folder, f"client-{index}.notes")
        self.log = os.path.join(folder, f"client-{index}.txt")
        self.process = None
        self.kills = []

    async def start(self, endpoint, key, drain=False):
        with open(self.log, "a") as log:
            self.process = await asyncio.create_subprocess_exec(
                self.program, "--endpoint", endpoint, "--key", key, "--storage", self.storage,
                "--client", str(self.index), "--notes", self.notes, "--rate", str(self.rate),
                "--first", str(self.next_number()), *(["--drain"] if drain else []),
                stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log)

    async def kill(self):
        self.must_run()
        sent = time.monotonic_ns()
        self.process.kill()
        await self.process.wait()
        self.kills.append(Kill(sent, time.monotonic_ns()))

    def must_run(self):
        """An app that ends by itself has crashed; that is worse than anything the table shows."""
        if self.process.returncode is not None:
            raise Failure(f"client {self.index} ended by itself, status {self.process.returncode}; see {self.log}")

    async def stop(self):
        self.must_run()
        await end(self.process, signal.SIGTERM)
        # The signal itself ends one that was started a moment ago and does not listen for it yet.
        if self.process.returncode not in (0, -signal.SIGTERM):
            raise Failure(f"client {self.index} ended with status {self.process.returncode}; see {self.log}")

    async def drain(self, endpoint, key, limit=60):
        """Runs the client without new events until it says that nothing is left to send."""
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            await self.start(endpoint, key, drain=True)
            try:
                await asyncio.wait_for(self.process.wait(), deadline - time.monotonic())
            except asyncio.TimeoutError:
                self.process.kill()
                await self.process.wait()
            if self.process.returncode == 0:
                return
            if self.process.returncode not in (1, -signal.SIGKILL):
                raise Failure(f"client {self.index} ended with status {self.process.returncode}; see {self.log}")
        raise Failure(f"client {self.index} still holds events after {limit} s; see {self.log}")

    def tracked(self):
        try:
            lines = open(self.notes).read().split("\n")
        except FileNotFoundError:
            return []
        # A line without its end was cut by a kill.
        fields = [line.split() for line in lines[:-1]]
        return [Tracked(i, number_of(i), int(at)) for i, at in fields]

    def next_number(self):
        tracked = self.tracked()
        # One more is left out: the one that may have been tracked and not noted.
        return tracked[-1].number + 2 if tracked else 1
