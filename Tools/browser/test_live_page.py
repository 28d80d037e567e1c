"""A person's first minutes with the dashboard, in headless Chromium.

Pictures of what it looked at lie in .footfall/pictures/, to be looked at again.
"""

import os
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))

from collector import ROOT, Collector, wait_until  # noqa: E402
from webdriver import Browser  # noqa: E402

PICTURES = os.path.join(ROOT, ".footfall", "pictures")
EVENTS = "#events li.event"


def event(number, name="Song Played", person="user-12345", **properties):
    return {
        "id": f"00000000-0000-7000-8000-{number:012d}", "seq": number, "name": name,
        "ts": int(time.time() * 1000), "device_id": "device-12345", "user_id": person,
        "props": properties}


class LivePage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(PICTURES, exist_ok=True)

    def sign_in(self, browser, collector):
        browser.go(collector.sign_in_address)
        browser.wait_for("main form button, form button.button-main").click()
        wait_until(lambda: "/live" in browser.address, "the live page after signing in", 10)

    def picture(self, browser, name):
        browser.picture(os.path.join(PICTURES, f"{name}.png"))

    maxDiff = None

    def check_page(self, browser, collector):
        """What must hold of every page: nothing broken, nothing from elsewhere, no sideways scrolling."""
        # Leaving a page ends the requests it still had under way; htmx tells the console of each.
        left = ("htmx:sendAbort", "htmx:afterRequest")
        complaints = [c for c in browser.complaints() if not any(word in c for word in left)]
        self.assertEqual(complaints, [])
        loaded = browser.run("return performance.getEntriesByType('resource').map(e => e.name)")
        self.assertEqual([a for a in loaded if not a.startswith(collector.address)], [])
        excess = browser.run("return document.documentElement.scrollWidth - window.innerWidth")
        self.assertLessEqual(excess, 0, f"{browser.address} is wider than the window")

    def names(self, browser):
        return browser.run(
            f"return [...document.querySelectorAll({EVENTS!r})].map(e => e.dataset.name)")

    def test_the_empty_page_says_what_to_paste_and_the_first_event_replaces_it(self):
        with Collector() as collector, Browser() as browser:
            self.sign_in(browser, collector)
            lines = browser.wait_for("#snippet-swift").text
            self.assertIn("import Footfall", lines)
            self.assertIn(collector.key, lines)
            self.assertIn(collector.address, lines)
            self.check_page(browser, collector)
            self.picture(browser, "empty")
            # The page must be listening before the event is sent.
            browser.wait_for("#status[data-state='on'], #status[data-state='live']")
            collector.send([event(1, title="Here Comes the Sun")])
            browser.wait_for(EVENTS, 5)
            self.check_page(browser, collector)

    def test_events_arrive_open_and_can_be_filtered(self):
        with Collector() as collector, Browser() as browser:
            collector.send([event(1, title="Here Comes the Sun", duration_s=185)])
            self.sign_in(browser, collector)
            browser.wait_for(EVENTS)
            browser.wait_for("#status[data-state='on'], #status[data-state='live']")

            # How soon is measured by script/bench.
            collector.send([event(2, "Cart Opened", "user-67890")])
            wait_until(lambda: "Cart Opened" in self.names(browser), "the event on the page", 5)

            # Text from an app is text, whatever it holds.
            collector.send([event(3, "<img src=x onerror=document.title='broken'>", note="</script><b>")])
            wait_until(lambda: len(self.names(browser)) == 3, "the third event", 5)
            self.assertNotEqual(browser.title, "broken")
            self.assertEqual(browser.all("#events img"), [])

            # By keyboard: the list can be reached and an event opened.
            browser.run(f"document.querySelector({EVENTS + ' a'!r}).focus()")
            browser.press("\ue007")
            wait_until(lambda: "onerror" in browser.wait_for("#event-title").text, "the open event", 5)
            self.picture(browser, "event")
            browser.press("\ue00c")
            wait_until(
                lambda: not browser.run("return !!document.querySelector('dialog[open]')"),
                "the closed drawer", 5)

            field = browser.wait_for("#filter-name")
            field.type("Song Played\ue007")
            wait_until(lambda: self.names(browser) == ["Song Played"], "the filtered list", 5)
            self.assertIn("Song", browser.address)
            # What does not match stays away, what matches still arrives.
            browser.wait_for("#status[data-state='on'], #status[data-state='live']")
            collector.send([event(4, "Cart Opened"), event(5, "Song Played", "user-67890")])
            wait_until(lambda: self.names(browser) == ["Song Played"] * 2, "the filtered arrival", 5)

            browser.wait_for("#filter-clear").click()
            wait_until(lambda: len(self.names(browser)) == 5, "the whole list again", 5)
            browser.wait_for("#filter-person").type("user-67890\ue007")
            wait_until(
                lambda: sorted(self.names(browser)) == ["Cart Opened", "Song Played"],
                "the events of one person", 5)
            self.check_page(browser, collector)

    def test_the_demo_fills_the_page_and_goes_on(self):
        with Collector(("demo", "--people", "30", "--days", "30")) as collector, Browser() as browser:
            self.sign_in(browser, collector)
            wait_until(lambda: len(browser.all(EVENTS)) >= 40, "the demo's events", 60)
            browser.wait_for("canvas, #chart svg, .chart svg", 10)
            first = browser.run(f"return document.querySelector({EVENTS!r}).dataset.key")
            wait_until(
                lambda: browser.run(f"return document.querySelector({EVENTS!r}).dataset.key") != first,
                "another live event", 60)
            self.check_page(browser, collector)
            for name, width, dark in [
                ("live-light", 1280, False), ("live-dark", 1280, True),
                ("live-phone-light", 390, False), ("live-phone-dark", 390, True),
            ]:
                browser.become(width, dark)
                browser.go(browser.address)
                browser.wait_for(EVENTS)
                time.sleep(1)  # for the picture alone: the chart draws itself in
                self.check_page(browser, collector)
                self.picture(browser, name)


if __name__ == "__main__":
    unittest.main()
