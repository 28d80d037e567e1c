"""The pages of administration in headless Chromium: people, rules, keys, the audit log, the system.

Pictures of what it looked at lie in .footfall/pictures/, to be looked at again.
"""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))

from collector import ROOT, Collector, wait_until  # noqa: E402
from webdriver import Browser  # noqa: E402

PICTURES = os.path.join(ROOT, ".footfall", "pictures")


class Administration(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(PICTURES, exist_ok=True)

    def sign_in(self, browser, address):
        browser.go(address)
        browser.wait_for("form button.button-main").click()
        wait_until(lambda: "/live" in browser.address, "the live page after signing in", 10)

    def look(self, browser, collector, path, name):
        """Opens a page, checks what must hold of every page, and takes its picture."""
        browser.go(collector.address + path)
        browser.wait_for("main h1")
        self.assertEqual(browser.complaints(), [])
        for width in (1280, 390):
            browser.become(width)
            excess = browser.run("return document.documentElement.scrollWidth - window.innerWidth")
            self.assertLessEqual(excess, 0, f"{path} is wider than a window of {width}")
            browser.picture(os.path.join(PICTURES, f"{name}-{width}.png"))
        browser.become(1280)

    def test_an_owner_adds_someone_and_every_page_fits(self):
        with Collector() as collector, Browser() as browser:
            self.sign_in(browser, collector.sign_in_address)
            browser.go(collector.address + "/people")
            browser.run("document.querySelector('form[action=\"/people\"] input[name=name]').value = 'Ada Lovelace'")
            browser.wait_for("form[action='/people'] button").click()
            link = browser.wait_for("#made-link").text
            self.assertIn("/sign-in/", link)
            browser.picture(os.path.join(PICTURES, "people-link.png"))
            collector.run("key", "create", "--kind", "secret", "--label", "Reports", "--role", "viewer")
            collector.run("key", "create", "--test", "--label", "Debug builds")
            collector.run("key", "rotate", "1")
            collector.run("project", "rules", "My app", "--keep", "400", "--keep-name", "Song Played=30",
                          "--quota", "1000000")
            collector.send([{"id": "event-1", "ts": 1796117400000, "name": "Song Played", "device_id": "d"}])
            poison = os.path.join(collector.data, "poison")
            os.makedirs(poison, exist_ok=True)
            for name, text in (("record", "not a record"), ("reason", "The record is damaged at byte 0.")):
                with open(os.path.join(poison, "0123456789abcdef-1-64." + name), "w") as file:
                    file.write(text)
            for path, name in (("/people", "people"), ("/audit", "audit"), ("/system", "system"),
                               ("/projects/1/settings", "settings"), ("/projects/1/keys", "keys"),
                               ("/account", "account")):
                self.look(browser, collector, path, name)
            browser.go(collector.address + "/system")
            browser.wait_for("form[action='/system/replay'] button").click()
            self.assertIn("1 record handed to the log again", browser.wait_for(".notice").text)

            self.export_and_erase(browser, collector)

            with Browser() as guest:
                self.sign_in(guest, link)
                guest.go(collector.address + "/people")
                self.assertIn("Your role does not include this", guest.wait_for("main h1").text)
                guest.go(collector.address + "/projects/1/settings")
                self.assertEqual(guest.all("main form"), [])
                guest.go(collector.address + "/projects/1/data")
                self.assertIn("Your role does not include this", guest.wait_for("main h1").text)

    def test_a_file_is_imported_in_pieces_and_its_bad_lines_are_shown(self):
        with Collector() as collector, Browser() as browser:
            self.sign_in(browser, collector.sign_in_address)
            path = os.path.join(collector.folder, "moved.csv")
            with open(path, "w") as file:
                file.write("name,ts,user_id,props\n")
                # Over 8 MiB, which is one piece.
                for number in range(90_000):
                    file.write(f'Moved,{1764581400000 + number},user-{number % 100},"{{""text"":""{"x" * 80}""}}"\n')
                file.write(",1764581400000,nobody,\nMoved,-1,nobody,\n")
            browser.go(collector.address + "/projects/1/data")
            form = "form[action$='/data/import']"
            browser.wait_for(form + " input[type=file]").type(path)
            chosen = browser.run(f'return document.querySelector("{form}").elements.format.value')
            self.assertEqual(chosen, "csv")
            browser.wait_for(form + " button").click()
            # The list is replaced again and again while the server is at it.
            shown = lambda: browser.run("return document.querySelector('#jobs')?.innerText ?? ''")  # noqa: E731
            wait_until(lambda: "90,000 events added" in shown(), "the import", 60)
            said = shown()
            self.assertIn("“moved.csv” as CSV", said)
            self.assertIn("2 lines are no events and were left out", said)
            self.assertIn("line 90002: it has no name", said)
            self.assertIn("line 90003: ts lies before 1970", said)
            self.assertEqual(browser.wait_for("#jobs a[download]").text, "Lines left out")
            self.look(browser, collector, "/projects/1/data", "data-imported")

    def export_and_erase(self, browser, collector):
        """The list of jobs follows what the server does; erasing needs the project's name."""
        page = collector.address + "/projects/1/data"
        browser.go(page)
        browser.wait_for("form[action$='/data/export'] button").click()
        browser.wait_for("#jobs a[download]")
        self.look(browser, collector, "/projects/1/data", "data")
        erase = "form[action$='/data/erase']"
        browser.wait_for(erase + " input[name=device]").type("d")
        browser.wait_for(erase + " button[value=erase]").click()
        self.assertIn("Nothing was erased", browser.wait_for(".field-problem").text)
        # A browser complains of the answer to a form that is refused.
        self.assertTrue(all("422" in complaint for complaint in browser.complaints()))
        browser.wait_for(erase + " input[name=confirmation]").type("My app")
        browser.wait_for(erase + " button[value=erase]").click()
        # Exported files go with it, and with them the way to them.
        wait_until(lambda: not browser.all("#jobs a[download]"), "the erasure", 20)
        self.assertIn("Erase", browser.wait_for("#jobs").text)


if __name__ == "__main__":
    unittest.main()
