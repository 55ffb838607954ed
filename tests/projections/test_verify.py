import random
import re
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.kernel.audience import VIEWERS, Audience, Reader
from domain.kernel.facts import Decided, Drew, Fact, Rolled, RolledUnseen
from domain.match.chain import seal
from domain.match.notices import Created, Ended, NonceCommitted, NonceShown, SeatTaken, Started
from domain.titles import TITLES as OURS
from projections.judging import DEEPEST, PLAY, revision_number
from projections.linking import Check
from projections.record import Line, Proof, Record, proof, record, write
from projections.verify import Report, verify, verify_file
from server.bench import chance
from server.bench.endless import ENDLESS
from server.log.store import PostgresLog
from server.postgres.database import Database, connection
from server.proof.checkpoints import Sequencer
from server.proof.notes import Verifier, new_signer
from server.proof.tree import leaf_hash
from tests.kernel.test_sealed import GAME as PLOTTING
from tests.kernel.test_unseen import GAME as SEARCHING
from tests.projections.play import Played, draft, keep, play, relinked, retold, without
from tests.tiny import GAME
from tests.tiny.facts import StepsLeft

TITLES = {GAME.name: GAME}


def small() -> Played:
    return play(GAME, "skirmish", seed=3, undos=0.4)


def large() -> Played:
    return play(GAME, "campaign", {"pairs": True}, seed=3, undos=0.3)


def results(report: Report) -> dict[str, str]:
    return {check.name: check.result for check in report.checks}


def failing(report: Report) -> list[Check]:
    return [check for check in report.checks if check.result == "fails"]


def seq_of(played: Played, kind: type[Fact]) -> int:
    return next(seq for seq, fact in played.facts if type(fact) is kind)


def fact_at(played: Played, seq: int) -> Any:
    return played.facts[seq - 1][1]


def begun(played: Played) -> int:
    """The first fact of play."""
    return next(seq for seq, fact in played.facts if isinstance(fact, PLAY))


def nonces_found(report: Report) -> tuple[int | None, str]:
    (found,) = [check for check in report.checks if check.name == "nonces" and check.result == "fails"]
    return found.seq, found.text


def checked(played: Played) -> Report:
    return verify(record(played.entries, Audience.UMPIRE), titles=TITLES)


