"""The environment, read once into one frozen Struct.

Here are the names, defaults and checks of everything an operator may set. Limits that nobody should change
are constants beside the code they limit. Nothing else in the project reads the environment of the server.

| variable | meaning | unset |
|---|---|---|
| FLEETFOLD_DATABASE_URL | `postgresql://...`, or a file | the server runs its own in FLEETFOLD_DATA |
| FLEETFOLD_REDIS_URL | Redis, as `server.redis_url` says, or a file | broadcasts stay on the machine |
| FLEETFOLD_HOST | address to listen on | 127.0.0.1 |
| FLEETFOLD_PORT | port to listen on | 8000, or the next free one |
| FLEETFOLD_PUBLIC_URL | what players' links begin with | made of host and port |
| FLEETFOLD_DATA | folder of the embedded database, absolute | see `default_data` |
| FLEETFOLD_KEYS | key ring: a file, named from / or ~ on, or the ring itself | embedded: made at first |
| FLEETFOLD_SIGNER | key that signs checkpoints: a file, or the key itself | `signer` in FLEETFOLD_DATA |
| FLEETFOLD_ORIGINS | pages that may connect, `https://a.example,https://b.example` | the server's own |
| FLEETFOLD_MAIL | mail server for notices, as `server.mail_url` says, or a file | no mail is sent |
| FLEETFOLD_MAIL_FROM | the address that mails come from; with a mail server | none |
| FLEETFOLD_NOTICES_TO_LOOPBACK | `yes`: webhooks may reach this machine itself, in tests | they may not |
| FLEETFOLD_OIDC_ISSUER | provider of identities that people come in by, as its discovery names it | none |
| FLEETFOLD_OIDC_CLIENT_ID | what this server is called there; it comes back to `/provider` | none |
| FLEETFOLD_OIDC_CLIENT_SECRET | what it proves that by, or a file | none: by PKCE alone |
| FLEETFOLD_OIDC_NAME | what people call the provider | the issuer's host |
| FLEETFOLD_LOG_LEVEL | debug, info, warning or error | info |
| FLEETFOLD_CONNECTIONS_PER_ADDRESS | websockets open from one address | 512 |
| FLEETFOLD_OFFERS_PER_ADDRESS | offers from one address that are open to be joined | 3 |
| FLEETFOLD_PROXIES | proxies of yours in front, whose X-Forwarded-For is believed | 0 |
| FLEETFOLD_MATCHES_PER_CONNECTION | matches on one websocket | 8 |
| FLEETFOLD_TABLES_IN_MEMORY | matches kept folded | 1000 |
| FLEETFOLD_DRAIN_SECONDS | patience with clients when stopping | 10 |
| FLEETFOLD_PROCESSES | server processes on the one port | `serve`: a core each, at most 8; `play`: 1 |
| OTEL_EXPORTER_OTLP_ENDPOINT | where traces go, with the extra `otel` | there are none |

What holds a secret, the three URLs, the ring, the key and the provider's, may stand in a file instead, of
mode 0600 and named from / or ~ on. Whatever reads the settings then reads the same: the server, and each
command beside it.
"""

import difflib
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from server import mail_url, redis_url
from server.limits import OFFERS, SOCKETS
from server.mail_url import MailFault, MailServer
from server.proof.keys import KeyFault, private_text
from server.redis_url import RedisFault

PREFIX: Final = "FLEETFOLD_"
MOST_PROCESSES: Final = 64
FIRST_PORT: Final = 8000
PORTS: Final = 100
"""How many ports, from the first on, are tried when none is set."""

OTLP: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
"""Variables of OpenTelemetry, one of which makes a server export traces (`server.tracing`)."""

LOG_LEVELS: Final = ("debug", "info", "warning", "error")

Default = TypeVar("Default", int, None)


class SettingsError(ValueError):
    """A variable has an invalid value. The message names the variable, never the value."""


