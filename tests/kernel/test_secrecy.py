"""The secrecy harness on the tiny title, and on titles doctored so that they leak."""

from functools import partial
from typing import Any

import pytest
from msgspec import structs

from domain.kernel.facts import Fact, State, UmpireFact
from domain.kernel.procedures import Decision, step
from domain.match.game import COMMON, Game
from domain.match.parts import Part, Parts
from tests.kernel.playing import Playing
from tests.kernel.probe import probe
from tests.kernel.secrecy import Dealing, Hiding, Leak, Listener, check, exchange, listen
from tests.kernel.test_sealed import GAME as PLOTTING
from tests.kernel.test_sealed import Plotting
from tests.tiny import GAME, scenarios
from tests.tiny.charts import CARDS, SMOKE
from tests.tiny.decisions import Pass, Sail
from tests.tiny.facts import Ordered, OrderSpent
from tests.tiny.orders import Orders
from tests.tiny.reactions import Reactions
from tests.tiny.sequence import Campaign
from tests.tiny.table import Open, Own, Sight, Table, pile
from tests.tiny.view import Table as TinyTable
from tests.tiny.view import screen, view

HIDING = Hiding(
    canaries=lambda state, side: state.own[side].hand,
    pile=lambda state, _: pile(state),
    sealed=lambda table, seat: table.prompts[seat].rule == "4.1" and len(table.prompts) > 1,
)


@pytest.mark.parametrize(
    ("scenario", "options"),
    [("skirmish", {}), ("campaign", {}), ("campaign", {"pairs": True}), ("campaign", {"night": True})],
)
def test_a_hundred_matches_leak_nothing(scenario: str, options: dict[str, Any]) -> None:
    exchanges = sum(check(GAME, scenario, options, seed, HIDING) for seed in range(25))

    assert exchanges > 25


def test_without_a_pile_left_there_is_nothing_to_exchange() -> None:
    heard = listen(GAME, "campaign", {"turns": 8}, 5, HIDING)

    assert not exchange(GAME, "campaign", {"turns": 8}, 5, HIDING, heard, 0)


PLOTS = Hiding(
    canaries=lambda state, side: (),  # noqa: ARG005
    pile=lambda state, purpose: (),  # noqa: ARG005
    sealed=lambda table, seat: table.sealed(seat) and len(table.prompts) > 1,
)


def test_whole_commands_of_a_sealed_step_are_compared() -> None:
    for seed in range(10):
        heard = listen(PLOTTING, "probe", {}, seed, PLOTS)
        commands = [sent for _, sent in heard.course if sent]

        assert 4 == len(commands) - (len(heard.course) - len(commands))
        assert heard.state.match.over


def test_a_sealed_step_that_is_not_padded_is_found() -> None:
    class Careless(Plotting):
        padded: bool = False

    with pytest.raises(Leak, match=r"can tell what seat \d chose \(8\.1\)"):
        listen(probe(Careless), "probe", {}, 1, PLOTS)


def doctored(
    *, first: Any = None, facts: Any = (), open: Any = Open, view: Any = view, screen: Any = screen
) -> Game:
    """The tiny title with something slipped in."""
    campaign = first or Campaign
    procedures = tuple(campaign if procedure is Campaign else procedure for procedure in GAME.procedures)
    return Game(
        name="doctored",
        title=GAME.title,
        revision="0",
        sides=GAME.sides,
        scenarios=tuple(GAME.scenarios.values()),
        options=tuple(GAME.options.values()),
        names=GAME.names,
        open=open,
        own=Own,
        facts=(*GAME.facts[len(COMMON) :], *facts),
        procedures=procedures,
        decisions=GAME.decisions,
        seats=GAME.seats,
        first=lambda scenario, options: campaign(**structs.asdict(scenarios.first(scenario, options))),
        default=GAME.default,
        table=TinyTable,
        view=view,
        screen=screen,
    )


def leak(game: Game) -> str:
    """The first leak that the harness finds in some matches."""
    with pytest.raises(Leak) as caught:
        hunt(game)
    return str(caught.value)


def hunt(game: Game) -> None:
    for seed in range(40):
        check(game, "campaign", {}, seed, HIDING)


class Whispered(Fact, frozen=True):
    card: str

    def words(self) -> str:
        return "somebody whispers"


class Whispering(Campaign):
    @step("2.2")
    def deal(self, table: Table) -> None:
        Campaign.steps["deal"][0].run(self, table)
        table.record(Whispered(table.own[1].hand[0]))


