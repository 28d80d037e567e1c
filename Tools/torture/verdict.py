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


# What must hold after the server was killed in the middle of work of its own.
WorkVerdict = namedtuple("WorkVerdict", "sent stored lost twice returned")


def compare_erased(sent, erased, stored):
    """Compares after an erasure.

    sent: the user of each event that was answered for, by id.
    erased: users of whom nothing may be stored.
    stored: the ids in the store.
    """
    return _work(
        [i for i, user in sent.items() if user not in erased],
        [i for i, user in sent.items() if user in erased], sent, stored)


def compare_copy(before, sent, erased, stored):
    """Compares a restored copy: it has all that was answered for before it was asked for.

    Of what came later it may have some; of what was erased before nothing, as in `compare_erased`.
    """
    return _work(
        [i for i, user in before.items() if user not in erased],
        [i for i, user in sent.items() if user in erased], sent, stored)


def compare_upgraded(before, after):
    """Compares the ids in the store before and after an upgrade: the same, in any order."""
    return WorkVerdict(
        sent=len(before), stored=len(after), lost=sorted(set(before) - set(after)),
        twice=_twice(after), returned=sorted(set(after) - set(before)))


def is_work_clean(verdict):
    return not (verdict.lost or verdict.twice or verdict.returned)


def _work(must, must_not, sent, stored):
    there = set(stored)
    return WorkVerdict(
        sent=len(sent), stored=len(stored), lost=[i for i in must if i not in there],
        twice=_twice(stored), returned=[i for i in must_not if i in there])


def _twice(ids):
    return [i for i, count in Counter(ids).items() if count > 1]
