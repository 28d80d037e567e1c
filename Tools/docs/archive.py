"""Compares what a documentation archive shows with the listing of the public API."""

import glob
import json
import os
import re

TYPE = re.compile(r"\b(?:struct|class|enum|protocol|actor|typealias|associatedtype) (\w+)")
# The listing adds what a type conforms to; a page has that in a section of its own.
CONFORMANCES = re.compile(r"^((?:final )?(?:struct|class|enum|actor) \w+(?:<[^>]*>)?): [^{]*?( where .*)?$")


def listed_modules(root):
    return sorted(os.path.basename(path)[:-4] for path in glob.glob(f"{root}/api/*.txt"))


def squeeze(text):
    """A declaration without attributes and spaces, which the listing and a page write differently."""
    return re.sub(r"@\w+(\([^)]*\))?|\s+", "", text)


def listing(path):
    """[(names of the types around it, declaration)] of an api/<Module>.txt."""
    found, around = [], []
    with open(path) as file:
        for line in file:
            text = line.strip()
            depth = (len(line) - len(line.lstrip())) // 2
            foreign = re.match(r"\(in ([\w.]+)\) (.*)", text)
            if foreign:
                found.append((tuple(foreign[1].split(".")), foreign[2]))
                continue
            del around[depth:]
            found.append((tuple(around), text))
            kind = TYPE.search(text)
            # A member that only mentions a type is never followed by anything indented below it.
            around.append(kind[1] if kind else "")
    return found


def pages(archive, module):
    """{(names of the types around it, squeezed declaration)} of every symbol's page."""
    found = set()
    for path in glob.glob(f"{archive}/data/documentation/**/*.json", recursive=True):
        with open(path) as file:
            page = json.load(file)
        names = page["identifier"]["url"].split("/documentation/", 1)[1].split("/")
        around = tuple(re.sub(r"-(swift\.\w+|\w{1,6})$", "", name) for name in names[1:-1])
        for section in page.get("primaryContentSections", ()):
            for declaration in section.get("declarations", ()):
                text = "".join(token["text"] for token in declaration["tokens"])
                found.add((around, squeeze(text)))
                # What is added to another module's type lies below that module's name.
                found.add((around[1:], squeeze(text)))
    return found


def missing(listed, pages, other, module):
    """A sentence for each listed symbol without a page."""
    problems = []
    for around, text in listed:
        plain = CONFORMANCES.sub(lambda match: match[1] + (match[2] or ""), text)
        if (around, squeeze(plain)) not in pages and (around, squeeze(text)) not in pages:
            where = ".".join(around)
            problems.append(f"api/{other}.txt: {where + ': ' if where else ''}{text}: not in the archive of {module}.")
    return problems


def unexported(listed, names, other, module):
    """A sentence for each public type that a module with single exports leaves out."""
    types = (TYPE.search(text) for around, text in listed if not around)
    return [
        f"api/{other}.txt: {kind[1]} is public, and {module} exports only other types of {other}."
        for kind in types if names is not None and kind and kind[1] not in names
    ]
