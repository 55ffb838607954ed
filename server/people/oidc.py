"""The provider of identities that the operator has named (OpenID Connect, code flow with PKCE).

What a browser is sent away with, its state, nonce and verifier, follows from a secret of that browser
(`browser`, 160 bits in a cookie) and the state: a code that comes back in another browser is redeemed with
another verifier, and its nonce fits nothing. Checked are the issuer, as its discovery and as the token name
it, the audience, the nonce, the times, and the signature by one of the issuer's keys, with an algorithm that
has a public key. Deliberately absent: who somebody is here (`server.people.providing`).
"""

import base64
import hashlib
import hmac
import time
from typing import Any, Final

import httpx
import structlog
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from msgspec import MsgspecError, Struct, json

from domain.match.refusals import RequestError
from server.settings import Provider

WITHIN: Final = 5.0
"""Seconds within which the provider has to answer a request."""

LEEWAY: Final = 60
"""Seconds by which its clock may differ."""

ALGORITHMS: Final = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "EdDSA",
    "Ed25519",
)

LONGEST: Final = 255
"""Characters of a subject (OpenID Connect Core, 2)."""

logger = structlog.get_logger()


class Discovery(Struct, frozen=True):
    """What a provider says of itself, as far as it is needed."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str


class Tokens(Struct, frozen=True):
    """What a code is redeemed for."""

    id_token: str
    access_token: str = ""


class Untrue(Exception):
    """What a provider has answered is not what it ought to be. The message says what, without any of it."""


class Oidc:
    """The provider."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    @property
    def issuer(self) -> str:
        """Who answers for its subjects."""
        return self._provider.issuer

    @property
    def name(self) -> str:
        """What people call it."""
        return self._provider.name

    async def leave_for(self, state: str, browser: str, back: str) -> str:
        """Return the address to which a browser is sent, to come back to another. Raises RequestError."""
        async with self._asking() as client, self._told("discovery"):
            found = await self._discover(client)
        return str(
            prepare_grant_uri(
                found.authorization_endpoint,
                client_id=self._provider.client_id,
                response_type="code",
                redirect_uri=back,
                scope="openid",
                state=state,
                nonce=_derived(browser, state, b"nonce"),
                code_challenge=create_s256_code_challenge(_derived(browser, state, b"verifier")),
                code_challenge_method="S256",
            )
        )

    async def subject(self, code: str, state: str, browser: str, back: str) -> str:
        """Redeem a code, and return the subject that it is for. Raises RequestError."""
        async with self._asking() as client, self._told("code"):
            found = await self._discover(client)
            tokens = await self._redeem(client, found, code, _derived(browser, state, b"verifier"), back)
            keys = (await self._ask(client, "GET", found.jwks_uri)).json()
            return self._checked(tokens, keys, _derived(browser, state, b"nonce"))

    async def _discover(self, client: httpx.AsyncClient) -> Discovery:
        url = f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"
        found = json.decode((await self._ask(client, "GET", url)).content, type=Discovery)
        if found.issuer != self.issuer:
            raise Untrue("another issuer answers")
        return found

    async def _redeem(
        self, client: httpx.AsyncClient, found: Discovery, code: str, verifier: str, back: str
    ) -> Tokens:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": back,
            "client_id": self._provider.client_id,
            "code_verifier": verifier,
        }
        secret = self._provider.secret
        basic = httpx.BasicAuth(self._provider.client_id, secret) if secret else None
        answer = await self._ask(client, "POST", found.token_endpoint, data=form, auth=basic)
        return json.decode(answer.content, type=Tokens)

    def _checked(self, tokens: Tokens, keys: Any, nonce: str) -> str:
        token = jwt.decode(tokens.id_token, KeySet.import_key_set(keys), algorithms=ALGORITHMS)
        client_id = self._provider.client_id
        claims = CodeIDToken(
            token.claims,
            token.header,
            options={
                "iss": {"essential": True, "value": self.issuer},
                "aud": {"essential": True, "value": client_id},
            },
            params={"nonce": nonce, "client_id": client_id, "access_token": tokens.access_token},
        )
        claims.validate(now=int(time.time()), leeway=LEEWAY)
        subject = claims["sub"]
        if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST:
            raise Untrue("no subject")
        return subject

    @staticmethod
    async def _ask(client: httpx.AsyncClient, verb: str, url: str, **more: Any) -> httpx.Response:
        answer = await client.request(verb, url, **more)
        if answer.status_code != httpx.codes.OK:
            raise Untrue(f"answered with {answer.status_code}")
        return answer

    @staticmethod
    def _asking() -> httpx.AsyncClient:
        return httpx.AsyncClient(timeout=WITHIN, follow_redirects=False, trust_env=False)

    def _told(self, about: str) -> "_Told":
        return _Told(about, self.name)


class _Told:
    """Turns what a provider does wrong into one refusal, and a log line that says what and nothing of it."""

    def __init__(self, about: str, name: str) -> None:
        self._about, self._name = about, name

    async def __aenter__(self) -> None:
        """Begin."""

    async def __aexit__(self, _: object, why: BaseException | None, __: object) -> None:
        """Refuse."""
        faults = (Untrue, httpx.HTTPError, httpx.InvalidURL, MsgspecError, JoseError, ValueError, KeyError)
        if isinstance(why, (*faults, TypeError)):
            said = str(why) if isinstance(why, Untrue) else type(why).__name__
            logger.warning("provider refused", about=self._about, why=said)
            raise RequestError(
                "bad_link", f"coming in by {self._name} did not come to its end; try once more"
            ) from None


def _derived(browser: str, state: str, purpose: bytes) -> str:
    """Return 43 letters that only who has the browser's secret can know."""
    made = hmac.digest(browser.encode(), purpose + b" " + state.encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(made).decode().rstrip("=")
