"""boto3's Pinpoint client, as its users have it, works with a server of this checkout.

Only the address and the key are ours. `RECORD=1` writes what it sends to `Fixtures/wire/pinpoint`.
"""

import csv
import datetime
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "harness"))

import boto3  # noqa: E402
from botocore.config import Config  # noqa: E402
from botocore.exceptions import ClientError  # noqa: E402
from collector import ROOT, Collector, wait_until  # noqa: E402


NOON = datetime.datetime(2026, 11, 2, 9, 30, tzinfo=datetime.timezone.utc).isoformat()


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")


class Pinpoint:
    """A client, and all that it put on the wire."""

    def __init__(self, collector, region="us-east-1", key=None, app=None):
        self.app = app or next(
            line for line in collector.run("project", "pinpoint", "1").splitlines() if len(line) == 32)
        made = key or dict(
            line.split(" = ") for line in collector.run("key", "add", "--kind", "aws").splitlines())
        self.requests = []
        self.client = boto3.client(
            "pinpoint", endpoint_url=collector.address, region_name=region, config=Config(read_timeout=10),
            **made)
        self.client.meta.events.register("before-send.pinpoint.*", self.note)
        if key is None:
            # A running server learns of a key within a second.
            wait_until(self.is_known, "the key and the application", 5)
            self.requests.clear()

    def note(self, request, **_):
        body = request.body or b""
        self.requests.append((request.method, request.url, dict(request.headers), body))

    def is_known(self):
        try:
            self.client.get_app(ApplicationId=self.app)
            return True
        except ClientError:
            return False

    def put(self, events, endpoint="e1", said=None, app=None):
        answer = self.client.put_events(
            ApplicationId=app or self.app,
            EventsRequest={"BatchItem": {endpoint: {"Endpoint": said or {}, "Events": events}}})
        self.answer = answer
        return answer["EventsResponse"]["Results"][endpoint]

    def record(self, name):
        """Keeps the last request's body as a fixture, where that is asked for."""
        if os.environ.get("RECORD") != "1":
            return
        folder = os.path.join(ROOT, "Fixtures/wire/pinpoint")
        os.makedirs(folder, exist_ok=True)
        body = self.requests[-1][3]
        with open(os.path.join(folder, f"boto3-{boto3.__version__}-{name}.json"), "wb") as file:
            file.write(body if isinstance(body, bytes) else body.encode())


def event(kind="play", **more):
    return {"EventType": kind, "Timestamp": now(), **more}


