"""boto3 and the aws command line put records into Kinesis and Firehose streams of a server of this checkout.

Only the address is ours: what they put on the wire and what they make of the answers is their own.
"""

import http.client
import http.server
import os
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "harness"))

import boto3  # noqa: E402
import botocore.config  # noqa: E402
import botocore.exceptions  # noqa: E402
from collector import Collector, wait_until  # noqa: E402


class Sent:
    """The requests that a client of boto3 sends, attempt by attempt."""

    def __init__(self, client):
        self.requests = []
        client.meta.events.register("before-send.*.*", self.note)

    def note(self, request, **_):
        self.requests.append(dict(request.headers))


class Account:
    """A server with an access key, and clients that sign with it."""

    def __init__(self, collector):
        self.collector = collector
        self.id, self.secret = self.key()

    def key(self, *words):
        lines = self.collector.run("key", "add", "--kind", "aws", *words).splitlines()
        values = dict(line.split(" = ") for line in lines if " = " in line)
        return values["aws_access_key_id"], values["aws_secret_access_key"]

    def client(self, service, key=None, address=None):
        id, secret = key or (self.id, self.secret)
        return boto3.client(
            service, endpoint_url=address or self.collector.address, region_name="us-east-1",
            aws_access_key_id=id, aws_secret_access_key=secret,
            config=botocore.config.Config(retries={"mode": "standard"}))

    def stream(self, name, *words):
        self.collector.run("stream", "create", name, *words)

    def ready(self, client, name):
        """A running server learns of keys and streams within a second."""
        def known():
            try:
                client.describe_stream_summary(StreamName=name)
                return True
            except botocore.exceptions.ClientError:
                return False
        wait_until(known, "the key and the stream", 5)


