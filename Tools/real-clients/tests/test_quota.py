"""boto3 comes again by itself when a project is over its number of events a day.

Its own rules decide at which answers it does so; the answers are each service's.
"""

import time
import unittest

import botocore.exceptions

from tests.test_pinpoint import Pinpoint, now
from tests.test_streams import Account, Collector, Sent, wait_until

# What boto3's standard mode makes of an answer that it takes for one to pass.
ATTEMPTS = 3


class Quota(unittest.TestCase):
    def over(self, put):
        """Puts until the quota holds, as a running server learns of it within some seconds."""
        found = []

        def refused():
            try:
                put()
            except botocore.exceptions.ClientError as error:
                found.append(error.response["Error"]["Code"])
            return found
        return wait_until(refused, "the quota to hold", 20)[0]

    def check(self, collector, client, put, error):
        sent = Sent(client)
        collector.run("project", "rules", "My app", "--quota", "1")
        self.assertEqual(self.over(put), error)
        sent.requests.clear()
        started = time.monotonic()
        with self.assertRaises(botocore.exceptions.ClientError) as refused:
            put()
        self.assertEqual(refused.exception.response["Error"]["Code"], error)
        self.assertEqual(len(sent.requests), ATTEMPTS)
        self.assertLess(time.monotonic() - started, 30)
        # A quota that is raised is in effect for the next one.
        collector.run("project", "rules", "My app", "--quota", "1000000")
        wait_until(lambda: self.passes(put), "the quota to be raised", 20)

    @staticmethod
    def passes(put):
        try:
            put()
            return True
        except botocore.exceptions.ClientError:
            return False

    def test_kinesis_and_firehose_take_it_for_a_throughput_that_is_exceeded(self):
        with Collector() as collector:
            account = Account(collector)
            for kind in ("kinesis", "firehose"):
                account.stream("clicks", "--kind", kind)
            kinesis, firehose = account.client("kinesis"), account.client("firehose")
            account.ready(kinesis, "clicks")
            record = b'{"name":"Opened"}'
            self.check(
                collector, kinesis,
                lambda: kinesis.put_record(StreamName="clicks", Data=record, PartitionKey="k"),
                "ProvisionedThroughputExceededException")
            self.check(
                collector, firehose,
                lambda: firehose.put_record_batch(
                    DeliveryStreamName="clicks", Records=[{"Data": record}]),
                "ServiceUnavailableException")

    def test_pinpoint_takes_it_for_too_many_requests(self):
        with Collector() as collector:
            pinpoint = Pinpoint(collector)
            self.check(
                collector, pinpoint.client,
                lambda: pinpoint.put({"e": {"EventType": "Opened", "Timestamp": now()}}),
                "TooManyRequestsException")


if __name__ == "__main__":
    unittest.main()
