"""Compiles the code of the articles, of the readme and of the declarations' comments."""

import glob
import json
import os
import re
import shutil
import subprocess

FENCE = re.compile(r"^( *)```swift *\n(.*?)^\1``` *$", re.MULTILINE | re.DOTALL)
# What only stands at the top of a file; the rest of a sample is what a function does.
TOP = re.compile(
    r"^(?:@[\w.]+(?:\([^)]*\))? )*(?:public |private |final |nonisolated )*(?:struct|class|enum|actor|protocol|extension|func|typealias) ")
MANIFEST = re.compile(r"^// swift-tools-version")
# A part of a manifest: two lines of the readme that go into one.
PART_OF_MANIFEST = re.compile(r"\A\.package\(")


def blocks(text):
    """(line, code) of each fenced Swift block, without its indentation."""
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start(2)) + 1
        indent = len(match[1])
        yield line, "".join(l[indent:] if l[:indent].isspace() else l for l in match[2].splitlines(True))


def texts(root, graphs):
    """(place, first line, text) of all that holds samples."""
    for path in [f"{root}/README.md", *sorted(glob.glob(f"{root}/Sources/**/*.docc/**/*.md", recursive=True))]:
        with open(path) as file:
            yield os.path.relpath(path, root), 0, file.read()
    for path in graphs:
        with open(path) as file:
            symbols = json.load(file)["symbols"]
        for symbol in symbols:
            comment = symbol.get("docComment")
            if not comment or "location" not in symbol:
                continue
            lines = comment["lines"]
            place = symbol["location"]["uri"].removeprefix("file://")
            first = lines[0].get("range", {"start": {"line": 0}})["start"]["line"]
            yield os.path.relpath(place, root), first, "\n".join(l["text"] for l in lines) + "\n"


def split(code):
    """(imports, declarations, statements) of a sample, each a list of (line in it, text)."""
    imports, declarations, statements = [], [], []
    target = statements
    for number, line in enumerate(code.splitlines()):
        if re.match(r"(@\w+ )?import ", line):
            imports.append(line)
            continue
        if TOP.match(line):
            target = declarations
            line = own(line)
        target.append((number, line))
        ends = line.startswith("}") or (line.rstrip().endswith("}") and not line.startswith((" ", "}")))
        if target is declarations and ends:
            target = statements
    return imports, declarations, statements


def own(line):
    """A declaration that is its text's own, so that two texts may declare the same; a conformance is everybody's."""
    if re.match(r"(public|private|@\w+)\b", line) or re.match(r"extension [\w.]+ *:", line):
        return line
    return "fileprivate " + line


def placed(lines, place, first):
    """The lines, told to the compiler as those they are in the text."""
    text, expected = "", None
    for number, line in lines:
        if number != expected:
            text += f'#sourceLocation(file: "{place}", line: {first + number})\n'
        text += line + "\n"
        expected = number + 1
    return text


def file(number, place, first, text):
    """A Swift file of a text's samples; a later one sees what an earlier one declared, and may do so again."""
    imports, top, body, count = {"import Footfall", "import Foundation"}, "", "", 0
    for line, code in blocks(text):
        if MANIFEST.match(code) or PART_OF_MANIFEST.match(code):
            continue
        more, declarations, statements = split(code)
        imports.update(more)
        top += placed(declarations, place, first + line)
        body += "do {\n" + placed(statements, place, first + line)
        count += 1
    if not count:
        return None
    return "\n".join(sorted(imports)) + f"\n{top}\nfunc samples{number}() async throws {{\n{body}{'}' * count}\n}}\n"


def manifests(root, texts):
    for place, first, text in texts:
        for line, code in blocks(text):
            if MANIFEST.match(code):
                yield place, first + line, code


def compile(arguments, problems):
    done = subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-suppress-warnings", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        problems.append(done.stdout.rstrip() + "\nA sample above does not compile.")


def check(root, modules, graphs, scratch, problems):
    """Compiles every sample and returns their places; adds what the compiler says to the problems."""
    found = list(texts(root, graphs))
    places = [(place, line) for place, _, text in found for line, _ in blocks(text)]
    folder = f"{scratch}/samples"
    os.makedirs(folder)
    paths = [f"{root}/Tools/docs/TakenForGranted.swift"]
    for number, (place, first, text) in enumerate(found):
        if code := file(number, place, first, text):
            paths.append(f"{folder}/Samples{number}.swift")
            with open(paths[-1], "w") as output:
                output.write(code)
    includes = [f"-I{path}" for path in glob.glob(f"{root}/Sources/*/include")]
    compile(["-module-name", "Samples", "-parse-as-library", "-I", modules, *includes, *paths], problems)
    compiler = os.path.realpath(shutil.which("swiftc"))
    api = os.path.join(os.path.dirname(compiler), "..", "lib", "swift", "pm", "ManifestAPI")
    for place, line, code in manifests(root, found):
        path = f"{folder}/Package.swift"
        with open(path, "w") as output:
            output.write(f'#sourceLocation(file: "{place}", line: {line})\n{code}')
        compile(["-package-description-version", "6.2", "-I", api, path], problems)
    return places
