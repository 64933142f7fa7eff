"""Own what a URL of a cluster says: where it is, how it is reached, and which index on it is meant.

    opensearch://HOST:9200/NAME?period=month              plain HTTP, for a node on this machine
    opensearch+https://USER:PASSWORD@HOST:9200/NAME?ca=/path/to/ca.pem

Credentials are never shown: every text that names a place comes from `Address.place`.
"""

from __future__ import annotations

import ipaddress
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from mappings.names import Period
from store.errors import StoreUrlError, masked

SCHEMES: Final = ("opensearch", "opensearch+https")
_PORT: Final = 9200
_NAME: Final = "stilltrue"
# Lower case, no dash: a dash parts the name from what it is followed by, so no name's pattern covers another's indices.
_NAMES: Final = re.compile(r"[a-z0-9][a-z0-9_]{0,63}")
_OPTIONS: Final = ("period", "ca")


class PlainHttpWarning(UserWarning):
    """Say that texts, and a password if there is one, cross a network that others may read."""


@dataclass(frozen=True, slots=True)
class Address:
    """A place on a cluster.

    Attributes:
        period: of a new index; an old one keeps its own.
        ca: file of certificates to trust in place of the system's.
    """

    host: str
    port: int = _PORT
    tls: bool = False
    name: str = _NAME
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    period: Period = Period.YEAR
    ca: str = ""

    @property
    def place(self) -> str:
        """The place without credentials, for people."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{SCHEMES[self.tls]}://{host}:{self.port}/{self.name}"


def read_address(url: str) -> Address:
    """Read a URL; warns with PlainHttpWarning where plain HTTP leaves this machine.

    Raises:
        StoreUrlError: the URL names no place, an option is unknown, or a value is not allowed.
    """
    parts = urlsplit(url)
    try:
        port, host = parts.port or _PORT, parts.hostname or ""
    except ValueError as error:
        raise StoreUrlError(f"store url must have a port below 65536, got {_shown(parts)!r}") from error
    if parts.scheme not in SCHEMES or not host:
        raise StoreUrlError(
            f"store url names no host, got {_shown(parts)!r}", remedy="for example opensearch://localhost:9200/stilltrue"
        )
    name = parts.path.strip("/") or _NAME
    if not _NAMES.fullmatch(name):
        raise StoreUrlError(
            f"name of an index must be lower case letters, digits and underscores, at most 64, got {name!r}",
            remedy="for example opensearch://localhost:9200/handbook",
        )
    period, ca = _options(parts)
    address = Address(
        host=host,
        port=port,
        tls=parts.scheme == SCHEMES[1],
        name=name,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        period=period,
        ca=ca,
    )
    if not address.tls and not _is_loopback(host):
        warnings.warn(
            f"{address.place} is plain HTTP to another machine: what is sent can be read on the way; "
            "use opensearch+https",
            PlainHttpWarning,
            stacklevel=2,
        )
    return address


def _options(parts: SplitResult) -> tuple[Period, str]:
    given = dict(parse_qsl(parts.query, keep_blank_values=True))
    for option in given:
        if option not in _OPTIONS:
            raise StoreUrlError(f"store url has an unknown option, got {option!r}", remedy="known are period and ca")
    period, ca = given.get("period", Period.YEAR.value), given.get("ca", "")
    if period not in tuple(Period):
        raise StoreUrlError(f"period must be year, quarter or month, got {period!r}")
    if "ca" in given and not Path(ca).is_file():
        raise StoreUrlError(f"ca must be a file of certificates, got {ca!r}")
    return Period(period), ca


def _shown(parts: SplitResult) -> str:
    return masked(parts.geturl())


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
