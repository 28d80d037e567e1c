"""What must hold between the events that were tracked and the events that are stored: pure code."""

from collections import Counter, namedtuple

# How long before a kill `track` must have returned for its event to be safe, in nanoseconds: the
# inbox is written within 10 ms, and a machine with two busy cores gets ten times that.
GRACE = 100_000_000

# One event a client noted after `track` returned: its id, its number, when that was (CLOCK_MONOTONIC).
Tracked = namedtuple("Tracked", "id number at")

# One kill of a client: when the signal was sent, and when the process was seen to be gone. It may
# have tracked and noted a little more in between.
Kill = namedtuple("Kill", "sent gone")

# One event of the store, in the order of the client's sequence numbers.
Stored = namedtuple("Stored", "id number sequence")

Verdict = namedtuple("Verdict", "tracked stored excused lost twice invented disordered")


def number_of(identifier):
    """The number in an id; the last group of its digits (see the client)."""
    return int(identifier[-12:])


def client_of(identifier):
    """The number of the client in an id."""
    return int(identifier[20:23])


def compare(tracked, kills, stored):
    """Compares one client's history.

    tracked: every event it noted, in order.
    kills: when this client was killed.
    stored: what the store has of it, in the order of the sequence numbers.
    """
    times = Counter(event.id for event in stored)
    noted = {event.id for event in tracked}
    missing = [event for event in tracked if event.id not in times]
    excused = [e for e in missing if any(k.sent - GRACE < e.at <= k.gone for k in kills)]
    # Between the return of `track` and the note lies a moment: at each kill one event may be
    # stored that nobody noted. Any more were made up.
    unnoted = len(times.keys() - noted)
    numbers = [event.number for event in stored]
    sequences = [event.sequence for event in stored]
    return Verdict(
        tracked=len(tracked),
        stored=len(times),
        excused=len(excused),
        lost=[e.id for e in missing if e not in excused],
        twice=[i for i, count in times.items() if count > 1],
        invented=max(0, unnoted - len(kills)),
        disordered=descents(numbers) + repeats(sequences))


def descents(numbers):
    """How often a number is smaller than the one before it."""
    return sum(1 for a, b in zip(numbers, numbers[1:]) if b < a)


def repeats(numbers):
    """How often a number, of an ascending list, is not above the one before it."""
    return sum(1 for a, b in zip(numbers, numbers[1:]) if b <= a)


def is_clean(verdict):
    return not (verdict.lost or verdict.twice or verdict.invented or verdict.disordered)
