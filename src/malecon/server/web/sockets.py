"""The protocol of live connections: uvicorn's, with limits for clients, and shared compression."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, ClassVar

from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol
from websockets.typing import ExtensionParameter

from malecon.server.web.broadcast import WRITE_EXTENSION, SharedMessage

#: Compressed messages in the cache.
MOST_CACHED = 32
#: Bytes that may wait in the buffer of one spectator.
MOST_UNREAD_BYTES = 500_000
#: Time between closing a connection whose client does not answer and giving up what it has not read.
ABORT_SECONDS = 5.0
#: Chunks of data that a client may send in a minute: ours sends moves, and those of bots that it thinks for.
MOST_CHUNKS_PER_MINUTE = 240


class _SharedDeflate(PerMessageDeflate):
    """Compression in which no message depends on earlier ones, so that a message to hundreds is compressed once."""

    _cache: ClassVar[OrderedDict[tuple[bytes, int], Frame]] = OrderedDict()

    def encode(self, frame: Frame) -> Frame:
        if frame.opcode is not Opcode.TEXT or not frame.fin:
            return super().encode(frame)
        key = bytes(frame.data), self.local_max_window_bits
        compressed = self._cache.get(key)
        if compressed is None:
            compressed = self._cache[key] = super().encode(frame)
            if len(self._cache) > MOST_CACHED:
                self._cache.popitem(last=False)
        return compressed


class _SharedDeflateFactory(ServerPerMessageDeflateFactory):
    def __init__(self) -> None:
        # no compressor outlives a message, so a large window costs no memory; zlib's own level takes twice the time
        super().__init__(True, False, 15, 12, {"level": 3, "memLevel": 8})

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        response, negotiated = super().process_request_params(params, accepted_extensions)
        return response, _SharedDeflate(
            negotiated.remote_no_context_takeover,
            negotiated.local_no_context_takeover,
            negotiated.remote_max_window_bits,
            negotiated.local_max_window_bits,
            negotiated.compress_settings,
        )


class LimitedWebSocketProtocol(WebSocketsSansIOProtocol):
    """Closes connections of clients that send garbage before the handshake is over, or too much.

    uvicorn would raise an exception, since it cannot send a reason before the connection is open.
    """

    _chunks = 0
    _minute = 0

    def __init__(self, config: Config, *arguments: Any, **more: Any) -> None:
        super().__init__(config, *arguments, **more)
        logger = logging.getLogger("uvicorn.error")
        self.conn = ServerProtocol(extensions=[_SharedDeflateFactory()], max_size=config.ws_max_size, logger=logger)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][WRITE_EXTENSION] = self.write_shared  # type: ignore[assignment]

    def write_shared(self, message: SharedMessage) -> None:
        """Write a message that many get. A client that does not read is disconnected."""
        if not self.handshake_complete or self.close_sent or self.disconnected or self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() > MOST_UNREAD_BYTES:
            self.transport.abort()
            return
        window_bits = next(
            (
                extension.local_max_window_bits
                for extension in self.conn.extensions
                if isinstance(extension, _SharedDeflate)
            ),
            None,
        )
        frame = message.frames.get(window_bits)
        if frame is None:
            text_frame = Frame(Opcode.TEXT, message.data)
            frame = message.frames[window_bits] = bytes(
                text_frame.serialize(mask=False, extensions=self.conn.extensions)
            )
        self.transport.write(frame)

    def data_received(self, data: bytes) -> None:
        minute = int(time.monotonic() // 60)
        self._chunks = self._chunks + 1 if minute == self._minute else 1
        self._minute = minute
        if self._chunks > MOST_CHUNKS_PER_MINUTE:
            self.transport.close()
            return
        super().data_received(data)

    def handle_ping(self) -> None:
        self._chunks += 1  # many of them fit into one chunk
        super().handle_ping()

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:  # uvicorn would write a traceback
                self.frames = []
                self.transport.close()
                return
        super().send_receive_event_to_app()

    def keepalive_timeout(self) -> None:
        """Close the connection of a client that does not answer; it need not have read what it was sent."""
        super().keepalive_timeout()
        self.loop.call_later(ABORT_SECONDS, self.transport.abort)

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is None:
            self.transport.close()  # `connection_lost` tells the application
        else:
            super().handle_parser_exception()
