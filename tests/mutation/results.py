"""What the last runs came to, a file a package, in the repository so that the next run goes on from there."""

from pathlib import Path

from msgspec import Struct, json

FOLDER = Path(__file__).parent / "results"


class Survivor(Struct, frozen=True):
    """A fault that no test noticed: where, the line as it was and as it was made."""

    within: str
    was: str
    now: str
    reason: str = ""
    """Why no test can notice it; empty if nobody has read it or a test is owed."""

    def key(self) -> tuple[str, str, str]:
        """Return what it is known by. Lines move; a definition and its text stay."""
        return self.within, self.was, self.now


class Kept(Struct, frozen=True):
    """A module as of its last run."""

    digest: str
    """Of its source: the first 16 hex digits of SHA-256."""
    mutants: int
    survivors: list[Survivor]

    def line(self, module: str) -> str:
        """Say how many were killed, and how many of the rest are explained."""
        killed = self.mutants - len(self.survivors)
        explained = sum(bool(one.reason) for one in self.survivors)
        share = 100 * killed / self.mutants if self.mutants else 100
        rest = f", {explained} explained" if explained else ""
        return f"{module}: {share:.0f} % ({killed} of {self.mutants} killed{rest})"


def load(package: str) -> dict[str, Kept]:
    """Return what is kept of each module of a package."""
    file = FOLDER / f"{package}.json"
    return json.decode(file.read_bytes(), type=dict[str, Kept]) if file.exists() else {}


def save(package: str, results: dict[str, Kept]) -> None:
    """Keep the results of a package, a survivor a line."""
    FOLDER.mkdir(exist_ok=True)
    text = json.format(json.encode(dict(sorted(results.items()))), indent=1)
    (FOLDER / f"{package}.json").write_bytes(text + b"\n")
