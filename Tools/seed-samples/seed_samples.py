"""Compiles the code blocks of documents, and says of each whether it does or why not.

    seed_samples.py ROOT MODULES FOLDER [--only NAME] [--keep]

Swift is compiled for Linux, as Swift 5 and as Swift 6; a block that needs an Apple system by the
type-check of Tools/apple-check. Of Objective-C the names are looked up. Ends with 1 if a block that is to
compile does not.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
import objc  # noqa: E402
import source  # noqa: E402
from blocks import blocks  # noqa: E402
from documents import MODULES, document  # noqa: E402

MISSING = re.compile(r"cannot find (?:type )?'(\w+)' in scope")
ERROR = re.compile(r"^(.*?):(\d+):(\d+): error: (.*)$", re.MULTILINE)
ROUNDS = 6


class Sample:
    """A block, what was added to it, and what the compilers said."""

    def __init__(self, name, known, block, earlier):
        self.name, self.known, self.block, self.earlier = name, known, block, earlier
        self.extras = {}
        self.state, self.why = "", ""

    def supply(self, missing):
        """Adds what is missing and known; false if nothing new is."""
        added = False
        for name in missing:
            text = self.known.leaves_out.get(name) or self.earlier.get(name)
            if text and name not in self.extras:
                self.extras[name] = text
                added = True
        return added

    def text(self, on_apple):
        # In the order they were found to be missing, the last first: they may need each other.
        return source.file(self.block, self.known, list(dict.fromkeys(reversed(self.extras.values()))), on_apple)


class Compiler:
    """Compiles samples for Linux, and for iOS by the type-check."""

    def __init__(self, root, modules, work):
        self.root, self.modules, self.work = root, modules, work
        self.present = {os.path.basename(p).split(".")[0] for p in glob.glob(f"{modules}/*.swiftmodule")}
        self.present |= {os.path.basename(p).split(".")[0] for p in glob.glob(f"{modules}/*/*.swiftmodule")}

    def on_linux(self, sample, mode):
        """The first error of a sample, and every name that is missing; None if it compiles."""
        path = f"{self.work}/{sample.name}-{sample.block.number}-{mode}.swift"
        with open(path, "w") as file:
            file.write(sample.text(False))
        done = subprocess.run(
            ["swiftc", "-typecheck", "-parse-as-library", "-suppress-warnings", "-swift-version", mode,
             "-module-name", "Block", "-I", self.modules,
             *(f"-I{p}" for p in glob.glob(f"{self.root}/Sources/*/include")), path],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode == 0:
            return None
        errors = ERROR.findall(done.stdout)
        return (errors[0][3] if errors else done.stdout.strip()[-200:]), MISSING.findall(done.stdout)

    def linux(self, sample):
        """Whether a sample compiles for Linux; supplies what it leaves out."""
        for _ in range(ROUNDS):
            failure = self.on_linux(sample, "5")
            if failure is None:
                six = self.on_linux(sample, "6")
                sample.state = "compiled"
                sample.why = "Linux, Swift 5 and 6" if six is None else f"Linux, Swift 5; not as Swift 6: {six[0]}"
                return True
            sample.why = failure[0]
            if not sample.supply(failure[1]):
                return False
        return False

    def apple(self, samples):
        """Compiles samples for iOS, all at once, and supplies what they leave out."""
        view = f"{self.work}/apple"
        shutil.rmtree(view, ignore_errors=True)
        os.makedirs(f"{view}/Blocks")
        for folder in ("Sources", "Tests", "Examples"):
            os.symlink(f"{self.root}/{folder}", f"{view}/{folder}")
        with open(f"{self.root}/Package.swift") as file:
            manifest = file.read()
        open_samples = list(samples)
        for _ in range(ROUNDS):
            targets, wanted = "", []
            for number, sample in enumerate(open_samples):
                folder = f"Blocks/Block{number}"
                os.makedirs(f"{view}/{folder}", exist_ok=True)
                with open(f"{view}/{folder}/Block.swift", "w") as file:
                    file.write(sample.text(True))
                needed = [m for m in set(MODULES.values()) if m in self.present]
                targets += (f'package.targets.append(.target(name: "Block{number}", dependencies: {needed}, '
                            f'path: "{folder}", swiftSettings: [.swiftLanguageMode(.v5)]))\n').replace("'", '"')
                wanted.append(folder)
            with open(f"{view}/Package.swift", "w") as file:
                file.write(manifest + "\n" + targets)
            done = subprocess.run(
                [sys.executable, f"{self.root}/Tools/apple-check/check", view, *wanted, "-p", "ios", "-q", "--no-format"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode == 2:
                for sample in open_samples:
                    sample.why = "the type-check could not run: " + done.stdout.strip()[-300:]
                return
            failed = {}
            for path, _, _, message in ERROR.findall(done.stdout):
                failed.setdefault(path, []).append(re.sub(r"  \[[\w ]+\]$", "", message))
            again = []
            for number, sample in enumerate(open_samples):
                errors = failed.get(f"Blocks/Block{number}/Block.swift")
                if not errors:
                    sample.state, sample.why = "compiled", "Apple, by the type-check"
                    continue
                sample.why = errors[0]
                if sample.supply(MISSING.findall("\n".join(errors))):
                    again.append(sample)
            shutil.rmtree(f"{view}/Blocks")
            os.makedirs(f"{view}/Blocks")
            open_samples = again
            if not again:
                return


def gather(folder, only):
    """Every block of a folder's documents as a sample."""
    for path in sorted(glob.glob(f"{folder}/*.md")):
        name = os.path.splitext(os.path.basename(path))[0]
        if only and only not in name:
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        known, earlier = document(name), {}
        for block in blocks(text):
            yield Sample(name, known, block, dict(earlier))
            if block.language == "swift":
                earlier.update(source.declared(block.code))