class Provider(Struct, frozen=True):
    """A provider of identities (OpenID Connect). Its repr holds no secret."""

    issuer: str
    client_id: str
    secret: str
    name: str

    def __repr__(self) -> str:
        return f"Provider({self.issuer})"


class Settings(Struct, frozen=True):
    """The operator's settings. The repr holds no password and no key, so that it may be logged."""

    database_url: str | None = None  # None: embedded
    redis_url: str | None = None  # None: in the process
    host: str = "127.0.0.1"
    port: int | None = None  # None: 8000 or the next free one
    public_url: str | None = None  # without a slash at its end
    data: Path = Path("/var/lib/fleetfold")
    keys: str = ""  # the ring's text, as server.proof.keys reads it
    keys_file: Path | None = None  # or its file
    signer: str = ""  # the key's text, as server.proof.notes reads it
    signer_file: Path | None = None  # or its file; of neither, `signer` in `data`
    origins: tuple[str, ...] = ()  # exact; empty: the server's own
    mail: MailServer | None = None  # None: no mail
    mail_from: str = ""
    notices_to_loopback: bool = False
    oidc: Provider | None = None  # None: nobody comes in by one
    log_level: str = "info"
    connections_per_address: int = SOCKETS
    offers_per_address: int = OFFERS
    proxies: int = 0  # so many of the last addresses in X-Forwarded-For were written by the operator's own
    matches_per_connection: int = 8
    tables_in_memory: int = 1000
    drain_seconds: int = 10
    processes: int | None = None  # None: it depends on the command
    traces: bool = False  # whether OpenTelemetry's own variables name an endpoint for traces

    @property
    def embedded(self) -> bool:
        """Whether the server runs its own Postgres."""
        return self.database_url is None

    @property
    def ports(self) -> Sequence[int]:
        """The ports that are tried: the one that is set, or else PORTS from FIRST_PORT on."""
        return range(FIRST_PORT, FIRST_PORT + PORTS) if self.port is None else [self.port]

    def __repr__(self) -> str:
        """Leave out everything secret."""
        return f"Settings(embedded={self.embedded}, redis={self.redis_url is not None}, data={self.data})"


def read(environ: Mapping[str, str] | None = None) -> Settings:
    """Read settings from the environment, by default the process's own.

    An empty variable counts as unset. Raises SettingsError for an invalid value, and for a name that looks
    like a misspelling of one of ours.
    """
    given = {name: value.strip() for name, value in (os.environ if environ is None else environ).items()}
    given = {name: value for name, value in given.items() if value}
    _refuse_slips(given)
    keys, keys_file = _secret(given, "KEYS")
    signer, signer_file = _secret(given, "SIGNER")
    mail = _mail(given)
    return Settings(
        database_url=_url(given, "DATABASE_URL", ("postgresql", "postgres")),
        redis_url=_redis_url(given),
        host=given.get(PREFIX + "HOST", "127.0.0.1"),
        port=_number(given, "PORT", None, 1, 65535),
        public_url=_public_url(given),
        data=_data(given),
        keys=keys,
        keys_file=keys_file,
        signer=signer,
        signer_file=signer_file,
        origins=_origins(given),
        mail=mail,
        mail_from=_mail_from(given, needed=mail is not None),
        notices_to_loopback=_yes(given, "NOTICES_TO_LOOPBACK"),
        oidc=_oidc(given),
        log_level=_log_level(given),
        connections_per_address=_number(given, "CONNECTIONS_PER_ADDRESS", SOCKETS, 1, 100_000),
        offers_per_address=_number(given, "OFFERS_PER_ADDRESS", OFFERS, 1, 100_000),
        proxies=_number(given, "PROXIES", 0, 0, 9),
        matches_per_connection=_number(given, "MATCHES_PER_CONNECTION", 8, 1, 1000),
        tables_in_memory=_number(given, "TABLES_IN_MEMORY", 1000, 1, 1_000_000),
        drain_seconds=_number(given, "DRAIN_SECONDS", 10, 0, 600),
        processes=_number(given, "PROCESSES", None, 1, MOST_PROCESSES),
        traces=any(name in given for name in OTLP),
    )


