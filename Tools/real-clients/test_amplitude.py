"""The official Amplitude client for Python, as its users have it, sends to a server of this checkout.

Only the address is ours: what it puts on the wire and what it makes of the answers is its own.
"""

import json
import logging
import os
import sys
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))

from amplitude import Amplitude, BaseEvent, Config, EventOptions, Identify, Revenue  # noqa: E402
from collector import Collector, wait_until  # noqa: E402


OLD_KEY = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"


class Answers:
    """What the client reports of each event: its type, the status, the text."""

    def __init__(self):
        self.all = []

    def __call__(self, event, status, message=None):
        self.all.append((event.event_type, status))


def is_unknown(collector, key):
    """Whether the server answers that it does not know the key."""
    request = urllib.request.Request(
        collector.address + "/2/httpapi", data=json.dumps({"api_key": key, "events": []}).encode(),
        headers={"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(request, timeout=5).close()
        return False
    except urllib.error.HTTPError as error:
        return json.loads(error.read())["error"].startswith("Invalid API key")


def client(collector, path, key=None, **options):
    answers = Answers()
    key = key or collector.key
    made = Amplitude(key, Config(
        api_key=key, server_url=collector.address + path, callback=answers,
        flush_interval_millis=100, logger=logging.getLogger("quiet"), **options))
    return made, answers


class AmplitudeClient(unittest.TestCase):
    def setUp(self):
        logging.getLogger("quiet").setLevel(logging.CRITICAL)

    def flush(self, made):
        for future in made.flush():
            if future is not None:
                future.result(timeout=20)

    def finish(self, made):
        self.flush(made)
        made.shutdown()

    def test_track_identify_and_revenue_are_stored_once_each(self):
        with Collector() as collector:
            # A project adopts the key its apps ship, so only the address changes for them.
            collector.run("key", "add", OLD_KEY, "--kind", "amplitude")
            # A running server learns of it within a second, and this client gives up at once.
            wait_until(lambda: not is_unknown(collector, OLD_KEY), "the adopted key", 5)
            made, answers = client(collector, "/2/httpapi", key=OLD_KEY)
            who = EventOptions(user_id="user-12345", device_id="device-12345")
            made.track(BaseEvent(
                "Song Played", user_id="user-12345", device_id="device-12345",
                event_properties={"title": "Here Comes the Sun", "duration_s": 185, "genres": ["rock", "pop"]}))
            identify = Identify()
            identify.set("plan", "pro")
            identify.add("logins", 1)
            made.identify(identify, who)
            revenue = Revenue(price=3.99, quantity=3, product_id="songs.annual")
            revenue.revenue_type = "subscription"
            made.revenue(revenue, who)
            # The same insert id again: a repeat, as after an answer that never arrived.
            for _ in range(2):
                made.track(BaseEvent(
                    "Repeated", user_id="user-12345", device_id="device-12345", insert_id="the-same",
                    time=1_764_581_400_123))
                self.flush(made)
            self.finish(made)
            wait_until(lambda: "revenue_amount" in collector.page("/projects/1/live"), "the live page", 10)
            self.assertIn("Here Comes the Sun", collector.page("/projects/1/live"))
            collector.stop()
            stored = collector.events()

        self.assertEqual({status for _, status in answers.all}, {200})
        names = sorted(event["name"] for event in stored)
        self.assertEqual(names, ["$identify", "Repeated", "Song Played", "revenue_amount"])
        song = next(event for event in stored if event["name"] == "Song Played")
        self.assertEqual(song["user_id"], "user-12345")
        self.assertEqual(song["device_id"], "device-12345")
        self.assertEqual(
            song["props"], {"title": "Here Comes the Sun", "duration_s": 185, "genres": ["rock", "pop"]})
        identified = next(event for event in stored if event["name"] == "$identify")
        self.assertEqual(identified["ops"], {"$set": {"plan": "pro"}, "$add": {"logins": 1}})
        paid = next(event for event in stored if event["name"] == "revenue_amount")
        self.assertEqual(paid["props"]["$price"], 3.99)
        self.assertEqual(paid["props"]["$quantity"], 3)

    def test_the_batch_address_takes_many_events(self):
        with Collector() as collector:
            made, answers = client(collector, "/batch", use_batch=True)
            for number in range(500):
                made.track(BaseEvent(
                    "Counted", user_id="user-12345", device_id="device-12345",
                    event_properties={"number": number}))
            self.finish(made)
            collector.stop()
            stored = collector.events()

        self.assertEqual(len(answers.all), 500)
        self.assertEqual({status for _, status in answers.all}, {200})
        self.assertEqual(
            sorted(event["props"]["number"] for event in stored), list(range(500)))

    def test_a_restart_of_the_server_loses_and_doubles_nothing(self):
        """AMP-V24, of the clients the one for Python: those for other languages do not run here."""
        with Collector() as collector:
            made, answers = client(collector, "/2/httpapi", flush_queue_size=50)
            port = int(collector.address.rsplit(":", 1)[1])

            def track(numbers):
                for number in numbers:
                    # Ten devices: one that sends as fast alone is told to wait for half a minute.
                    device = f"device-{number % 10}"
                    made.track(BaseEvent("Counted", device_id=device, event_properties={"number": number}))

            track(range(500))
            self.flush(made)
            # What is tracked now meets a server that is going, one that is away and one that is coming.
            track(range(500, 600))
            collector.stop()
            track(range(600, 700))
            time.sleep(0.5)
            collector.start(port)
            track(range(700, 1000))
            deadline = time.monotonic() + 60
            while len(answers.all) < 1000 and time.monotonic() < deadline:
                self.flush(made)
                time.sleep(0.1)
            made.shutdown()
            collector.stop()
            stored = [event for event in collector.events() if event["name"] == "Counted"]

        self.assertEqual(sorted(event["props"]["number"] for event in stored), list(range(1000)))
        # Each event is reported once, as taken: none is still being sent.
        self.assertEqual(answers.all, [("Counted", 200)] * 1000)

    def test_a_wrong_key_is_reported_and_nothing_is_stored(self):
        with Collector() as collector:
            answers = Answers()
            made = Amplitude("ff_pub_nobody", Config(
                api_key="ff_pub_nobody", server_url=collector.address + "/2/httpapi", callback=answers,
                flush_max_retries=1, logger=logging.getLogger("quiet")))
            made.track(BaseEvent("Unwanted", user_id="user-12345"))
            # The client knows a wrong key by the exact text of the answer, and only then gives up.
            with self.assertLogs("quiet", "ERROR") as told:
                self.flush(made)
            made.shutdown()
            collector.stop()
            stored = collector.events()

        self.assertEqual([line.getMessage() for line in told.records], ["Invalid API Key"])
        self.assertEqual(answers.all, [])
        self.assertEqual(stored, [])


if __name__ == "__main__":
    unittest.main()
