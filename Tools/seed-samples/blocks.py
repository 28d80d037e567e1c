"""Finds the code in a document: fenced blocks, or in a text without fences the runs of lines that are code."""

import re

FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1``` *$", re.MULTILINE | re.DOTALL)
# How a line of Swift that begins something can look, in a text that is otherwise prose.
BEGINS = re.compile(
    r"^\s*(?:@\w+|import \w+$|(?:(?:public|private|override|final) )*"
    r"(?:struct|class|enum|extension|func|actor) \w+|let \w+\s*[:=]|var \w+\s*[:=]|(?:if|guard) (?:let|var) |"
    r"(?:if|guard|while|switch|do)\b[^.]*\{\s*$|"
    r"for \w+ in |//|/\*\*? |(?:try )?await \w+|[A-Za-z]\w*(?:\.\w+)*(?:\(.*|[?!]?\.\w+\(.*)$|"
    r"\w+\.\w+ = |\w+\()")
PROSE = re.compile(r"^\s*(?:[A-Z][a-z]+|[a-z]+\(\)) (?:[a-z]+ ){2}|^\s*[•*-] |^\s*\d+\. ")
OTHER = re.compile(r"^\s*(?:\$ |pod |platform |target |use_frameworks|end$|# )")


class Block:
    """Code of a document, with the line it begins at and its number in it."""

    def __init__(self, number, line, language, code):
        self.number = number
        self.line = line
        self.language = language
        self.code = code


def dedent(indent, text):
    return "".join(l[indent:] if l[:indent].isspace() else l for l in text.splitlines(True))


def blocks(text):
    """The blocks of a document, in order."""
    fenced = list(FENCE.finditer(text))
    if fenced:
        return [
            Block(number, text.count("\n", 0, match.start(3)) + 1, match[2] or "text",
                  dedent(len(match[1]), match[3]))
            for number, match in enumerate(fenced, 1)]
    return [Block(number, line, "swift", code) for number, (line, code) in enumerate(runs(text), 1)]


def depth(line):
    """How many brackets a line opens more than it closes, texts and comments left out."""
    bare = re.sub(r'"(?:\\.|[^"\\])*"|//.*$|/\*.*?\*/', "", line)
    return sum(bare.count(c) for c in "([{") - sum(bare.count(c) for c in ")]}")


def is_code(line):
    return bool(BEGINS.match(line)) and not PROSE.match(line) and not OTHER.match(line)


def runs(text):
    """(line, code) of each run of lines that are code, in a text without fences."""
    lines = text.splitlines()
    place = 0
    while place < len(lines):
        if not is_code(lines[place]):
            place += 1
            continue
        start, open_brackets, last = place, 0, place
        while place < len(lines):
            line = lines[place]
            if open_brackets <= 0 and line.strip() and not is_code(line):
                if not line.lstrip().startswith(("}", ")", "]", ".")):
                    break
            open_brackets += depth(line)
            if line.strip():
                last = place
            elif open_brackets <= 0 and place - last > 1:
                break
            place += 1
        code = lines[start:last + 1]
        indent = min(len(l) - len(l.lstrip()) for l in code if l.strip())
        body = "".join(l[indent:] + "\n" for l in code)
        if any(not l.lstrip().startswith(("//", "/*")) for l in code if l.strip()):
            yield start + 1, body
        place = last + 1
