"""Bots by strength and title. A bot is a pure function of what its seat sees: JSON in, JSON out.

`choose(view, prompt, random) -> option`: `view` and `prompt` as PROTOCOL.md describes them, the option is one
of `prompt["options"]`. No seat is asked before the set-up, so `view["table"]` is never empty. A bot of one
title reads them as that title's own types (`typed`). A new bot is registered here and nowhere else.
"""

from typing import Final

from clients.bots import any_legal, coral_sea, midway, nimitz, pacific_war
from clients.player import Choose

__all__ = ["BY_TITLE", "FOR_ALL", "Choose", "strengths"]

FOR_ALL: Final[dict[str, Choose]] = {"random": any_legal.choose}
BY_TITLE: Final[dict[str, dict[str, Choose]]] = {
    "midway": {"steady": midway.choose},
    "coral_sea": {"steady": coral_sea.choose},
    "nimitz": {"automated": nimitz.automated, "steady": nimitz.choose},
    "pacific_war": {"steady": pacific_war.choose},
}


def strengths(title: str) -> dict[str, Choose]:
    """Return the bots that can play a title by strength, weakest first."""
    return FOR_ALL | BY_TITLE.get(title, {})
