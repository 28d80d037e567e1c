"""The comparison must see each kind of failure, or a clean table means nothing."""

import unittest

from verdict import (
    GRACE, Kill, Stored, Tracked, compare, compare_copy, compare_erased, compare_upgraded, is_clean,
    is_work_clean)


def history(*numbers):
    return [Tracked(f"0000-{n:012d}", n, n * 1_000_000_000) for n in numbers]


def kill(at):
    return Kill(at, at + 5_000_000)


def store(*numbers):
    return [Stored(f"0000-{n:012d}", n, place) for place, n in enumerate(numbers)]


class Comparison(unittest.TestCase):
    def test_all_stored_is_clean(self):
        self.assertTrue(is_clean(compare(history(1, 2, 3), [], store(1, 2, 3))))

    def test_a_missing_event_is_lost(self):
        self.assertEqual(len(compare(history(1, 2, 3), [], store(1, 3)).lost), 1)

    def test_an_event_right_before_a_kill_is_excused(self):
        verdict = compare(history(1, 2), [kill(2_000_000_000 + GRACE - 1)], store(1))
        self.assertEqual((verdict.excused, verdict.lost), (1, []))

    def test_an_event_just_long_enough_before_a_kill_is_not(self):
        self.assertEqual(len(compare(history(1, 2), [kill(2_000_000_000 + GRACE)], store(1)).lost), 1)

    def test_an_event_after_a_kill_is_not_excused_by_it(self):
        self.assertEqual(len(compare(history(1, 2), [kill(1_000_000_000)], store(1)).lost), 1)

    def test_an_event_noted_while_the_process_was_dying_is_excused(self):
        self.assertEqual(compare(history(1, 2), [kill(1_999_999_999)], store(1)).excused, 1)

    def test_an_event_stored_twice_is_seen(self):
        self.assertEqual(len(compare(history(1, 2), [], store(1, 2, 2)).twice), 1)

    def test_one_event_a_kill_may_be_stored_without_a_note(self):
        self.assertTrue(is_clean(compare(history(1), [kill(1_500_000_000)], store(1, 2))))
        self.assertEqual(compare(history(1), [], store(1, 2)).invented, 1)

    def test_events_out_of_order_are_seen(self):
        self.assertEqual(compare(history(1, 2, 3), [], store(1, 3, 2)).disordered, 1)

    def test_a_sequence_number_used_twice_is_seen(self):
        stored = [Stored("0000-000000000001", 1, 7), Stored("0000-000000000002", 2, 7)]
        self.assertEqual(compare(history(1, 2), [], stored).disordered, 1)


class Work(unittest.TestCase):
    SENT = {"a": "john", "b": "mary", "c": "mary"}

    def test_what_was_erased_is_gone_and_the_rest_is_there_once(self):
        self.assertTrue(is_work_clean(compare_erased(self.SENT, {"john"}, ["b", "c"])))
        self.assertEqual(compare_erased(self.SENT, {"john"}, ["a", "b", "c"]).returned, ["a"])
        self.assertEqual(compare_erased(self.SENT, {"john"}, ["b"]).lost, ["c"])
        self.assertEqual(compare_erased(self.SENT, {"john"}, ["b", "b", "c"]).twice, ["b"])

    def test_a_copy_has_what_came_before_it_and_may_have_more(self):
        before = {"a": "john", "b": "mary"}
        for stored in (["b"], ["b", "c"]):
            self.assertTrue(is_work_clean(compare_copy(before, self.SENT, {"john"}, stored)))
        self.assertEqual(compare_copy(before, self.SENT, {"john"}, ["c"]).lost, ["b"])
        self.assertEqual(compare_copy(before, self.SENT, {"john"}, ["a", "b"]).returned, ["a"])

    def test_an_upgrade_changes_nothing(self):
        self.assertTrue(is_work_clean(compare_upgraded(["a", "b"], ["b", "a"])))
        self.assertEqual(compare_upgraded(["a", "b"], ["a"]).lost, ["b"])
        self.assertEqual(compare_upgraded(["a"], ["a", "b"]).returned, ["b"])
        self.assertEqual(compare_upgraded(["a"], ["a", "a"]).twice, ["a"])


if __name__ == "__main__":
    unittest.main()