def judge(sample, compiler, root):
    """Decides what becomes of a sample without an Apple system; None to go on there."""
    block, known = sample.block, sample.known
    if block.language not in ("swift", "objc"):
        sample.state, sample.why = "no program", block.language
    elif block.number in known.later:
        sample.state, sample.why = "later", known.later[block.number]
    elif block.number in known.incomplete:
        sample.state, sample.why = "incomplete", known.incomplete[block.number]
    elif absent := [m for m in known.imports if m not in compiler.present]:
        sample.state, sample.why = "failed", f"there is no module {', '.join(absent)}"
    elif block.language == "objc":
        unknown = objc.unknown(block.code, f"{root}/Sources")
        sample.state = "failed" if unknown else "compiled"
        sample.why = f"nobody declares {', '.join(unknown)}" if unknown else "Objective-C, by names"
    else:
        compiler.linux(sample)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root")
    parser.add_argument("modules")
    parser.add_argument("folder")
    parser.add_argument("--only", metavar="NAME", help="documents whose file name contains it")
    parser.add_argument("--keep", action="store_true", help="leave what was compiled in .footfall/seed-samples")
    options = parser.parse_args()
    # Links into it are made elsewhere.
    options.root = os.path.abspath(options.root)
    work = f"{options.root}/.footfall/seed-samples" if options.keep else tempfile.mkdtemp(prefix="seed-samples-")
    os.makedirs(work, exist_ok=True)
    try:
        compiler = Compiler(options.root, options.modules, work)
        samples = list(gather(options.folder, options.only))
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda sample: judge(sample, compiler, options.root), samples))
        rest = [sample for sample in samples if not sample.state]
        if rest:
            compiler.apple(rest)
    finally:
        if not options.keep:
            shutil.rmtree(work, ignore_errors=True)
    counts = {}
    for sample in samples:
        sample.state = sample.state or "failed"
        counts[sample.state] = counts.get(sample.state, 0) + 1
        print(f"{sample.name} {sample.block.number} (line {sample.block.line}) → {sample.state}: {sample.why}")
    print(", ".join(f"{number} {state}" for state, number in sorted(counts.items())))
    return 1 if counts.get("failed") else 0


if __name__ == "__main__":
    sys.exit(main())
