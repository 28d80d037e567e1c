"""A proxy between the clients and the server that breaks things on request.

It understands just enough HTTP/1.1 to know where a request ends: a head, and a body with a length.
Every connection reads the mode of the moment once per request, so one connection meets many of them.
"""

import asyncio
import socket

PASS = "pass"
REFUSE = "refuse"                            # nothing listens
RESET_IN_BODY = "reset in body"              # half of the request is read
RESET_AFTER_BODY = "reset after body"        # all of it is read, nothing reaches the server
RESET_BEFORE_ANSWER = "reset before answer"  # the server has stored it, the client never hears
CUT_ANSWER = "cut answer"                    # half of the answer arrives
DELAY = "delay"                              # the answer comes late
ANSWER_500 = "500"
ANSWER_429 = "429"
ANSWER_413 = "413"

FAULTS = [
    REFUSE, RESET_IN_BODY, RESET_AFTER_BODY, RESET_BEFORE_ANSWER, CUT_ANSWER, DELAY,
    ANSWER_500, ANSWER_429, ANSWER_413,
]

# A batch this small is let through in mode 413: whoever is told that a single event is too large
# drops it and says so, which is right, and would be counted as a loss here.
SMALLEST_TOO_LARGE = 2_000

ANSWERS = {
    ANSWER_500: b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n",
    ANSWER_429: b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n",
    ANSWER_413: b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n",
}


class Proxy:
    """Listens on a port of its own and passes requests on to `upstream`, as well as `mode` lets it."""

    def __init__(self, upstream, random):
        self.upstream = upstream
        self.random = random
        self.port = None
        self.mode = PASS
        self.met = {}          # mode → how many requests or connections met it
        self._listener = None
        self._writers = set()

    async def start(self):
        await self._listen()

    async def stop(self):
        await self._unlisten()

    async def change(self, mode):
        """Takes effect with the next request; refusing also cuts the connections that are open."""
        if mode == REFUSE and self.mode != REFUSE:
            self._count(REFUSE)
            await self._unlisten()
        elif mode != REFUSE and self.mode == REFUSE:
            await self._listen()
        self.mode = mode

    async def _listen(self):
        self._listener = await asyncio.start_server(
            self._serve, "127.0.0.1", self.port or 0, reuse_address=True)
        self.port = self._listener.sockets[0].getsockname()[1]

    async def _unlisten(self):
        if self._listener:
            self._listener.close()
            self._listener = None
        for writer in list(self._writers):
            writer.transport.abort()

    def _count(self, mode):
        self.met[mode] = self.met.get(mode, 0) + 1

    async def _serve(self, reader, writer):
        self._writers.add(writer)
        try:
            while await self._one_request(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, EOFError):
            pass  # the client or the server was killed: that is what this is for
        finally:
            self._writers.discard(writer)
            reset(writer)

    async def _one_request(self, reader, writer):
        """One request and its answer; False when the connection is over."""
        head = await reader.readuntil(b"\r\n\r\n")
        mode = self.mode
        length = content_length(head)
        self._count(mode)
        if mode == RESET_IN_BODY:
            await reader.readexactly(length // 2)
            return False
        body = await reader.readexactly(length)
        if mode == RESET_AFTER_BODY or mode == REFUSE:
            return False
        if mode == ANSWER_413 and length < SMALLEST_TOO_LARGE:
            mode = PASS
        if mode in ANSWERS:
            writer.write(ANSWERS[mode])
            await writer.drain()
            return True
        if mode == DELAY:
            await asyncio.sleep(self.random.uniform(0.05, 1.0))
        answer = await self._ask(head + body)
        if mode == RESET_BEFORE_ANSWER:
            return False
        if mode == CUT_ANSWER:
            writer.write(answer[:len(answer) // 2])
            await writer.drain()
            return False
        writer.write(answer)
        await writer.drain()
        return True

    async def _ask(self, request):
        """The server's answer; a fresh connection each time, since the server comes and goes."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.upstream)
        try:
            writer.write(request)
            await writer.drain()
            head = await reader.readuntil(b"\r\n\r\n")
            return head + await reader.readexactly(content_length(head))
        finally:
            writer.close()


def content_length(head):
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return int(value)
        if name.strip().lower() == b"transfer-encoding":
            raise EOFError("a body without a length")
    return 0


def reset(writer):
    """Closes with a reset rather than a goodbye: what was under way is lost for the other side."""
    connection = writer.get_extra_info("socket")
    try:
        if connection is not None:
            # struct linger { on, 0 seconds }
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    except OSError:
        pass
    writer.transport.abort()
