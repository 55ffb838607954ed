"""Links into a match, and the nonces of its seats.

A link is `http://host:port/match/<id>#<token>`; the token is in the fragment, which browsers do not send. A
seat's nonce has to outlive the process that commits to it, since a match whose nonce is lost can never begin:
it is written to a file first. So is the token that a seat is held by once it is taken, which nobody else
knows.
"""

import os
import secrets
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from msgspec import Struct

NONCE_BYTES = 16
TOKEN_BYTES = 20
DEFAULT_URL = "http://127.0.0.1:8000"


class BadLink(ValueError):
    """The text is no link to a match."""


class Place(Struct, frozen=True):
    """A match on a server, and the token of a link to it; without a token the client is an onlooker."""

    url: str
    """`http://host:port`, without a slash at its end."""
    match: UUID
    token: str = ""

    def __repr__(self) -> str:
        """Leave out the token."""
        return f"Place({self.url}/match/{self.match})"


def default_url() -> str:
    """Return the default server: FLEETFOLD_URL from the environment, or the one on this machine."""
    return os.environ.get("FLEETFOLD_URL", "").rstrip("/") or DEFAULT_URL


def place(link: str, url: str = "") -> Place:
    """Read a link, or the bare id of a match on the server at `url`; raises BadLink."""
    text = link.strip()
    if "://" not in text:
        bare, _, token = text.partition("#")
        return Place((url or default_url()).rstrip("/"), _match(bare, link), token)
    try:
        parts = urlsplit(text)
    except ValueError:
        raise BadLink(f"{_shown(link)} is not a URL") from None
    folder, _, match = parts.path.rstrip("/").rpartition("/")
    if parts.scheme not in {"http", "https"} or not parts.netloc or not folder.endswith("/match"):
        raise BadLink(f"{_shown(link)} is not a link such as {DEFAULT_URL}/match/<id>#<token>")
    root = folder.removesuffix("/match")
    return Place(f"{parts.scheme}://{parts.netloc}{root}", _match(match, link), parts.fragment)


def socket_url(url: str) -> str:
    """Return the URL of a server's websocket; raises BadLink."""
    scheme, separator, rest = url.rstrip("/").partition("://")
    if scheme not in {"http", "https"} or not separator:
        raise BadLink(f"{url} does not begin with http:// or https://")
    return f"{'wss' if scheme == 'https' else 'ws'}://{rest}/socket"


def state_folder() -> Path:
    """Return the folder of nonces: `fleetfold` under XDG_STATE_HOME, or under ~/.local/state."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "fleetfold"


def keep_nonce(folder: Path, match: UUID, seat: int, nonce: bytes) -> None:
    """Store a seat's nonce, readable by its owner, in place of what was stored."""
    path = _nonce(folder, match, seat)
    new = path.with_suffix(f".{secrets.token_hex(4)}")
    _kept(new, nonce.hex())
    new.replace(path)


def stored_nonce(folder: Path, match: UUID, seat: int) -> bytes:
    """Return the nonce stored for a seat, empty if there is none."""
    path = _nonce(folder, match, seat)
    return bytes.fromhex(path.read_text()) if path.exists() else b""


class Seating(Struct, frozen=True):
    """The command by which a seat is taken, and the token that it is held by from then on."""

    command: UUID
    token: str


def new_seating() -> Seating:
    """Return a command and a token that nobody has used."""
    return Seating(uuid4(), secrets.token_urlsafe(TOKEN_BYTES))


def kept_seating(folder: Path, place: Place, seat: int | None = None) -> Seating:
    """Return what a seat is taken with, that of a link or any by its number, stored as nonces are."""
    new = new_seating()
    command, token = _kept(_seating(folder, place, seat), f"{new.command} {new.token}").split()
    return Seating(UUID(command), token)


def held_by(folder: Path, place: Place) -> str:
    """Return the token by which the seat of a link is held since it was taken from here, or empty."""
    return kept_seating(folder, place).token if _seating(folder, place).exists() else ""


def _nonce(folder: Path, match: UUID, seat: int) -> Path:
    return folder / f"{match}-{seat}.nonce"


def _seating(folder: Path, place: Place, seat: int | None = None) -> Path:
    """Return the path of what a seat is taken with; a link is named by its hash, which opens nothing."""
    by = sha256(place.token.encode()).hexdigest()[:16] if seat is None else seat
    return folder / f"{place.match}-{by}.joining"


def _kept(path: Path, new: str) -> str:
    """Return what is stored at a path, which is `new` if nothing was."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text()
    with os.fdopen(file, "w") as kept:
        kept.write(new)
        kept.flush()
        os.fsync(kept.fileno())
    return new


def _match(text: str, link: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise BadLink(f"{_shown(link)} does not name a match") from None


def _shown(link: str) -> str:
    return link.partition("#")[0]
