"""C21 Each of the 64 cards: played once with its effect, and refused once."""

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, NamedTuple

import pytest

from domain.coral_sea.charts import CARDS
from domain.coral_sea.decisions import (
    ChooseUnit,
    Done,
    EndOperation,
    FlyUnit,
    MoveRp,
    PlaceRp,
    PlaceUnitAt,
    PlaceUnitsAt,
    PlayCard,
    PlayChit,
    PlayReaction,
    Refit,
    RemoveUnit,
    RetreatTo,
    StartGroundMove,
    StepTo,
    Stop,
    TargetArea,
    TargetUnit,
    TrukEntry,
)
from domain.kernel.procedures import Decision
from tests.coral_sea.board import AL, JP, TRUK, Board, Where, action, land_battle, operation, sail

SOLOMONS = dict.fromkeys(("buka", "kieta", "buin", "guadalcanal_west", "guadalcanal_lunga", "tulagi"), JP)
PAPUA = {"port_moresby": JP, "lae": JP, "buna": JP}
LATE = {"decks": [10, 10]}


class Case(NamedTuple):
    board: Callable[[str], Board]
    then: tuple[Decision, ...]
    seen: Callable[[Board], Any]
    expected: Any


def card_action(units: Mapping[str, Where] | None = None, **more: Any) -> Callable[[str], Board]:
    """A card action of the card's side with the card in hand."""

    def lay(card: str) -> Board:
        side = CARDS[card].owner
        hands = ((card,), ()) if side == JP else ((), (card,))
        changes = {name: copy(value) for name, value in more.get("change", {}).items()}
        board = action(side, units or {}, hands=hands, **{**more, "change": changes})
        for name, value in more.get("change", {}).items():
            setattr(board.table.open, name, copy(value))
        return board

    return lay


def in_operation(
    owner: int, area: str, units: Mapping[str, Where], stage: str = "open", **more: Any
) -> Callable[[str], Board]:
    """An operation that has just been opened, with the card in its side's hand."""

    def lay(card: str) -> Board:
        hands = ((card,), ()) if CARDS[card].owner == JP else ((), (card,))
        board = operation(owner, area, units, hands=hands, stop=True, **more)
        if stage == "sailed":
            fleet = [n for n, where in units.items() if where == area and n[2:4] not in {"30", "7"}]
            sail(board, fleet, "coral_sea_west" if owner == AL else "st_georges_channel")
            board.go(Stop())
        return board

    return lay


def in_battle(attacker: int, naval: bool = False, **more: Any) -> Callable[[str], Board]:
    """A battle that has just begun, with the card in its side's hand."""

    def lay(card: str) -> Board:
        hands = ((card,), ()) if CARDS[card].owner == JP else ((), (card,))
        if naval:
            return sea_battle(attacker, hands, **more)
        mine, theirs = ("j_144", "a_30") if attacker == JP else ("a_30", "j_144")
        return land_battle(
            attacker, "buna", {mine: ""}, {theirs: ""}, origin="morobe", hands=hands, watch=True, **more
        )

    return lay


def sea_battle(attacker: int, hands: Any, **more: Any) -> Board:
    units = {"j_crudiv6": "coral_sea_west", "a_tf17": "papuan_coast"}
    if attacker == JP:
        units = {"j_crudiv6": "papuan_coast", "a_tf17": "coral_sea_west"}
    units |= more.pop("others", {})
    board = operation(attacker, "papuan_coast", units, hands=hands, stop=True, **more)
    sail(board, [name for name, where in units.items() if where == "papuan_coast"], "coral_sea_west")
    return board


def status(*names: str) -> Callable[[Board], Any]:
    return lambda board: [board.state(name) for name in names]


def placed(*names: str) -> Callable[[Board], Any]:
    return lambda board: [board.open.units[name].area for name in names]


def stock(side: int) -> Callable[[Board], Any]:
    return lambda board: board.open.rp[side]


