"""A push service of the tests' own, and a device that subscribes there: it reads what comes as a browser would."""

from __future__ import annotations

import base64
import json
import os
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class PushService(ThreadingHTTPServer):
    """Takes messages for devices, by path, and answers with a status of the test's choice."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, Mapping[str, str], bytes]] = []
        self.status = 201
        super().__init__(("127.0.0.1", 0), _Taking)
        self._thread = threading.Thread(target=self.serve_forever, daemon=True)
        self._thread.start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def close(self) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join()


class _Taking(BaseHTTPRequestHandler):
    server: PushService

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.taken.append((self.path, headers, body))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


class Subscriber:
    """A device: its keys, and its address at the push service."""

    def __init__(self, service: PushService, name: str) -> None:
        self.service, self.path = service, f"/send/{name}"
        self._key, self._auth = ec.generate_private_key(CURVE), os.urandom(16)

    @property
    def endpoint(self) -> str:
        return self.service.origin + self.path

    def subscription(self) -> dict[str, Any]:
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "keys": {"p256dh": encoded(point), "auth": encoded(self._auth)}}

    def heard(self, key: str) -> list[dict[str, Any]]:
        """What has come so far: every message was signed with that key, and is unsealed with the device's own."""
        requests = [(headers, body) for path, headers, body in self.service.taken if path == self.path]
        for headers, _ in requests:
            check_signature(headers["authorization"], key, self.service.origin)
            assert headers["content-encoding"] == "aes128gcm"
            assert len(headers["topic"]) <= 32
            assert int(headers["ttl"]) > 0
        return [json.loads(unseal(body, self._key, self._auth)) for _, body in requests]


def unseal(body: bytes, private: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """RFC 8291 from the other side."""
    salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
    theirs, sealed = body[21 : 21 + length], body[21 + length :]
    assert len(body) <= size == 4096
    shared = private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
    mine = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    source = HKDF(SHA256(), 32, auth, b"WebPush: info\0" + mine + theirs).derive(shared)
    key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(source)
    nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(source)
    text, mark, rest = AESGCM(key).decrypt(nonce, sealed, None).rpartition(b"\x02")
    assert mark
    assert not rest.strip(b"\0")
    return text


def check_signature(header: str, key: str, audience: str) -> dict[str, Any]:
    """RFC 8292 from the other side: the claims of a token that was signed with that public key for this service."""
    scheme, _, rest = header.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, parts["k"]) == ("vapid", key)
    head, claims, signature = parts["t"].split(".")
    raw = decoded(signature)
    der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(key))
    public.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    content: dict[str, Any] = json.loads(decoded(claims))
    assert content["aud"] == audience
    assert content["sub"].startswith(("mailto:", "https:"))
    return content
