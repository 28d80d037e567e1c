"""Boards, the catalogue, crashes, alerts and SQL in headless Chromium.

Pictures of what it looked at lie in .footfall/pictures/, to be looked at again.
"""

import json
import os
import sys
import time
import unittest
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))

from collector import ROOT, Collector, wait_until  # noqa: E402
from webdriver import Browser  # noqa: E402

PICTURES = os.path.join(ROOT, ".footfall", "pictures")
HOUR = 3_600_000


def history():
    """Twelve people over a week, of whom three meet a crash."""
    now = int(time.time() * 1000)
    events = []

    def add(person, name, hours_ago, **properties):
        number = len(events) + 1
        events.append({
            "id": f"00000000-0000-7000-8000-{number:012d}", "seq": number, "name": name,
            "ts": now - hours_ago * HOUR, "device_id": f"device-{person}", "user_id": f"user-{person}",
            "session_id": f"session-{person}", "props": properties})

    for person in range(12):
        start = 30 + 10 * person
        add(person, "Opened", start, plan="pro" if person % 3 else "free")
        add(person, "Song Played", start - 1, seconds=60 * (person + 1), title="Here Comes the Sun")
        if person % 2:
            add(person, "Bought", start - 2, **{"$price": 9.99, "$quantity": 1, "$currency": "USD"})
        if person < 3:
            add(person, "app_crashed", start - 3, exception_name="NSRangeException",
                reason="*** -[__NSArrayM objectAtIndex:]: index # beyond bounds [# .. #]",
                stack="0   CoreFoundation   0x00007ff81a2b3c4d __exceptionPreprocess + 242\n"
                      "1   libobjc.A.dylib  0x00007ff81a2b3c4d objc_exception_throw + 48\n"
                      "2   Shop             0x0000000104a1b2c3 Cart.total() + 12")
    return events