def refuse_without_keys(settings: Settings) -> None:
    """Raise SettingsError if a database is configured but no key ring.

    Called before serving; tools that only read the log need no keys.
    """
    if not settings.embedded and not settings.keys and settings.keys_file is None:
        raise SettingsError(
            f"{PREFIX}KEYS is not set. A server that does not run its own database needs its own keys: "
            "without them nobody could open its matches again."
        )


def default_data(environ: Mapping[str, str] | None = None) -> Path:
    """Return the data folder used if none is set.

    Root's is outside its home, which the account that runs Postgres cannot reach.
    """
    environ = os.environ if environ is None else environ
    if os.getuid() == 0:
        return Path("/var/lib/fleetfold")
    home = Path(environ["HOME"]) if environ.get("HOME") else Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "fleetfold"
    folder = Path(environ.get("XDG_DATA_HOME", ""))
    return (folder if folder.is_absolute() else home / ".local" / "share") / "fleetfold"


_FIELDS: Final = [
    name
    for name in Settings.__struct_fields__
    if name not in {"traces", "oidc"} and not name.endswith("_file")
]
_PROVIDERS: Final = tuple(f"oidc_{part}" for part in ("issuer", "client_id", "client_secret", "name"))
_NAMES: Final = tuple(PREFIX + name.upper() for name in (*_FIELDS, *_PROVIDERS))


def _secret(given: Mapping[str, str], name: str) -> tuple[str, Path | None]:
    """Return a secret that is given itself, or the file that it stands in."""
    text = given.get(PREFIX + name, "")
    return ("", Path(text).expanduser()) if text.startswith(("/", "~")) else (text, None)


def _url_text(given: Mapping[str, str], name: str) -> str | None:
    """Return a URL that is given itself, or that stands in the file which is named; None if it is unset.

    A file that cannot be read, or others can read, is refused, and so is one with nothing in it by whoever
    takes the URL apart: it does not count as unset.
    """
    text, file = _secret(given, name)
    if file is None:
        return text or None
    try:
        return private_text(file).strip()
    except KeyFault as fault:
        raise SettingsError(f"{PREFIX}{name} names a file: {fault}.") from None


def _refuse_slips(given: Mapping[str, str]) -> None:
    """Refuse misspelled names of ours: a misspelled database would silently select the embedded one."""
    for name in given:
        if not name.startswith(PREFIX) or name in _NAMES:
            continue
        meant = difflib.get_close_matches(name, _NAMES, n=1, cutoff=0.9)
        if meant:
            raise SettingsError(f"{name} is not known; {meant[0]} is.")


def _number(given: Mapping[str, str], name: str, default: Default, least: int, most: int) -> int | Default:
    """Return a whole number within bounds, or the default."""
    value = given.get(PREFIX + name)
    if value is None:
        return default
    if not (value.isascii() and value.isdecimal() and least <= int(value) <= most):
        raise SettingsError(f"{PREFIX}{name} must be a whole number from {least} to {most}.")
    return int(value)


def _url(given: Mapping[str, str], name: str, schemes: tuple[str, ...]) -> str | None:
    """Return a URL of one of these schemes; all else about it is left to the driver."""
    value = _url_text(given, name)
    if value is not None and _split(name, value).scheme not in schemes:
        raise SettingsError(f"{PREFIX}{name} must begin with {' or '.join(f'{one}://' for one in schemes)}.")
    return value


def _redis_url(given: Mapping[str, str]) -> str | None:
    """Return a URL of a Redis, of Sentinels or of a Cluster."""
    value = _url_text(given, "REDIS_URL")
    if value is not None:
        try:
            redis_url.parse(value)
        except RedisFault as why:
            raise SettingsError(str(why)) from None
    return value


def _mail(given: Mapping[str, str]) -> MailServer | None:
    """Return the mail server."""
    value = _url_text(given, "MAIL")
    try:
        return None if value is None else mail_url.parse(value)
    except MailFault as why:
        raise SettingsError(str(why)) from None


