"""What makes a message fit for a push service: sealed for one device (RFC 8291), signed with our own key (RFC 8292).

Pure functions of bytes; keys and where they are kept are the business of others. `cryptography` is loaded when it is
first needed: a server whose people want no messages does without.
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

#: Bytes of a point of P-256 as browsers write it, of the secret that a device shares with us, of a private key.
POINT, AUTH, PRIVATE = 65, 16, 32
#: Bytes of the one record we send, and of which its length is a multiple, so that nobody can tell messages apart by it.
RECORD, PADDING = 4096, 256
#: Seconds for which a signature holds; a day at most.
VALID = 12 * 3600


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str, length: int) -> bytes:
    """So many bytes in base64, with or without the padding; BadSetup where it is something else."""
    try:
        data = base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if len(data) != length:
        raise BadSetup(say("invalid request"))
    return data


def new_private() -> str:
    """A new key of our own."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encoded(number.to_bytes(PRIVATE, "big"))


def public_of(private: str) -> str:
    """What browsers are told of our key."""
    return encoded(_point(_key(private)))


def check_device_key(p256dh: str) -> None:
    """BadSetup where a device's key is no point of the curve."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(p256dh, POINT))
    except ValueError:
        raise BadSetup(say("invalid request")) from None


def encrypt(message: bytes, p256dh: str, auth: str, own: str | None = None, salt: bytes | None = None) -> bytes:
    """A message that only the device can read. `own` and `salt` are new each time; tests may know better."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    device, secret = decoded(p256dh, POINT), decoded(auth, AUTH)
    mine = _key(own or new_private())
    salt = os.urandom(16) if salt is None else salt

    def derived(length: int, salted: bytes, info: bytes, source: bytes) -> bytes:
        return HKDF(SHA256(), length, salted, info).derive(source)

    shared = mine.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), device))
    source = derived(32, secret, b"WebPush: info\0" + device + _point(mine), shared)
    key = derived(16, salt, b"Content-Encoding: aes128gcm\0", source)
    nonce = derived(12, salt, b"Content-Encoding: nonce\0", source)
    head = salt + RECORD.to_bytes(4, "big") + bytes([POINT]) + _point(mine)
    return head + AESGCM(key).encrypt(nonce, message + b"\x02", None)


def padded(message: bytes) -> bytes:
    """JSON that means the same and whose length tells less."""
    return message + b" " * (-len(message) % PADDING)


def authorization(endpoint: str, private: str, contact: str, now: float) -> str:
    """The header by which a push service knows that the message comes from us."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
    from cryptography.hazmat.primitives.hashes import SHA256

    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(now) + VALID, "sub": contact}
    told = [encoded(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims)]
    key = _key(private)
    r, s = decode_dss_signature(key.sign(".".join(told).encode(), ec.ECDSA(SHA256())))
    signature = encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={'.'.join(told)}.{signature}, k={encoded(_point(key))}"


def _key(private: str) -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.derive_private_key(int.from_bytes(decoded(private, PRIVATE), "big"), ec.SECP256R1())


def _point(key: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
