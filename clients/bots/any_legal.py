"""A bot for every title: any legal decision is as good as any other."""

from random import Random
from typing import Any


def choose(view: dict[str, Any], prompt: dict[str, Any], random: Random) -> dict[str, Any]:  # noqa: ARG001
    """Return any of the legal decisions."""
    option: dict[str, Any] = random.choice(prompt["options"])
    return option
