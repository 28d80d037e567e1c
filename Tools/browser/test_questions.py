"""The questions of the dashboard in headless Chromium: asked, narrowed down, shared, without scripts.

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
QUESTIONS = ("trend", "active", "funnel", "retention", "paths", "sessions", "revenue")


def history():
    """Ten people over a week: all open, six play, three buy; each comes back a day later or not."""
    now = int(time.time() * 1000)
    events = []

    def add(person, name, hours_ago, visit=0, **properties):
        number = len(events) + 1
        events.append({
            "id": f"00000000-0000-7000-8000-{number:012d}", "seq": number, "name": name,
            "ts": now - hours_ago * HOUR, "device_id": f"device-{person}", "user_id": f"user-{person}",
            "session_id": f"session-{person}-{visit}", "props": properties})

    for person in range(10):
        start = 100 + 5 * person
        add(person, "Opened", start, plan="pro" if person < 4 else "free")
        if person < 6:
            add(person, "Song Played", start - 1, seconds=60 * (person + 1))
        if person < 3:
            add(person, "Bought", start - 2, **{"$price": 9.99, "$quantity": 1, "$currency": "USD"})
        if person % 2 == 0:
            add(person, "Opened", start - 24, 1, plan="pro")
    return events


class Questions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(PICTURES, exist_ok=True)

    def sign_in(self, browser, collector):
        browser.go(collector.sign_in_address)
        browser.wait_for("form button.button-main").click()
        wait_until(lambda: "/live" in browser.address, "the live page after signing in", 10)

    def figures(self, browser):
        return browser.run(
            "return Object.fromEntries([...document.querySelectorAll('.figure')].map(f =>"
            " [f.querySelector('.figure-name').textContent, f.querySelector('.figure-value').firstChild.textContent.trim()]))")

    def ask(self, browser, collector, question, figure, value):
        browser.go(f"{collector.address}/projects/1/insights/{question}")
        wait_until(
            lambda: self.figures(browser).get(figure) == value,
            f"{figure} = {value} on {question}, which has {self.figures(browser)}", 10)

    def test_each_question_is_answered_and_its_address_can_be_shared(self):
        with Collector() as collector, Browser() as browser:
            collector.send(history())
            self.sign_in(browser, collector)
            self.ask(browser, collector, "trend?range=30d", "Events", "24")
            self.assertEqual(browser.complaints(), [])
            browser.wait_for("#report-chart canvas")

            # Chosen with the keyboard, the answer follows and the address says what was asked.
            browser.run("document.getElementById('ask-measure').focus()")
            browser.press("D")
            browser.press("\ue004")
            wait_until(lambda: "measure=people" in browser.address, "the address of the choice", 10)
            wait_until(lambda: self.figures(browser).get("People") == "10", "the people", 10)
            self.assertIn("30d", browser.address)

            # A filter is added, and taken away again.
            field = browser.wait_for("#ask-f")
            field.type("props.plan")
            browser.wait_for("#ask-v").type("pro\ue007")
            wait_until(lambda: "where=" in browser.address, f"the filter in the address, which is {browser.address}", 10)
            wait_until(lambda: self.figures(browser).get("People") == "7", "the people of the plan", 10)
            browser.wait_for(".chip-off").click()
            wait_until(lambda: self.figures(browser).get("People") == "10", "everyone again", 10)

            steps = "funnel?steps=Opened;Song%20Played;Bought&range=30d"
            self.ask(browser, collector, steps, "Conversion", "30.0 %")
            browser.wait_for("tbody tr:nth-child(2) td:nth-child(5) a").click()
            wait_until(lambda: "user-9" in browser.text(), "who dropped out", 10)
            self.assertNotIn("user-5", browser.text())

            self.ask(browser, collector, "retention?range=30d&interval=day&entry=new&first=Opened&again=Opened", "Day 1", "50.0 %")
            self.ask(browser, collector, "active?range=30d", "New people", "10")
            self.ask(browser, collector, "paths?range=30d&event=Opened", "Paths", "15")
            browser.wait_for("#report-chart canvas")
            self.assertIn("Opened → Song Played → Bought", browser.text())
            self.ask(browser, collector, "sessions?range=30d", "Sessions", "15")
            self.ask(browser, collector, "revenue?range=30d", "Revenue", "USD\u00a029.97")
            self.assertEqual(browser.complaints(), [])

    def test_an_event_may_be_named_like_what_every_object_has(self):
        with Collector() as collector, Browser() as browser:
            self.sign_in(browser, collector)
            inherited = browser.run("return Object.getOwnPropertyNames(Object.prototype)")
            self.assertIn("__proto__", inherited)
            now = int(time.time() * 1000)
            # Also where a name is one word of several, or is cut to it.
            names = inherited + ["prev", "next", "a __proto__ b", "line\n__proto__", "__proto__ and so much more of it", "Plain"]
            visits = [(at, name) for at in range(2) for name in names]
            collector.send([{
                "id": f"00000000-0000-7000-8000-{number:012d}", "seq": number, "name": name, "ts": now - 60_000 + number,
                "device_id": f"device-{at}", "session_id": f"session-{at}",
            } for number, (at, name) in enumerate(visits, 1)])
            wait_until(
                lambda: "".join(browser.text().split()).count("hasOwnProperty") > 0, "the events on the live page", 20)
            pages = (
                "live", "insights/trend?range=7d&by=event",
                "insights/paths?range=7d", "insights/paths?range=7d&event=__proto__", "insights/hours?range=7d",
                "insights/funnel?range=7d&steps=__proto__;constructor;toString", "insights/active?range=7d")
            for page in pages:
                browser.go(f"{collector.address}/projects/1/{page}")
                browser.wait_for("canvas")
                browser.run("document.querySelector('button[data-png]')?.click()")
                # The texts are measured when the library next draws.
                browser.run_async("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
                self.assertEqual(browser.complaints(), [], page)
                self.assertEqual(browser.run("return Object.getOwnPropertyNames(Object.prototype)"), inherited, page)
                self.assertEqual(browser.run("return Object.keys(Object)"), [], page)

    def test_every_page_fits_and_says_all_without_its_chart(self):
        with Collector(("demo", "--people", "60", "--days", "60")) as collector, Browser() as browser:
            self.sign_in(browser, collector)
            wait_until(lambda: len(browser.all("#events li.event")) >= 40, "the demo's events", 60)
            steps = "App%20Opened;Product%20Viewed;Product%20Added%20to%20Cart;Checkout%20Started"
            for question in QUESTIONS:
                query = {
                    "trend": "range=30d&by=event&compare=true", "funnel": f"steps={steps}&range=30d",
                    "retention": "range=90d&interval=week", "sessions": "range=30d&by=platform",
                    "active": "range=30d", "revenue": "range=90d&compare=true",
                    "paths": "range=90d&event=App%20Opened&merge=true"}[question]
                path = f"{collector.address}/projects/1/insights/{question}?{query}"
                for width, dark in ((1280, False), (1280, True), (390, False), (390, True)):
                    browser.become(width, dark)
                    browser.go(path)
                    browser.wait_for(".figure")
                    time.sleep(0.6)  # for the picture alone: the chart draws itself in
                    excess = browser.run("return document.documentElement.scrollWidth - window.innerWidth")
                    self.assertLessEqual(excess, 0, f"{question} is wider than a window of {width}")
                    self.assertEqual(browser.complaints(), [])
                    scheme = "dark" if dark else "light"
                    browser.picture(os.path.join(PICTURES, f"question-{question}-{width}-{scheme}.png"))
                # What a browser without scripts gets: figures, definitions and the whole table.
                plain = browser.run(f"return fetch('{path}').then(answer => answer.text())")
                self.assertIn('class="definition"', plain)
                self.assertGreater(plain.count("<tr"), 2, question)
                self.assertNotIn("Nothing like that happened", plain, question)


if __name__ == "__main__":
    unittest.main()
