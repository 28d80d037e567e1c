"""Writes the public API of the SDK's modules as text, or compares it with what is written.

    api.py ROOT MODULES WRITE|CHECK

MODULES is the folder with the compiled .swiftmodule files. One file a module, api/<Module>.txt: one
declaration a line, members indented below their type, in the order of their names. The text is what
Linux compiles: what only Apple platforms see is not in it.
"""

import difflib
import glob
import json
import os
import platform
import subprocess
import sys
import tempfile

# A protocol's declaration already says what it refines.
TYPES = {"swift.struct", "swift.class", "swift.enum"}
# Every type has these unless it says otherwise; listing them would only be noise.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}


def library_modules(root):
    text = subprocess.run(
        ["swift", "package", "--package-path", root, "dump-package"],
        check=True, stdout=subprocess.PIPE).stdout
    names = [t["name"] for t in json.loads(text)["targets"] if t["type"] == "regular"]
    # A target in C is nobody's API; the compiler keeps no module of it either.
    return sorted(n for n in names if glob.glob(f"{root}/Sources/{n}/**/*.swift", recursive=True))


def extract(module, root, modules, folder):
    triple = f"{platform.machine()}-unknown-linux-gnu"
    subprocess.run(
        ["swift-symbolgraph-extract", "-module-name", module, "-I", modules, "-target", triple,
         # Modules that import one in C say so to the compiler, whoever may see it.
         *(f"-I{path}" for path in glob.glob(f"{root}/Sources/*/include")),
         "-minimum-access-level", "public", "-skip-synthesized-members", "-skip-inherited-docs",
         "-omit-extension-block-symbols", "-output-dir", folder],
        check=True)
    graphs = glob.glob(os.path.join(folder, f"{module}.symbols.json"))
    graphs += glob.glob(os.path.join(folder, f"{module}@*.symbols.json"))
    return [json.load(open(path)) for path in sorted(graphs)]


def conformances(graph):
    found = {}
    # What the module declares itself has no other name in a relationship than the compiler's.
    own = {s["identifier"]["precise"]: ".".join(s["pathComponents"]) for s in graph["symbols"]}
    for relation in graph["relationships"]:
        if relation["kind"] in ("conformsTo", "inheritsFrom"):
            target = relation["target"]
            name = own.get(target) or relation.get("targetFallback", target).split(".", 1)[-1]
            if name not in IMPLIED:
                found.setdefault(relation["source"], set()).add(name)
    return found


def declarations(graph):
    """(path, declaration) of each symbol."""
    inherited = conformances(graph)
    for symbol in graph["symbols"]:
        text = "".join(f["spelling"] for f in symbol.get("declarationFragments", ()))
        text = " ".join(text.split())
        kind = symbol["kind"]["identifier"]
        also = sorted(inherited.get(symbol["identifier"]["precise"], ()))
        if kind in TYPES and also:
            before, where, after = text.partition(" where ")
            text = f"{before}: {', '.join(also)}{where}{after}"
        yield tuple(symbol["pathComponents"]), text


def listing(module, root, modules):
    with tempfile.TemporaryDirectory() as folder:
        graphs = extract(module, root, modules, folder)
    lines = []
    for graph in graphs:
        known = {path for path, _ in declarations(graph)}
        for path, text in sorted(set(declarations(graph))):
            # A member of another module's type stands alone, so it says whose it is.
            parent = path[:-1]
            foreign = f"(in {'.'.join(parent)}) " if parent and parent not in known else ""
            lines.append("  " * (len(path) - 1) + foreign + text)
    return "".join(line + "\n" for line in lines)


def main(root, modules, mode):
    folder = os.path.join(root, "api")
    wanted = {f"{m}.txt": text for m in library_modules(root) if (text := listing(m, root, modules))}
    present = {os.path.basename(p): open(p).read() for p in glob.glob(os.path.join(folder, "*.txt"))}
    if mode == "WRITE":
        for name in present.keys() - wanted.keys():
            os.remove(os.path.join(folder, name))
        for name, text in wanted.items():
            if present.get(name) != text:
                with open(os.path.join(folder, name), "w") as file:
                    file.write(text)
                print(f"api/{name}: written")
        return
    same = True
    for name in sorted(wanted.keys() | present.keys()):
        old, new = present.get(name, ""), wanted.get(name, "")
        if old != new:
            same = False
            sys.stdout.writelines(difflib.unified_diff(
                old.splitlines(True), new.splitlines(True), f"api/{name}", "the sources", n=2))
    if not same:
        sys.exit(1)
    print(f"The public API of {len(wanted)} modules is as api/ says.")


main(*sys.argv[1:])
