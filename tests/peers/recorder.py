"""Rows stored in a second by `eventsourcing`'s recorder for Postgres: so many writers, one event a commit.

Run by the Python that has the others' packages, with the URL of a database and the number of writers. Every
line of input names the seconds of a turn, and is answered by a line with the events stored in a second.
"""

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import uuid4

from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore

STATE = b"Z" * 110


def main(url: str, writers: int) -> None:
    """Take turns until the input ends."""
    place = urlsplit(url)
    query = {name: values[0] for name, values in parse_qs(place.query).items()}
    store = PostgresDatastore(
        unquote(place.path.lstrip("/")),
        query.get("host") or place.hostname or "",
        query.get("port") or place.port or 5432,
        unquote(place.username or ""),
        unquote(place.password or ""),
        pool_size=writers,
    )
    recorder = PostgresApplicationRecorder(store, events_table_name="bench_events")
    recorder.create_table()

    def write(end: float) -> int:
        """Store one event after the other to a new aggregate until then; return how many."""
        aggregate, version = uuid4(), 0
        while time.monotonic() < end:
            version += 1
            recorder.insert_events([StoredEvent(aggregate, version, "bench:Moved", STATE)])
        return version

    with ThreadPoolExecutor(writers) as threads:
        print("ready", flush=True)
        for line in sys.stdin:
            began = time.monotonic()
            stored = sum(threads.map(write, [began + float(line)] * writers))
            print(stored / (time.monotonic() - began), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
