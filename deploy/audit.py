"""Asks the registries for known faults of what the lock files name.

    python deploy/audit.py          now
    python deploy/audit.py --once   not again on the same day, while the lock files are the same
    ... --stamp FILE                where is written when all registries answered and none knew of a fault

Ends with 1 if a package has one. A registry that cannot be reached, or does not tell of faults, is said and
not held against anybody: nobody's check turns red because a line is down. It is asked again the next time.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from msgspec import DecodeError, json

ROOT: Final = Path(__file__).parent.parent
LOCK: Final = ROOT / "requirements.lock"
PAGE_LOCK: Final = ROOT / "clients" / "web" / "package-lock.json"
STAMP: Final = ROOT / ".venv" / ".audited"

DAY: Final = 86_400
PATIENCE: Final = 120
"""Seconds after which a registry is taken for one that cannot be reached."""


class Unanswered(Exception):
    """A registry did not say what is known of a package."""


def python_faults(answer: bytes) -> list[str]:
    """Return a line for each fault that pip-audit tells of; raises Unanswered if it learned nothing."""
    told = _read(answer).get("dependencies", [])
    if not any("vulns" in one for one in told):
        raise Unanswered
    return [
        f"{one['name']} {one['version']}: {fault['id']}, mended in {', '.join(fault['fix_versions'])}"
        for one in told
        for fault in one.get("vulns", ())
    ]


def page_faults(answer: bytes) -> list[str]:
    """Return a line for each fault that `npm audit` tells of; raises Unanswered if it learned nothing."""
    told = _read(answer)
    if "vulnerabilities" not in told:
        raise Unanswered
    return [
        f"{name}: {', '.join(sorted(set(_titles(one))))} ({one['severity']})"
        for name, one in told["vulnerabilities"].items()
    ]


def _read(answer: bytes) -> dict[str, Any]:
    try:
        told = json.decode(answer)
    except DecodeError:
        raise Unanswered from None
    return told if isinstance(told, dict) else {}


def _titles(one: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a package of the page, or by which other it is."""
    for via in one["via"]:
        yield via if isinstance(via, str) else f"{via['title']}, {via['url'].rpartition('/')[2]}"


def ask_python() -> list[str]:
    """Ask about everything in the lock, about its first package first: most often all or none is answered."""
    text = LOCK.read_text(encoding="utf-8")
    first = text[: text.index("\n    # via")]
    with TemporaryDirectory() as folder:
        for number, part in enumerate((first, text)):
            file = Path(folder) / f"{number}.lock"
            file.write_text(f"{part}\n", encoding="utf-8")
            how = ("--disable-pip", "--require-hashes", "--progress-spinner=off", "--format=json")
            faults = python_faults(_asked([sys.executable, "-m", "pip_audit", *how, "-r", str(file)]))
    return faults


def ask_page() -> list[str]:
    """Ask about everything that the page is built with."""
    return page_faults(_asked(["npm", "audit", "--json", "--package-lock-only", "--fetch-retries=0"]))


def _asked(command: list[str]) -> bytes:
    try:
        ran = subprocess.run(
            command, cwd=PAGE_LOCK.parent, capture_output=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        raise Unanswered from None
    return ran.stdout


def locks() -> str:
    """Return what the lock files are, as one hash."""
    return sha256(LOCK.read_bytes() + PAGE_LOCK.read_bytes()).hexdigest()


def fresh(stamp: Path) -> bool:
    """Whether within a day all registries said of these lock files that they know of no fault."""
    try:
        return stamp.read_text() == locks() and time.time() - stamp.stat().st_mtime < DAY
    except OSError:
        return False


def main(stamp: Path, *, once: bool) -> int:
    """Ask, and print what is known; 1 if there is a fault. `once`: not if the stamp is fresh."""
    if once and fresh(stamp):
        return 0
    found, unanswered = 0, False
    for what, ask in (("Python", ask_python), ("the page", ask_page)):
        try:
            faults = ask()
        except Unanswered:
            print(f"Known faults of packages for {what} were not looked up: the registry does not tell here.")
            unanswered = True
            continue
        found += len(faults)
        print(f"Known faults of packages for {what}: {len(faults)}.", *faults, sep="\n  ")
    if found:
        stamp.unlink(missing_ok=True)
    elif not unanswered and stamp.parent.is_dir():
        stamp.write_text(locks())
    return min(found, 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage="audit.py [--once] [--stamp FILE]")
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--stamp", type=Path, default=STAMP)
    given = parser.parse_args()
    sys.exit(main(given.stamp, once=given.once))
