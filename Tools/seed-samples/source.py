"""Makes a file that compiles of a block: the imports of today, and what the block leaves out around it."""

import re

from blocks import depth
from documents import MODULES

TOP = re.compile(
    r"^(?:@[\w.]+(?:\([^)]*\))? )*(?:public |private |final |open |nonisolated )*"
    r"(?:struct|class|enum|actor|protocol|extension|func|typealias) ")
# What only a class has, printed without it.
MEMBER = re.compile(r"^(?:override func|(?:private )?lazy var) ", re.MULTILINE)
IMPORT = re.compile(r"^(?:@\w+ )?import ([\w.]+) *$")
ENDS = "; \t"


def split(code):
    """(imported modules, declarations, statements): each a list of whole pieces of text."""
    imports, declarations, statements = [], [], []
    piece, open_brackets, attributes = [], 0, []
    for line in code.splitlines():
        if not piece:
            if match := IMPORT.match(line.strip()):
                imports.append(match[1])
                continue
            if re.match(r"^@\w+(\(.*\))?\s*$", line):
                attributes.append(line)
                continue
        piece.append(line)
        open_brackets += depth(line)
        if open_brackets > 0:
            continue
        text = "\n".join(attributes + piece)
        if line.strip() or len(piece) > 1:
            (declarations if TOP.match(piece[0]) else statements).append(text)
        piece, open_brackets, attributes = [], 0, []
    if piece:
        statements.append("\n".join(attributes + piece))
    return imports, declarations, statements


def declared(code):
    """{name: the piece that declares it} of what later blocks may use."""
    _, declarations, statements = split(code)
    found = {}
    for piece in declarations:
        if match := re.search(r"\b(?:struct|class|enum|actor|protocol|func|typealias) (\w+)", piece):
            found[match[1]] = piece
    for piece in statements:
        if match := re.match(r"(?:let|var) (\w+)\b", piece):
            found[match[1]] = piece
    return found


def file(block, known, extras, on_apple):
    """The text of a file for a block; `extras` are declarations that it leaves out."""
    imports, declarations, statements = split(block.code)
    modules = {MODULES.get(name, name) for name in imports} | set(known.imports) | {"Foundation"}
    if on_apple and any("UI" in extra for extra in extras):
        modules.add("UIKit")
    text = "".join(f"import {name}\n" for name in sorted(modules))
    text += "\n".join(extras) + "\n" + "\n".join(declarations) + "\n"
    if MEMBER.search("\n".join(statements)):
        text += "class Enclosing: NSObject {\n" + "\n".join(statements) + "\n}\n"
    elif statements:
        # One statement may declare anew what one before it did: each sample stands for itself.
        isolation = "@MainActor " if on_apple else ""
        text += f"{isolation}func sample() async throws {{\n" + "\n".join(statements) + "\n}\n"
    return text
