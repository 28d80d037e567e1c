"""Runs the benchmark programs and prints one table of what they measured, their bars and the last run.

    bench.py [--record] ROOT PART=COMMAND ...
"""

import json
import os
import re
import shlex
import subprocess
import sys


def read_bars(path):
    """(what, shown, rule) by name, from Benchmarks/bars.txt."""
    bars = {}
    for line in open(path, encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            name, what, shown, rule = (field.strip() for field in line.split("|"))
            bars[name] = (what, shown, rule)
    return bars


def result_of(line, bars):
    """A line of a program as a row of the table, or None for talk.

    A row has id, what, number, unit, bar, holds (None without a bar), isRatio and detail.
    """
    if not line.startswith("{"):
        return None
    try:
        said = json.loads(line)
    except ValueError:
        return None
    if "name" in said:
        return measured(said, bars)
    if "id" in said:
        return judged(said)
    return None


def measured(said, bars):
    """One of the SDK's bare measurements, judged by bars.txt."""
    value, ratio, reference = said["value"], said.get("ratio"), said.get("reference")
    what, shown, rule = bars.get(said["name"], (said["name"], "value", ""))
    is_ratio = shown == "ratio" and ratio is not None
    detail = ""
    if reference is not None:
        pair = f"{number(value)} against {number(reference)} {said['unit']}"
        detail = pair if is_ratio else f"{pair}, {number(ratio)}x"
    # The rules are this repository's own, and see these two names alone.
    holds = eval(rule, {"__builtins__": {}}, {"value": value, "ratio": ratio or 0}) if rule else None
    return {
        "id": said["name"], "what": what, "number": ratio if is_ratio else value,
        "unit": "x" if is_ratio else said["unit"], "bar": rule, "holds": holds,
        "isRatio": is_ratio or "ratio" in rule, "detail": detail}


def judged(said):
    """One of the server's results, with the bar in it."""
    holds = None
    if said.get("bar"):
        sign, limit = re.match(r"\s*(<=|>=)\s*([\d.,]+)", said["bar"]).groups()
        limit = float(limit.replace(",", ""))
        holds = said["measured"] <= limit if sign == "<=" else said["measured"] >= limit
    return {
        "id": said["id"], "what": said["what"], "number": said["measured"], "unit": said["unit"],
        "bar": said.get("bar") or "", "holds": holds, "isRatio": "x" in said["unit"].split(),
        "detail": said.get("detail") or ""}


def run(part, command, bars):
    """The results a program prints; what else it prints is passed on."""
    results = []
    process = subprocess.Popen(
        shlex.split(command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        result = result_of(line.strip(), bars)
        if result:
            results.append(result)
        else:
            print(f"  {line.rstrip()}", flush=True)
    if process.wait() != 0:
        results.append({
            "id": part, "what": f"{part}: ended with status {process.returncode}", "number": 0,
            "unit": "", "bar": "", "holds": False, "isRatio": True, "detail": ""})
    return results


def number(value):
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:,.2f}" if abs(value) >= 1 else f"{value:.3f}"


def table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for place, row in enumerate(rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        if place == 0:
            print("  ".join("-" * width for width in widths))


def main(arguments):
    record = "--record" in arguments
    root, *parts = [argument for argument in arguments if argument != "--record"]
    bars = read_bars(os.path.join(root, "Benchmarks/bars.txt"))
    rows = [("what", "measured", "must hold", "ok", "last time", "detail")]
    missed = 0
    for part, command in (part.split("=", 1) for part in parts):
        print(f"\n== {part}", flush=True)
        path = os.path.join(root, "Benchmarks/baselines", f"{part}.json")
        before = json.load(open(path)) if os.path.exists(path) else {}
        results = run(part, command, bars)
        for result in results:
            old = before.get(result["id"])
            rows.append((
                result["what"], f"{number(result['number'])} {result['unit']}", result["bar"],
                {True: "yes", False: "NO", None: ""}[result["holds"]],
                number(old["number"]) if old else "", result["detail"]))
            # Times depend on the machine; only ratios, and programs that broke, fail a run.
            if result["holds"] is False and result["isRatio"]:
                missed += 1
        if record and results:
            kept = {r["id"]: {k: r[k] for k in ("number", "unit", "detail")} for r in results}
            with open(path, "w") as file:
                json.dump({**before, **kept}, file, indent=1, sort_keys=True, ensure_ascii=False)
                file.write("\n")
    print()
    table(rows)
    if missed:
        print(f"\n{missed} ratios miss their bar.")
    return 1 if missed else 0


sys.exit(main(sys.argv[1:]))
