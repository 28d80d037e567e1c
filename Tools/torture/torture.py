"""Kills clients and server at random moments, breaks their connection, and compares the ids.

Called by script/torture; Tools/torture/README.md says what the table means.
"""

import argparse
import asyncio
import os
import random
import shutil
import signal
import socket
import sys
import tempfile
import time

import proxy as faults
from processes import Client, Failure, Server, end
from verdict import compare, is_clean
from work import PHASES, Work

VICTIMS = ["client", "server", "both"]
COLUMNS = "{:>5}  {:<30} {:>8} {:>8} {:>8} {:>6} {:>6} {:>9} {:>11} {:>6}  {}"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Torture:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.random = random.Random(options.seed)
        self.server = Server(options.server, folder, free_port())
        self.proxy = faults.Proxy(self.server.port, random.Random(options.seed + 1))
        rate = max(1, options.rate // options.clients)
        self.clients = [Client(options.client, folder, i, rate) for i in range(options.clients)]

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.proxy.port}"

    async def run(self):
        """All rounds; True when every one is clean."""
        clean = True
        print(COLUMNS.format(
            "round", "killed", "tracked", "stored", "excused", "lost", "twice", "invented",
            "disordered", "s", "faults met"), flush=True)
        await self.server.start()
        await self.proxy.start()
        for number in range(1, self.options.rounds + 1):
            started = time.monotonic()
            killed, met = await self.one_round()
            verdicts = await self.settle()
            clean &= self.report(number, killed, met, verdicts, time.monotonic() - started)
        return await self.work() and clean

    async def work(self):
        """The server is killed in the middle of what it does by itself; True when all is clean."""
        if self.options.work == 0:
            return True
        clean = True
        work = Work(self.server, self.options.library, self.folder, self.random)
        work.head()
        for number in range(self.options.work):
            for phase in PHASES:
                clean &= await work.run(phase)
        # None of it may harm what the clients had sent.
        await self.server.stop()
        stored = await self.server.events()
        verdicts = [compare(c.tracked(), c.kills, stored.get(c.index, [])) for c in self.clients]
        if not all(is_clean(v) for v in verdicts):
            print("       the clients' events were harmed")
            clean = False
        return clean

    async def one_round(self):
        """Events flow, faults come and go, and at random moments something is killed."""
        before = dict(self.proxy.met)
        for client in self.clients:
            await client.start(self.endpoint, self.server.key)
        killed = []
        weather = asyncio.create_task(self.change_weather())
        deadline = time.monotonic() + self.options.seconds
        for _ in range(self.random.choice([1, 1, 2, 3])):
            await asyncio.sleep(self.random.uniform(0.1, 0.6) * self.options.seconds)
            killed.append(await self.kill(self.random.choice(VICTIMS)))
        await asyncio.sleep(max(0, deadline - time.monotonic()))
        weather.cancel()
        await asyncio.gather(weather, return_exceptions=True)
        # Half of the rounds end gracefully, the others with one more kill of every client.
        if self.random.random() < 0.5:
            await asyncio.gather(*(client.stop() for client in self.clients))
        else:
            await asyncio.gather(*(client.kill() for client in self.clients))
            killed.append("clients at end")
        met = {m: n - before.get(m, 0) for m, n in self.proxy.met.items() if n > before.get(m, 0)}
        return killed, met

    async def change_weather(self):
        while True:
            calm = self.random.random() < 0.35
            await self.proxy.change(faults.PASS if calm else self.random.choice(faults.FAULTS))
            await asyncio.sleep(self.random.uniform(0.1, 0.7))

    async def kill(self, victim):
        """Kills at once and starts again after a moment, as a person or a supervisor would."""
        clients = [self.random.choice(self.clients)] if victim in ("client", "both") else []
        server = victim in ("server", "both")
        await asyncio.gather(
            *(client.kill() for client in clients), *([self.server.kill()] if server else []))
        await asyncio.sleep(self.random.uniform(0.0, 0.5))
        if server:
            await self.server.start()
        for client in clients:
            await client.start(self.endpoint, self.server.key)
        return victim

    async def settle(self):
        """Everything that was kept is sent and loaded; then both sides are compared."""
        await self.proxy.change(faults.PASS)
        await asyncio.gather(*(c.drain(self.endpoint, self.server.key) for c in self.clients))
        await self.server.stop()
        stored = await self.server.events()
        await self.server.start()
        return [compare(c.tracked(), c.kills, stored.get(c.index, [])) for c in self.clients]

    def report(self, number, killed, met, verdicts, seconds):
        clean = all(is_clean(v) for v in verdicts)
        total = lambda field: sum(
            value if isinstance(value, int) else len(value)
            for value in (getattr(v, field) for v in verdicts))
        weather = ", ".join(f"{m} {n}" for m, n in sorted(met.items()) if m != faults.PASS)
        print(COLUMNS.format(
            number, "+".join(killed), total("tracked"), total("stored"), total("excused"),
            total("lost"), total("twice"), total("invented"), total("disordered"),
            f"{seconds:.1f}", weather or "none"), flush=True)
        for client, verdict in zip(self.clients, verdicts):
            for name in ("lost", "twice"):
                if ids := getattr(verdict, name):
                    print(f"       client {client.index} {name}: {', '.join(ids[:5])}"
                          + (" …" if len(ids) > 5 else ""))
        return clean

    async def end(self):
        """Leaves nothing running, whatever happened."""
        for process in [c.process for c in self.clients] + [self.server.process]:
            try:
                await end(process, signal.SIGKILL)
            except (Failure, ProcessLookupError):
                pass
        await self.proxy.stop()


async def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True, help="the program footfall")
    parser.add_argument("--client", required=True, help="the program footfall-torture-client")
    parser.add_argument("--scratch", default=None, help="where the scratch folder is made")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=6, help="length of a round's traffic")
    parser.add_argument("--rate", type=int, default=500, help="events a second, all clients together")
    parser.add_argument("--clients", type=int, default=2)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--work", type=int, default=2, metavar="N",
                        help="kill the server N times each in mid-erase, mid-backup, mid-upgrade")
    parser.add_argument("--library", help="libduckdb, for folders of older versions")
    parser.add_argument("--keep", action="store_true", help="keep the scratch folder of a clean run")
    options = parser.parse_args()

    folder = tempfile.mkdtemp(prefix="torture-", dir=options.scratch)
    print(f"seed {options.seed}; {options.rate} events/s from {options.clients} clients", flush=True)
    torture = Torture(options, folder)
    # However it goes, it ends: a round is traffic, a drain and a restart, each bounded.
    limit = 60 + options.rounds * (options.seconds + 120) + options.work * 240
    clean = False
    try:
        clean = await asyncio.wait_for(torture.run(), limit)
    except Failure as failure:
        print(f"error: {failure}")
    except asyncio.TimeoutError:
        print(f"error: no end after {limit:.0f} s")
    finally:
        await torture.end()
    if clean and not options.keep:
        shutil.rmtree(folder)
    else:
        print(f"The data folders and logs are in {folder}.")
    kills = sum(len(c.kills) for c in torture.clients)
    print(f"{'clean' if clean else 'NOT CLEAN'}: {kills} kills of clients, "
          f"{torture.server.kills} of the server; seed {options.seed}")
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
