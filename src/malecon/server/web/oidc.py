"""Logging in by an OpenID Connect provider that the host has chosen: the authorization code flow with PKCE.

The provider's settings and keys are read when they are first needed. A signed cookie binds the browser to its request,
and the token is verified: signature, issuer, audience, time and nonce.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import secrets
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from malecon.kernel.phrases import say
from malecon.server.errors import Forbidden, Refused
from malecon.server.operations.settings import ServerSettings

PATH = "/account/oidc"
CALLBACK = f"{PATH}/callback"
TIMEOUT_SECONDS = 10.0
#: How long what the provider says about itself is believed.
CACHE_SECONDS = 3600.0
LARGEST_ANSWER_BYTES = 200_000
#: How long a log-in may take, and by how much the provider's clock may differ.
LOGIN_SECONDS = 900
LEEWAY_SECONDS = 60
_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA")


class LoginFailed(Forbidden):
    def __init__(self) -> None:
        super().__init__(say("logging in there did not succeed; try again"))


class ProviderGone(Refused):
    status = 502

    def __init__(self) -> None:
        super().__init__(say("the service by which you log in does not answer just now; try again in a moment"))


@dataclass(frozen=True)
class Begun:
    """A log-in that has begun: where the browser goes, and what it must bring back."""

    address: str
    state: str
    nonce: str
    verifier: str


@dataclass(frozen=True)
class KnownPerson:
    """Who somebody is at the provider; `identity` never changes, the name may."""

    identity: str
    name: str


class Oidc:
    """The provider of the settings."""

    def __init__(self, settings: ServerSettings) -> None:
        self._issuer, self._client = settings.oidc_issuer.rstrip("/"), settings.oidc_client
        self._secret, self._label = settings.oidc_secret, settings.oidc_name
        self._discovered: tuple[float, dict[str, Any]] | None = None

    @property
    def is_on(self) -> bool:
        return bool(self._issuer and self._client)

    @property
    def label(self) -> str:
        """What the button calls the provider."""
        return self._label or str(urlsplit(self._issuer).hostname)

    async def begin(self, callback: str) -> Begun:
        """Return where to send a browser that wants to log in."""
        state, nonce, verifier = (secrets.token_urlsafe(24) for _ in range(3))
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        query = {
            "response_type": "code",
            "client_id": self._client,
            "redirect_uri": callback,
            "scope": "openid profile",
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        endpoint = str((await self._configuration())["authorization_endpoint"])
        joint = "&" if "?" in endpoint else "?"
        return Begun(f"{endpoint}{joint}{urlencode(query)}", state, nonce, verifier)

    async def finish(self, code: str, callback: str, nonce: str, verifier: str) -> KnownPerson:
        """Exchange the code of a browser that has come back; return who they are, or raise LoginFailed."""
        configuration = await self._configuration()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": callback,
            "client_id": self._client,
            "code_verifier": verifier,
        }
        if self._secret:
            form["client_secret"] = self._secret
        answer = await _fetch(str(configuration["token_endpoint"]), urlencode(form).encode())
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise LoginFailed
        keys = await _fetch(str(configuration["jwks_uri"]))
        claims = await asyncio.to_thread(self._verified, token, keys)
        if not secrets.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise LoginFailed
        name = next((claims[key] for key in ("preferred_username", "nickname", "name") if claims.get(key)), "")
        return KnownPerson(f"{self._issuer} {claims['sub']}", str(name))

    def _verified(self, token: str, keys: dict[str, Any]) -> dict[str, Any]:
        import jwt

        try:
            number = jwt.get_unverified_header(token).get("kid")
            own = [key for key in jwt.PyJWKSet.from_dict(keys).keys if number in (None, key.key_id)]
            if not own:
                raise LoginFailed
            claims: dict[str, Any] = jwt.decode(
                token,
                own[0],
                algorithms=list(_ALGORITHMS),
                audience=self._client,
                leeway=LEEWAY_SECONDS,
                options={"require": ["exp", "iat", "iss", "aud", "sub"]},
            )
        except jwt.PyJWTError:
            raise LoginFailed from None
        if str(claims["iss"]).rstrip("/") != self._issuer or not isinstance(claims["sub"], str) or not claims["sub"]:
            raise LoginFailed
        return claims

    async def _configuration(self) -> dict[str, Any]:
        """Return what the provider says about itself."""
        if self._discovered is None or time.monotonic() > self._discovered[0] + CACHE_SECONDS:
            answer = await _fetch(f"{self._issuer}/.well-known/openid-configuration")
            needed = ("authorization_endpoint", "token_endpoint", "jwks_uri")
            is_own = str(answer.get("issuer", "")).rstrip("/") == self._issuer
            if not is_own or not all(isinstance(answer.get(name), str) for name in needed):
                raise ProviderGone
            self._discovered = time.monotonic(), answer
        return self._discovered[1]


async def _fetch(address: str, form: bytes | None = None) -> dict[str, Any]:
    """Return the JSON object at an address of the provider. The host chose it, so it may be in any network."""
    import httpcore2

    headers = [("accept", "application/json"), ("user-agent", "malecon")]
    if form is not None:
        headers.append(("content-type", "application/x-www-form-urlencoded"))
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS), httpcore2.AsyncConnectionPool() as pool:
            method = "GET" if form is None else "POST"
            answer = await pool.request(method, address, headers=headers, content=form)
    except (TimeoutError, OSError, httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException):
        raise ProviderGone from None
    if answer.status >= 500:
        raise ProviderGone
    try:
        content = json.loads(answer.content[:LARGEST_ANSWER_BYTES])
    except ValueError:
        raise LoginFailed from None
    if answer.status != 200 or not isinstance(content, dict):
        raise LoginFailed
    return content
