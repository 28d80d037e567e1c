"""The comparison must see each kind of failure, or a clean table means nothing."""

import unittest

from verdict import GRACE, Kill, Stored, Tracked, compare, is_clean


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


if __name__ == "__main__":
    unittest.main()
