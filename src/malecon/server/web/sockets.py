"""The protocol of live connections: uvicorn's, where it trusts a client too much mended. Nothing about tables."""

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

from malecon.server.web.broadcast import WRITE, Ready

#: Messages that are kept compressed.
MOST_SHARED = 32
#: Bytes that may wait for one who looks on.
MOST_UNREAD = 500_000
#: Pieces of data that a client may send in a minute: ours sends nothing, others a ping now and then.
MOST_PIECES = 120


class _Shared(PerMessageDeflate):
    """Compression in which no message depends on those before it: what goes to hundreds is compressed once."""

    _known: ClassVar[OrderedDict[tuple[bytes, int], Frame]] = OrderedDict()

    def encode(self, frame: Frame) -> Frame:
        if frame.opcode is not Opcode.TEXT or not frame.fin:
            return super().encode(frame)
        key = bytes(frame.data), self.local_max_window_bits
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = super().encode(frame)
            if len(self._known) > MOST_SHARED:
                self._known.popitem(last=False)
        return found


class _Compression(ServerPerMessageDeflateFactory):
    def __init__(self) -> None:
        super().__init__(True, False, 12, 12, {"memLevel": 5})

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        told, found = super().process_request_params(params, accepted_extensions)
        return told, _Shared(
            found.remote_no_context_takeover,
            found.local_no_context_takeover,
            found.remote_max_window_bits,
            found.local_max_window_bits,
            found.compress_settings,
        )


class Sockets(WebSocketsSansIOProtocol):
    """Hangs up on clients that send rubbish before the handshake is over, or send without end.

    uvicorn expects to have told them why, which only an open connection can; a traceback in the log was the answer.
    """

    _pieces, _minute = 0, 0

    def __init__(self, config: Config, *arguments: Any, **more: Any) -> None:
        super().__init__(config, *arguments, **more)
        logger = logging.getLogger("uvicorn.error")
        self.conn = ServerProtocol(extensions=[_Compression()], max_size=config.ws_max_size, logger=logger)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][WRITE] = self.write_ready  # type: ignore[assignment]

    def write_ready(self, ready: Ready) -> None:
        """Write a message that many get. A client that does not read what it is sent is cut off."""
        if not self.handshake_complete or self.close_sent or self.disconnected or self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()
            return
        how = next((one.local_max_window_bits for one in self.conn.extensions if isinstance(one, _Shared)), None)
        frame = ready.frames.get(how)
        if frame is None:
            new = Frame(Opcode.TEXT, ready.data)
            frame = ready.frames[how] = bytes(new.serialize(mask=False, extensions=self.conn.extensions))
        self.transport.write(frame)

    def data_received(self, data: bytes) -> None:
        minute = int(time.monotonic() // 60)
        self._pieces = self._pieces + 1 if minute == self._minute else 1
        self._minute = minute
        if self._pieces > MOST_PIECES:
            self.transport.close()
            return
        super().data_received(data)

    def handle_ping(self) -> None:
        self._pieces += 1  # many of them fit into one piece of data
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

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is None:
            self.transport.close()  # `connection_lost` tells the application
        else:
            super().handle_parser_exception()