PLAYED: dict[str, Case] = {
    "J01": Case(card_action(), (TrukEntry("nuguria_sea"),), placed(*TRUK), ["nuguria_sea"] * 4),
    "J02": Case(card_action(change={}), (TrukEntry("nukumanu_sea"),), stock(JP), {"nukumanu_sea": 3}),
    "J03": Case(card_action(control=SOLOMONS, change=LATE), (), lambda b: b.table.state.match.over, True),
    "J04": Case(card_action(control=PAPUA, change=LATE), (), lambda b: b.open.bonus, [2, 0]),
    "J05": Case(card_action(), (), lambda b: b.open.permanent, ["J05"]),
    "J06": Case(
        card_action({"j_shoho": "rabaul", "a_yorktown": "noumea", "a_hornet": "noumea"}),
        (RemoveUnit("a_hornet"),),
        status("j_shoho", "a_hornet", "a_yorktown"),
        ["removed", "removed", "full"],
    ),
    "J07": Case(card_action(), (), stock(JP), {"rabaul": 2}),
    "J08": Case(card_action(), (), stock(JP), {"rabaul": 2}),
    "J09": Case(
        card_action(), (), lambda b: (b.at("j_41"), b.open.rp[JP]), ({"j_41": "rabaul"}, {"rabaul": 1})
    ),
    "J10": Case(
        card_action(), (), lambda b: (b.at("j_28"), b.open.rp[JP]), ({"j_28": "rabaul"}, {"rabaul": 1})
    ),
    "J11": Case(
        card_action(control={"buin": JP}), (PlaceUnitsAt("buin"),), placed("j_124", "j_yoko5"), ["buin"] * 2
    ),
    "J12": Case(card_action(), (), placed("j_4", "j_16", "j_29"), ["rabaul"] * 3),
    "J13": Case(card_action(), (), placed("j_228", "j_229", "j_230"), ["rabaul"] * 3),
    "J14": Case(card_action(), (PlaceUnitsAt("kavieng"),), placed("j_chokai", "j_desron3"), ["kavieng"] * 2),
    "J15": Case(card_action(), (), placed("j_desron2", "j_desron4"), ["rabaul"] * 2),
    "J16": Case(card_action(), (PlaceUnitsAt("rabaul"),), placed("j_ryujo"), ["rabaul"]),
    "J17": Case(
        card_action(control={"lae": JP}),
        (PlaceUnitsAt("lae"),),
        placed("j_170", "j_102", "j_115"),
        ["lae"] * 3,
    ),
    "J18": Case(
        card_action(
            {"a_30": "gasmata", "a_7": "gasmata", "a_14": "gasmata"}, dice=[8, 10], control={"gasmata": AL}
        ),
        (ChooseUnit("a_30"), ChooseUnit("a_14")),
        status("a_30", "a_7", "a_14"),
        ["d", "full", "d"],
    ),
    "J19": Case(
        card_action({"j_144": ("rabaul", "do"), "j_crudiv6": ("rabaul", "d")}),
        (Refit("j_144", "rebuild"), Refit("j_144", "reorganize"), Refit("j_crudiv6", "rebuild")),
        status("j_144", "j_crudiv6"),
        ["full", "full"],
    ),
    "J20": Case(
        in_operation(AL, "papuan_coast", {"a_tf44": "papuan_coast"}, "sailed", dice=[6]),
        (),
        status("a_tf44"),
        ["d"],
    ),
    "J21": Case(
        in_operation(
            AL, "papuan_coast", {"a_tf44": "papuan_coast", "a_yorktown": "papuan_coast"}, "sailed", dice=[10]
        ),
        (),
        status("a_tf44", "a_yorktown"),
        ["full", "d"],
    ),
    "J22": Case(
        card_action(rp=({"rabaul": 2}, {}), control={"lae": JP, "buna": JP}),
        (MoveRp("rabaul", "buna"),),
        stock(JP),
        {"rabaul": 1, "buna": 1},
    ),
    "J23": Case(
        in_operation(JP, "lae", {"j_144": "lae"}, control={"lae": JP}),
        (StartGroundMove("lae"), StepTo("morobe"), Stop()),
        status("j_144"),
        ["full"],
    ),
    "J24": Case(
        in_operation(AL, "papuan_coast", {"a_30": "port_moresby", "a_7": "abau"}, dice=[9]),
        (TargetUnit("a_7"),),
        status("a_30", "a_7"),
        ["full", "d"],
    ),
    "J25": Case(
        in_operation(JP, "rabaul", {"j_144": "rabaul"}, rp=({"rabaul": 1}, {})),
        (),
        lambda b: (b.open.operation and (b.open.operation.side, b.sp), b.open.rp[JP]),
        ((JP, 6), {}),
    ),
    "J26": Case(in_battle(JP), (), lambda b: (b.open.battle or _none()).extra, [1, 0]),
    "J27": Case(
        in_battle(AL, dice=[10, 1], draws=["a_g_assault"]),
        (),
        status("j_144"),
        ["full"],
    ),
    "J28": Case(in_battle(AL), (), lambda b: (b.open.battle or _none()).modifiers, [-1, 0]),
    "J29": Case(in_battle(JP, naval=True), (), lambda b: (b.open.battle or _none()).modifiers, [0, 1]),
    "J30": Case(in_battle(JP), (), lambda b: (b.open.battle or _none()).chits, [3, 1]),
    "J31": Case(
        in_battle(JP, dice=[5], others={"a_7": "buna"}), (ChooseUnit("a_30"),), status("a_30"), ["o"]
    ),
    "J32": Case(
        in_battle(JP, naval=True, others={"j_shoho": "papuan_coast"}, dice=[7]),
        (),
        status("a_tf17"),
        ["d"],
    ),
    "A01": Case(
        card_action({"a_30": "port_moresby", "a_1m": "guadalcanal_west"}, change=LATE),
        (),
        lambda b: (b.table.state.match.over, b.open.bonus),
        (True, [0, 2]),
    ),
    "A02": Case(card_action(), (), lambda b: (b.open.initiative, b.open.initiative_until), (AL, 6)),
    "A03": Case(card_action(), (), lambda b: b.open.permanent, ["A03"]),
    "A04": Case(card_action(permanent=["A03"]), (), lambda b: b.open.permanent, ["A03", "A04"]),
    **{
        card: Case(
            card_action({"j_144": "lae", "j_crudiv6": "huon_gulf"}, dice=[9], control={"lae": JP}),
            (TargetArea("lae"),),
            status("j_144"),
            ["d"],
        )
        for card in ("A05", "A06", "A07")
    },
    "A08": Case(
        card_action({"a_30": "port_moresby"}, permanent=["A03"], change={"airfields": {"buna": AL}}),
        (FlyUnit("a_30", "buna"),),
        placed("a_30"),
        ["buna"],
    ),
    "A09": Case(
        in_operation(JP, "rabaul", {"j_crudiv6": "rabaul"}, "sailed", permanent=["A03"], dice=[9]),
        (RetreatTo("rabaul"),),
        lambda b: (b.state("j_crudiv6"), b.at("j_crudiv6")),
        ("do", {"j_crudiv6": "rabaul"}),
    ),
    "A10": Case(
        card_action(),
        (PlaceRp("noumea"), PlaceRp("noumea"), PlaceRp("australia")),
        stock(AL),
        {"noumea": 2, "australia": 1},
    ),
    "A11": Case(card_action(control={"noumea": JP}), (), stock(AL), {"australia": 3}),
    "A12": Case(card_action(), (), placed("a_18", "a_21", "a_25"), ["australia"] * 3),
    "A13": Case(
        card_action(),
        (PlaceUnitAt("a_14", "australia"), PlaceUnitAt("a_163", "port_moresby")),
        placed("a_14", "a_163"),
        ["australia", "port_moresby"],
    ),
    "A14": Case(card_action(), (), placed("a_1m", "a_5m", "a_7m"), ["noumea"] * 3),
    "A15": Case(card_action(), (PlaceRp("australia"),), placed("a_2m", "a_8m"), ["noumea"] * 2),
    "A16": Case(
        card_action(),
        (PlaceUnitsAt("espiritu_santo"), PlaceRp("noumea")),
        placed("a_164", "a_132"),
        ["espiritu_santo"] * 2,
    ),
    "A17": Case(card_action(), (PlaceRp("noumea"),), placed("a_126", "a_127", "a_128"), ["australia"] * 3),
    "A18": Case(card_action(), (), placed("a_16", "a_17"), ["australia"] * 2),
    "A19": Case(card_action(), (PlaceUnitsAt("noumea"),), placed("a_lexington"), ["noumea"]),
    "A20": Case(card_action(), (), placed("a_enterprise", "a_desron4"), ["noumea"] * 2),
    "A21": Case(card_action(), (), placed("a_saratoga", "a_tf62"), ["noumea"] * 2),
    "A22": Case(card_action(), (), placed("a_tf64", "a_hornet", "a_desron12"), ["noumea"] * 3),
    "A23": Case(
        card_action({"a_30": ("port_moresby", "d"), "a_7": ("abau", "d"), "a_tf17": ("noumea", "o")}),
        (Refit("a_tf17", "reorganize"), Done()),
        status("a_30", "a_7", "a_tf17"),
        ["d", "d", "full"],
    ),
    "A24": Case(
        in_operation(JP, "rabaul", {"j_144": "rabaul"}),
        (),
        lambda b: (b.sp, b.own(AL).seen, b.own(JP).hand),
        (4, [], []),
    ),
    "A25": Case(
        in_operation(JP, "rabaul", {"j_crudiv18": "rabaul"}, "sailed", dice=[6]),
        (),
        status("j_crudiv18"),
        ["d"],
    ),
    "A26": Case(
        in_operation(AL, "papuan_coast", {"a_30": "abau"}),
        (),
        lambda b: b.open.operation and b.open.operation.airfield_cost,
        1,
    ),
    "A27": Case(
        in_operation(AL, "papuan_coast", {"a_30": "abau"}),
        (StartGroundMove("abau"), StepTo("port_moresby"), Stop()),
        status("a_30"),
        ["full"],
    ),
    "A28": Case(
        in_operation(JP, "rabaul", {"j_144": "lae"}, control={"lae": JP}, dice=[7]),
        (),
        status("j_144"),
        ["d"],
    ),
    "A29": Case(in_battle(AL), (), lambda b: (b.open.battle or _none()).extra, [0, 1]),
    "A30": Case(
        in_battle(JP, naval=True, draws=["j_n_long_lance"], others={"j_desron6": "papuan_coast"}, dice=[10]),
        (),
        status("a_tf17"),
        ["full"],
    ),
    "A31": Case(in_battle(JP, dice=[10, 1], draws=["j_g_ambush"]), (), status("a_30"), ["full"]),
    "A32": Case(
        in_battle(AL, dice=[8, 9], others={"j_28": "buna"}),
        (ChooseUnit("j_144"),),
        status("j_144", "j_28"),
        ["d", "d"],
    ),
}


