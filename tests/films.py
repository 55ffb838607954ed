"""Films for the rulebook on the page: worked examples to step through, and boards for its pictures.

A title that has some says so in `films()` of its `tests/<title>/examples.py`, made from the very boards that
its tests play. `.venv/bin/python -m tests.films` writes them into the page's folder of the title, as
`films.jsonl`; a test fails when they are not what the rules yield today.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec import Struct, json

from domain.kernel.audience import Audience, Viewer
from domain.kernel.facts import Fact
from domain.match.game import Game
from domain.match.parts import Part
from domain.match.views import Views, patch
from domain.titles import TITLES

PAGE = Path(__file__).parents[1] / "clients" / "web" / "src" / "titles"


class Film(Struct, frozen=True):
    """A board from an encoded state on, fact by fact, as its audience sees it."""

    name: str
    game: Game
    before: bytes
    facts: Sequence[Fact]
    audience: Viewer = Audience.ONLOOKERS
    still: bool = False
    """Only the board after the last fact is shown: a picture."""

    def frames(self) -> Iterator[dict[str, Any]]:
        """Yield the view to begin with, then each fact that is seen, with what it changes in the view."""
        state, views, seen = self.game.restore(self.before), Views(self.game), Part()

        def change() -> dict[str, Any]:
            nonlocal seen
            old, seen = seen, views.of(state, (self.audience,))[self.audience]
            return patch(old, seen)

        if not self.still:
            yield {"patch": change()}
        for fact in self.facts:
            fact.fold(state)
            if not self.still and self.audience.sees(fact.audience()):
                body = json.encode(fact).decode()
                yield {
                    "patch": change(),
                    "type": type(fact).__name__,
                    "words": self.game.words(fact),
                    "body": body,
                }
        if self.still:
            yield {"patch": change()}


def written(films: Sequence[Film]) -> bytes:
    """Return films as the page reads them, one a line."""
    return b"".join(json.encode({"name": film.name, "frames": list(film.frames())}) + b"\n" for film in films)


def filmed() -> list[str]:
    """Return the titles that have films."""
    return [title for title in TITLES if find_spec(f"tests.{title}.examples")]


def made(title: str) -> tuple[Path, bytes]:
    """Return the file of a title that has films, and what belongs into it."""
    return PAGE / title / "films.jsonl", written(import_module(f"tests.{title}.examples").films())


if __name__ == "__main__":
    for path, content in map(made, filmed()):
        path.write_bytes(content)
