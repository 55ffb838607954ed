"""Writes the fixtures of the page's unit tests: one short duel with a fixed key, as a record and as frames.

Run from the project's folder: `.venv/bin/python -m tests.clients.page_fixtures`. The same input gives the
same files; run it again when the form of frames or records changes.
"""

import random
from hashlib import sha256
from pathlib import Path
from uuid import UUID, uuid5

from domain.kernel.audience import Audience
from domain.kernel.facts import Fact, Rolled
from domain.kernel.seats import Seat
from domain.match import notices
from domain.match.chain import Entry
from domain.midway import MIDWAY
from projections import record, views
from server.play.live import Live
from server.proof import keys
from server.protocol import wire

FOLDER = Path(__file__).parents[2] / "clients" / "web" / "src" / "fixtures"
MATCH = UUID("01900000-0000-7000-8000-000000000001")
KEY = sha256(b"the key of the fixture").digest()
NONCES = [sha256(b"nonce of seat 0").digest()[:16], sha256(b"nonce of seat 1").digest()[:16]]
ROLLS = 8
BEGIN = 1_700_000_000_000_000


def main() -> None:
    """Play until some rolls have been made, let a seat resign, and write the files."""
    live = Live(MATCH, MIDWAY, KEY)
    entries: list[Entry] = []
    chooser = random.Random(1)

    def command(facts: list[Fact]) -> None:
        number = len(entries)
        sealed = live.sealed(uuid5(MATCH, f"fixture {number}"), BEGIN + number * 1_000_000, facts)
        live.stored(sealed, facts)
        entries.extend(one.entry for one in sealed)

    created = notices.Created(
        "midway",
        "duel",
        MIDWAY.set_up("duel", {}),
        MIDWAY.revision,
        keys.dice_commitment(KEY),
        (Seat("Japan", 0), Seat("United States", 1)),
    )
    command(live.note([created]))
    for seat, nonce in enumerate(NONCES):
        command(live.note(notices.take_seat(live.state.match, seat, "person", sha256(nonce).hexdigest())))
    for seat, nonce in enumerate(NONCES):
        command(live.note(notices.show_nonce(live.state.match, seat, nonce.hex())))
    while sum(isinstance(fact, Rolled) for _, fact in live.facts) < ROLLS:
        assert live.table is not None
        seat, prompt = next(iter(live.table.prompts.items()))
        others = [option for option in prompt.options if type(option).__name__ not in {"Done", "StrikeBelow"}]
        decision = chooser.choice(others or list(prompt.options))
        command(live.table.decide(seat, decision))
    command(live.closed(live.note(notices.resign(live.state.match, 0))))
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "duel.record.jsonl").write_bytes(record.write(record.record(entries, Audience.UMPIRE)))
    frames = views.steps(MIDWAY, entries, Audience.ONLOOKERS, keys.salt_key(KEY))
    (FOLDER / "duel.steps.jsonl").write_bytes(b"\n".join(map(wire.encode, frames)) + b"\n")
    final = live.snapshot.whole(Audience.ONLOOKERS)
    (FOLDER / "duel.view.json").write_bytes(final.text + b"\n")


if __name__ == "__main__":
    main()
