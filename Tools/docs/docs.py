"""Builds the documentation of the SDK's public modules, and checks that it is whole.

    docs.py ROOT MODULES DOCC OUTPUT

MODULES is the folder with the compiled .swiftmodule files, DOCC the documentation compiler, OUTPUT the
folder of the merged archive, which is replaced. Each module of a library product has an archive; what it
exports from another module is in it, so a type is found where an app imports it.
"""

import glob
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import archive
import samples


def public_modules(root):
    """The modules that an app can import, in the order of the products."""
    text = subprocess.run(
        ["swift", "package", "--package-path", root, "dump-package"],
        check=True, stdout=subprocess.PIPE).stdout
    libraries = [p["targets"] for p in json.loads(text)["products"] if "library" in p["type"]]
    return list(dict.fromkeys(module for targets in libraries for module in targets))


def exports(root, module):
    """What a module exports: {module: None for all of it, or the set of names}."""
    found = {}
    for path in glob.glob(f"{root}/Sources/{module}/**/*.swift", recursive=True):
        with open(path) as file:
            lines = re.findall(
                r"^@_exported public import (?:(?:struct|class|enum|protocol|func|typealias) )?(\w+)(?:\.(\w+))?$",
                file.read(), re.MULTILINE)
        for other, name in lines:
            if not name:
                found[other] = None
            elif found.setdefault(other, set()) is not None:
                found[other].add(name)
    return found


def extract(module, root, modules, exported, folder):
    """Writes the symbols of a module, and of the modules it exports, to a folder."""
    os.makedirs(folder)
    subprocess.run(
        ["swift-symbolgraph-extract", "-module-name", module, "-I", modules,
         "-target", f"{platform.machine()}-unknown-linux-gnu",
         *(f"-I{path}" for path in glob.glob(f"{root}/Sources/*/include")),
         "-minimum-access-level", "public", "-skip-synthesized-members", "-skip-inherited-docs",
         # Without it, what a module adds to another's types has no page.
         "-emit-extension-block-symbols",
         *([f"-experimental-allowed-reexported-modules={','.join(exported)}"] if exported else []),
         "-output-dir", folder],
        check=True)


def convert(docc, module, root, symbols, output):
    """Makes a module's archive, and returns what docc has to say against it."""
    catalog = f"{root}/Sources/{module}/{module}.docc"
    done = subprocess.run(
        [docc, "convert", *([catalog] if os.path.isdir(catalog) else []),
         "--additional-symbol-graph-dir", symbols, "--fallback-display-name", module,
         "--fallback-bundle-identifier", module, "--warnings-as-errors", "--output-dir", output],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = done.stdout.strip()
    return said if done.returncode == 0 or said else f"docc ended with {done.returncode}."


def main(root, modules, docc, output):
    problems = []
    public = public_modules(root)
    listed = {m: archive.listing(f"{root}/api/{m}.txt") for m in archive.listed_modules(root)}
    with tempfile.TemporaryDirectory() as scratch:
        covered, archives, graphs = set(), [], []
        for module in public:
            exported = {m: names for m, names in exports(root, module).items() if m in listed}
            symbols = f"{scratch}/symbols/{module}"
            extract(module, root, modules, sorted(exported), symbols)
            graphs += glob.glob(f"{symbols}/*.json")
            archives.append(f"{scratch}/{module}.doccarchive")
            if said := convert(docc, module, root, symbols, archives[-1]):
                problems.append(said)
            covered |= exported.keys() | {module}
            if not os.path.isdir(archives[-1]):
                continue
            pages = archive.pages(archives[-1], module)
            for other, names in {module: None, **exported}.items():
                problems += archive.missing(listed.get(other, []), pages, other, module)
                problems += archive.unexported(listed.get(other, []), names, other, module)
        for module in sorted(listed.keys() - covered):
            problems.append(f"api/{module}.txt: {module} has public symbols, and no library exports it.")
        count = len(samples.check(root, modules, graphs, scratch, problems))
        if not problems:
            shutil.rmtree(output, ignore_errors=True)
            subprocess.run(
                [docc, "merge", *archives, "--synthesized-landing-page-name", "Footfall", "--output-path", output],
                check=True)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        sys.exit(1)
    symbols = sum(len(lines) for lines in listed.values())
    print(f"{len(public)} archives hold {symbols} public symbols; {count} samples compile. In {os.path.relpath(output, root)}.")


main(*sys.argv[1:])
