"""The protocol of live connections: uvicorn's, where it trusts a client too much mended. Nothing about tables."""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class Sockets(WebSocketsSansIOProtocol):
    """Whoever sends rubbish before the handshake is over is hung up on, too.

    uvicorn expects to have told them why, which only an open connection can; a traceback in the log was the answer.
    """

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is None:
            self.transport.close()  # `connection_lost` tells the application
        else:
            super().handle_parser_exception()