def _none() -> Any:
    raise AssertionError("no battle")


def play(board: Board, card: str) -> None:
    """Play a card at the first moment it is offered, passing and playing any chits before."""
    for _ in range(40):
        if board.offered(PlayCard, PlayReaction):
            for decision in (PlayCard(card), PlayReaction(card)):
                if decision in board.offered():
                    board.go(decision)
                    return
        if board.rule == "C6.5":
            board._take(board.asked[0], board.offered()[-1])
        elif board.offered(PlayChit):
            board.go(board.offered(PlayChit)[0])
        elif board.offered(ChooseUnit):
            board.go(board.offered(ChooseUnit)[0])
        else:
            board.go(EndOperation())
    raise AssertionError(f"{card} is never offered")


@pytest.mark.parametrize("card", CARDS)
def test_c21_1_every_card_can_be_played_c6_7(card: str) -> None:
    case = PLAYED[card]
    board = case.board(card)

    play(board, card)
    board.go(*case.then)
    board.quiet()

    assert card in board.open.played[CARDS[card].owner]
    assert case.expected == case.seen(board)


TAKEN = {a: {f"a_{s}": a} for a, s in (("st_matthias_sea", "tf17"), ("nuguria_sea", "tf44"))}
OCCUPIED = {"a_tf17": "st_matthias_sea", "a_tf44": "nuguria_sea", "a_tf62": "nukumanu_sea"}
HERE = {card: {u: "rabaul" for e in CARDS[card].effects for u in e.units} for card in CARDS}
HERE |= {c: dict.fromkeys(HERE[c], "noumea") for c in CARDS if c.startswith("A")}

