"""Turns a data folder of a server that does not run into one that an older version had written.

Only what later versions added is taken away, so that the upgrade must bring all of it back.
"""

import ctypes
import os
import sqlite3

# What undoes each step of the catalogue's format, from the present one down.
CATALOGUE = {
    11: ["ALTER TABLE projects DROP COLUMN rates"],
    10: ["DROP TABLE statements", "DROP TABLE phase_read_keys", "DROP TABLE alert_notes",
        "DROP TABLE alerts", "DROP TABLE losses", "DROP TABLE crash_decisions", "DROP TABLE event_rules",
        "DROP TABLE board_links", "DROP TABLE board_cards", "DROP TABLE boards"],
    9: ["DROP TABLE people_lists", "DROP TABLE segments"],
    8: ["ALTER TABLE projects DROP COLUMN revenue_formula", "ALTER TABLE projects DROP COLUMN currency",
        "ALTER TABLE projects DROP COLUMN week_start"],
    7: ["DROP TABLE jobs"],
    6: ["DROP TABLE erasures"],
    5: ["DROP TABLE streams"],
    4: ["DROP TABLE disk_days", "DROP TABLE usage", "DROP TABLE retention_runs",
        "DROP TABLE name_retention", "DROP TABLE project_rules", "DROP TABLE audit",
        "ALTER TABLE dashboard_sessions DROP COLUMN browser", "ALTER TABLE keys DROP COLUMN ends_at",
        "ALTER TABLE keys DROP COLUMN is_test", "ALTER TABLE keys DROP COLUMN role",
        "ALTER TABLE users DROP COLUMN role"],
    3: ["DROP TABLE pinpoint_apps", "DROP TABLE aws_keys"],
    2: ["DROP TABLE remote_settings"],
}
# The same for the version of the store's tables.
STORE = {
    # 0x5bd1e9959e3779b9 tells the number that a device has in tests from its own.
    8: ["DROP VIEW property_changes", "ALTER TABLE kept_changes DROP COLUMN is_test",
        "ALTER TABLE current_properties DROP COLUMN is_test",
        "UPDATE events SET person = xor(person, 6616326156397803961) WHERE is_test AND user_id IS NULL",
        "CREATE VIEW property_changes AS SELECT changes.* EXCLUDE (person), coalesce(owner.person, changes.person) "
        "AS person FROM (SELECT project_id, kind, corrected_at, seq, event_key, person, ops, groups FROM events "
        "WHERE ops IS NOT NULL OR kind = 1 AND groups IS NOT NULL UNION ALL SELECT project_id, kind, corrected_at, "
        "seq, event_key, person, ops, groups FROM kept_changes) AS changes LEFT JOIN device_users AS owner ON "
        "owner.device = changes.person AND changes.corrected_at >= owner.from_at AND "
        "changes.corrected_at < owner.to_at"],
    7: ["DROP VIEW property_changes", "DROP TABLE kept_changes"],
    6: ["DROP VIEW person_events", "ALTER TABLE events DROP COLUMN tier",
        "CREATE VIEW person_events AS SELECT events.* EXCLUDE (person), coalesce(owner.person, events.person) AS "
        "person, coalesce(events.user_id, owner.user_id, events.device_id) AS person_id FROM events LEFT JOIN "
        "device_users AS owner ON owner.device = events.person AND events.corrected_at >= owner.from_at AND "
        "events.corrected_at < owner.to_at"],
    5: ["DROP TABLE activity_parts", "DROP TABLE session_parts"],
    4: ["DROP TABLE erasures_done"],
    3: ["DROP TABLE revenues", "DROP TABLE current_properties"],
    2: ["DROP VIEW person_events", "DROP TABLE device_users", "ALTER TABLE events DROP COLUMN person"],
}
CATALOGUE_FORMATS = range(1, max(CATALOGUE))
STORE_VERSIONS = range(1, max(STORE))


def make_older(data, library, catalogue, store):
    """Brings the catalogue to a format and the store to a version."""
    older_catalogue(os.path.join(data, "catalogue.sqlite"), catalogue)
    older_store(os.path.join(data, "events.duckdb"), library, store)


def older_catalogue(path, wanted):
    with sqlite3.connect(path) as database:
        found = database.execute("PRAGMA user_version").fetchone()[0]
        assert found == max(CATALOGUE), f"the catalogue has format {found}: add its steps to older.py"
        for number in range(found, wanted, -1):
            for statement in CATALOGUE[number]:
                database.execute(statement)
        database.execute(f"PRAGMA user_version = {wanted}")
    database.close()


def older_store(path, library, wanted):
    with Store(path, library) as run:
        run(f"SELECT CASE WHEN version = {max(STORE)} THEN 1 ELSE error('add the steps to older.py') END "
            "FROM footfall_schema")
        for number in range(max(STORE), wanted, -1):
            for statement in STORE[number]:
                run(statement)
        run(f"UPDATE footfall_schema SET version = {wanted}")


class Store:
    """DuckDB's library, for running statements."""

    def __init__(self, path, library):
        self.library = ctypes.CDLL(library)
        self.database, self.connection = ctypes.c_void_p(), ctypes.c_void_p()
        self.path = path

    def __enter__(self):
        if self.library.duckdb_open(self.path.encode(), ctypes.byref(self.database)) != 0:
            raise OSError(f"{self.path} cannot be opened")
        self.library.duckdb_connect(self.database, ctypes.byref(self.connection))
        return self.run

    def run(self, statement):
        # The library writes its answer into six words.
        result = (ctypes.c_uint64 * 8)()
        failed = self.library.duckdb_query(self.connection, statement.encode(), ctypes.byref(result))
        if failed:
            self.library.duckdb_result_error.restype = ctypes.c_char_p
            message = self.library.duckdb_result_error(ctypes.byref(result))
        self.library.duckdb_destroy_result(ctypes.byref(result))
        if failed:
            raise OSError(f"{statement}: {message.decode()}")

    def __exit__(self, *_):
        self.library.duckdb_disconnect(ctypes.byref(self.connection))
        self.library.duckdb_close(ctypes.byref(self.database))
