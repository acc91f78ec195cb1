"""The server, asked over HTTP and WebSocket as a browser or a program would."""