def test_a_hidden_card_in_a_public_fact_is_found() -> None:
    found = leak(doctored(first=Whispering, facts=[Whispered]))

    assert "audience 0 was sent card:" in found


class Spoke(Fact, frozen=True):
    word: str

    def words(self) -> str:
        return f"somebody says {self.word}"


class Speaking(Campaign):
    @step("2.2")
    def deal(self, table: Table) -> None:
        Campaign.steps["deal"][0].run(self, table)
        happy = any(CARDS[card] == SMOKE for card in table.own[0].hand)
        table.record(Spoke("cheerful" if happy else "sullen"))


def test_a_public_fact_that_depends_on_a_hidden_card_is_found() -> None:
    found = leak(doctored(first=Speaking, facts=[Spoke]))

    assert "audience 1 can tell what side 0 holds" in found


class Known(Open):
    known: dict[str, int] = {}  # noqa: RUF012 a Struct copies its defaults


class Noted(UmpireFact, frozen=True):
    """Breaks the law: a record that changes the open table."""

    card: str
    side: int

    def fold(self, state: State[Any, Any]) -> None:
        state.open.known[self.card] = self.side


class Noting(Campaign):
    @step("2.2")
    def deal(self, table: Table) -> None:
        Campaign.steps["deal"][0].run(self, table)
        for side in (0, 1):
            table.record(Noted(table.own[side].hand[0], side))


class KnownTable(TinyTable, frozen=True, kw_only=True):
    known: dict[str, int]


def shown_to_sides(table: TinyTable, open: Known, own: Own, parts: Parts) -> Part:
    return KnownTable(**structs.asdict(screen(table, open, own, parts)), known=open.known)


def test_a_view_that_blanks_too_little_is_found() -> None:
    found = leak(doctored(first=Noting, facts=[Noted], open=Known, screen=shown_to_sides))

    assert "audience 0 was sent card:" in found


def shown_to_all(open: Known, parts: Parts) -> Part:
    return KnownTable(**structs.asdict(view(open, parts)), known=open.known)


class Counted(UmpireFact, frozen=True):
    """Breaks the law, though it tells nothing."""

    def fold(self, state: State[Any, Any]) -> None:
        state.open.known["nothing"] = 0


class Counting(Campaign):
    @step("2.2")
    def deal(self, table: Table) -> None:
        Campaign.steps["deal"][0].run(self, table)
        table.record(Counted())


def test_a_view_that_the_facts_sent_do_not_fold_to_is_found() -> None:
    found = leak(doctored(first=Counting, facts=[Counted], open=Known, view=shown_to_all))

    assert found == "the facts sent to audience 0 do not fold to its view"


def test_asking_only_the_seat_that_holds_the_card_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    asks = Reactions.steps["react"][0]
    kind_hearted = asks.run

    def shy(self: Reactions, sight: Sight) -> list[Decision]:
        options: list[Decision] = kind_hearted(self, sight)
        return [] if options == [Pass()] else options

    monkeypatch.setattr(asks, "run", shy)

    assert "can tell what side" in leak(GAME)


def test_a_draw_that_an_exchange_adds_is_found() -> None:
    make = partial(Dealing, hiding=HIDING, dealt={}, script={0: "card:01", 1: "card:01"})

    with pytest.raises(Leak, match=r"after an exchange there is another draw: draw a card \(2.2\)"):
        Playing(GAME, "skirmish", make=make)


def test_a_sealed_choice_that_shows_by_the_number_of_facts_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen(self: Orders, table: Table, decision: Sail) -> None:  # noqa: ARG001 the kernel's shape
        side = table.state.match.side(table.actor)
        if decision.islet == "islet:3":
            table.record(OrderSpent(side))
        table.record(Ordered(side, decision.islet))

    monkeypatch.setattr(Orders.steps["choose"][0], "then", chosen)

    assert "can tell what seat 0 chose (4.1)" in leak(GAME)


def test_patches_that_do_not_make_the_view_are_found() -> None:
    heard = listen(GAME, "skirmish", {}, 1, HIDING)
    onlookers = heard.audiences[2]
    onlookers.view["table"] = {}

    with pytest.raises(Leak, match="the patches to audience None do not make its view"):
        onlookers.check()


def test_facts_about_another_screen_are_found() -> None:
    audience = Listener(GAME, 0)
    Ordered(1, "islet:1").fold(audience.state)

    with pytest.raises(Leak, match="audience 0 was sent facts about the screen of side 1"):
        audience.check()
