"""Schemathesis, as its users have it, against the API of a server of this checkout.

It reads the published OpenAPI document and sends what it allows, and what it does not, to every call:
a bounded number of requests from a fixed seed.
"""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))

from collector import Collector, wait_until  # noqa: E402

SCHEMATHESIS = os.path.join(os.path.dirname(sys.executable), "schemathesis")
CONFIGURATION = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schemathesis.toml")
# Rules that no schema can say, such as a name that may stand in a list once, are refused with 422.
NOT_CHECKED = "positive_data_acceptance"


class API(unittest.TestCase):
    def run_schemathesis(self, collector, key, *more):
        done = subprocess.run(
            [SCHEMATHESIS, "--config-file", CONFIGURATION, "run", collector.address + "/api/v1/openapi.json",
             "--header", f"Authorization: Bearer {key}", "--exclude-checks", NOT_CHECKED,
             "--seed", "20261201", "--workers", "1", "--no-color", *more],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=240,
            cwd=collector.folder)
        self.assertEqual(done.returncode, 0, done.stdout[-6000:])
        self.assertRegex(done.stdout, r"Tested: \d\d")

    def test_every_call_answers_as_its_document_says(self):
        with Collector() as collector:
            collector.send([{"id": f"event-{n}", "seq": n, "name": "Song Played", "ts": 1796117400000 + n,
                             "device_id": "device-12345", "props": {"title": "x"}} for n in range(20)])
            for role, examples in (("owner", 25), ("viewer", 5)):
                key = collector.run("key", "create", "--kind", "secret", "--role", role, "--project", "1").strip()
                if role == "owner":
                    # An owner's calls may erase them; what comes after that does without.
                    wait_until(lambda: "Song Played" in self.names(collector, key), "the events")
                self.run_schemathesis(collector, key, "--max-examples", str(examples))

    def names(self, collector, key):
        import urllib.request
        request = urllib.request.Request(
            collector.address + "/api/v1/projects/1/names", headers={"Authorization": f"Bearer {key}"})
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.read().decode()


if __name__ == "__main__":
    unittest.main()
