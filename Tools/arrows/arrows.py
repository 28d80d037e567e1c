"""Checks that every import and every manifest follows the arrows in arrows.txt.

    arrows.py ROOT

Reads the imports out of the sources and the dependencies out of both manifests. Each thing that is
not allowed is one sentence; the exit status is 1 when there is any.
"""

import json
import os
import re
import subprocess
import sys

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)")


def read_arrows(path):
    """The allowed modules of each target (with all that lies beyond), and of each system module."""
    direct, system = {}, {}
    for number, line in enumerate(open(path), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        left, colon, right = line.partition(":")
        if not colon:
            sys.exit(f"{path}:{number}: no colon in '{line}'")
        if left.startswith("system "):
            for module in left.split()[1:]:
                system[module] = set(right.split())
        else:
            direct[left.strip()] = set(right.split())

    def beyond(name, path=()):
        if name in path:
            sys.exit(f"{' → '.join(path)} → {name}: the arrows form a ring")
        reached = set()
        for module in direct.get(name, ()):
            reached |= {module} | beyond(module, path + (name,))
        return reached

    return {name: beyond(name) for name in direct}, system


def read_package(folder):
    """The targets of a manifest, as SwiftPM understands it."""
    text = subprocess.run(
        ["swift", "package", "--package-path", folder, "dump-package"],
        check=True, stdout=subprocess.PIPE).stdout
    targets = []
    for target in json.loads(text)["targets"]:
        kind = target["type"]
        base = "Tests" if kind == "test" else "Sources"
        dependencies = []
        for dependency in target["dependencies"]:
            (form, value), = ((f, v) for f, v in dependency.items() if f != "condition")
            dependencies.append(value[0])
        path = target.get("path") or os.path.join(base, target["name"])
        targets.append((target["name"], kind, os.path.join(folder, path), dependencies))
    return targets


def imports(folder):
    for parent, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(".swift"):
                path = os.path.join(parent, name)
                for number, line in enumerate(open(path, encoding="utf-8"), 1):
                    found = IMPORT.match(line)
                    if found:
                        yield path, number, found.group(1)


def main(root):
    allowed, system = read_arrows(os.path.join(os.path.dirname(__file__), "arrows.txt"))
    sdk, server = read_package(root), read_package(os.path.join(root, "Server"))
    modules = {name.replace("-", "_"): name for name, *_ in sdk + server}
    problems, count = [], 0

    for package in (sdk, server):
        own = {name for name, *_ in package}
        for name, kind, folder, dependencies in package:
            if name in allowed:
                may = allowed[name] | {name}
            elif kind == "test":
                may = own | {"FootfallTesting"} | allowed["HTTPServing"]
            else:
                problems.append(f"{name}: it has no line in Tools/arrows/arrows.txt; say there what it may import.")
                continue
            for dependency in dependencies:
                if dependency not in may:
                    problems.append(f"The manifest lets {name} depend on {dependency}; no arrow leads there.")
            for path, number, module in imports(folder):
                count += 1
                where = f"{os.path.relpath(path, root)}:{number}"
                target = modules.get(module)
                if target and target not in may:
                    problems.append(f"{where}: {name} imports {module}; no arrow leads there.")
                if kind == "regular" and package is sdk and module in system and name not in system[module]:
                    problems.append(
                        f"{where}: {name} imports {module}, which only {' and '.join(sorted(system[module]))} may.")
                if target == "FootfallTesting" and kind == "regular":
                    problems.append(f"{where}: {name} imports FootfallTesting, which is for tests.")

    for problem in problems:
        print(problem)
    if problems:
        sys.exit(1)
    print(f"{count} imports of {len(sdk) + len(server)} targets follow the arrows.")


main(os.path.abspath(sys.argv[1]))
