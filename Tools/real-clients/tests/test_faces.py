"""Apps written for the AWS SDK for iOS, as programs of their own, against a server of this checkout and
against moto, which knows nothing of either.

The apps are the examples; boto3 says what the services have of them.
"""

import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "harness"))

import boto3  # noqa: E402
from collector import ROOT, Collector, wait_until  # noqa: E402
from moto.server import ThreadedMotoServer  # noqa: E402

APP = "0123456789abcdef0123456789abcdef"


def program(name):
    """The example of a name, built."""
    scratch = os.path.join(ROOT, ".footfall", "examples")
    words = ["--package-path", os.path.join(ROOT, "Examples", name), "--scratch-path", scratch]
    subprocess.run(["swift", "build", *words], check=True, stdout=subprocess.DEVNULL)
    return os.path.join(scratch, "debug", f"{name.lower()}-example")


def dependencies(name):
    """The packages that an example needs, and those that these need."""
    words = ["--package-path", os.path.join(ROOT, "Examples", name), "show-dependencies", "--format", "json"]
    text = subprocess.run(["swift", "package", *words], check=True, stdout=subprocess.PIPE, text=True).stdout
    tree = json.loads(text[text.index("{"):])
    return [(d["name"], [e["name"] for e in d["dependencies"]]) for d in tree["dependencies"]]


class Device:
    """A device with a disk of its own, on which an app runs now and then."""

    def __init__(self, program, **environment):
        self.program = program
        self.environment = environment
        self.disk = tempfile.TemporaryDirectory(prefix="device-", dir=os.path.join(ROOT, ".footfall"))

    def run(self, text="", **more):
        environment = {**os.environ, "XDG_STATE_HOME": self.disk.name, **self.environment, **more}
        done = subprocess.run(
            [self.program], input=text, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, timeout=60)
        return done.returncode, done.stdout + done.stderr

    def end(self):
        self.disk.cleanup()


class LostAnswers:
    """Hands requests on to a server, and closes the connection in the place of the first answers."""

    def __init__(self, address, lost):
        left = [lost]

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                self.hand_on("POST")

            def do_PUT(self):
                self.hand_on("PUT")

            def hand_on(self, method):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                request = urllib.request.Request(
                    address + self.path, data=body, method=method, headers=dict(self.headers))
                with urllib.request.urlopen(request, timeout=10) as answer:
                    status, content = answer.status, answer.read()
                if method == "POST" and left[0] > 0:
                    left[0] -= 1
                    self.close_connection = True
                    return
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"

    def end(self):
        self.server.shutdown()
        self.server.server_close()


class PinpointApp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = program("Pinpoint")

    def setUp(self):
        self.collector = Collector()
        self.collector.__enter__()
        self.collector.run("project", "pinpoint", "1", "--app-id", APP)
        lines = self.collector.run("key", "add", "--kind", "aws").splitlines()
        values = dict(line.split(" = ") for line in lines if " = " in line)
        self.key = (values["aws_access_key_id"], values["aws_secret_access_key"])
        self.devices = []

    def tearDown(self):
        for device in self.devices:
            device.end()
        self.collector.__exit__(None, None, None)

    def device(self, address=None):
        device = Device(
            self.program, FOOTFALL_URL=address or self.collector.address, PINPOINT_APP=APP,
            AWS_ACCESS_KEY_ID=self.key[0], AWS_SECRET_ACCESS_KEY=self.key[1])
        self.devices.append(device)
        return device

    def run_app(self, device):
        """Runs the app once the server has learnt of the key."""
        def ran():
            code, text = device.run()
            self.output = text
            return code == 0
        wait_until(ran, "a run of the app", 60, pause=1)

    def boto3(self):
        return boto3.client(
            "pinpoint", endpoint_url=self.collector.address, region_name="us-east-1",
            aws_access_key_id=self.key[0], aws_secret_access_key=self.key[1])

    def endpoints(self):
        return self.boto3().get_user_endpoints(ApplicationId=APP, UserId="ada")["EndpointsResponse"]["Item"]

    def stored(self):
        self.collector.stop()
        return self.collector.events()

    def test_a_second_launch_is_the_same_endpoint(self):
        """AWS-N10"""
        device = self.device()
        self.run_app(device)
        before = self.endpoints()
        self.run_app(device)
        after = self.endpoints()
        self.assertEqual([e["Id"] for e in before], [e["Id"] for e in after])
        self.assertEqual(after[0]["Attributes"]["interests"], ["umbrellas", "boots"])
        names = [e["name"] for e in self.stored()]
        self.assertEqual(names.count("_session.start"), 2)
        self.assertEqual(names.count("_session.stop"), 2)

    def test_one_user_on_two_devices_has_two_endpoints(self):
        """AWS-T9"""
        for _ in range(2):
            self.run_app(self.device())
        items = self.endpoints()
        self.assertEqual(len({item["Id"] for item in items}), 2)
        self.assertEqual({item["User"]["UserId"] for item in items}, {"ada"})
        starts = [e for e in self.stored() if e["name"] == "_session.start"]
        self.assertEqual({e["user_id"] for e in starts}, {"ada"})
        self.assertEqual(len({e["device_id"] for e in starts}), 2)

    def test_an_event_whose_answer_was_lost_counts_once(self):
        """AWS-A12"""
        # The first run learns whether the server knows the key; every attempt of the second is unanswered.
        device = self.device()
        self.run_app(device)
        relay = LostAnswers(self.collector.address, lost=100)
        code, text = device.run(FOOTFALL_URL=relay.address)
        relay.end()
        self.assertEqual(code, 1, text)
        self.assertIn("Kept for the next run", text)
        self.run_app(device)
        names = [e["name"] for e in self.stored()]
        self.assertEqual(names.count("search"), 3)
        self.assertEqual(names.count("_monetization.purchase"), 3)

    def test_an_app_needs_no_other_package(self):
        """AWS-C5"""
        self.assertEqual(dependencies("Pinpoint"), [("Footfall", [])])

    def test_a_launch_is_on_the_dashboard(self):
        """AWS N11, as far as the live page tells."""
        self.run_app(self.device())
        wait_until(lambda: "_session.start" in self.collector.page("/projects/1/live"), "the session", 5)


