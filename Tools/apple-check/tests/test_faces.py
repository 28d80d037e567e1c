"""The modules that speak other products' names, at those products' own minimum versions, and their views.

    python3 -m unittest discover --start-directory Tools/apple-check/tests

SDL-98: macOS 13.0 and iOS 16.0. PHA-57: iOS 15.0 and macOS 12.0, where the build on Linux is the package's own.
A declaration that asks for a later release does not compile at these.
"""
import pathlib
import shutil
import subprocess
import unittest

HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent


def check(module, *minimum):
    return subprocess.run(
        ["python3", str(HERE / "check"), str(ROOT), f"Sources/{module}", "--no-format", "-p", "ios,macos",
         "--min", ",".join(minimum)],
        capture_output=True, text=True)


@unittest.skipUnless(shutil.which("swiftc"), "needs a Swift toolchain")
class Faces(unittest.TestCase):
    def compiles(self, module, *minimum, wanted="0 errors, 0 warnings"):
        done = check(module, *minimum)
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, 0, said)
        for platform in ("ios", "macos"):
            line = next((line for line in said.splitlines() if line.startswith(platform)), "")
            self.assertIn("PASS", line, said)
            self.assertIn(wanted, line, said)
        return said

    def test_simple_data_logs(self):
        # What the SDK asks older systems for is deprecated from some later version on: that is no error.
        said = self.compiles("FootfallSimpleDataLogs", "macos=13.0", "ios=16.0", wanted=" 0 errors,")
        self.assertIn("ios16.0", said, "SDL-98")
        self.assertIn("macosx13.0", said, "SDL-98")

    def test_phase(self):
        said = self.compiles("FootfallPhase", "ios=15.0", "macos=12.0")
        self.assertIn("ios15.0", said, "PHA-57")
        self.assertIn("macosx12.0", said, "PHA-57")

    def test_views(self):
        done = subprocess.run(
            ["python3", str(HERE / "run-fakes"), str(ROOT), "--platform", "linux", "--tests", "Tests/AdapterFakes",
             "--targets", "FootfallPhase,FootfallSimpleDataLogs,FootfallAmplitude,FootfallTesting",
             "--objective-c", "FootfallAmplitude", "--log",
             # One per checkout: two runs must not write into each other's.
             "--scratch", str(ROOT / ".footfall" / "fakes")],
            capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, (done.stdout + done.stderr)[-6000:])
        self.assertIn("run-fakes: passed", done.stdout)


if __name__ == "__main__":
    unittest.main()
