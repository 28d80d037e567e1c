#!/usr/bin/env python3
"""Writes Docs/features.md: what of each product's document is supported, by which acceptance scenarios.

    python3 Tools/features/features.py            compares; fails if the page is behind
    python3 Tools/features/features.py --write    writes it

The tables are Docs/features/*.csv: a feature, its state, how it differs, and the scenarios that show it.
Every scenario that is named must be claimed by a test, in its name or an argument; a feature that is
supported or differs names at least one, unless its line says how else it is known.
"""
import csv
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Docs" / "features.md"
TABLES = [
    ("Amplitude's iOS Swift SDK", "FootfallAmplitude", "amplitude.csv"),
    ("SimpleDataLogs' Swift SDK", "FootfallSimpleDataLogs", "simpledatalogs.csv"),
    ("Phase's Swift SDK", "FootfallPhase", "phase.csv"),
    ("Amazon Pinpoint and Kinesis", "FootfallPinpoint and FootfallKinesis", "pinpoint-kinesis.csv"),
]
STATES = ("supported", "differs", "later", "not applicable")
ID = re.compile(r"\b(?:AMP|AWS|PHA|SDL|RPL)-[A-Z]*\d+[a-z]?\b")
RANGE = re.compile(r"((?:AMP|AWS|PHA|SDL|RPL)-[A-Z]*)(\d+)(?:\.\.(\d+))?")
HEAD = """\
# What of each document is supported

Written by `Tools/features/features.py` from `Docs/features/`, which checks that a test claims every scenario
that is counted here. What is said to be type-checked or to run on fakes has never run on an Apple device.
"""


class Wrong(Exception):
    pass


def expand(text):
    """`SDL-1..3` names three scenarios."""
    ids = []
    for word in text.split():
        match = RANGE.fullmatch(word)
        if not match:
            raise Wrong(f"'{word}' is no scenario.")
        prefix, first, last = match.groups()
        ids += [f"{prefix}{number}" for number in range(int(first), int(last or first) + 1)]
    return ids


def claimed(root):
    """The scenarios that a line of a test names, comments aside."""
    ids = set()
    for path in root.rglob("*"):
        inside = path.relative_to(root).parts
        if path.suffix not in (".swift", ".py") or any(part.startswith(".") for part in inside):
            continue
        if not any("test" in part.lower() for part in inside[:-1]) or not path.is_file():
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.lstrip().startswith(("//", "#", "*")):
                ids.update(ID.findall(line))
    return ids


def table(name, known):
    """(rows for the page, complaints) of one file."""
    rows, wrong = [], []
    with open(ROOT / "Docs" / "features" / name, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            feature, state, how = row["feature"], row["state"], row["how"]
            ids = expand(row["scenarios"] or "")
            if None in row or state not in STATES:
                wrong.append(f"{name}: '{feature}' has no state or a cell too many.")
            if state == "differs" and not how:
                wrong.append(f"{name}: '{feature}' does not say how it differs.")
            if state in ("supported", "differs") and not ids and not how:
                wrong.append(f"{name}: '{feature}' names no scenario.")
            missing = [id for id in ids if id not in known]
            if missing:
                wrong.append(f"{name}: '{feature}': no test claims {', '.join(missing)}.")
            shown = f"{len(ids)}: {row['scenarios'].replace(' ', ', ').replace('..', '–')}" if ids else ""
            rows.append(f"| {feature} | {state} | {how} | {shown} |")
    return rows, wrong


def page(known):
    parts, wrong = [HEAD], []
    for title, module, name in TABLES:
        rows, complaints = table(name, known)
        wrong += complaints
        parts.append(f"\n## {title}\n\n`import {module.replace(' and ', '`, `import ')}`\n\n"
                     "| feature | | how, or why not | scenarios |\n|---|---|---|---|\n" + "\n".join(rows) + "\n")
    return "".join(parts), wrong


def main():
    try:
        text, wrong = page(claimed(ROOT))
    except Wrong as problem:
        text, wrong = "", [str(problem)]
    for complaint in wrong:
        print(f"error: {complaint}", file=sys.stderr)
    if wrong:
        return 1
    if "--write" in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        print("error: Docs/features.md is behind; run python3 Tools/features/features.py --write.", file=sys.stderr)
        return 1
    print(f"{sum(line.startswith('| ') for line in text.splitlines()) - len(TABLES)} features, as the tests show them.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
