"""Runs the benchmark programs and prints one table of what they measured, their bars and the last run.

    bench.py [--record] [--only NAME] ROOT PART=PROGRAM ...
"""

import json
import os
import re
import subprocess
import sys

COMPARE = {"<=": lambda measured, bar: measured <= bar, ">=": lambda measured, bar: measured >= bar}


def run(part, program, only):
    """The results a program prints, one line of JSON each; what else it prints is passed on."""
    command = [program] + ([only] if only and only not in part else [])
    results = []
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if line.startswith('{"id"') or line.startswith('{ "id"'):
            results.append(json.loads(line))
        else:
            print(f"  {line.rstrip()}", flush=True)
    if process.wait() != 0:
        print(f"error: {part} ended with status {process.returncode}")
        results.append({"id": part, "what": f"{part}: did not finish", "measured": 0, "unit": "", "ok": False})
    return results


def judge(result):
    """True or false by the bar; None where there is none."""
    if "ok" in result:
        return result["ok"]
    if not result.get("bar"):
        return None
    sign, number = re.match(r"\s*(<=|>=)\s*([\d.,]+)", result["bar"]).groups()
    return COMPARE[sign](result["measured"], float(number.replace(",", "")))


def shown(number, unit):
    digits = 0 if abs(number) >= 1000 else 1 if abs(number) >= 100 else 2 if abs(number) >= 1 else 3
    return f"{number:,.{digits}f} {unit}".strip()


def table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for place, row in enumerate(rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        if place == 0:
            print("  ".join("-" * width for width in widths))


def main(arguments):
    record = "--record" in arguments
    only = arguments[arguments.index("--only") + 1] if "--only" in arguments else ""
    rest = [a for i, a in enumerate(arguments)
            if a not in ("--record", "--only") and (i == 0 or arguments[i - 1] != "--only")]
    root, parts = rest[0], [part.split("=", 1) for part in rest[1:]]
    rows = [("what", "measured", "bar", "ok", "last time", "detail")]
    missed = 0
    for part, program in parts:
        print(f"\n== {part}", flush=True)
        path = os.path.join(root, "Benchmarks/baselines", f"{part}.json")
        before = {r["id"]: r for r in json.load(open(path))} if os.path.exists(path) else {}
        results = run(part, program, only)
        for result in results:
            verdict = judge(result)
            old = before.get(result["id"])
            rows.append((
                result["what"], shown(result["measured"], result["unit"]), result.get("bar", ""),
                {True: "yes", False: "NO", None: ""}[verdict],
                shown(old["measured"], old["unit"]) if old else "", result.get("detail", "")))
            # Times depend on the machine; only ratios, and programs that broke, fail a run.
            if verdict is False and ("x" in result["unit"].split() or "ok" in result):
                missed += 1
        if record and results:
            kept = {**before, **{r["id"]: r for r in results}}
            with open(path, "w") as file:
                json.dump(list(kept.values()), file, indent=1, sort_keys=True)
                file.write("\n")
    print()
    table(rows)
    if missed:
        print(f"\n{missed} ratios miss their bar.")
    return 1 if missed else 0


sys.exit(main(sys.argv[1:]))
