"""The option `--audience` of `export` and `replay`: for whom a match is shown."""

from typing import Final

import click

from projections.history import BY_NAME

PUBLIC: Final = "public"

audience_option = click.option(
    "--audience",
    type=click.Choice([PUBLIC, *BY_NAME]),
    default=PUBLIC,
    show_default=True,
    help="For whom: side 0, side 1, the onlookers, or all, which is the umpire. "
    "What is public is all when the match has ended, else what the onlookers see.",
)


def reader_name(audience: str, *, ended: bool) -> str:
    """Return the key in BY_NAME of the reader that this choice of the option is."""
    if audience == PUBLIC:
        return "all" if ended else "onlookers"
    return audience
