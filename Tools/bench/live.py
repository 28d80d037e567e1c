"""Measures how soon an event is on the live page, in headless Chromium, with debug builds.

Prints two lines of JSON for script/bench: milliseconds from the answer of an upload to its row, and
from `track` in an app with the default settings to its row, less the 2 s an app gathers a batch for.
"""

import json
import os
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))

from collector import ROOT, Collector, wait_until  # noqa: E402
from webdriver import Browser  # noqa: E402

CLIENT = os.path.join(ROOT, ".build/debug/footfall-torture-client")
INTERVAL_MS = 2_000
UPLOADS = 20
TRACKED = 10

# Notes the wall-clock moment at which each row is put on the page.
WATCH = """
  window.rowTimes = [];
  new MutationObserver(changes => {
    for (const change of changes) for (const node of change.addedNodes)
      if (node.matches && node.matches('li.event'))
        window.rowTimes.push(performance.timeOrigin + performance.now());
  }).observe(document.body, {childList: true, subtree: true});
"""


def event(number):
    return {
        "id": f"00000000-0000-7000-8000-{number:012d}", "seq": number, "name": "Measured",
        "ts": int(time.time() * 1000), "device_id": "device-12345"}


def rows(browser, count):
    """When the rows came, once there are as many."""
    wait_until(
        lambda: browser.run("return window.rowTimes.length") >= count, f"{count} rows on the page", 60)
    return browser.run("return window.rowTimes")


def after_upload(browser, collector):
    delays = []
    for number in range(UPLOADS):
        collector.send([event(number + 2)])
        answered = time.time() * 1000
        delays.append(rows(browser, number + 1)[number] - answered)
    return delays


def after_track(browser, collector):
    seen = len(browser.run("return window.rowTimes"))
    notes = os.path.join(collector.folder, "notes")
    # The notes hold the monotonic clock's nanoseconds.
    offset = time.time() * 1000 - time.monotonic_ns() / 1e6
    client = subprocess.Popen(
        [CLIENT, "--endpoint", collector.address, "--key", collector.key, "--storage",
         os.path.join(collector.folder, "client"), "--client", "0", "--device", "measured", "--notes", notes,
         "--rate", "1", "--first", "1", "--usual-interval"], stdin=subprocess.DEVNULL)
    try:
        wait_until(
            lambda: os.path.exists(notes) and len(open(notes).readlines()) >= TRACKED, "events", 60)
        # The client goes on: only what was tracked by now is waited for and compared.
        tracked = [int(line.split()[1]) / 1e6 + offset for line in open(notes)][:TRACKED]
        shown = rows(browser, seen + TRACKED)[seen:seen + TRACKED]
    finally:
        client.terminate()
        client.wait()
    return [row - at - INTERVAL_MS for row, at in zip(shown, tracked)]


def main():
    with Collector() as collector, Browser() as browser:
        browser.go(collector.sign_in_address)
        browser.wait_for("main form button").click()
        wait_until(lambda: "/live" in browser.address, "the live page")
        browser.wait_for("#status[data-state='on'], #status[data-state='live']")
        # The first event turns the empty page into the list.
        collector.send([event(1)])
        browser.wait_for("#events li.event")
        browser.wait_for("#status[data-state='on'], #status[data-state='live']")
        browser.run(WATCH)
        for name, delays in [
            ("live.after_upload", after_upload(browser, collector)),
            ("live.beside_interval", after_track(browser, collector)),
        ]:
            print(json.dumps({"name": name, "value": round(max(delays), 1), "unit": "ms"}), flush=True)
            print(f"{name}: median {statistics.median(delays):.0f} ms, worst {max(delays):.0f} ms",
                  file=sys.stderr)


if __name__ == "__main__":
    main()
