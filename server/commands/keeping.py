"""The key ring and the key that signs checkpoints, which lie beside the database.

Where a backup takes them from, and by which a restore goes. What the settings name is what the server will
use, so a restore goes by that too, and writes no file that would not be read.

Deliberately absent: the database, and which matches a ring opens (`server.proof.sealed`).
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from server.proof.keys import KeyFault, KeyRing, private_text, read_ring
from server.settings import Settings

NAMES: Final = ("keys", "signer")
"""What they are called in `secrets/` of a backup, in the data folder, and after FLEETFOLD_."""


class Secret(Struct, frozen=True):
    """One of the two: its name, and what the settings say: its text, or its file."""

    name: str
    text: str
    file: Path | None

    @property
    def setting(self) -> str:
        """The setting that names it."""
        return f"FLEETFOLD_{self.name.upper()}"

    def configured(self) -> str:
        """Return what the settings name; empty if they name nothing. Raises KeyFault."""
        return self.text or (private_text(self.file) if self.file is not None else "")


def secrets_of(settings: Settings) -> tuple[Secret, Secret]:
    """Return the ring and the signing key as the settings have them."""
    return (
        Secret("keys", settings.keys, settings.keys_file),
        Secret("signer", settings.signer, settings.signer_file),
    )


def to_back_up(settings: Settings) -> dict[str, str]:
    """Read the key ring, and the signing key if this server has one, by their names. Raises KeyFault."""
    found = dict[str, str]()
    for secret in secrets_of(settings):
        there = settings.data / secret.name
        if text := secret.configured():
            found[secret.name] = text
        elif secret.name == "keys" and not settings.embedded:
            raise KeyFault("FLEETFOLD_KEYS is not set: there is no key ring to put into the backup.")
        elif secret.name == "keys" or there.exists():
            found[secret.name] = private_text(there)
    return found


def to_restore(
    settings: Settings, given: Mapping[str, Path | None], kept: Mapping[str, str]
) -> dict[str, str]:
    """Return the ring and the signing key by which a restore goes, as far as there are any, by their names.

    `given` are the files of its options, `kept` what is in the backup. Raises KeyFault where two of them that
    count are not the same.
    """
    found = dict[str, str]()
    for secret in secrets_of(settings):
        configured, file, there = secret.configured(), given[secret.name], settings.data / secret.name
        text = private_text(file) if file is not None else ""
        if configured and text and not _same(configured, text):
            raise KeyFault(
                f"--{secret.name} names another than {secret.setting}, by which the server would go: unset "
                "that, or name the same. Nothing was changed."
            )
        text = configured or text or kept.get(secret.name, "")
        if not configured and there.exists():
            other = private_text(there)
            if text and not _same(text, other):
                raise KeyFault(
                    f"{there} is there already, and is another. Move it away, or name it by --{secret.name}."
                )
            text = other
        if text:
            found[secret.name] = text
    return found


def _same(one: str, other: str) -> bool:
    """Whether two texts are of the same key or keys, in the same order, but for blanks and comments."""
    return _lines(one) == _lines(other)


def _lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def ring_for(sealed_with: Iterable[str], text: str, *, without_keys: bool) -> KeyRing | None:
    """Read the ring, if there is any. Raises KeyFault where it lacks a key that is needed."""
    ring = read_ring(text) if text else None
    needed = [key for key in sealed_with if ring is None or key not in ring]
    if needed and not without_keys:
        raise KeyFault(
            f"Matches that have not ended are sealed with {', '.join(needed)}, which is not on the key ring: "
            "name the file of the ring by --keys, or set FLEETFOLD_KEYS. If it is lost for good, "
            "--without-keys restores the other matches."
        )
    return ring


def to_write(settings: Settings, texts: Mapping[str, str]) -> dict[Path, str]:
    """Return the files that a restore has yet to write for the server to find."""
    unnamed = {secret.name for secret in secrets_of(settings) if not secret.configured()}
    files = {settings.data / name: text for name, text in texts.items() if name in unnamed}
    return {file: text for file, text in files.items() if not file.exists()}


def still_to_do(settings: Settings, kept: Mapping[str, str]) -> Iterator[str]:
    """Say what is missing before a server can start as the one before. `kept` is what is in the backup."""
    ring, signer = secrets_of(settings)
    keys, signs = settings.data / ring.name, settings.data / signer.name
    if not settings.embedded and not ring.configured():
        which = f"the key ring before you start the server ({keys})" if keys.exists() else "a new key ring"
        yield f"Set FLEETFOLD_KEYS to {which}: a server on a database of yours does not start without."
    if not signer.configured() and not signs.exists():
        yield (
            f"The key that signs checkpoints is not there: put it to {signs} before you start, or "
            "others sign from now on, which everybody sees who checks."
        )
    elif (text := signer.configured()) and not _same(text, kept.get("signer", text)):
        yield (
            "FLEETFOLD_SIGNER is another key than the one in the backup: it signs from now on, which "
            "everybody sees who checks."
        )
