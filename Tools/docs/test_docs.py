"""What the checks of the documentation find, on small examples."""

import os
import tempfile
import unittest

import archive
import samples


class Archive(unittest.TestCase):
    def listing(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "Kit.txt")
            with open(path, "w") as file:
                file.write(text)
            return archive.listing(path)

    def test_a_symbol_is_looked_for_below_its_types(self):
        listed = self.listing(
            "struct Song: Equatable, Sendable\n  struct Part: Sendable\n    init()\n  var title: String { get set }\n")
        pages = {((), "structSong"), (("Song",), "structPart"), (("Song", "Part"), "init()")}
        self.assertEqual(
            archive.missing(listed, pages, "Kit", "App"),
            ["api/Kit.txt: Song: var title: String { get set }: not in the archive of App."])

    def test_attributes_and_spaces_do_not_matter(self):
        listed = self.listing("@discardableResult func play(_ song: Song)  async -> Int\n")
        self.assertEqual(archive.missing(listed, {((), "funcplay(_song:Song)async->Int")}, "Kit", "App"), [])

    def test_a_generic_type_keeps_its_where(self):
        listed = self.listing("final class Box<T>: Sendable where T : Sendable\n")
        self.assertEqual(archive.missing(listed, {((), "finalclassBox<T>whereT:Sendable")}, "Kit", "App"), [])

    def test_a_type_that_a_single_export_leaves_out_is_named(self):
        listed = self.listing("enum Level\n  case low\nstruct Line\n")
        self.assertEqual(archive.unexported(listed, None, "Kit", "App"), [])
        self.assertEqual(
            archive.unexported(listed, {"Level"}, "Kit", "App"),
            ["api/Kit.txt: Line is public, and App exports only other types of Kit."])


class Samples(unittest.TestCase):
    def test_declarations_go_to_the_top_and_keep_their_lines(self):
        text = "# Title\n\n```swift\nimport Kit\nlet a = 1\nextension Name {\n  static let b = 2\n}\nuse(a)\n```\n"
        code = samples.file(1, "A.md", 0, text)
        self.assertIn("import Kit\n", code)
        self.assertIn('#sourceLocation(file: "A.md", line: 6)\nfileprivate extension Name {\n  static let b = 2\n}\n', code)
        self.assertIn('do {\n#sourceLocation(file: "A.md", line: 5)\nlet a = 1\n'
                      '#sourceLocation(file: "A.md", line: 9)\nuse(a)\n}', code)

    def test_a_later_sample_is_inside_an_earlier_one(self):
        code = samples.file(1, "A.md", 0, "```swift\nlet a = 1\n```\n```swift\nlet a = 2\n```\n")
        self.assertTrue(code.rstrip().endswith("let a = 2\n}}\n}"))

    def test_other_fences_are_no_samples(self):
        self.assertIsNone(samples.file(1, "A.md", 0, "```\nlet a\n```\n```sh\nls\n```\n"))


if __name__ == "__main__":
    unittest.main()
