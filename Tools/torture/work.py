"""Kills the server while it erases, copies its data or upgrades an older folder, and compares the ids."""

import asyncio
import json
import os
import re
import signal
import time
import urllib.request

from older import CATALOGUE_FORMATS, STORE_VERSIONS, make_older
from processes import Failure, Server, end
from verdict import compare_copy, compare_erased, compare_upgraded, is_work_clean

PHASES = ["erase", "backup", "upgrade"]
COLUMNS = "{:<9} {:>6} {:>8} {:>8} {:>6} {:>6} {:>9} {:>6}  {}"
PER_REQUEST = 50


class Work:
    """One server with events of its own; each phase leaves it running and whole."""

    def __init__(self, server, library, folder, random):
        self.server, self.library, self.folder, self.random = server, library, folder, random
        self.number = 0
        self.sent = {}  # id of each event that was answered for -> its user
        self.erased = set()
        self.kills = 0

    def head(self):
        print(COLUMNS.format(
            "phase", "kills", "sent", "stored", "lost", "twice", "returned", "s", "what"), flush=True)

    async def run(self, phase):
        """One phase; True when it is clean."""
        started, kills = time.monotonic(), self.kills
        self.number += 1
        verdict, what = await getattr(self, phase)()
        print(COLUMNS.format(
            phase, self.kills - kills, verdict.sent, verdict.stored, len(verdict.lost),
            len(verdict.twice), len(verdict.returned), f"{time.monotonic() - started:.1f}", what), flush=True)
        for name in ("lost", "twice", "returned"):
            if ids := getattr(verdict, name):
                print(f"       {name}: {', '.join(sorted(ids)[:5])}" + (" …" if len(ids) > 5 else ""))
        return is_work_clean(verdict)

    # The phases

    async def erase(self):
        """A person is erased, events of them and of others arriving all the while."""
        gone, stays = f"erased-{self.number}", f"kept-{self.number}"
        await self.send([gone, stays], 300)
        sending = asyncio.create_task(self.keep_sending([gone, stays]))
        await self.ask_and_kill("erase", "--user", gone, "--yes", "--project", "1")
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        await self.wait_for_jobs()
        self.erased.add(gone)
        await self.send([gone, stays], 50)
        stored = await self.stored()
        await self.server.start()
        # The start looks the log over; nothing of the person may be left in any file before the store.
        left = await self.wait_until_gone(gone)
        verdict = compare_erased(self.sent, self.erased, stored)
        return verdict._replace(returned=verdict.returned + left), "asked for by command line"

    async def backup(self):
        """All data is copied while events arrive; the copy, restored, has all that was answered for before."""
        user = f"copied-{self.number}"
        await self.send([user], 300)
        before = dict(self.sent)
        target = os.path.join(self.folder, f"copy-{self.number}")
        sending = asyncio.create_task(self.keep_sending([user]))
        await self.ask_and_kill("backup", target)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        await self.wait_for_jobs()
        await self.footfall("backup", "--verify", target, data=False)
        restored = Server(self.server.program, os.path.join(self.folder, f"restored-{self.number}"), self.server.port)
        os.makedirs(restored.folder)
        await self.footfall("restore", target, "--data", restored.data, data=False)
        # One port for both, one after the other. What its log has is in the store once it stopped.
        await self.server.stop()
        restored.key = self.server.key
        await restored.start()
        await restored.stop()
        stored = await self.ids(restored.data)
        await self.server.start()
        verdict = compare_copy(before, self.sent, self.erased, stored)
        return verdict, f"{len(os.listdir(os.path.join(target, 'files')))} files and folders"

    async def upgrade(self):
        """The folder of an older version is opened, killed in the middle, and opened again."""
        await self.send([f"upgraded-{self.number}"], 100)
        before = await self.stored()
        catalogue, store = self.random.choice(CATALOGUE_FORMATS), self.random.choice(STORE_VERSIONS)
        make_older(self.server.data, self.library, catalogue, store)
        for _ in range(self.random.choice([1, 2, 3])):
            process = await self.spawn()
            await asyncio.sleep(self.random.uniform(0.0, 0.35))
            process.kill()
            await process.wait()
            self.kills += 1
        await self.server.start()
        after = await self.stored()
        await self.server.start()
        await self.send([f"upgraded-{self.number}"], 10)
        # Older formats knew no erasures: the list went with its table, the events stay gone.
        return (compare_upgraded(before, after),
                f"from catalogue {catalogue}, store {store}")

    # What they are made of

    async def ask_and_kill(self, *words):
        """Asks by command line and kills the server when the job is known, a little later."""
        process = await asyncio.create_subprocess_exec(
            self.server.program, *words, "--data", self.server.data,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE)
        said = await asyncio.wait_for(process.stderr.readline(), 20)
        if b"as job" not in said:
            raise Failure(f"'footfall {words[0]}' asked no server: {said.decode().strip()}")
        for _ in range(self.random.choice([1, 1, 2])):
            await asyncio.sleep(self.random.choice([0.0, 0.02, 0.1, 0.4]) * self.random.random())
            await self.server.kill()
            self.kills += 1
            await self.server.start()
        await end(process, signal.SIGKILL)

    async def wait_for_jobs(self, limit=60):
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            lines = (await self.footfall("job", "list")).splitlines()
            states = [re.split(r"  ", line)[4] for line in lines]
            if not any(state.startswith(("queued", "running")) for state in states):
                if "failed" in states:
                    raise Failure("a job failed: " + next(l for l in lines if "  failed" in l))
                return
            await asyncio.sleep(0.1)
        raise Failure(f"a job was not done after {limit} s")

    async def wait_until_gone(self, text, limit=20):
        deadline = time.monotonic() + limit
        while True:
            left = [f"{text} in {name}" for folder in ("log", "poison", "exports")
                    for name in self.holding(os.path.join(self.server.data, folder), text.encode())]
            if not left or time.monotonic() > deadline:
                return left
            await asyncio.sleep(0.1)

    @staticmethod
    def holding(folder, text):
        if not os.path.isdir(folder):
            return []
        names = []
        for name in os.listdir(folder):
            try:
                with open(os.path.join(folder, name), "rb") as file:
                    if text in file.read():
                        names.append(name)
            except FileNotFoundError:
                pass
        return names

    async def keep_sending(self, users):
        while True:
            await self.send(users, PER_REQUEST)
            await asyncio.sleep(0.02)

    async def send(self, users, count):
        """Sends so many events of each user, and keeps the ids that were answered for.

        They happened an hour ago: before any erasure was asked for, however late they arrive.
        """
        at = int(time.time() * 1000) - 3_600_000
        events = []
        for index in range(count):
            for user in users:
                number = len(self.sent) + len(events)
                events.append({"id": f"work-{self.number}-{number}-{time.monotonic_ns()}", "seq": number,
                               "name": "Work", "ts": at + index, "device_id": f"device of {user}",
                               "user_id": user})
        for start in range(0, len(events), PER_REQUEST):
            await self.post(events[start:start + PER_REQUEST])

    async def post(self, events):
        body = json.dumps({"events": events}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.server.port}/v1/events", data=body,
            headers={"Authorization": f"Bearer {self.server.key}", "Content-Type": "application/json"})

        def answer():
            with urllib.request.urlopen(request, timeout=5) as reply:
                return json.load(reply)
        while True:
            try:
                taken = await asyncio.to_thread(answer)
                break
            except (OSError, ValueError):
                # The server is down for a moment; what is sent again counts once.
                await asyncio.sleep(0.05)
        if taken["accepted"] != len(events):
            raise Failure(f"{len(events) - taken['accepted']} events of {len(events)} were refused")
        self.sent.update((event["id"], event["user_id"]) for event in events)

    async def spawn(self):
        with open(self.server.log, "a") as log:
            return await asyncio.create_subprocess_exec(
                self.server.program, "serve", "--data", self.server.data, "--port", str(self.server.port),
                stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log)

    async def stored(self):
        """The ids of the stored events of this work; the server has stopped then."""
        await self.server.stop()
        return await self.ids(self.server.data)

    async def ids(self, data):
        output = await self.footfall(
            "events", "--project", "1", "--name", "Work", "--limit", "10000000", "--format", "ndjson",
            "--data", data, data=False)
        return [json.loads(line)["id"] for line in output.splitlines()]

    async def footfall(self, *words, data=True):
        process = await asyncio.create_subprocess_exec(
            self.server.program, *words, *(["--data", self.server.data] if data else []),
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE)
        output, problems = await asyncio.wait_for(process.communicate(), 120)
        if process.returncode != 0:
            raise Failure(f"'footfall {words[0]}' ended with status {process.returncode}: "
                          + problems.decode()[-300:])
        return output.decode()
