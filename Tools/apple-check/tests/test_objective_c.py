"""The Objective-C names of Amplitude's SDK: the header that Swift writes, and a program that is compiled against it.

    python3 -m unittest discover --start-directory Tools/apple-check/tests

What such a program does when it runs is shown by Tests/AdapterFakes.
"""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
MODULE = "FootfallAmplitude"


def clang():
    """The compiler that comes with Swift's."""
    swift = shutil.which("swiftc")
    return pathlib.Path(swift).resolve().parent / "clang" if swift else None


@unittest.skipUnless(shutil.which("swiftc"), "needs a Swift toolchain")
class ObjectiveC(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        done = subprocess.run(
            ["python3", str(HERE / "check"), str(ROOT), f"Sources/{MODULE}", "--no-format", "-p", "ios",
             "--headers", str(cls.folder)],
            capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        header = cls.folder / "ios" / f"{MODULE}-Swift.h"
        # The stubs of Foundation's classes are Swift's, which call themselves something else in C.
        cls.header = re.sub(
            r"_TtC10(?:Foundation|ObjectiveC)\d+(\w+)", r"\1", header.read_text(encoding="utf-8"))
        header.write_text(cls.header, encoding="utf-8")
        (cls.folder / "module.modulemap").write_text(
            f'module {MODULE} {{ header "{header}" export * }}\n', encoding="utf-8")

    def compile(self, program):
        path = self.folder / "program.m"
        path.write_text(program, encoding="utf-8")
        return subprocess.run(
            [str(clang()), "-fsyntax-only", "-target", "arm64-apple-ios15.0", "-x", "objective-c", "-fobjc-arc",
             "-fblocks", "-nostdlibinc", "-ffreestanding", "-fmodules", f"-fmodules-cache-path={self.folder / 'cache'}", "-Wall", "-Werror",
             "-isystem", str(HERE / "stubs" / "objc"), f"-fmodule-map-file={HERE / 'stubs' / 'objc' / 'module.modulemap'}",
             f"-fmodule-map-file={self.folder / 'module.modulemap'}", str(path)],
            capture_output=True, text=True)

    def refused(self, statement):
        """What the compiler says of a statement in a function that has a client."""
        done = self.compile(
            f"@import Foundation;\n@import {MODULE};\nvoid run(Amplitude *amplitude) {{\n{statement}\n}}\n")
        self.assertNotEqual(done.returncode, 0, statement)
        return done.stderr

    def members(self, name):
        """The names that a class declares."""
        body = re.search(rf"^@interface {name} :.*?^@end", self.header, re.MULTILINE | re.DOTALL)
        self.assertIsNotNone(body, f"{name} is not declared")
        return set(re.findall(r"\b(\w+)(?=;|:|\s+SWIFT|\s+__attribute)", body.group(0)))

    def test_classes(self):
        """AMP-O1: `Amplitude`, and AMP before every other name."""
        names = re.findall(r"^@(?:interface|protocol) (\w+) (?:: |<)", self.header, re.MULTILINE)
        ours = [name for name in names if not name.startswith("NS")]
        self.assertIn("Amplitude", ours, "AMP-O1")
        self.assertEqual([], [n for n in ours if n != "Amplitude" and not n.startswith("AMP")], "AMP-O1")
        for name in ("Configuration", "BaseEvent", "Identify", "Revenue", "AutocaptureOptions", "Plugin"):
            self.assertIn("AMP" + name, ours, "AMP-O1")

    def test_program(self):
        done = self.compile((HERE / "tests" / "programs" / "lamps.m").read_text(encoding="utf-8"))
        self.assertEqual(done.returncode, 0, "AMP-O2: the zone and the level by their names\n" + done.stderr)

    def test_configuration(self):
        """AMP-O4: four options that Objective-C does not have."""
        members = self.members("AMPConfiguration")
        self.assertIn("flushQueueSize", members)
        for name in ("storageProvider", "identifyStorageProvider", "maxQueuedEventCount", "enableDiagnostics"):
            self.assertNotIn(name, members, "AMP-O4")
            self.assertIn(name, self.refused(f"(void)amplitude.configuration.{name};"), "AMP-O4")

    def test_opt_out(self):
        """AMP-O5: the client has no `optOut` of its own."""
        self.assertIn("optOut", self.refused("amplitude.optOut = YES;"), "AMP-O5")

    def test_rule(self):
        """AMP-O6: a rule has hosts and statuses only."""
        members = self.members("AMPCaptureRule") - {"SWIFT_UNAVAILABLE", "new", "init", "OBJC_DESIGNATED_INITIALIZER"}
        self.assertEqual(members, {"hosts", "statusCodeRange", "initWithHosts"}, "AMP-O6")

    def test_plugin(self):
        """AMP-O7: blocks for set-up, events and flush, and no other."""
        labels = set(re.findall(r"\b(\w+):\(", re.search(
            r"^@interface AMPPlugin :.*?^@end", self.header, re.MULTILINE | re.DOTALL).group(0)))
        self.assertEqual(labels, {"initWithType", "setup", "execute", "flush"}, "AMP-O7")


if __name__ == "__main__":
    unittest.main()
