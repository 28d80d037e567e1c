"""Measures the dashboard's questions against ClickHouse on the same events, machine and threads.

    questions.py BENCH_PROGRAM

The reference is `chdb-core`, ClickHouse in this process, with a MergeTree table ordered by project, person
and time. Both are asked in turn; what is compared is the CPU of each, medians of five, so it does not
matter what else the machine does. FOOTFALL_BENCH_EVENTS sets how many events there are (10 million).
Prints a line of JSON for each question, for script/bench.
"""

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

from chdb.session import Session

TIMES = int(os.environ.get("FOOTFALL_BENCH_TIMES", "5"))
STEPS = [2, 3, 1, 4, 6]
WINDOW = 7 * 86_400_000
MS = "toUnixTimestamp64Milli(ts)"

# What the reference is asked; it answers the same numbers where `equal` says so.
FUNNEL = f"""
  SELECT {", ".join(f"countIf(level >= {k})" for k in range(1, 6))} FROM (
    SELECT uid, windowFunnel({WINDOW})(toUInt64({MS}), {", ".join(f"name = 'Event {s}'" for s in STEPS)}) AS level
    FROM events WHERE project = 1 AND name IN ({", ".join(f"'Event {s}'" for s in STEPS)}) GROUP BY uid)
"""
RETENTION = """
  SELECT n, count() FROM (
    SELECT arrayJoin(arrayMap(w -> w - first, weeks)) AS n FROM (
      SELECT uid, groupUniqArray(intDiv(toUInt32(toMonday(ts)), 7)) AS weeks, arrayMin(weeks) AS first
      FROM events WHERE project = 1 GROUP BY uid)
  ) WHERE n <= 12 GROUP BY n ORDER BY n
"""
DAILY = "SELECT uniqExact(uid) FROM events WHERE project = 1 GROUP BY toDate(ts) ORDER BY toDate(ts)"


def rolling(days):
    return f"""
      SELECT uniqExact(uid) FROM (
        SELECT uid, arrayJoin(range({days})) + day AS at FROM (
          SELECT DISTINCT toDate(ts) AS day, uid FROM events WHERE project = 1)
      ) WHERE at <= toDate('2026-10-03') GROUP BY at ORDER BY at
    """


PROPERTY = """
  SELECT toDate(ts) AS day, JSONExtractString(props, 'screen') AS screen, count()
  FROM events WHERE project = 1 GROUP BY day, screen
"""
NAMES = "SELECT toDate(ts) AS day, name, count() FROM events WHERE project = 1 GROUP BY day, name"
SESSIONS = """
  SELECT sum(n), sum(long) FROM (
    SELECT toDate(begun) AS day, count() AS n, uniqExact(uid) AS people, sum(length) AS long,
      countIf(length < 20000) AS bounced
    FROM (
      SELECT uid, session_id, min(ts) AS begun, dateDiff('millisecond', min(ts), max(ts)) AS length
      FROM events WHERE project = 1 GROUP BY uid, session_id)
    GROUP BY day)
"""
REVENUE = [
    """
      SELECT toInt64(round(sum(revenue) * 1000000)), uniqExact(uid), count()
      FROM events WHERE project = 1 AND revenue IS NOT NULL
    """,
    """
      SELECT toDate(ts) AS day, sum(revenue), uniqExact(uid), count() FROM events
      WHERE project = 1 AND revenue IS NOT NULL GROUP BY day
    """,
    """
      SELECT product, sum(revenue), uniqExact(uid), count() FROM events
      WHERE project = 1 AND revenue IS NOT NULL GROUP BY product
    """,
]
PATHS = [
    """
      SELECT count(), arrayMap(pair -> pair.2, arraySlice(arraySort(groupArray((ts, name))), 1, 5)) AS path
      FROM events WHERE project = 1 AND session_id != '' GROUP BY uid, session_id
    """
]
PATHS = [f"SELECT count() AS trails, path FROM ({PATHS[0]}) GROUP BY path ORDER BY trails DESC LIMIT 20"]

