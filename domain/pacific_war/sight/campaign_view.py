"""Makes what pages and bots get of a campaign: months, headquarters, the Operation, a side's means."""

from functools import cache

from domain.pacific_war.board import toll, war
from domain.pacific_war.board.campaigns import CAMPAIGNS, HEADQUARTERS, roster
from domain.pacific_war.board.charts import GROUPS, SIDES
from domain.pacific_war.board.special_boats import owner
from domain.pacific_war.command.costs import DAYS
from domain.pacific_war.sight import shown


@cache
def units(scenario: str) -> frozenset[str]:
    """Return all units that a campaign may see, with the groups of its carriers."""
    named = roster(scenario)
    return named | {group for carrier, group in GROUPS.items() if carrier in named}


def months(scenario: str, board: war.War, manned: tuple[str, ...] = ()) -> shown.War:
    """Return the months as everybody sees them; `manned` are the seaplane bases with an air unit."""
    return shown.War(
        ends=CAMPAIGNS[scenario].end_month,
        day=board.day,
        initiative=board.initiative,
        headquarters={hq: _headquarters(hq, post) for hq, post in board.posts.items()},
        operation=_operation(board.operation) if board.operation else None,
        operations=board.operations,
        totals={"JP": board.totals[0], "AL": board.totals[1]},
        damage={"JP": board.damage[0], "AL": board.damage[1]},
        places={"JP": board.places[0], "AL": board.places[1]},
        foul=board.foul,
        msp=board.msp,
        hrl=board.hrl,
        bombers=board.bombers,
        grounded=board.grounded,
        special={
            piece: shown.SpecialBoat(
                side=SIDES[owner(piece)],
                node=boat.node,
                hits=boat.hits,
                base=boat.base,
                aircraft=piece in manned,
            )
            for piece, boat in board.special.items()
        },
    )


def _headquarters(hq: str, post: war.Post) -> shown.Headquarters:
    printed = HEADQUARTERS[hq]
    return shown.Headquarters(
        name=printed.name,
        side=printed.side,
        site=post.site,
        returns=post.returns,
        radius=printed.radius,
        op_cost=printed.op_cost,
        most=printed.cp_cap,
    )


def _operation(operation: war.Operation) -> shown.Operation:
    mine, theirs = (toll.points(one) for one in operation.tolls)
    return shown.Operation(
        player=SIDES[operation.player],
        hq=operation.hq,
        bid=operation.bid,
        spent=operation.spent,
        ap=operation.ap,
        answered=operation.answered,
        planned=DAYS * (1 + operation.multiples),
        level=operation.level,
        days=operation.days,
        moved=operation.moved,
        condition=operation.condition,
        forced=operation.forced,
        suspended=operation.suspended,
        damage={"JP": mine, "AL": theirs},
    )


def means(own: war.Means) -> shown.Means:
    """Return what a side has besides units."""
    return shown.Means(
        points=own.points,
        level=own.level,
        condition=own.condition,
        links=own.links,
        submarines=own.submarines,
        pool=own.pool,
        penalty=own.penalty,
        waiting=own.waiting,
        transport=own.transport,
        steps=own.steps,
        fop=own.fop,
        duty=own.duty,
        escorts=own.escorts,
        escorting=own.escorting,
        priority=own.priority,
        crossing=own.crossing,
        supplied=own.supplied,
        roused=own.roused,
        emergency={
            place: shown.EmergencyLink(kind=link.kind, asset=link.asset)
            for place, link in own.emergency.items()
        },
    )
