"""The pages about people in headless Chromium: the list, a profile, segments, groups, past events.

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
HOUR = 3_600_000


def history():
    """Eight people over some days: all open, four buy, two have two devices, all are in a group."""
    now = int(time.time() * 1000)
    events = []

    def add(person, name, hours_ago, device=None, **more):
        number = len(events) + 1
        events.append({
            "id": f"00000000-0000-7000-8000-{number:012d}", "seq": number, "name": name,
            "ts": now - hours_ago * HOUR, "device_id": device or f"phone-{person}",
            "user_id": f"user-{person}", "session_id": f"session-{person}-{hours_ago // 24}", **more})

    for person in range(8):
        plan = "pro" if person < 3 else "free"
        add(person, "$identify", 90 + person, ops={"$set": {"plan": plan, "email": f"user-{person}@shop.example"}},
            groups={"org": "acme" if person < 5 else "globex"})
        add(person, "Opened", 80 + person, props={"screen": "start"},
            groups={"org": "acme" if person < 5 else "globex"})
        if person < 4:
            add(person, "Bought", 30 + person, props={"$price": 9.99, "$currency": "USD", "price": 10 * person})
        if person < 2:
            add(person, "Opened", 2, device=f"tablet-{person}", props={"screen": "start"})
            add(person, "$identify", 1, ops={"$set": {"plan": "team"}})
    return events


class People(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(PICTURES, exist_ok=True)

    def sign_in(self, browser, collector):
        browser.go(collector.sign_in_address)
        browser.wait_for("form button.button-main").click()
        wait_until(lambda: "/live" in browser.address, "the live page after signing in", 10)

    def people(self, browser):
        return browser.run(
            "return [...document.querySelectorAll('#found tbody tr td:first-child a')].map(a => a.textContent)")

    def wait_for_people(self, browser, expected):
        wait_until(lambda: sorted(self.people(browser)) == sorted(expected),
                   f"{expected} in the list, which has {self.people(browser)}", 10)

    def test_someone_is_found_and_all_of_them_is_shown(self):
        with Collector() as collector, Browser() as browser:
            collector.send(history())
            self.sign_in(browser, collector)
            page = f"{collector.address}/projects/1/people"
            everyone = [f"user-{person}" for person in range(8)]
            wait_until(lambda: browser.go(page) or sorted(self.people(browser)) == everyone, "everyone", 10)

            # Searched with the keyboard; the address says what was searched.
            browser.wait_for("#ask-q").type("user-3@\ue007")
            self.wait_for_people(browser, ["user-3"])
            self.assertIn("q=user-3", browser.address)

            # Filtered by a property, and sorted by the head of a column.
            browser.go(page)
            browser.wait_for("#ask-f").type("plan")
            browser.wait_for("#ask-v").type("team\ue007")
            self.wait_for_people(browser, ["user-0", "user-1"])
            browser.wait_for(".chip-off").click()
            self.wait_for_people(browser, everyone)
            browser.wait_for("th a.sort").click()
            wait_until(lambda: "sort=events" in browser.address, "the address sorted by events", 10)
            self.assertIn(self.people(browser)[0], ("user-0", "user-1"))

            browser.go(f"{page}?q=user-0")
            browser.wait_for("#found tbody a").click()
            browser.wait_for("#timeline li.event")
            text = browser.text()
            for part in ("phone-0", "tablet-0", "team", "user-0@shop.example", "Revenue, USD", "9.99", "acme"):
                self.assertIn(part, text)
            self.assertEqual(browser.complaints(), [])

            # The timeline is narrowed down to one name.
            browser.run("const s = document.getElementById('timeline-name'); s.value = 'Bought';"
                        "s.dispatchEvent(new Event('change', { bubbles: true }))")
            wait_until(lambda: len(browser.all("#timeline li.event")) == 1, "the one purchase", 10)
            self.assertIn("name=Bought", browser.address)
            self.assertEqual(browser.complaints(), [])

    def test_a_segment_is_made_and_narrows_a_question_down(self):
        with Collector() as collector, Browser() as browser:
            collector.send(history())
            self.sign_in(browser, collector)
            browser.go(f"{collector.address}/projects/1/people/segments")
            browser.wait_for("main .button-main").click()
            form = browser.wait_for("form[aria-label='Add: What they did'] input[name=event]")
            form.type("Bought\ue007")
            wait_until(lambda: "4 people" in browser.text(), "the four who bought", 10)
            browser.wait_for("form[aria-label='Add: What they have'] input[name=f]").type("plan")
            browser.wait_for("form[aria-label='Add: What they have'] input[name=v]").type("team\ue007")
            wait_until(lambda: "2 people" in browser.text(), "the two of the plan", 10)
            browser.wait_for("form[method=post] input[name=name]").type("Team buyers\ue007")
            wait_until(lambda: "Remove…" in browser.text(), "the saved segment", 10)
            number = browser.address.rsplit("/", 1)[1]
            browser.go(f"{collector.address}/projects/1/insights/trend?range=30d&segment={number}&measure=people")
            browser.wait_for(".figure")
            self.assertIn("2", browser.run("return document.querySelector('.figure-value').textContent"))
            self.assertEqual(browser.complaints(), [])

            browser.go(f"{collector.address}/projects/1/explore?range=30d&columns=props.price")
            browser.wait_for("#found tbody tr")
            browser.wait_for("#ask-f").type("price")
            browser.run("document.getElementById('ask-op').value = 'over'")
            browser.wait_for("#ask-v").type("15\ue007")
            wait_until(lambda: len(browser.all("#found tbody tr")) == 2, "the two dear purchases", 10)
            self.assertEqual(browser.complaints(), [])

    def test_every_page_fits_in_every_window(self):
        with Collector(("demo", "--people", "60", "--days", "60")) as collector, Browser() as browser:
            self.sign_in(browser, collector)
            wait_until(lambda: len(browser.all("#events li.event")) >= 40, "the demo's events", 60)
            root = f"{collector.address}/projects/1"
            browser.go(f"{root}/people?sort=events")
            person = browser.wait_for("#found tbody a")
            profile = browser.run("return document.querySelector('#found tbody a').href")
            self.assertTrue(person)
            rules = ("all/any;did-at-least 2 30d Product Viewed;user.plan:is:pro/all;active within 7d"
                     .replace(" ", "%20"))
            pages = {
                "people": f"{root}/people", "nobody": f"{root}/people?q=nobody%20like%20that",
                "profile": profile, "groups": f"{root}/people/groups",
                "segments": f"{root}/people/segments", "lists": f"{root}/people/lists",
                "segment": f"{root}/people/segments/new?definition={rules}",
                "explore": f"{root}/explore?range=30d&columns=platform;version",
                "explore-all": f"{root}/explore", "live": f"{root}/live"}
            for name, address in pages.items():
                for width, dark in ((1280, False), (1280, True), (390, False), (390, True)):
                    browser.become(width, dark)
                    browser.go(address)
                    browser.wait_for("main h1")
                    time.sleep(0.3)  # for the picture alone
                    excess = browser.run("return document.documentElement.scrollWidth - window.innerWidth")
                    self.assertLessEqual(excess, 0, f"{name} is wider than a window of {width}")
                    left = ("htmx:sendAbort", "htmx:afterRequest")
                    complaints = [c for c in browser.complaints() if not any(word in c for word in left)]
                    self.assertEqual(complaints, [], name)
                    scheme = "dark" if dark else "light"
                    browser.picture(os.path.join(PICTURES, f"people-{name}-{width}-{scheme}.png"))


if __name__ == "__main__":
    unittest.main()