class Relay:
    """Hands requests on to a server until one is answered with this error, and then repeats that answer."""

    def __init__(self, address, error, status=None):
        host, port = address.removeprefix("http://").split(":")
        kept = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if not kept:
                    onward = http.client.HTTPConnection(host, int(port), timeout=10)
                    onward.request("POST", self.path, body, dict(self.headers))
                    answer = onward.getresponse()
                    content = answer.read()
                    onward.close()
                    if error.encode() not in content:
                        return self.give(answer.status, answer.getheaders(), content)
                    kept.append((status or answer.status, answer.getheaders(), content))
                self.give(*kept[0])

            def give(self, status, headers, content):
                self.send_response(status)
                for name, value in headers:
                    if name.lower() not in ("connection", "content-length", "keep-alive"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def attempts(client, put, error):
    """How many requests a call takes that is refused with this error whenever it is tried."""
    sent = Sent(client)
    for _ in range(100):
        before = len(sent.requests)
        try:
            put(client)
        except botocore.exceptions.ClientError as caught:
            if caught.response["Error"]["Code"] != error:
                raise
            # The first such answer may have come late in the call; from now on all are alike.
            before = len(sent.requests)
            try:
                put(client)
            except botocore.exceptions.ClientError:
                return len(sent.requests) - before
    raise AssertionError(f"no call was refused with {error}")


class KinesisClient(unittest.TestCase):
    def test_every_operation(self):
        """AWS-K1, AWS-K5, AWS-K8: boto3 puts, describes and reads."""
        with Collector() as collector:
            account = Account(collector)
            account.stream("clicks", "--shards", "2")
            kinesis = account.client("kinesis")
            account.ready(kinesis, "clicks")
            answer = kinesis.put_records(StreamName="clicks", Records=[
                {"Data": b"hello", "PartitionKey": "user-1"}, {"Data": b"world", "PartitionKey": "user-2"}])
            self.assertEqual(answer["FailedRecordCount"], 0)
            self.assertEqual(
                [record["ShardId"] for record in answer["Records"]],
                ["shardId-000000000001", "shardId-000000000000"])
            whole = bytes(range(256)) * 4096
            single = kinesis.put_record(StreamName="clicks", Data=whole, PartitionKey="user-1")
            self.assertGreater(int(single["SequenceNumber"]), int(answer["Records"][0]["SequenceNumber"]))
            self.assertIn("x-amzn-requestid", single["ResponseMetadata"]["HTTPHeaders"])

            description = kinesis.describe_stream(StreamName="clicks")["StreamDescription"]
            self.assertEqual(description["StreamStatus"], "ACTIVE")
            self.assertEqual(len(description["Shards"]), 2)
            arn = description["StreamARN"]
            self.assertEqual(
                kinesis.describe_stream_summary(StreamARN=arn)["StreamDescriptionSummary"]["OpenShardCount"], 2)
            self.assertEqual(len(kinesis.list_shards(StreamName="clicks")["Shards"]), 2)
            self.assertEqual(kinesis.list_streams()["StreamNames"], ["clicks"])

            read = self.read(kinesis, "clicks", "shardId-000000000001")
            self.assertEqual([record["Data"] for record in read], [b"hello", whole])
            self.assertEqual([record["PartitionKey"] for record in read], ["user-1", "user-1"])
            self.assertEqual(read[1]["SequenceNumber"], single["SequenceNumber"])
            self.assertEqual(
                [record["Data"] for record in self.read(kinesis, "clicks", "shardId-000000000000")], [b"world"])

            kinesis.create_stream(StreamName="made", ShardCount=1)
            kinesis.get_waiter("stream_exists").wait(
                StreamName="made", WaiterConfig={"Delay": 1, "MaxAttempts": 5})
            with self.assertRaises(kinesis.exceptions.ResourceInUseException):
                kinesis.create_stream(StreamName="made", ShardCount=1)
            kinesis.delete_stream(StreamName="made")
            with self.assertRaises(kinesis.exceptions.ResourceNotFoundException):
                kinesis.describe_stream(StreamName="made")

    def read(self, kinesis, stream, shard):
        iterator = kinesis.get_shard_iterator(
            StreamName=stream, ShardId=shard, ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
        found = []
        while True:
            answer = kinesis.get_records(ShardIterator=iterator)
            found += answer["Records"]
            iterator = answer["NextShardIterator"]
            if not answer["Records"] and answer["MillisBehindLatest"] == 0:
                return found

    def test_errors_have_their_types_and_retries(self):
        with Collector() as collector:
            account = Account(collector)
            account.stream("clicks", "--shards", "2", "--records-per-second", "1")
            kinesis = account.client("kinesis")
            account.ready(kinesis, "clicks")
            sent = Sent(kinesis)

            def requests(call):
                before = len(sent.requests)
                call()
                return len(sent.requests) - before

            def too_many():
                with self.assertRaises(botocore.exceptions.ClientError) as caught:
                    kinesis.put_records(StreamName="clicks", Records=[
                        {"Data": b"x", "PartitionKey": str(number)} for number in range(501)])
                self.assertEqual(caught.exception.response["Error"]["Code"], "ValidationException")
            self.assertEqual(requests(too_many), 1, "AWS-K2")

            def unknown():
                with self.assertRaises(kinesis.exceptions.ResourceNotFoundException) as caught:
                    kinesis.put_records(StreamName="zz", Records=[{"Data": b"x", "PartitionKey": "k"}])
                self.assertEqual(
                    caught.exception.response["Error"]["Message"],
                    "Stream zz under account 123456789012 not found.")
            self.assertEqual(requests(unknown), 1, "AWS-K4")

            calls = []

            def one_fails():
                calls.append(None)
                return self.one_fails(kinesis)
            before = len(sent.requests)
            # Two records of one second, wherever the clock stands.
            wait_until(one_fails, "a shard that takes no more", 10)
            self.assertEqual(len(sent.requests) - before, len(calls), "AWS-K3")

            account.stream("slow", "--records-per-second", "1")
            account.ready(kinesis, "slow")
            error = "ProvisionedThroughputExceededException"
            with Relay(collector.address, error) as relay:
                self.assertEqual(
                    attempts(
                        account.client("kinesis", address=relay.address),
                        lambda client: client.put_record(StreamName="slow", Data=b"x", PartitionKey="k"),
                        error),
                    3, "AWS-K12")

    def one_fails(self, kinesis):
        answer = kinesis.put_records(StreamName="clicks", Records=[
            {"Data": b"a", "PartitionKey": "user-1"}, {"Data": b"b", "PartitionKey": "user-1"},
            {"Data": b"c", "PartitionKey": "user-2"}])
        codes = [record.get("ErrorCode") for record in answer["Records"]]
        return answer["FailedRecordCount"] == 1 and codes == [
            None, "ProvisionedThroughputExceededException", None]

    def test_a_limited_key_puts_and_does_nothing_else(self):
        """AWS-S18, AWS-C17."""
        with Collector() as collector:
            account = Account(collector)
            account.stream("mystream")
            account.stream("other")
            account.ready(account.client("kinesis"), "other")
            limited = account.client("kinesis", account.key(
                "--allow", "kinesis:PutRecords", "--resource",
                "arn:aws:kinesis:us-east-1:123456789012:stream/mystream"))
            records = [{"Data": b"x", "PartitionKey": "k"}]

            def put():
                try:
                    return limited.put_records(StreamName="mystream", Records=records)
                except botocore.exceptions.ClientError as error:
                    self.assertEqual(error.response["Error"]["Code"], "UnrecognizedClientException")
            self.assertEqual(wait_until(put, "the limited key", 5)["FailedRecordCount"], 0)
            for call in (
                lambda: limited.put_record(StreamName="mystream", Data=b"x", PartitionKey="k"),
                lambda: limited.put_records(StreamName="other", Records=records),
                limited.list_streams,
            ):
                with self.assertRaises(botocore.exceptions.ClientError) as caught:
                    call()
                self.assertEqual(caught.exception.response["Error"]["Code"], "AccessDeniedException")


class FirehoseClient(unittest.TestCase):
    def test_records_are_delivered_to_a_file(self):
        """AWS-F1, AWS-F6: what was put is exported byte by byte."""
        with Collector() as collector:
            account = Account(collector)
            account.stream("archive", "--kind", "firehose")
            firehose = account.client("firehose")
            wait_until(lambda: self.names(firehose) == ["archive"], "the stream", 5)
            answer = firehose.put_record_batch(
                DeliveryStreamName="archive", Records=[{"Data": b"a"}, {"Data": b"b"}])
            self.assertEqual(answer["FailedPutCount"], 0)
            self.assertIs(answer["Encrypted"], False)
            self.assertEqual(len({record["RecordId"] for record in answer["RequestResponses"]}), 2)
            single = firehose.put_record(DeliveryStreamName="archive", Record={"Data": b"\x00\xff"})
            self.assertTrue(single["RecordId"])
            with self.assertRaises(firehose.exceptions.ResourceNotFoundException):
                firehose.put_record(DeliveryStreamName="zz", Record={"Data": b"x"})
            with self.assertRaises(firehose.exceptions.InvalidArgumentException):
                firehose.put_record_batch(
                    DeliveryStreamName="archive", Records=[{"Data": b"x" * 900_000}] * 5)
            collector.stop()
            exported = subprocess.run(
                [collector.program, "stream", "export", "archive", "--kind", "firehose",
                 "--data", collector.data], check=True, capture_output=True, timeout=30).stdout
            self.assertEqual(exported, b"ab\x00\xff")

    def names(self, firehose):
        try:
            return firehose.list_delivery_streams()["DeliveryStreamNames"]
        except botocore.exceptions.ClientError:
            return []

    def test_slow_down_is_retried_at_503_and_not_at_400(self):
        """AWS-F5, with the answer of this server, and the same with another status."""
        with Collector() as collector:
            account = Account(collector)
            account.stream("slow", "--kind", "firehose", "--bytes-per-second", "1")
            wait_until(lambda: self.names(account.client("firehose")) == ["slow"], "the stream", 5)
            for status, count in ((503, 3), (400, 1)):
                with Relay(collector.address, "ServiceUnavailableException", status) as relay:
                    self.assertEqual(
                        attempts(
                            account.client("firehose", address=relay.address),
                            lambda client: client.put_record(
                                DeliveryStreamName="slow", Record={"Data": b"xx"}),
                            "ServiceUnavailableException"),
                        count)


class CommandLine(unittest.TestCase):
    def test_the_aws_command_line_puts_and_reads(self):
        with Collector() as collector:
            account = Account(collector)
            account.stream("clicks")
            account.ready(account.client("kinesis"), "clicks")

            def aws(*words):
                program = os.path.join(os.path.dirname(sys.executable), "aws")
                environment = dict(
                    os.environ, AWS_ACCESS_KEY_ID=account.id, AWS_SECRET_ACCESS_KEY=account.secret,
                    AWS_DEFAULT_REGION="us-east-1", AWS_EC2_METADATA_DISABLED="true")
                return subprocess.run(
                    [sys.executable, program, "--endpoint-url", collector.address, "--output", "text", *words],
                    check=True, capture_output=True, text=True, timeout=60, env=environment).stdout

            put = aws(
                "kinesis", "put-record", "--stream-name", "clicks", "--partition-key", "user-1",
                "--data", "aGVsbG8=")
            self.assertIn("shardId-000000000000", put)
            iterator = aws(
                "kinesis", "get-shard-iterator", "--stream-name", "clicks", "--shard-id",
                "shardId-000000000000", "--shard-iterator-type", "TRIM_HORIZON").strip()
            read = aws("kinesis", "get-records", "--shard-iterator", iterator)
            self.assertIn("user-1", read)


if __name__ == "__main__":
    unittest.main()
