"""Encryption of messages for one device (RFC 8291), and signatures for push services (RFC 8292).

Pure functions of bytes. `cryptography` is loaded when it is first needed: a server without devices does without.

These few steps on top of `cryptography` are our own: both libraries for them (seen in 2026) cost more than they spare.
`pywebpush` loads `requests` and `aiohttp` for requests of its own, which could not be held to checked addresses.
`webpush` leaves requests to its caller, but takes only mail addresses as contact, signs for a service without its port,
keeps the lifetime of one message for the next, and brings `pyjwt`, `email-validator` and `dnspython`. Neither pads.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

#: Bytes of a point of P-256 as browsers write it.
POINT_BYTES = 65
#: Bytes of the secret that a device shares with the server.
AUTH_BYTES = 16
PRIVATE_KEY_BYTES = 32
#: Bytes of the one record of a message.
RECORD_BYTES = 4096
#: Messages are padded to a multiple of this length, so that they cannot be told apart by it.
PADDING_BYTES = 256
#: Validity of a signature; a day at most.
SIGNATURE_SECONDS = 12 * 3600


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str, length: int) -> bytes:
    """Return the bytes of a base64 text, with or without padding; raise BadSetup if it is not one of this length."""
    try:
        data = base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if len(data) != length:
        raise BadSetup(say("invalid request"))
    return data


def new_private() -> str:
    """Return a new private key."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encoded(number.to_bytes(PRIVATE_KEY_BYTES, "big"))


def public_of(private: str) -> str:
    """Return the public key of a private key, as browsers take it."""
    return encoded(_point(_key(private)))


def check_device_key(p256dh: str) -> None:
    """Raise BadSetup if a device's key is not a point of the curve."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(p256dh, POINT_BYTES))
    except ValueError:
        raise BadSetup(say("invalid request")) from None


def encrypt(message: bytes, p256dh: str, auth: str, own: str | None = None, salt: bytes | None = None) -> bytes:
    """Return a message that only the device can read. `own` and `salt` are random unless a test gives them."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    device, secret = decoded(p256dh, POINT_BYTES), decoded(auth, AUTH_BYTES)
    own_key = _key(own or new_private())
    salt = os.urandom(16) if salt is None else salt

    def derived(length: int, salted: bytes, info: bytes, source: bytes) -> bytes:
        return HKDF(SHA256(), length, salted, info).derive(source)

    shared = own_key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), device))
    source = derived(32, secret, b"WebPush: info\0" + device + _point(own_key), shared)
    key = derived(16, salt, b"Content-Encoding: aes128gcm\0", source)
    nonce = derived(12, salt, b"Content-Encoding: nonce\0", source)
    head = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([POINT_BYTES]) + _point(own_key)
    return head + AESGCM(key).encrypt(nonce, message + b"\x02", None)


def padded(message: bytes) -> bytes:
    """Return a JSON message padded with blanks, so that its length reveals less."""
    return message + b" " * (-len(message) % PADDING_BYTES)


def authorization(endpoint: str, private: str, contact: str, now: float) -> str:
    """Return the header by which a push service verifies the sender."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
    from cryptography.hazmat.primitives.hashes import SHA256

    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(now) + SIGNATURE_SECONDS, "sub": contact}
    parts_of_token = [encoded(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims)]
    key = _key(private)
    r, s = decode_dss_signature(key.sign(".".join(parts_of_token).encode(), ec.ECDSA(SHA256())))
    signature = encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={'.'.join(parts_of_token)}.{signature}, k={encoded(_point(key))}"


def _key(private: str) -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.derive_private_key(int.from_bytes(decoded(private, PRIVATE_KEY_BYTES), "big"), ec.SECP256R1())


def _point(key: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