class Recorders(unittest.TestCase):
    """Against moto: a service that was written by others."""

    @classmethod
    def setUpClass(cls):
        cls.program = program("Kinesis")
        cls.server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        cls.server.start()
        host, port = cls.server.get_host_and_port()
        cls.address = f"http://{host}:{port}"

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def client(self, service):
        return boto3.client(
            service, endpoint_url=self.address, region_name="us-east-1", aws_access_key_id="AKIDEXAMPLE",
            aws_secret_access_key="secret")

    def device(self, stream, service):
        device = Device(
            self.program, FOOTFALL_URL=self.address, STREAM=stream, SERVICE=service,
            AWS_ACCESS_KEY_ID="AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY="secret")
        self.addCleanup(device.end)
        return device

    def records(self, stream):
        kinesis = self.client("kinesis")
        found = []
        for shard in kinesis.list_shards(StreamName=stream)["Shards"]:
            iterator = kinesis.get_shard_iterator(
                StreamName=stream, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            found += [r["Data"].decode() for r in kinesis.get_records(ShardIterator=iterator)["Records"]]
        return found

    def test_an_app_needs_no_other_package(self):
        """AWS-C15"""
        self.assertEqual(dependencies("Kinesis"), [("Footfall", [])])

    def test_kinesis_takes_what_a_recorder_sends(self):
        self.client("kinesis").create_stream(StreamName="lines", ShardCount=1)
        lines = [f"line {n}" for n in range(300)] + ["käufe/日本 🛒"]
        code, text = self.device("lines", "kinesis").run("\n".join(lines) + "\n")
        self.assertEqual((code, text.strip()), (0, "Delivered: 301 lines"))
        self.assertEqual(self.records("lines"), [line + "\n" for line in lines])

    def test_records_for_a_missing_stream_wait_for_it(self):
        device = self.device("later", "kinesis")
        code, text = device.run("one\n")
        self.assertEqual(code, 1, text)
        self.assertIn("later", text)
        self.client("kinesis").create_stream(StreamName="later", ShardCount=2)
        code, text = device.run("two\n")
        self.assertEqual(code, 0, text)
        self.assertEqual(sorted(self.records("later")), ["one\n", "two\n"])

    def test_firehose_delivers_what_a_recorder_sends(self):
        s3 = self.client("s3")
        s3.create_bucket(Bucket="archive")
        self.client("firehose").create_delivery_stream(
            DeliveryStreamName="archive", S3DestinationConfiguration={
                "RoleARN": "arn:aws:iam::123456789012:role/any", "BucketARN": "arn:aws:s3:::archive"})
        lines = [f"line {n}" for n in range(200)]
        code, text = self.device("archive", "firehose").run("\n".join(lines) + "\n")
        self.assertEqual((code, text.strip()), (0, "Delivered: 200 lines"))
        keys = sorted(o["Key"] for o in s3.list_objects_v2(Bucket="archive")["Contents"])
        stored = b"".join(s3.get_object(Bucket="archive", Key=key)["Body"].read() for key in keys)
        self.assertEqual(sorted(stored.decode().split()), sorted(" ".join(lines).split()))


if __name__ == "__main__":
    unittest.main()