def test_every_fact_is_looked_at_three_times_however_many_dice_fell(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    lines = Record.lines

    def counted(one: Record) -> Iterator[Line]:
        for line in lines(one):
            looks.append(line[0].seq)
            yield line

    monkeypatch.setattr(Record, "lines", counted)
    played = play(GAME, "campaign")
    rolled = sum(entry.type in ("Rolled", "Drew") for entry in played.entries)

    assert checked(played).good
    assert rolled > 10
    assert [entry.seq for entry in played.entries] * 3 == looks


def longer(times: int) -> bytes:
    """The file of an endless match of so many thousand facts."""
    match = chance.play(ENDLESS, "war", 1000 * times)
    entries = chance.sealed(ENDLESS, match, UUID(int=1))
    return write(record(entries, Audience.UMPIRE, box=b"sealed"))


def test_a_match_of_any_length_is_verified_in_as_much_memory() -> None:
    def peak(text: bytes) -> int:
        tracemalloc.start()
        try:
            report = verify_file(text, titles={ENDLESS.name: ENDLESS})
            assert ("holds", True) == (results(report)["rules"], report.good)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    short, long = longer(2), longer(6)
    peak(short)

    assert peak(long) < 1.3 * peak(short)


@pytest.mark.parametrize("seed", range(5))
def test_a_match_as_it_was_played_holds_in_every_check(seed: int) -> None:
    played = play(GAME, "campaign", {"pairs": True}, seed=seed, undos=0.3)

    report = verify_file(write(record(played.entries, Audience.UMPIRE)), titles=TITLES)

    assert {
        "form": "holds",
        "chain": "holds",
        "header": "holds",
        "key": "holds",
        "nonces": "holds",
        "dice": "holds",
        "set-up": "holds",
        "fold": "holds",
        "notices": "holds",
        "rules": "holds",
        "requests": "unchecked",
        "checkpoint": "unchecked",
    } == results(report)
    assert report.good
    assert report.first_bad is None


def test_decisions_taken_by_the_clock_hold() -> None:
    played = play(GAME, "campaign", seed=3, lapses=0.3, undos=0.3)
    assert "TimeOutClaimed" in {entry.type for entry in played.entries}

    assert [] == failing(checked(played))


@pytest.mark.parametrize(
    ("change", "seq"), [({"hash": "00" * 32}, 0), ({"title": "midway"}, 1), ({"scenario": "campaign"}, 1)]
)
def test_a_header_that_says_otherwise(change: dict[str, str], seq: int) -> None:
    whole = record(small().entries, Audience.UMPIRE)

    report = verify(replace(whole, header=replace(whole.header, **change)), titles=TITLES)

    assert ("fails", seq or whole.header.head) == (results(report)["header"], report.first_bad)


@pytest.mark.parametrize("name", OURS)
def test_whole_matches_of_every_title_hold(name: str) -> None:
    game = OURS[name]
    for scenario in game.short:
        report = verify_file(write(record(play(game, scenario, seed=7, undos=0.1).entries, Audience.UMPIRE)))

        assert [] == failing(report)
        assert "holds" == results(report)["rules"]


FIELD = re.compile(rb'"(?:[^"\\]|\\.)*"|[0-9]+|true|false|[{}:,]')

SAMPLED = 5
"""One of so many fields, or bytes, is changed in the check-in, which one by the seed; in the soak each is."""
EVERY = [SAMPLED, pytest.param(1, marks=pytest.mark.soak)]


@pytest.mark.parametrize(
    ("seed", "every"), [(1, SAMPLED), *(pytest.param(n, 1, marks=pytest.mark.soak) for n in range(1, 12))]
)
def test_a_changed_byte_in_any_field_is_found_there_or_right_behind(seed: int, every: int) -> None:
    lines = write(record(small().entries, Audience.UMPIRE)).split(b"\n")
    rng = random.Random(seed)

    for number, line in enumerate(lines[1:-1], 2):
        for field in FIELD.finditer(line):
            if rng.randrange(every):
                continue
            place = rng.randrange(*field.span())
            damaged = bytearray(line)
            damaged[place] ^= rng.choice([1, 32])
            report = verify_file(
                b"\n".join([*lines[: number - 1], bytes(damaged), *lines[number:]]), titles=TITLES
            )
            assert not report.good, (number, damaged)
            assert report.first_bad in (number - 1, number), (number, damaged, failing(report))


@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize("mask", [Audience.SIDE_0, Audience.ONLOOKERS])
def test_a_changed_byte_in_a_record_with_sealed_facts_is_found(mask: Reader, every: int) -> None:
    # But for `index`: which of the sealed facts before it are of the same command, nobody can tell.
    played = small().cut(14)
    lines = write(record(played.entries, mask, played.k_salt)).split(b"\n")
    open_facts = [entry.seq for entry in played.entries if mask.sees(entry.audience)]
    rng = random.Random(mask.value)

    for number, line in enumerate(lines[1:-1], 2):
        for field in FIELD.finditer(line):
            if line[: field.start()].endswith(b'"index":') or rng.randrange(every):
                continue
            place = rng.randrange(*field.span())
            damaged = bytearray(line)
            damaged[place] ^= 1
            report = verify_file(
                b"\n".join([*lines[: number - 1], bytes(damaged), *lines[number:]]), titles=TITLES
            )
            after = next((seq for seq in open_facts if seq >= number - 1), played.entries[-1].seq)
            assert not report.good, (number, damaged)
            assert report.first_bad is not None
            assert number - 1 <= report.first_bad <= max(after, number), (number, damaged, failing(report))


@pytest.mark.parametrize("every", EVERY)
async def test_a_changed_byte_in_the_header_is_found(
    database: Database, log: PostgresLog, tmp_path: Any, every: int
) -> None:
    played = small()
    await keep(log, played)
    signer = new_signer()
    await Sequencer(database.projector, signer, tmp_path).once()
    async with connection(database.projector) as conn:
        text = write(record(played.entries, Audience.UMPIRE, proof=await proof(conn, played.match)))
    header = text.index(b"\n")
    verifier = Verifier(signer.public)
    assert verify_file(text, None, verifier, TITLES).good

    rng = random.Random(1)
    for place in range(header + 1):
        if rng.randrange(every):
            continue
        damaged = bytearray(text)
        damaged[place] ^= 1
        assert not verify_file(bytes(damaged), None, verifier, TITLES).good, damaged[: header + 1]


def test_a_line_taken_out_or_exchanged() -> None:
    lines = write(record(small().entries, Audience.UMPIRE)).split(b"\n")

    for number in range(1, len(lines) - 2):
        out = verify_file(b"\n".join([*lines[:number], *lines[number + 1 :]]), titles=TITLES)
        swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
        assert number == out.first_bad
        assert number == verify_file(b"\n".join(swapped), titles=TITLES).first_bad


def test_a_wrong_die_in_a_chain_that_fits() -> None:
    played = large()
    seq = seq_of(played, Rolled)
    roll = fact_at(played, seq)
    dice = (roll.dice[0] % 6 + 1, *roll.dice[1:])

    report = checked(played.changed(seq, replace(roll, dice=dice)))

    assert "holds" == results(report)["chain"]
    assert "fails" == results(report)["dice"]
    assert seq == report.first_bad


def test_a_wrong_draw_in_a_chain_that_fits() -> None:
    played = large()
    seq = seq_of(played, Drew)
    drew = fact_at(played, seq)
    places = ((drew.places[0] + 1) % drew.left, *drew.places[1:])

    report = checked(played.changed(seq, replace(drew, places=places)))

    assert ("holds", "fails", seq) == (results(report)["chain"], results(report)["dice"], report.first_bad)


def searched() -> Played:
    """A match with unseen dice, of both kinds of roll."""
    matches = (play(SEARCHING, "probe", seed=seed) for seed in range(9))
    return max(matches, key=lambda one: sum(isinstance(fact, RolledUnseen) for _, fact in one.facts))


def searched_and_checked(played: Played) -> Report:
    return verify(record(played.entries, Audience.UMPIRE), titles={SEARCHING.name: SEARCHING, **TITLES})


def test_unseen_dice_are_cast_again_too() -> None:
    played = searched()
    seq = seq_of(played, RolledUnseen)
    roll = fact_at(played, seq)
    dice = (roll.dice[0] % roll.sides + 1, *roll.dice[1:])

    assert [] == failing(searched_and_checked(played))
    report = searched_and_checked(played.changed(seq, replace(roll, dice=dice)))
    assert ("fails", seq) == (results(report)["dice"], report.first_bad)


@pytest.mark.parametrize("seed", range(3))
def test_a_match_of_sealed_steps_holds(seed: int) -> None:
    played = play(PLOTTING, "probe", seed=seed, undos=0.3)

    report = verify(record(played.entries, Audience.UMPIRE), titles={PLOTTING.name: PLOTTING})

    assert [] == failing(report)
    assert "holds" == results(report)["rules"]


@pytest.mark.parametrize("by", [-1, 1])
def test_an_unseen_roll_that_was_skipped_or_rolled_again(by: int) -> None:
    played = searched()
    seq = [seq for seq, fact in played.facts if isinstance(fact, RolledUnseen)][1]
    roll = fact_at(played, seq)

    report = searched_and_checked(played.changed(seq, replace(roll, index=roll.index + by)))

    assert ("fails", seq) == (results(report)["dice"], report.first_bad)
    dice = next(check for check in report.checks if check.name == "dice")
    assert f"Fact {seq} has roll {roll.index + by} in the place of {roll.index}." == dice.text


def test_a_roll_that_was_rolled_again() -> None:
    played = large()
    seq = seq_of(played, Rolled)
    roll = fact_at(played, seq)

    report = checked(played.changed(seq, replace(roll, index=roll.index + 1)))

    assert ("fails", seq) == (results(report)["dice"], report.first_bad)


def test_a_wrong_nonce_in_a_chain_that_fits() -> None:
    played = large()
    seq = seq_of(played, NonceShown)
    shown = fact_at(played, seq)

    report = checked(played.changed(seq, replace(shown, nonce="00" * 16)))

    assert ("holds", "fails", seq) == (results(report)["chain"], results(report)["nonces"], report.first_bad)


def test_a_nonce_that_is_no_hex() -> None:
    played = large()
    seq = seq_of(played, NonceShown)

    report = checked(played.changed(seq, replace(fact_at(played, seq), nonce="no")))

    assert seq == report.first_bad


def test_a_nonce_committed_to_when_another_was_shown() -> None:
    played = large()
    shown, committed = fact_at(played, seq_of(played, NonceShown)), seq_of(played, NonceCommitted)
    late = played.changed(seq_of(played, NonceShown), fact_at(played, committed))

    report = checked(late.changed(committed, shown))

    assert "fails" == results(report)["nonces"]


def test_dice_to_which_no_seat_contributed() -> None:
    """Given dice from the key alone, in a match that does not say that it began."""
    played = without(large(), lambda fact: isinstance(fact, NonceCommitted | NonceShown | Started))

    for one in (played, played.changed(1, replace(fact_at(played, 1), seats=()))):
        report = checked(one)

        assert nonces_found(report) == (begun(one), "Play begins before every seat has shown its nonce.")
        assert "unchecked" == results(report)["dice"]


def test_dice_to_which_not_every_seat_contributed() -> None:
    last = max(seq for seq, fact in large().facts if isinstance(fact, NonceShown))
    played = without(large(), lambda fact: fact == fact_at(large(), last) or isinstance(fact, Started))

    assert nonces_found(checked(played)) == (
        begun(played),
        "Play begins before every seat has shown its nonce.",
    )


@pytest.mark.parametrize("kind", [Started, Decided, Rolled, RolledUnseen, Drew])
def test_nothing_is_played_before_nonces_are_shown(kind: type[Fact]) -> None:
    whole = searched() if kind is RolledUnseen else large()
    ours = [1, seq_of(whole, kind), whole.entries[-1].seq]
    told = [(whole.entries[seq - 1].at, [fact_at(whole, seq)]) for seq in ours]

    report = searched_and_checked(retold(whole, told))

    assert nonces_found(report) == (2, "Play begins before every seat has shown its nonce.")


def test_a_nonce_of_a_seat_that_is_not_there() -> None:
    played = large()
    last = max(seq for seq, fact in played.facts if isinstance(fact, NonceCommitted))

    report = checked(played.changed(last, replace(fact_at(played, last), seat=9)))

    assert nonces_found(report) == (last, "Seat 9 commits to a nonce, and is not there.")


def test_a_match_that_ends_before_anything_is_played_needs_no_nonces() -> None:
    report = checked(without(large(), lambda fact: not isinstance(fact, Created | Ended)))

    assert ("holds", "holds") == (results(report)["nonces"], results(report)["dice"])


@pytest.mark.parametrize("key", ["00" * 32, "00", "no", ""])
def test_a_wrong_key(key: str) -> None:
    played = large()
    last = played.entries[-1].seq

    report = checked(played.changed(last, Ended(key)))

    assert ("fails", last) == (results(report)["key"], report.first_bad)


@pytest.mark.parametrize("spell", [str.upper, lambda key: f"{key[:8]} {key[8:]}"], ids=["capitals", "a gap"])
def test_the_key_is_spelled_as_the_server_does(spell: Callable[[str], str]) -> None:
    played = large()
    last = played.entries[-1].seq

    report = checked(played.changed(last, Ended(spell(played.key.hex()))))

    assert ("fails", last) == (results(report)["key"], report.first_bad)


@pytest.mark.parametrize(
    ("kind", "within", "more"),
    [(SeatTaken, b"{", b'"seat":7,'), (Decided, b'"decision":{', b'"type":"Pass",')],
    ids=["a field", "within a field"],
)
def test_a_fact_that_says_something_twice(kind: type[Fact], within: bytes, more: bytes) -> None:
    """One reader takes the first of two, another the last."""
    played = large()
    entries = [*played.entries]
    seq = seq_of(played, kind)
    twice = entries[seq - 1].body.replace(within, within + more, 1)
    entries[seq - 1] = replace(entries[seq - 1], body=twice)

    report = checked(relinked(played, entries))

    assert "holds" == results(report)["chain"]
    assert ("fails", seq) == (results(report)["facts"], report.first_bad)


def nested(played: Played, kind: type[Fact], more: bytes) -> Report:
    """Verify a record in which a fact of a kind has one field more, which is unknown."""
    entries = [*played.entries]
    at = seq_of(played, kind) - 1
    entries[at] = replace(entries[at], body=b'{"more":%b,%b' % (more, entries[at].body[1:]))
    deeper = record(played.entries, Audience.UMPIRE)
    return verify(replace(deeper, entries=relinked(played, entries).entries), titles=TITLES)


@pytest.mark.parametrize("lists", [DEEPEST, 20_000])
@pytest.mark.parametrize("kind", [Created, SeatTaken, Decided, Ended])
def test_a_fact_with_lists_within_lists_is_no_fact(kind: type[Fact], lists: int) -> None:
    played = large()

    report = nested(played, kind, b"[" * lists + b"]" * lists)

    assert seq_of(played, kind) == report.first_bad
    assert "fails" == results(report)["facts"]


@pytest.mark.parametrize(
    "more",
    [
        b"[" * (DEEPEST - 1) + b"]" * (DEEPEST - 1),
        b"[%b[]]" % (b"[]," * 2 * DEEPEST),
        b'"%b"' % (b"[{" * DEEPEST),
        b'["\\"%b"]' % (b"[" * DEEPEST),
    ],
    ids=["one less", "many side by side", "in a text", "in a text with a quotation mark"],
)
def test_a_fact_with_many_lists_that_are_not_within_each_other_is_one(more: bytes) -> None:
    found = results(nested(large(), SeatTaken, more))

    assert ["header"] == [name for name, result in found.items() if result == "fails"]


def test_a_commitment_to_another_key() -> None:
    played = large()
    created = fact_at(played, 1)

    report = checked(played.changed(1, replace(created, commitment="00" * 32)))

    assert "fails" == results(report)["key"]


def test_a_hidden_fact_that_was_changed_is_found_when_the_key_is_known() -> None:
    played = large()
    place = next(n for n, entry in enumerate(played.entries) if entry.audience is Audience.UMPIRE)
    entries = list(played.entries)
    entries[place] = replace(entries[place], body=entries[place].body + b" ")

    report = verify(record(entries, Audience.UMPIRE), titles=TITLES)

    assert ("fails", place + 1) == (results(report)["chain"], report.first_bad)


def test_an_outcome_that_the_rules_do_not_give() -> None:
    played = large()
    seq = seq_of(played, StepsLeft)
    left = fact_at(played, seq)

    report = checked(played.changed(seq, replace(left, steps=left.steps + 1)))

    assert ("holds", "holds") == (results(report)["chain"], results(report)["dice"])
    assert "fails" == results(report)["rules"]
    assert seq == report.first_bad
    assert report.differences >= 1


def test_under_another_revision_a_difference_is_news_and_no_fault() -> None:
    played = large()
    seq = seq_of(played, StepsLeft)
    left = fact_at(played, seq)
    older = played.changed(seq, replace(left, steps=left.steps + 1))
    older = older.changed(1, replace(fact_at(played, 1), revision="1"))

    report = checked(older)

    assert report.good
    assert "differs" == results(report)["rules"]
    assert report.differences >= 1


def test_under_another_revision_a_set_up_that_differs_is_news_and_counted() -> None:
    played = large()
    created = fact_at(played, 1)
    renamed = replace(created, seats=[replace(seat, name="Other") for seat in created.seats])

    under_both = [checked(played.changed(1, replace(renamed, revision=one))) for one in ("1", "2")]

    assert ["differs", "fails"] == [results(report)["set-up"] for report in under_both]
    assert [(True, 1), (False, 0)] == [(report.good, report.differences) for report in under_both]


@pytest.mark.parametrize(
    ("revision", "counted"),
    [("1", 1), ("12", 12), *((none, 0) for none in ("", "0", "02", "\uff12", "+2", "two"))],
)
def test_the_number_of_a_revision_is_spelled_in_one_way(revision: str, counted: int) -> None:
    assert counted == revision_number(revision)


@pytest.mark.parametrize(
    ("revision", "result"),
    [("3", "unchecked"), *((name, "fails") for name in ("", "0", "two", "02", "\uff12", "+2"))],
)
def test_under_a_revision_that_is_not_known_nothing_is_called_news(revision: str, result: str) -> None:
    played = large()
    seq = seq_of(played, StepsLeft)
    left = fact_at(played, seq)
    forged = played.changed(seq, replace(left, steps=left.steps + 1))

    report = checked(forged.changed(1, replace(fact_at(played, 1), revision=revision)))

    assert result == results(report)["set-up"]
    assert "differs" not in results(report).values()
    assert report.good == (result == "unchecked")


@pytest.mark.parametrize("missing", [0, 1], ids=["whole", "without its key"])
def test_in_the_record_of_a_match_that_has_ended_no_fact_is_sealed(missing: int) -> None:
    """One sealed fact would keep notices and rules from being judged, and rolls from being counted."""
    played = large()
    ended = played.entries[: len(played.entries) - missing]
    sealed = next(entry.seq for entry in ended if not Audience.SIDE_0.sees(entry.audience))

    report = verify(record(ended, Audience.SIDE_0, played.k_salt), titles=TITLES)

    assert ("fails", sealed) == (results(report)["chain"], report.first_bad)


@pytest.mark.parametrize("mask", [Audience.UMPIRE, Audience.SIDE_0], ids=["whole", "some sealed"])
def test_with_the_key_of_a_match_that_goes_on_no_roll_is_made_twice(mask: Reader) -> None:
    played = large().cut(40)
    first, second = [seq for seq, fact in played.facts if isinstance(fact, Rolled)][:2]
    twice = played.changed(second, fact_at(played, first))

    true, report = [
        verify(record(one.entries, mask, played.k_salt), played.key, titles=TITLES) for one in (played, twice)
    ]

    assert "holds" == results(true)["dice"]
    assert ("fails", second) == (results(report)["dice"], report.first_bad)


def test_a_fact_filed_under_another_type_audience_or_end() -> None:
    played = large()
    for change in ({"type": "Started"}, {"audience": Audience.ALL}, {"ver": 2}):
        seq = next(entry.seq for entry in played.entries if entry.audience is Audience.SIDE_0)
        entries = [replace(e, **change) if e.seq == seq else e for e in played.entries]
        report = checked(relinked(played, entries))
        assert ("fails", seq) == (results(report)["facts"], report.first_bad)


def test_a_body_that_is_no_fact_of_the_title() -> None:
    played = large()
    entries = [replace(e, body=b'{"type":"Nothing"}') if e.seq == 40 else e for e in played.entries]

    assert 40 == checked(relinked(played, entries)).first_bad


def test_a_fact_that_does_not_fit_the_table() -> None:
    played = large()
    seq = seq_of(played, StepsLeft)

    report = checked(played.changed(seq, StepsLeft("boat:none", 1)))

    assert ("fails", seq) == (results(report)["fold"], report.first_bad)


def test_a_match_that_has_not_ended_says_what_cannot_be_checked() -> None:
    played = large().cut(30)

    report = checked(played)

    assert report.good
    assert {"unchecked"} == {results(report)[name] for name in ("chain", "key", "dice", "checkpoint")}
    assert "not revealed yet" in next(check.text for check in report.checks if check.name == "key")


def test_a_match_that_has_not_ended_is_checked_by_whoever_has_its_key() -> None:
    played = large().cut(30)

    report = verify(record(played.entries, Audience.UMPIRE), played.key, titles=TITLES)

    assert {"holds"} == {results(report)[name] for name in ("chain", "key", "dice", "fold", "rules")}


def test_the_records_of_audiences_hold() -> None:
    played = large().cut(30)
    for mask in VIEWERS:
        report = verify_file(write(record(played.entries, mask, played.k_salt)), titles=TITLES)

        assert report.good
        assert ("holds", "unchecked") == (results(report)["chain"], results(report)["fold"])


@pytest.mark.parametrize("side", [-1, 2])
def test_a_secret_of_a_side_that_is_not_there_is_no_fact(side: int) -> None:
    played = small()
    seq = next(entry.seq for entry in played.entries if entry.audience is Audience.SIDE_0)
    entries = list(played.entries)
    body = entries[seq - 1].body.replace(b'"side":0', b'"side":%d' % side)
    entries[seq - 1] = replace(entries[seq - 1], body=body)

    report = verify(record(relinked(played, entries).entries, Audience.UMPIRE), titles=TITLES)

    assert body != played.entries[seq - 1].body
    assert ("fails", seq) == (results(report)["facts"], report.first_bad)
    assert f"there is no side {side}" in next(check.text for check in report.checks if check.name == "facts")


def test_without_the_key_a_changed_open_fact_is_found() -> None:
    played = large().cut(30)
    for entry in played.entries:
        if entry.audience is Audience.ALL:
            entries = [replace(e, at=e.at + 1) if e.seq == entry.seq else e for e in played.entries]
            assert entry.seq == verify(record(entries, Audience.UMPIRE), titles=TITLES).first_bad


def test_a_title_that_is_not_here() -> None:
    report = verify(record(small().entries, Audience.UMPIRE), titles={})

    assert ("unchecked", "holds", True) == (results(report)["facts"], results(report)["chain"], report.good)


def test_another_match_in_the_checkpoint() -> None:
    played, signer = small(), new_signer("fleet.example")
    note = signer.sign(1, bytes(32))
    whole = record(played.entries, Audience.UMPIRE, proof=Proof(note, 0, ()))

    assert "fails" == results(verify(whole, None, Verifier(signer.public), TITLES))["checkpoint"]
    assert "fails" == results(verify(whole, None, Verifier(new_signer("x").public), TITLES))["checkpoint"]


@pytest.mark.parametrize("name", ["fleetfold.local", ""])
def test_a_checkpoint_of_another_server_is_not_held_against_a_record(name: str) -> None:
    played, theirs, ours = small(), new_signer(name), new_signer(name)
    last = played.entries[-1]
    note = theirs.sign(1, leaf_hash(played.match, last.seq, last.hash))
    whole = record(played.entries, Audience.UMPIRE, proof=Proof(note, 0, ()))

    reports = [verify(whole, None, Verifier(key.public), TITLES) for key in (theirs, ours)]

    assert ["holds", "unchecked"] == [results(report)["checkpoint"] for report in reports]
    assert [True, True] == [report.good for report in reports]


def test_a_checkpoint_that_this_server_did_not_sign_so_is_held_against_a_record() -> None:
    played, signer = small(), new_signer()
    last = played.entries[-1]
    leaf = leaf_hash(played.match, last.seq, last.hash)
    signed_before = signer.sign(1, bytes(32)).splitlines()[-1]
    note = "\n".join([*signer.sign(1, leaf).splitlines()[:-1], signed_before, ""])

    report = verify(
        record(played.entries, Audience.UMPIRE, proof=Proof(note, 0, ())),
        None,
        Verifier(signer.public),
        TITLES,
    )

    assert ("fails", False) == (results(report)["checkpoint"], report.good)


def test_a_first_fact_that_is_none() -> None:
    played = small()
    odd = seal(played.match, played.entries[0].command, 1, 0, bytes(32), [draft(Ended("00"))], played.k_salt)
    header = replace(record(played.entries, Audience.UMPIRE).header, head=1, hash=odd[0].hash.hex())

    report = verify(Record(header, odd), titles=TITLES)

    assert not report.good