class Boto3(unittest.TestCase):
    def refused(self, name, status, call):
        """That a call raises this typed exception, and was sent once."""
        with self.assertRaises(ClientError) as raised:
            call()
        error = raised.exception
        self.assertEqual(type(error).__name__, name)
        self.assertEqual(error.response["ResponseMetadata"]["HTTPStatusCode"], status)
        self.assertTrue(error.response["Error"]["Message"])
        self.assertEqual(error.response["ResponseMetadata"]["RetryAttempts"], 0)

    def test_put_events(self):
        with Collector() as collector:
            pinpoint = Pinpoint(collector)
            said = {
                "ChannelType": "APNS", "Address": "tok", "OptOut": "NONE",
                "Demographic": {"Platform": "iOS", "PlatformVersion": "19.1", "AppVersion": "4.1"},
                "Attributes": {"interests": ["science", "politics"]}, "Metrics": {"level": 3.0},
                "User": {"UserId": "u1", "UserAttributes": {"plan": ["pro"]}}}
            play = {
                "EventType": "play", "Timestamp": NOON, "Attributes": {"käufe/日本 🛒": "käufe/日本 🛒"},
                "Metrics": {"EventName": 10.5},
                "Session": {"Id": "s1", "StartTimestamp": NOON, "Duration": 62500}}
            found = pinpoint.put({"ev1": play}, said=said)
            self.assertEqual(pinpoint.answer["ResponseMetadata"]["HTTPStatusCode"], 202)
            self.assertEqual(len(pinpoint.answer["ResponseMetadata"]["RequestId"]), 36)
            self.assertEqual(found["EventsItemResponse"], {"ev1": {"StatusCode": 202, "Message": "Accepted"}})
            self.assertEqual(found["EndpointItemResponse"], {"StatusCode": 202, "Message": "Accepted"})
            pinpoint.record("put-events")
            # Again, as after an answer that never arrived; and what is no number.
            found = pinpoint.put({"ev1": play, "ev2": event(Metrics={"m": float("nan")})}, said=said)
            self.assertEqual(found["EventsItemResponse"]["ev1"]["Message"], "Accepted")
            self.assertEqual(found["EventsItemResponse"]["ev2"]["StatusCode"], 400)
            endpoint = pinpoint.client.get_endpoint(ApplicationId=pinpoint.app, EndpointId="E1")
            self.assertEqual(endpoint["EndpointResponse"]["Attributes"], said["Attributes"])
            self.assertEqual(endpoint["EndpointResponse"]["User"], said["User"])
            europe = Pinpoint(collector, region="eu-central-1", app=pinpoint.app)
            self.assertEqual(europe.put({"ev3": event()})["EventsItemResponse"]["ev3"]["StatusCode"], 202)
            collector.stop()
            stored = collector.events()
        played = [row for row in stored if row["name"] == "play"]
        self.assertEqual(len(played), 2)
        first = next(row for row in played if "props" in row)
        self.assertEqual(first["user_id"], "u1")
        self.assertEqual(first["props"], {"käufe/日本 🛒": "käufe/日本 🛒", "EventName": 10.5})

    def test_endpoints_and_users(self):
        with Collector() as collector:
            pinpoint = Pinpoint(collector)
            client, app = pinpoint.client, pinpoint.app
            answer = client.update_endpoint(
                ApplicationId=app, EndpointId="a/b c+d@e:é",
                EndpointRequest={
                    "ChannelType": "EMAIL", "Address": "ann@example.com",
                    "Location": {"Latitude": 50.7, "City": "Bonn"},
                    "User": {"UserId": "a+b@example.com"}})
            self.assertEqual(answer["MessageBody"]["Message"], "Accepted")
            pinpoint.record("update-endpoint")
            found = client.get_endpoint(ApplicationId=app, EndpointId="a/b c+d@e:é")["EndpointResponse"]
            self.assertEqual(found["Id"], "a/b c+d@e:é")
            self.assertEqual(found["EndpointStatus"], "ACTIVE")
            self.assertIn(int(found["CohortId"]), range(100))
            datetime.datetime.fromisoformat(found["CreationDate"].replace("Z", "+00:00"))
            client.update_endpoints_batch(
                ApplicationId=app,
                EndpointBatchRequest={"Item": [
                    {"Id": f"e{number}", "ChannelType": "CUSTOM", "User": {"UserId": "a+b@example.com"}}
                    for number in range(3)]})
            pinpoint.record("update-endpoints-batch")
            items = client.get_user_endpoints(ApplicationId=app, UserId="a+b@example.com")
            self.assertEqual(len(items["EndpointsResponse"]["Item"]), 4)
            gone = client.delete_endpoint(ApplicationId=app, EndpointId="e1")["EndpointResponse"]
            self.assertEqual(gone["Id"], "e1")
            missing = lambda: client.get_endpoint(ApplicationId=app, EndpointId="e1")  # noqa: E731
            self.refused("NotFoundException", 404, missing)
            gone = client.delete_user_endpoints(ApplicationId=app, UserId="a+b@example.com")
            self.assertEqual(len(gone["EndpointsResponse"]["Item"]), 3)
            self.refused("NotFoundException", 404, lambda: client.get_user_endpoints(
                ApplicationId=app, UserId="a+b@example.com"))
            many = [{"Id": f"x{number}"} for number in range(101)]
            self.refused("BadRequestException", 400, lambda: client.update_endpoints_batch(
                ApplicationId=app, EndpointBatchRequest={"Item": many}))
            self.refused("BadRequestException", 400, lambda: client.update_endpoint(
                ApplicationId=app, EndpointId="a{b", EndpointRequest={}))

    def test_a_submitted_session_is_on_the_dashboard_that_the_server_prints(self):
        """AWS-C8, AWS-N11"""
        with Collector() as collector:
            pinpoint = Pinpoint(collector)
            start = {
                "EventType": "_session.start", "Timestamp": now(),
                "Session": {"Id": "89abcdef-ABCDEF01-20261102-093000000", "StartTimestamp": now()}}

            def figures(word):
                """The days' numbers by their columns, as someone reads them who signed in."""
                text = collector.page(
                    f"/projects/1/insights/{word}?range=7d&interval=day&unit=devices&format=csv")
                rows = list(csv.DictReader(text.split("\r\n\r\n")[0].splitlines()))
                return {name: sum(int(row[name] or 0) for row in rows)
                        for name in ("Sessions", "Active", "New") if name in rows[0]}

            self.assertEqual((figures("sessions"), figures("active")), ({"Sessions": 0}, {"Active": 0, "New": 0}))
            pinpoint.put({"start": start}, endpoint="e1")
            wait_until(lambda: figures("sessions") == {"Sessions": 1}, "the session", 5)
            self.assertEqual(figures("active"), {"Active": 1, "New": 1})
            page = collector.page("/projects/1/insights/sessions?range=today&unit=devices")
            self.assertIn("Sessions", page)

    def test_an_event_is_seen_at_once(self):
        """AWS-D14"""
        with Collector() as collector:
            pinpoint = Pinpoint(collector)
            self.assertNotIn("Level Reached", collector.page("/projects/1/live"))
            pinpoint.put({"ev1": event("Level Reached")})
            wait_until(lambda: "Level Reached" in collector.page("/projects/1/live"), "the live page", 5)

    def test_applications(self):
        with Collector() as collector:
            pinpoint = Pinpoint(collector)
            client = pinpoint.client
            made = client.create_app(CreateApplicationRequest={"Name": "reports"})["ApplicationResponse"]
            self.assertRegex(made["Id"], "^[0-9a-f]{32}$")
            self.assertEqual(
                made["Arn"], f"arn:aws:mobiletargeting:us-east-1:123456789012:apps/{made['Id']}")
            listed = client.get_apps()["ApplicationsResponse"]["Item"]
            self.assertEqual({app["Id"] for app in listed}, {pinpoint.app, made["Id"]})
            self.assertEqual(pinpoint.put({"ev1": event()}, app=made["Id"])["EventsItemResponse"]["ev1"]["StatusCode"], 202)
            client.delete_app(ApplicationId=made["Id"])
            self.refused("NotFoundException", 404, lambda: client.get_app(ApplicationId=made["Id"]))

    def test_settings(self):
        with Collector() as collector:
            pinpoint = Pinpoint(collector)
            client, app = pinpoint.client, pinpoint.app
            none = client.get_application_settings(ApplicationId=app)["ApplicationSettingsResource"]
            self.assertEqual(none, {"ApplicationId": app})
            made = client.update_application_settings(
                ApplicationId=app,
                WriteApplicationSettingsRequest={
                    "Limits": {"Daily": 3}, "QuietTime": {"Start": "22:00", "End": "06:00"},
                    "CloudWatchMetricsEnabled": True})["ApplicationSettingsResource"]
            self.assertEqual(made["Limits"], {"Daily": 3})
            self.assertEqual(made["QuietTime"], {"Start": "22:00", "End": "06:00"})
            again = client.get_application_settings(ApplicationId=app)["ApplicationSettingsResource"]
            self.assertEqual(again, made)
            self.refused("BadRequestException", 400, lambda: client.update_application_settings(
                ApplicationId=app, WriteApplicationSettingsRequest={"Limits": {"Daily": -1}}))
            self.refused("NotFoundException", 404, lambda: client.get_application_settings(
                ApplicationId="1" * 32))

    def test_an_event_stream(self):
        with Collector() as collector:
            pinpoint = Pinpoint(collector)
            client, app = pinpoint.client, pinpoint.app
            self.refused("NotFoundException", 404, lambda: client.get_event_stream(ApplicationId=app))
            arn = "arn:aws:kinesis:us-east-1:123456789012:stream/copies"
            put = lambda: client.put_event_stream(  # noqa: E731
                ApplicationId=app, WriteEventStream={
                    "DestinationStreamArn": arn, "RoleArn": "arn:aws:iam::123456789012:role/pinpoint"})
            self.refused("BadRequestException", 400, put)
            kinesis = boto3.client(
                "kinesis", endpoint_url=collector.address, region_name="us-east-1",
                aws_access_key_id=client._request_signer._credentials.access_key,
                aws_secret_access_key=client._request_signer._credentials.secret_key)
            kinesis.create_stream(StreamName="copies", ShardCount=1)
            made = put()["EventStream"]
            self.assertEqual(made["DestinationStreamArn"], arn)
            self.assertEqual(client.get_event_stream(ApplicationId=app)["EventStream"], made)
            pinpoint.put({f"ev{number}": event("Copied") for number in range(3)}, said={"Address": "tok"})
            iterator = kinesis.get_shard_iterator(
                StreamName="copies", ShardId="shardId-000000000000",
                ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            records = kinesis.get_records(ShardIterator=iterator)["Records"]
            self.assertEqual(len(records), 3)
            for record in records:
                self.assertEqual(record["Data"].count(b"\n"), 1)
                line = json.loads(record["Data"])
                self.assertEqual((line["event_type"], line["client"]["client_id"]), ("Copied", "e1"))
                endpoint = json.loads(line["client_context"]["custom"]["endpoint"])
                self.assertEqual((endpoint["Id"], endpoint["Address"]), ("e1", "tok"))
            self.assertEqual(client.delete_event_stream(ApplicationId=app)["EventStream"], made)
            self.refused("NotFoundException", 404, lambda: client.delete_event_stream(ApplicationId=app))
            collector.stop()
            self.assertEqual([row["name"] for row in collector.events()].count("Copied"), 3)

    def test_attributes_are_removed_from_all_endpoints(self):
        with Collector() as collector:
            pinpoint = Pinpoint(collector)
            client, app = pinpoint.client, pinpoint.app
            client.update_endpoints_batch(
                ApplicationId=app,
                EndpointBatchRequest={"Item": [
                    {"Id": f"e{number}", "Attributes": {"color": ["red"], "plan": ["pro"]},
                     "Metrics": {"level": 1.0}, "User": {"UserId": f"u{number}", "UserAttributes": {"team": ["a"]}}}
                    for number in range(100)]})
            for kind, name in [
                ("endpoint-custom-attributes", "col*"), ("endpoint-metric-attributes", "level"),
                ("endpoint-user-attributes", "team"),
            ]:
                removed = client.remove_attributes(
                    ApplicationId=app, AttributeType=kind,
                    UpdateAttributesRequest={"Blacklist": [name]})["AttributesResource"]
                self.assertEqual(removed["AttributeType"], kind)
                self.assertEqual(len(removed["Attributes"]), 1)
            for number in (0, 99):
                found = client.get_endpoint(ApplicationId=app, EndpointId=f"e{number}")["EndpointResponse"]
                self.assertEqual(found["Attributes"], {"plan": ["pro"]})
                self.assertNotIn("Metrics", found)
                self.assertEqual(found["User"], {"UserId": f"u{number}"})
            self.refused("BadRequestException", 400, lambda: client.remove_attributes(
                ApplicationId=app, AttributeType="endpoint-attributes",
                UpdateAttributesRequest={"Blacklist": ["a"]}))

    def test_refusals_are_typed_and_not_sent_again(self):
        with Collector() as collector:
            pinpoint = Pinpoint(collector)
            self.refused("NotFoundException", 404, lambda: pinpoint.put({"a": event()}, app="1" * 32))
            self.refused("BadRequestException", 400, lambda: pinpoint.put(
                {f"ev{number}": event() for number in range(101)}))
            large = {"a": event(Attributes={"a": "x" * (4 << 20)})}
            self.refused("PayloadTooLargeException", 413, lambda: pinpoint.put(large))
            before = len(pinpoint.requests)
            wrong = Pinpoint(collector, app=pinpoint.app, key={
                "aws_access_key_id": "AKIDOTHER", "aws_secret_access_key": "x"})
            with self.assertRaises(ClientError) as raised:
                wrong.put({"a": event()})
            self.assertEqual(raised.exception.response["Error"]["Code"], "UnrecognizedClientException")
            self.assertEqual(len(wrong.requests), 1)
            self.assertEqual(before, 3)

    def test_a_throttled_client_tries_three_times(self):
        """AWS-P15"""
        with Collector(("serve", "--max-put-events", "1")) as collector:
            pinpoint = Pinpoint(collector)
            for number in range(30):
                pinpoint.put({f"ev{number}": event()})
            pinpoint.requests.clear()
            with self.assertRaises(ClientError) as raised:
                pinpoint.put({"last": event("Last")})
            self.assertEqual(type(raised.exception).__name__, "TooManyRequestsException")
            self.assertEqual(len(pinpoint.requests), 3)
            ids = {headers["amz-sdk-invocation-id"] for _, _, headers, _ in pinpoint.requests}
            self.assertEqual(len(ids), 1)
            collector.stop()
            self.assertNotIn("Last", [row["name"] for row in collector.events()])

    def test_a_key_with_rights_may_do_those(self):
        with Collector() as collector:
            pinpoint = Pinpoint(collector)
            limited = dict(line.split(" = ") for line in collector.run(
                "key", "add", "--kind", "aws",
                "--allow", "mobiletargeting:UpdateEndpoint,mobiletargeting:PutEvents",
                "--resource", f"arn:aws:mobiletargeting:*:111122223333:apps/{pinpoint.app}*").splitlines())
            client = Pinpoint(collector, key=limited, app=pinpoint.app)
            wait_until(lambda: self.is_taken(client), "the key", 5)
            client.client.update_endpoint(
                ApplicationId=client.app, EndpointId="e1", EndpointRequest={"Address": "t"})
            for call in [
                lambda: client.client.get_endpoint(ApplicationId=client.app, EndpointId="e1"),
                lambda: client.client.delete_endpoint(ApplicationId=client.app, EndpointId="e1"),
                lambda: client.client.create_app(CreateApplicationRequest={"Name": "x"}),
                lambda: client.put({"a": event()}, app="f" * 32),
            ]:
                self.refused("ForbiddenException", 403, call)
            # A revoked key is refused within a second.
            number = next(
                line.split("\t")[0] for line in collector.run("key", "list").splitlines()
                if limited["aws_access_key_id"] in line)
            collector.run("key", "revoke", number)
            wait_until(lambda: not self.is_taken(client), "the revocation", 5)

    def is_taken(self, pinpoint):
        try:
            pinpoint.put({"probe": event("Probe")})
            return True
        except ClientError:
            return False


