"""P5.1 From strategic transport to engineering (5.1.I to 5.1.M): each side by itself, both at once (R-44).

The chapters are those of P13 to P17, in `transport`, `arrivals`, `points_of_month`, `lifelines`, `commands`,
`dockyards`, `replacements` and `engineering`. What a side may do rests on the enemy as he stood when it all
began, and on itself as it is now (R-50).
"""

from collections.abc import Iterable, Sequence
from itertools import islice

from msgspec.structs import replace

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.pacific_war.board.table import Sight, Table
from domain.pacific_war.command.links import Blockers, blockers, relink, tell_paths
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.decisions.orders_of_month import AsLastMonth, Suggested
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.cycle import PatrolIs
from domain.pacific_war.months import (
    arrivals,
    commands,
    dockyards,
    engineering,
    lifelines,
    points_of_month,
    replacements,
    transport,
)
from domain.pacific_war.months.desk import Chapter, Desk
from domain.pacific_war.months.proposals import in_words, proposal

CHAPTERS: tuple[Chapter, ...] = (
    *transport.CHAPTERS,
    *arrivals.CHAPTERS,
    *points_of_month.CHAPTERS,
    *lifelines.CHAPTERS,
    *commands.CHAPTERS,
    *dockyards.CHAPTERS,
    *replacements.CHAPTERS,
    *engineering.CHAPTERS,
)


REPEATED = "as last month"
"""What a desk notes when all is done again that may be (P0.9.2): the choice goes on after it."""


def offers(sight: Sight, desk: Desk) -> list[Decision]:
    """Return what a side may decide where it is; nothing if it is through, or has nothing but `Done`."""
    if desk.chapter == len(CHAPTERS):
        return []
    chapter = CHAPTERS[desk.chapter]
    if desk.following:
        return _followed(sight, desk, chapter)
    proposed = proposal(sight, desk, chapter)
    if desk.picked:
        found = chapter.seconds(sight, desk)
        return [*_suggested(proposed), *found] if chapter.must and len(found) > 1 else found
    again = [] if REPEATED in desk.done else chapter.again(sight, desk)
    if desk.repeating and again:
        return again[:1]
    found = [*chapter.options(sight, desk)]
    if not found or (chapter.must and len(found) == 1):
        return found
    last = [AsLastMonth()] if again else []
    return [*_suggested(proposed), *last, *found, *_end(sight, desk, chapter)]


def how_many(sight: Sight, desk: Desk) -> int:
    """Return how many decisions are offered, 2 for any more; most often no more than two are looked for."""
    if not (desk.following or desk.picked or desk.repeating):
        found = [*islice(CHAPTERS[desk.chapter].options(sight, desk), 2)]
        if len(found) != 1:
            return len(found)
    return len(offers(sight, desk))


def _followed(sight: Sight, desk: Desk, chapter: Chapter) -> list[Decision]:
    """Return what the house proposes next, or to be done when that is all (P0.9.1)."""
    first = [*islice(proposal(sight, desk, chapter), 1)]
    if first or desk.picked:
        return first
    found = [*chapter.options(sight, desk)]
    return found if not found or (chapter.must and len(found) == 1) else _end(sight, desk, chapter)


def _end(sight: Sight, desk: Desk, chapter: Chapter) -> list[Decision]:
    """Return `Done`, where a side may be done with a chapter."""
    return [] if chapter.must or chapter.owes(sight, desk) else [Done()]


def _suggested(proposed: Iterable[Decision]) -> list[Decision]:
    """Return what takes a proposal, if there is one (P0.9.1)."""
    said = in_words(proposed)
    return [Suggested(said)] if said else []


def after(desk: Desk, decision: Decision) -> Desk:
    """Return the desk with what is picked, if another decision must follow; else as it was."""
    picked = CHAPTERS[desk.chapter].picks(desk, decision)
    return replace(desk, picked=picked) if picked else desk


def chooses(sight: Sight, desk: Desk, decision: Decision) -> bool:
    """Return whether a pick is followed by a choice, once what is settled has been taken (P0.3)."""
    picked = after(desk, decision)
    if picked == desk:
        return False
    options = offers(sight, picked)
    return len(options) > 1 or any(chooses(sight, picked, one) for one in options)