REFUSED: dict[str, Callable[[str], Board]] = {
    "J01": card_action(OCCUPIED),
    "J02": card_action({"j_shokaku": "nuguria_sea"}),
    "J03": card_action(control={**SOLOMONS, "tulagi": AL}, change=LATE),
    "J04": card_action(control=PAPUA),
    "J05": in_operation(JP, "rabaul", {"j_144": "rabaul"}),
    "J06": card_action({"a_yorktown": "noumea", "j_shokaku": "nuguria_sea"}),
    "J07": card_action(control={"rabaul": AL}),
    "J08": card_action(control={"rabaul": AL}),
    "J18": card_action({"a_30": "port_moresby"}),
    "J19": card_action({"j_144": ("gasmata", "d"), "j_crudiv6": ("bismarck_sea", "d")}),
    "J20": in_operation(JP, "rabaul", {"j_crudiv6": "rabaul"}, "sailed"),
    "J21": in_operation(AL, "papuan_coast", {"a_tf44": "papuan_coast"}),
    "J22": card_action({"j_144": "rabaul"}),
    "J23": in_operation(AL, "papuan_coast", {"a_30": "abau"}),
    "J24": in_operation(AL, "papuan_coast", {"a_30": "port_moresby"}, rp=({}, {"port_moresby": 1})),
    "J25": in_operation(JP, "rabaul", {}),
    "J26": in_battle(JP, naval=True),
    "J27": in_battle(JP, naval=True, dice=[10] * 20),
    "J28": in_battle(JP),
    "J29": in_battle(JP),
    "J30": card_action(),
    "J31": in_battle(AL),
    "J32": in_battle(JP, naval=True),
    "A01": card_action({"a_30": "port_moresby"}, change=LATE),
    "A02": card_action(change={"initiative": AL}),
    "A03": in_operation(AL, "papuan_coast", {"a_30": "abau"}),
    "A04": card_action(),
    "A05": card_action({"j_144": "rabaul"}, control={"lae": JP}),
    "A06": card_action({"j_144": "lae"}, permanent=["A03", "A04"]),
    "A07": in_operation(JP, "lae", {"j_144": "lae"}, control={"lae": JP}),
    "A08": card_action({"a_30": "port_moresby"}, change={"airfields": {"buna": AL}}),
    "A09": in_operation(JP, "rabaul", {"j_crudiv6": "rabaul"}, "sailed"),
    "A10": in_operation(AL, "papuan_coast", {"a_30": "abau"}),
    "A11": in_operation(AL, "papuan_coast", {"a_30": "abau"}),
    "A13": card_action({"a_14": "australia", "a_163": "australia"}),
    "A23": card_action({"a_30": ("abau", "d"), "a_tf17": ("loyalty_sea", "o")}),
    "A24": in_operation(AL, "papuan_coast", {"a_30": "abau"}),
    "A25": in_operation(AL, "papuan_coast", {"a_tf44": "papuan_coast"}, "sailed"),
    "A26": in_operation(JP, "rabaul", {"j_144": "rabaul"}),
    "A27": in_operation(JP, "rabaul", {"j_144": "rabaul"}),
    "A28": in_operation(JP, "rabaul", {"j_144": "rabaul"}, rp=({"rabaul": 1}, {})),
    "A29": in_battle(AL, naval=True),
    "A30": in_battle(JP),
    "A31": in_battle(JP),
    "A32": in_battle(JP),
    **{
        card: card_action(HERE[card])
        for card, printed in CARDS.items()
        if printed.effects[0].type == "reinforce" and card != "A13"
    },
}


@pytest.mark.parametrize("card", CARDS)
def test_c21_2_every_card_is_refused_without_what_it_needs_c6_4(card: str) -> None:
    board = REFUSED[card](card)

    for _ in range(60):
        assert PlayCard(card) not in board.offered()
        assert PlayReaction(card) not in board.offered()
        if board.open.operation is None or not board.asked or board.table.state.match.over:
            break
        options = board.offered()
        board._take(board.asked[0], options[-1] if not board.offered(PlayChit) else options[0])
    assert card in board.own(CARDS[card].owner).hand
    assert set(CARDS) == set(PLAYED) == set(REFUSED)
