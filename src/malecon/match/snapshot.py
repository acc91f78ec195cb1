"""Snapshots of a match as bytes: a checksum, a head in JSON, and the position as it lies in memory."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from typing import Any

from malecon.kernel.errors import BadSnapshot
from malecon.kernel.phrases import say

MAGIC = b"malecon1"


def pack(head: Mapping[str, Any], position: bytes) -> bytes:
    """Return the bytes of a snapshot."""
    text = json.dumps(head).encode()
    body = struct.pack("<I", len(text)) + text + position
    return MAGIC + struct.pack("<I", zlib.crc32(body)) + body


def unpack(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the head and the position of a snapshot; raise BadSnapshot if the bytes are none, or damaged."""
    prefix = len(MAGIC) + 4
    if not isinstance(data, bytes) or not data.startswith(MAGIC) or len(data) < prefix + 4:
        raise BadSnapshot(say("these bytes are not a snapshot of a match"))
    body = data[prefix:]
    if struct.unpack_from("<I", data, len(MAGIC))[0] != zlib.crc32(body):
        raise BadSnapshot(say("this snapshot is damaged"))
    size = struct.unpack_from("<I", body)[0]
    try:
        return json.loads(body[4 : 4 + size]), body[4 + size :]
    except ValueError:
        raise BadSnapshot(say("these bytes are not a snapshot of a match")) from None