# name, what, bar, the reference's statements, which of them has the numbers to compare.
QUESTIONS = [
    ("funnel", "5-step funnel, 7-day window", "<= 1.4", [FUNNEL], 0),
    ("retention", "weekly retention, 12 weeks", "<= 1.4", [RETENTION], None),
    ("daily", "active people: daily", "<= 1.0", [DAILY], 0),
    ("rolling", "active people: rolling weekly and monthly", "<= 0.25", [rolling(7), rolling(30)], "pairs"),
    ("property", "trend by property", "<= 0.4", [PROPERTY], None),
    ("names", "all names by day", "<= 0.65", [NAMES], None),
    ("sessions", "sessions", "<= 0.7", [SESSIONS], 0),
    ("revenue", "revenue", "<= 0.45", REVENUE, 0),
    ("paths", "top paths", "<= 0.4", PATHS, None),
]


class Reference:
    """ClickHouse with the events, in a folder of its own."""

    def __init__(self, folder, parquet):
        self.session = Session(folder)
        self.ask("SET max_threads = 2")
        self.ask("CREATE DATABASE IF NOT EXISTS bench")
        self.ask("USE bench")
        self.ask("""
          CREATE TABLE events (project UInt32, name String, ts DateTime64(3, 'UTC'), uid Int64,
            user_id Nullable(String), device_id Nullable(String), session_id Nullable(String),
            event_id Nullable(String), props String, client String, revenue Nullable(Float64), product String)
          ENGINE = MergeTree ORDER BY (project, uid, ts)""")
        self.ask(f"INSERT INTO events SELECT * FROM file('{parquet}', Parquet)")
        self.ask("OPTIMIZE TABLE events FINAL")

    def ask(self, statement):
        return self.session.query(statement, "TabSeparated").bytes().decode()

    def measured(self, statements):
        before = cpu()
        answers = [self.ask(statement) for statement in statements]
        spent = cpu() - before
        return spent, [[int(cell) for cell in answer.split() if cell.isdigit()] for answer in answers]

    def bytes(self):
        return int(self.ask("SELECT sum(bytes_on_disk) FROM system.parts WHERE table = 'events' AND active"))


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Ours:
    """Our store in a process of its own, asked by the names of questions."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "questions"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ready = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line.startswith("{"):
            raise SystemExit(f"error: questions: {line.strip() or 'the program ended'}")
        said = json.loads(line)
        if "error" in said:
            raise SystemExit(f"error: questions: {said['error']}")
        return said

    def ask(self, name):
        self.process.stdin.write(name + "\n")
        self.process.stdin.flush()
        return self.answer()

    def end(self):
        self.process.stdin.write("quit\n")
        self.process.stdin.close()
        self.process.wait()


def report(name, what, measured, unit, bar, detail):
    print(json.dumps({
        "id": f"question-{name}", "what": what, "measured": round(measured, 2), "unit": unit, "bar": bar,
        "detail": detail}), flush=True)


def same(numbers, answers, which):
    """Whether the numbers are the reference's; True where there is nothing to compare."""
    if which is None:
        return True
    if which == "pairs":
        return numbers == [number for pair in zip(*answers) for number in pair]
    return numbers == answers[which]


def main(program):
    folder = tempfile.mkdtemp(prefix="footfall-bench-reference-")
    ours = Ours(program)
    try:
        count = int(ours.ready["ready"])
        reference = Reference(folder, ours.ready["parquet"])
        chosen = os.environ.get("FOOTFALL_BENCH_QUESTIONS", "").split()
        for name, what, bar, statements, which in QUESTIONS:
            if chosen and name not in chosen:
                continue
            mine, theirs, walls = [], [], []
            for _ in range(TIMES):
                said = ours.ask(name)
                spent, answers = reference.measured(statements)
                mine.append(said["cpu"])
                walls.append(said["wall"])
                theirs.append(spent)
                if not same(said["numbers"], answers, which):
                    raise SystemExit(
                        f"error: questions: {name} answers {said['numbers'][:10]}, "
                        f"the reference {[answer[:10] for answer in answers]}")
            a, b = statistics.median(mine), statistics.median(theirs)
            report(name, f"{count // 1_000_000} million events: {what}", a / b, "x ClickHouse", bar,
                   f"{a:.2f} s of CPU against {b:.2f}; {statistics.median(walls):.2f} s by the clock")
        walls = [ours.ask("person")["wall"] * 1_000 for _ in range(TIMES)]
        report("person", "one person's last 200 events", statistics.median(walls), "ms", "<= 20", "")
        size, other = int(ours.ready["bytes"]) / count, reference.bytes() / count
        report("bytes", "bytes per event, both sorted", size / other, "x ClickHouse", "<= 1.3",
               f"{size:.0f} against {other:.0f} bytes")
    finally:
        ours.end()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1])
