"""Who calls: an App by its JWT, an installation or a person by a token; and what each may do."""

from __future__ import annotations

import base64
import binascii
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from localhub.state import LEVELS, App, Installation, Repo, Token, User
from localhub.world import World, later

TOKEN_LIFE_S = 3600
LONGEST_JWT_S = 600
ALLOWED_DRIFT_S = 60
# The stateless tokens are about 520 characters long, of three parts with dots.
TOKEN_BYTES = (27, 300, 48)

EXP_MUST_BE_FUTURE = (
    "'Expiration time' claim ('exp') must be a numeric value representing the future time "
    "at which the assertion expires"
)
EXP_TOO_FAR = "'Expiration time' claim ('exp') is too far in the future"
IAT_MUST_BE_PAST = "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"


class UnauthorizedError(Exception):
    """The caller is not who it says it is; `status` and text are GitHub's."""

    def __init__(self, message: str, status: int = 401) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Caller:
    """Exactly one of the three is set, or none for an anonymous call."""

    app: App | None = None
    token: Token | None = None
    user: User | None = None

    @property
    def account(self) -> User | None:
        """In whose name things happen."""
        return self.token.installation.app.bot if self.token else self.user

    @property
    def acting_app(self) -> App | None:
        return self.token.installation.app if self.token else None

    @property
    def key(self) -> str:
        """What rate limits count by."""
        if self.token:
            return f"installation {self.token.installation.id}"
        return f"app {self.app.id}" if self.app else f"user {self.user.login}" if self.user else "anonymous"


def key_pair() -> tuple[str, str]:
    """(private, public) as PEM."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return private.decode(), public.decode()


def caller(world: World, header: str | None) -> Caller:
    """Reads an Authorization header."""
    if not header:
        return Caller()
    scheme, _, value = header.strip().partition(" ")
    if scheme.lower() == "basic":
        return by_token(world, basic_password(value))
    if scheme.lower() not in ("bearer", "token"):
        raise UnauthorizedError("Bad credentials")
    if value.count(".") == 2 and not value.startswith("gh"):
        return Caller(app=by_jwt(world, value))
    return by_token(world, value)


def basic_password(value: str) -> str:
    try:
        return base64.b64decode(value).decode().partition(":")[2]
    except (binascii.Error, UnicodeDecodeError):
        raise UnauthorizedError("Bad credentials") from None


def by_token(world: World, value: str) -> Caller:
    if token := world.tokens.get(value):
        if token.revoked or token.expires_at <= world.now():
            raise UnauthorizedError("Bad credentials")
        return Caller(token=token)
    for each in world.users.values():
        if each.token and secrets.compare_digest(each.token, value):
            return Caller(user=each)
    raise UnauthorizedError("Bad credentials")


def by_jwt(world: World, value: str) -> App:
    try:
        unchecked: dict[str, Any] = jwt.decode(value, options={"verify_signature": False})
        app = issuer(world, str(unchecked.get("iss")))
        # The clock is ours and settable, so the library must not read its own.
        options = {"verify_exp": False, "verify_iat": False, "verify_nbf": False, "verify_aud": False}
        claims = jwt.decode(value, app.public_key_pem, algorithms=["RS256"], options=options)  # type: ignore[arg-type]
    except jwt.InvalidTokenError:
        raise UnauthorizedError("A JSON web token could not be decoded") from None
    check_times(claims, world.now())
    return app


def issuer(world: World, name: str) -> App:
    for app in world.apps.values():
        if name in (str(app.id), f"Iv1.{app.id:016x}"):
            return app
    raise UnauthorizedError("Integration not found", 404)


def check_times(claims: dict[str, Any], now: datetime) -> None:
    issued, expires = claims.get("iat"), claims.get("exp")
    seconds = now.timestamp()
    if not isinstance(issued, int) or issued > seconds + ALLOWED_DRIFT_S:
        raise UnauthorizedError(IAT_MUST_BE_PAST)
    if not isinstance(expires, int) or expires <= seconds:
        raise UnauthorizedError(EXP_MUST_BE_FUTURE)
    if expires > seconds + LONGEST_JWT_S:
        raise UnauthorizedError(EXP_TOO_FAR)


def mint(
    world: World,
    installation: Installation,
    *,
    permissions: dict[str, str] | None,
    repository_ids: set[int] | None,
) -> Token:
    """A new installation token; the caller has checked that the wishes are granted."""
    body = ".".join(secrets.token_urlsafe(count) for count in TOKEN_BYTES)
    token = Token(
        value=f"ghs_{installation.app.id}_{body}",
        installation=installation,
        permissions=dict(permissions) if permissions else dict(installation.permissions),
        repository_ids=repository_ids,
        expires_at=later(world.now(), seconds=TOKEN_LIFE_S),
    )
    world.tokens[token.value] = token
    return token


def grants(permissions: dict[str, str], name: str, level: str) -> bool:
    if name == "metadata" and level == "read":
        return True
    return LEVELS.index(permissions.get(name, "none")) >= LEVELS.index(level)


def may(who: Caller, repo: Repo, name: str, level: str) -> bool:
    """Whether the caller may do something of `name` (contents, checks, …) at `level` on `repo`."""
    if who.token:
        suspended = who.token.installation.suspended_at is not None
        return not suspended and who.token.reaches(repo) and grants(who.token.permissions, name, level)
    if who.user:
        return LEVELS.index(repo.level(who.user)) >= LEVELS.index(level)
    return level == "read" and not repo.private
