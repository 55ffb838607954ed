"""A bot for every title: it chooses any legal decision at random."""

from random import Random
from typing import Any


def choose(view: dict[str, Any], prompt: dict[str, Any], random: Random) -> dict[str, Any]:  # noqa: ARG001
    """Return a random legal decision."""
    option: dict[str, Any] = random.choice(prompt["options"])
    return option