def _mail_from(given: Mapping[str, str], *, needed: bool) -> str:
    """Return the address that mails come from."""
    value = given.get(PREFIX + "MAIL_FROM", "")
    name, _, domain = value.rpartition("@")
    if needed and not value:
        raise SettingsError(f"{PREFIX}MAIL_FROM is not set: the address that the mails come from.")
    if value and not (name and domain and value.isascii() and " " not in value and '"' not in value):
        raise SettingsError(f"{PREFIX}MAIL_FROM must be an address like notices@fleet.example.")
    return value


def _yes(given: Mapping[str, str], name: str) -> bool:
    """Return whether something is switched on."""
    value = given.get(PREFIX + name, "no").lower()
    if value not in ("yes", "no"):
        raise SettingsError(f"{PREFIX}{name} must be yes or no.")
    return value == "yes"


def _oidc(given: Mapping[str, str]) -> Provider | None:
    """Return the provider of identities."""
    issuer, client_id = given.get(PREFIX + "OIDC_ISSUER", ""), given.get(PREFIX + "OIDC_CLIENT_ID", "")
    if not issuer and not client_id:
        return None
    parts = _split("OIDC_ISSUER", issuer)
    here = parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1")
    if not (parts.scheme == "https" or here) or not parts.hostname or parts.query or parts.fragment:
        raise SettingsError(f"{PREFIX}OIDC_ISSUER must be like https://login.example.")
    if not client_id:
        raise SettingsError(f"{PREFIX}OIDC_CLIENT_ID is not set: what the provider calls this server.")
    name = given.get(PREFIX + "OIDC_NAME", "") or parts.hostname
    return Provider(issuer, client_id, _url_text(given, "OIDC_CLIENT_SECRET") or "", name)


def _split(name: str, value: str) -> SplitResult:
    """Split a URL, and read its port, since only that raises for an invalid one."""
    try:
        parts = urlsplit(value)
        _ = parts.port
    except ValueError:
        raise SettingsError(f"{PREFIX}{name} is not a URL.") from None
    return parts


def _public_url(given: Mapping[str, str]) -> str | None:
    """Return an http or https URL without a slash at its end."""
    value = given.get(PREFIX + "PUBLIC_URL")
    if value is None:
        return None
    parts = _split("PUBLIC_URL", value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise SettingsError(f"{PREFIX}PUBLIC_URL must be like https://fleet.example, with nothing behind it.")
    return value.rstrip("/")


def _data(given: Mapping[str, str]) -> Path:
    """Return the data folder, which need not exist yet."""
    value = given.get(PREFIX + "DATA")
    if value is None:
        return default_data(given)
    folder = Path(value).expanduser()
    if not folder.is_absolute():
        raise SettingsError(f"{PREFIX}DATA must be a folder's full path, beginning with / or ~.")
    return folder


def _origins(given: Mapping[str, str]) -> tuple[str, ...]:
    """Return origins exactly as browsers send them: scheme, host, and port unless it is the default."""
    found = []
    for value in filter(None, (one.strip() for one in given.get(PREFIX + "ORIGINS", "").split(","))):
        parts = _split("ORIGINS", value)
        if (
            parts.scheme not in ("http", "https")
            or not parts.hostname
            or value != f"{parts.scheme}://{parts.netloc}"
        ):
            raise SettingsError(
                f"{PREFIX}ORIGINS must be a list like https://a.example,http://localhost:5173."
            )
        found.append(value.lower())
    return tuple(found)


def _log_level(given: Mapping[str, str]) -> str:
    """Return one of LOG_LEVELS."""
    value = given.get(PREFIX + "LOG_LEVEL", "info").lower()
    if value not in LOG_LEVELS:
        raise SettingsError(f"{PREFIX}LOG_LEVEL must be one of {', '.join(LOG_LEVELS)}.")
    return value
