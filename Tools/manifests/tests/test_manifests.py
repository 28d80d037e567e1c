"""A package of somebody else's that takes this one, by the fragments of the documents.

    python3 -m unittest discover --start-directory Tools/manifests/tests

From a release in a repository, and from a checkout beside it; without network. The release is compiled anew, the
checkout with what is in .footfall/examples already.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
RELEASE = "99.0.0"
PROGRAM = """\
    import FootfallSimpleDataLogs
    {more}
    @main struct MyApp {{
      static func main() {{ print("linked", SimpleDataLogs.defaultEndpoint) }}
    }}
"""


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}")
    return done.stdout


@unittest.skipUnless(shutil.which("swift"), "needs a Swift toolchain")
class Manifests(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def build(self, dependency, products, scratch, more=""):
        app = self.folder / "MyApp"
        (app / "Sources" / "MyApp").mkdir(parents=True)
        listed = ", ".join(f'.product(name: "{name}", package: "Footfall")' for name in products)
        (app / "Package.swift").write_text(textwrap.dedent(f"""\
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
              name: "MyApp",
              platforms: [.macOS(.v13), .iOS(.v16)],
              dependencies: [
                {dependency},
              ],
              targets: [
                .executableTarget(name: "MyApp", dependencies: [{listed}]),
              ]
            )
            """))
        (app / "Sources" / "MyApp" / "MyApp.swift").write_text(textwrap.dedent(PROGRAM).format(more=more))
        # A cache of its own, and proxies that lead nowhere: nothing can be fetched from elsewhere.
        nowhere = {**os.environ, "http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
        options = ["--package-path", app, "--cache-path", self.folder / "cache", "--scratch-path", scratch]
        run("swift", "package", *options, "resolve", env=nowhere)
        run("swift", "build", *options, "--product", "MyApp", env=nowhere)
        linked = run("swift", "build", *options, "--show-bin-path", env=nowhere).strip()
        said = run(pathlib.Path(linked) / "MyApp")
        self.assertEqual(said.strip(), "linked https://edge.simpledatalogs.com")

    def test_release(self):
        """SDL-129 and PHA-86: an address and a release, with target and product named."""
        path = self.folder / "Footfall"
        run("git", "clone", "--quiet", ROOT, path)
        run("git", "-C", path, "tag", RELEASE)
        self.build(
            f'.package(url: "{path.as_uri()}", from: "{RELEASE}")',
            ["FootfallSimpleDataLogs", "FootfallPhase"],
            self.folder / "build",
            more="import FootfallPhase")

    def test_checkout(self):
        """SDL-130: a local checkout by its path, which is named as the package is."""
        path = self.folder / "Footfall"
        path.symlink_to(ROOT)
        self.build(f'.package(path: "{path}")', ["FootfallSimpleDataLogs"], ROOT / ".footfall" / "examples")


if __name__ == "__main__":
    unittest.main()
