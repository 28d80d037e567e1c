"""What Amplitude's clients for the web, Android and Apple put on the wire, as their sources make it.

They do not run here. Each class below follows one of them in what a server sees and answers: the shape of
its body, how many events it sends at once, and what it does next by status and body of the answer.
"""

import gzip
import http.client
import json
import os
import sys
import time
import unittest
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))

from collector import Collector  # noqa: E402


class Sequence:
    """A client with a queue; `step` makes one request and says whether it is to be asked again."""

    batch = 200
    retries = 12

    def __init__(self, port, key):
        self.port, self.key = port, key
        self.queue = []
        self.device = str(uuid.uuid4())
        self.requests = 0
        self.dropped = 0
        # Answers that get lost on their way back: the client cannot know that the events were taken.
        self.losing = 0

    def track(self, number):
        self.queue.append({
            "event_type": "Counted", "device_id": f"{self.device}-{number % 10}", "insert_id": str(uuid.uuid4()),
            "time": int(time.time() * 1000), "event_id": number, "event_properties": {"number": number}})

    def post(self, body, headers):
        """The status and body of the answer; None without one."""
        self.requests += 1
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("POST", "/2/httpapi", body, headers)
            answer = connection.getresponse()
            found = answer.status, json.loads(answer.read())
            if self.losing > 0:
                self.losing -= 1
                return None
            return found
        except (OSError, http.client.HTTPException, ValueError):
            return None
        finally:
            connection.close()

    def step(self):
        sent, self.queue = self.queue[:self.batch], self.queue[self.batch:]
        answer = self.post(*self.request(sent))
        self.queue = self.left(sent, answer) + self.queue
        return bool(self.queue)


class Web(Sequence):
    """analytics-browser and -node: what counts is `code` of the body; listed events are dropped, the rest
    goes again."""

    def request(self, events):
        body = {"api_key": self.key, "events": events, "options": {}, "client_upload_time": stamp(),
                "request_metadata": {"sdk": {"metrics": {"histogram": {}}}}}
        return json.dumps(body).encode(), {"Content-Type": "application/json", "Accept": "*/*"}

    def left(self, events, answer):
        code = answer and answer[1].get("code")
        if code is not None and 200 <= code < 300:
            return []
        if code == 400:
            named = {index for name in ("events_with_invalid_fields", "events_with_missing_fields",
                                        "events_with_invalid_id_lengths")
                     for indexes in answer[1].get(name, {}).values() for index in indexes}
            named |= set(answer[1].get("silenced_events", []))
            self.dropped += len(named)
            return [event for index, event in enumerate(events) if index not in named]
        if code == 413:
            self.batch = max(1, self.batch // 2)
        return events


class Android(Sequence):
    """analytics-kotlin: empty objects where nothing is; a file of 30 events goes again whole."""

    batch = 30

    def request(self, events):
        shaped = [{**event, "user_properties": {}, "groups": {}, "group_properties": {}} for event in events]
        body = json.dumps({"api_key": self.key, "client_upload_time": stamp(), "events": shaped}).encode()
        return gzip.compress(body), {
            "Content-Type": "application/json; charset=utf-8", "Accept": "application/json",
            "Content-Encoding": "gzip"}

    def left(self, events, answer):
        status = answer and answer[0]
        if status == 200:
            return []
        if status == 400:
            if "invalid api key" in answer[1].get("error", "").lower():
                self.dropped += len(events)
                return []
            named = {index for name in ("events_with_invalid_fields", "events_with_missing_fields")
                     for indexes in answer[1].get(name, {}).values() for index in indexes}
            named |= set(answer[1].get("silenced_events", []))
            self.dropped += len(named)
            return [event for index, event in enumerate(events) if index not in named]
        if status == 413 and len(events) == 1:
            self.dropped += 1
            return []
        return events


class Apple(Android):
    """Amplitude-Swift: keys in order, an explicit null for each field without value, upper-case ids."""

    FIELDS = ("user_id", "session_id", "location_lat", "location_lng", "app_version", "version_name", "platform",
              "os_name", "os_version", "device_brand", "device_manufacturer", "device_model", "carrier",
              "country", "region", "city", "dma", "idfa", "idfv", "adid", "language", "ip", "price", "quantity",
              "revenue", "product_id", "revenue_type", "partner_id")

    def request(self, events):
        shaped = [{**dict.fromkeys(self.FIELDS), **event, "insert_id": event["insert_id"].upper(),
                   "library": "amplitude-swift/1.19.4"} for event in events]
        body = json.dumps(
            {"api_key": self.key, "client_upload_time": stamp(), "events": shaped,
             "request_metadata": {"sdk": {"malformed_events": [], "error_logs": []}}}, sort_keys=True).encode()
        return gzip.compress(body), {
            "Content-Type": "application/json; charset=utf-8", "Accept": "application/json",
            "Content-Encoding": "gzip"}


def stamp():
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())


class Sequences(unittest.TestCase):
    def test_a_restart_and_lost_answers_lose_and_double_nothing(self):
        for kind in (Web, Android, Apple):
            with self.subTest(kind.__name__), Collector() as collector:
                port = int(collector.address.rsplit(":", 1)[1])
                client = kind(port, collector.key)
                for number in range(400):
                    client.track(number)
                client.losing = 2
                while client.step():
                    pass
                for number in range(400, 700):
                    client.track(number)
                client.step()
                collector.stop()
                for _ in range(3):
                    self.assertTrue(client.step(), "nothing is lost while the server is away")
                collector.start(port)
                for number in range(700, 1000):
                    client.track(number)
                # Two answers were lost and three requests met no server; everything else is sent once.
                most = client.requests + -(-len(client.queue) // client.batch)
                while client.step():
                    self.assertLessEqual(client.requests, most, "the client sends the same again and again")
                collector.stop()
                stored = [event for event in collector.events() if event["name"] == "Counted"]
                self.assertEqual(sorted(event["props"]["number"] for event in stored), list(range(1000)))
                self.assertEqual(client.dropped, 0)


if __name__ == "__main__":
    unittest.main()