class Administration(Procedure):
    """P5.1 STRATEGIC TRANSPORT, REINFORCEMENTS, NAVAL REPAIR, REPLACEMENTS, ENGINEERING."""

    desks: dict[str, Desk] = {}  # noqa: RUF012 a Struct copies its defaults
    """Side to where it is."""
    foes: dict[str, Blockers] = {}  # noqa: RUF012
    """Side to what the enemy blocked when all began; no side sees this."""
    torpedoed: dict[str, int] = {}  # noqa: RUF012
    """Hex of a patrol to the points that it loses when all is over (R-50)."""

    asked: tuple[int, ...] = (0, 1)
    """Who is asked next: both, or one alone while it has but one thing to do, which is done at once.

    What it does is no matter to the other side, whose list is made when all of that is done; units that come
    to a place of their own with an enemy in its hex (P14.1) may end a choice of his there, no sooner told.
    """

    @step("11.6.1")
    def begin(self, table: Table) -> None:
        """Tell both sides their links and safe paths."""
        for side in (0, 1):
            self.foes = self.foes | {str(side): blockers(table, side)}
            tell_paths(table, side)

    @step("13.2.5")
    def sail(self, table: Table) -> None:
        """Let a crippled ship sail to its port, past the patrols on its way."""
        for side in (0, 1):
            desk = self.desk(side)
            if desk.sailing:
                ship, place = desk.sailing
                lost = transport.voyage(table, side, ship, place)
                self.torpedoed = self.torpedoed | {
                    at: points + self.torpedoed.get(at, 0) for at, points in lost.items() if points
                }
                self.set(side, replace(desk, sailing=()))

    @step("0.3")
    def pass_over(self, table: Table) -> None:
        """Pass over chapters in which a side can do nothing; a chapter that is entered begins."""
        begun, self.asked = bool(self.desks), (0, 1)
        for side in (0, 1):
            if self.desk(side).entered and side != table.actor:
                continue
            sight = Sight(side, side, table.open, table.own[side])
            if self.desk(side).entered and not self.desk(side).picked:
                relink(table, side, self.foes[str(side)])
            while (desk := self.desk(side)).chapter < len(CHAPTERS):
                if not desk.entered:
                    if (enter := CHAPTERS[desk.chapter].enter) is not None:
                        enter(table, side)
                    desk = replace(desk, entered=True)
                    self.set(side, desk)
                if desk.repeating and not CHAPTERS[desk.chapter].again(sight, desk):
                    desk = replace(desk.did(REPEATED), repeating=False)
                    self.set(side, desk)
                if found := how_many(sight, desk):
                    if begun and found == 1:
                        self.asked = (side,)
                    break
                self.set(side, Desk(desk.chapter + 1))

    @ask("13.1", by="asked", forced=True)
    def administer(self, sight: Sight) -> list[Decision]:
        """Choose what to do, or be done with this part."""
        return offers(sight, self.desk(sight.side))

    @administer.numbered
    def _(self, sight: Sight) -> str:
        return self._chapter(sight.side).rule

    @administer.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        chapter, picked = self._chapter(sight.side), self.desk(sight.side).picked
        return chapter.then(picked) if picked else chapter.text

    @administer.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        """Return the first picks that leave a choice; where there is but one second, it is made at once."""
        desk = self.desk(sight.side)
        forks = CHAPTERS[desk.chapter].forks
        if forks is not None:
            return [] if desk.picked else forks(sight, desk, options)
        return [one for one in options if chooses(sight, desk, one)]

    @administer.chosen
    def _(self, table: Table, decision: Decision) -> Flow:
        side = table.actor
        desk = self.desk(side)
        if isinstance(decision, Done):
            self.set(side, Desk(desk.chapter + 1))
        elif isinstance(decision, Suggested):
            self.set(side, replace(desk, following=True))
        elif isinstance(decision, AsLastMonth):
            self.set(side, replace(desk, repeating=True))
        elif (picked := after(desk, decision)) != desk:
            self.set(side, picked)
        else:
            chapter = CHAPTERS[desk.chapter]
            # What is proposed for a unit that is placed holds for that one alone.
            following = desk.following and not (chapter.must and desk.picked)
            self.set(side, chapter.take(table, side, replace(desk, following=following), decision))
        return self.sail if self.desk(side).sailing else self.pass_over

    @step("13.2.5")
    def over(self, table: Table) -> Flow:
        """Take the points off patrols that escorts have hit (R-50), but not those recalled since (P14.2).

        All are told of what was hit: that points were recalled is secret. The patrols are lifted next.
        """
        for side in (0, 1):
            own = table.own[side]
            hit = {at: points for at, points in sorted(self.torpedoed.items()) if at in own.patrols}
            for at, points in hit.items():
                before, now = own.patrols[at], Changes(table, "hit by escorts")
                now.patrol(side, at, before - min(points, commands.on_patrol(own, at)))
                now.record()
                table.record(PatrolIs(at, side, max(0, before - points)))
        return DONE

    def desk(self, side: int) -> Desk:
        """Return where a side is."""
        return self.desks.get(str(side), Desk())

    def set(self, side: int, desk: Desk) -> None:
        """Note where a side is."""
        self.desks = self.desks | {str(side): desk}

    def _chapter(self, side: int) -> Chapter:
        return CHAPTERS[self.desk(side).chapter]