class Boards(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(PICTURES, exist_ok=True)

    def sign_in(self, browser, collector):
        browser.go(collector.sign_in_address)
        browser.wait_for("form button.button-main").click()
        wait_until(lambda: "/live" in browser.address, "the live page after signing in", 10)

    def prepared(self, collector):
        client = {"library": "footfall-swift/1.0.0", "platform": "iOS", "app": "4.2.0", "dropped": {"optOut": 3}}
        request = urllib.request.Request(
            collector.address + "/v1/events", data=json.dumps({"client": client, "events": history()}).encode(),
            headers={"Authorization": f"Bearer {collector.key}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            self.assertEqual(answer.status, 202)

    def look(self, browser, collector, name, path, ready):
        """Opens a page in every width and colour; nothing may stick out or complain."""
        for width, dark in ((1280, False), (1280, True), (390, False), (390, True)):
            browser.become(width, dark)
            browser.go(f"{collector.address}/projects/1/{path}")
            browser.wait_for(ready)
            time.sleep(0.6)  # for the picture alone: charts draw themselves in
            excess = browser.run("return document.documentElement.scrollWidth - window.innerWidth")
            self.assertLessEqual(excess, 0, f"{name} is wider than a window of {width}")
            self.assertEqual(browser.complaints(), [], name)
            scheme = "dark" if dark else "light"
            browser.picture(os.path.join(PICTURES, f"{name}-{width}-{scheme}.png"))
        browser.become(1280)

    def test_a_question_is_saved_to_a_board_which_is_shared_and_revoked(self):
        with Collector() as collector, Browser() as browser:
            self.prepared(collector)
            self.sign_in(browser, collector)
            browser.go(f"{collector.address}/projects/1/insights/trend?range=30d&events=Opened")
            browser.wait_for("#report-chart canvas")
            browser.run("document.querySelector('.save-menu summary').focus()")
            browser.press("\ue007")
            title = browser.wait_for(".save-menu input[name=title]")
            browser.run("document.querySelector('.save-menu input[name=title]').value = ''")
            title.type("Who opened it")
            browser.wait_for(".save-menu button[type=submit]").click()
            wait_until(lambda: browser.address.endswith("/boards/1"), "the board", 10)
            wait_until(lambda: len(browser.all(".board canvas")) >= 5, "the charts of the board", 20)
            self.assertIn("Who opened it", browser.text())
            self.assertEqual(browser.complaints(), [])

            # A picture of a chart is made on the page, from nothing but the page.
            made = browser.run(
                "let saved = ''; const click = HTMLAnchorElement.prototype.click;"
                "HTMLAnchorElement.prototype.click = function () { saved = this.download + ' ' + this.href.slice(0, 22); };"
                "document.querySelector('[data-png]').click(); HTMLAnchorElement.prototype.click = click; return saved")
            self.assertRegex(made, r"^[a-z-]+\.png data:image/png;base64,")

            browser.wait_for("form[action$='/links'] button").click()
            link = browser.wait_for("#made-link").text
            shared = link.replace(link.split("/shared/")[0], collector.address)
            with Browser() as stranger:
                stranger.go(shared)
                wait_until(lambda: len(stranger.all(".board canvas")) >= 5, "the charts for a stranger", 20)
                self.assertNotIn("/projects/", stranger.run("return document.documentElement.outerHTML"))
                self.assertEqual(stranger.complaints(), [])
                browser.go(f"{collector.address}/projects/1/boards/1")
                browser.wait_for("form[action$='/revoke'] button").click()
                wait_until(lambda: not browser.all("form[action$='/revoke']"), "the link's end", 10)
                stranger.go(shared)
                self.assertIn("Page not found", stranger.text())
            self.look(browser, collector, "board", "boards/1", ".board canvas")
            self.look(browser, collector, "boards", "boards", ".board-link")

    def test_tables_are_sorted_by_the_keyboard(self):
        with Collector() as collector, Browser() as browser:
            self.prepared(collector)
            self.sign_in(browser, collector)
            browser.go(f"{collector.address}/projects/1/catalogue")
            browser.wait_for("th .sort")
            column = ("return [...document.querySelectorAll('tbody tr')]"
                      ".map(row => row.cells[0].dataset.value)")
            browser.run("document.querySelector('th .sort').focus()")
            browser.press("\ue007")
            self.assertEqual(browser.run(column), ["app_crashed", "Bought", "Opened", "Song Played"])
            self.assertEqual(browser.run("return document.querySelector('th').ariaSort"), "ascending")
            browser.press("\ue007")
            self.assertEqual(browser.run(column), ["Song Played", "Opened", "Bought", "app_crashed"])
            self.look(browser, collector, "catalogue", "catalogue", "th .sort")
            self.look(browser, collector, "catalogue-event", "catalogue?name=Bought", ".figure")

    def test_an_event_is_blocked_within_a_second(self):
        with Collector() as collector, Browser() as browser:
            self.prepared(collector)
            self.sign_in(browser, collector)
            browser.go(f"{collector.address}/projects/1/catalogue?name=Bought")
            browser.wait_for("input[name=blocked]").click()
            browser.wait_for("form.stack button[type=submit]").click()
            wait_until(lambda: browser.all(".tag-test"), "the event to be refused", 10)
            time.sleep(1)  # what is promised
            answer = collector.send([{"id": "blocked-1", "name": "Bought", "ts": int(time.time() * 1000),
                                      "device_id": "device-1"}])
            self.assertIn("blocked", str(answer))
            self.look(browser, collector, "quality", "quality", ".figure")
            wait_until(lambda: "blocked" in collector_page(browser, collector, "quality"), "the loss", 10)

    def test_crashes_are_resolved(self):
        with Collector() as collector, Browser() as browser:
            self.prepared(collector)
            self.sign_in(browser, collector)
            self.look(browser, collector, "crashes", "crashes", "tbody tr")
            browser.wait_for("th.name-cell a").click()
            browser.wait_for("#crash-stack")
            self.assertIn("Song Played", browser.text())
            path = browser.address.split("/projects/1/")[1]
            self.look(browser, collector, "crash", path, "#crash-stack")
            browser.wait_for("button[value=resolved]").click()
            wait_until(lambda: "resolved" in browser.text().lower(), "the crash to be resolved", 10)

    def test_an_alert_is_made(self):
        with Collector() as collector, Browser() as browser:
            self.prepared(collector)
            self.sign_in(browser, collector)
            browser.go(f"{collector.address}/projects/1/alerts?question=trend%3Fevents%3DOpened%26interval%3Dday")
            browser.wait_for("input[name=name]").type("Nobody opens it")
            browser.wait_for("input[name=amount]").type("1000000")
            browser.wait_for("input[name=webhook]").type("https://example.invalid/hook")
            browser.wait_for("form.stack button[type=submit]").click()
            browser.wait_for("#made-secret")
            self.assertIn("ff_hook_", browser.text())
            browser.go(f"{collector.address}/projects/1/alerts/1")
            wait_until(lambda: (browser.go(browser.address), "within its limit" in browser.text())[1], "a look", 15)
            self.look(browser, collector, "alerts", "alerts", "tbody tr")
            self.look(browser, collector, "alert", "alerts/1", ".figure")

    def test_a_statement_is_asked_and_a_long_one_cancelled(self):
        with Collector() as collector, Browser() as browser:
            self.prepared(collector)
            self.sign_in(browser, collector)
            browser.go(f"{collector.address}/projects/1/sql")
            browser.wait_for("#sql-run").click()
            browser.wait_for("#sql-answer tbody tr", 20)
            self.assertIn("Song Played", browser.wait_for("#sql-answer").text)
            self.assertEqual(browser.complaints(), [])
            browser.picture(os.path.join(PICTURES, "sql-answer.png"))
            browser.run("document.querySelector('textarea[name=sql]').value ="
                        " 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b'")
            browser.wait_for("#sql-run").click()
            cancel = browser.wait_for("button[formaction$='/cancel']")
            wait_until(lambda: (cancel.click(), time.sleep(0.2), "Cancelled" in browser.text())[2],
                       "the statement to be cancelled", 20)
            self.look(browser, collector, "sql", "sql", "#sql-run")


def collector_page(browser, collector, path):
    browser.go(f"{collector.address}/projects/1/{path}")
    return browser.text()


if __name__ == "__main__":
    unittest.main()
