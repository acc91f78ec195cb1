"""The protocol of live connections: uvicorn's, where it trusts a client too much mended. Nothing about tables."""

from __future__ import annotations

import time

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

#: Pieces of data that a client may send in a minute: ours sends nothing, others a ping now and then.
MOST_PIECES = 120


class Sockets(WebSocketsSansIOProtocol):
    """Whoever sends rubbish before the handshake is over is hung up on, too; so is whoever sends without end.

    uvicorn expects to have told them why, which only an open connection can; a traceback in the log was the answer.
    """

    _pieces, _minute = 0, 0

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
