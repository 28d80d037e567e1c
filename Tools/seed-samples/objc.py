"""Looks up the names that Objective-C code uses among those the sources declare for it."""

import glob
import re

OWN = re.compile(r"\bAMP\w+\b")
ALIAS = re.compile(r"@objc(?:\((?P<name>[\w:]*)\))?")


def declared(sources):
    """(classes and constants, selectors) that the sources give to Objective-C."""
    names, selectors = set(), set()
    for path in glob.glob(f"{sources}/*/**/*.swift", recursive=True):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if "@objc" not in text:
            continue
        for match in re.finditer(
                r"@objc(?:\(([\w:]*)\))?\s*(?:#endif\s*)?((?:(?:public|static|final|class|override|convenience|@discardableResult)\s+)*)"
                r"(class|enum|protocol|func|var|let|init)\b ?(\w*)", text):
            alias, kind, name = match[1], match[3], match[4]
            if kind in ("enum",):
                names.add(alias or name)
                body = text[match.end():]
                for case in re.findall(r"^\s*case (\w+)", body.split("\n}\n")[0], re.MULTILINE):
                    first = case[0].upper() + case[1:]
                    names.update({(alias or name) + case, (alias or name) + first, (alias or name) + case.upper()})
            elif kind in ("class", "protocol") and name:
                names.add(alias or name)
            else:
                selectors.add(alias or ("init" if kind == "init" else name))
                if kind == "var":
                    selectors.add(f"set{name[:1].upper()}{name[1:]}:")
    return names, selectors


def messages(code):
    """The selector of each message that is sent, also of those inside of others."""
    code = re.sub(r'@"(?:\\.|[^"\\])*"', "@text", re.sub(r"//[^\n]*", "", code))
    found = []

    def parse(place):
        """Reads a message from behind its bracket; returns the place behind its end."""
        depth, parts, word, isLiteral = 0, [], "", False
        while place < len(code):
            c = code[place]
            if c == "[":
                if code[place - 1] == "@":
                    depth += 1
                else:
                    place = parse(place + 1)
                    word = "x"
                    continue
            elif c in "({":
                depth += 1
            elif c in ")}":
                depth -= 1
            elif c == "]":
                if depth == 0:
                    words = re.findall(r"\w+", last_words[0])
                    if parts:
                        found.append("".join(p + ":" for p in parts))
                    elif len(words) >= 1:
                        found.append(words[-1])
                    return place + 1
                depth -= 1
            elif c == ":" and depth == 0:
                if match := re.search(r"(\w+)\s*$", code[:place]):
                    parts.append(match[1])
            last_words[0] = code[max(0, place - 60):place + 1]
            place += 1
        return place

    last_words = [""]
    place = 0
    while (place := code.find("[", place)) >= 0:
        if place and code[place - 1] == "@":
            place += 1
            continue
        place = parse(place + 1)
    return found


# What Foundation's own objects answer to.
FOUNDATION = {"alloc", "new", "init"}


def unknown(code, sources):
    """Names of ours that the code uses and nobody declares."""
    names, selectors = declared(sources)
    missing = [n for n in dict.fromkeys(OWN.findall(code)) if n not in names]
    missing += [s for s in dict.fromkeys(messages(code)) if s not in selectors | FOUNDATION]
    return missing
