"""A scripted language model that answers over HTTP on this machine, as services with OpenAI's interface do."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: What a script returns: the text of the answer, or a status with headers.
Answer = str | tuple[int, dict[str, str]]
Script = Callable[[int, dict[str, Any]], Answer]


def first_legal(number: int, body: dict[str, Any]) -> str:
    """Think aloud, then choose the first legal move of the last table that was shown."""
    table = next(message["content"] for message in reversed(body["messages"]) if "\n" in message["content"])
    moves = [line.split("  ")[1].strip() for line in table.splitlines() if line.startswith("  ") and " -> " in line]
    options = moves or [table.rstrip().splitlines()[-1].split("  ")[1].strip()]
    return f"I shall think about it.\n\nMOVE: {options[0]}"


@contextmanager
def scripted_model(script: Script = first_legal) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve a model; yield its address, and the requests that it has got, which grow."""
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            requests.append({"path": self.path, "key": self.headers.get("authorization"), **body})
            answer = script(len(requests), body)
            if isinstance(answer, tuple):
                self.send_response(answer[0])
                for name, value in answer[1].items():
                    self.send_header(name, value)
                self.send_header("content-length", "0")
                self.end_headers()
                return
            data = json.dumps(
                {
                    "choices": [{"message": {"role": "assistant", "content": answer}}],
                    "usage": {"prompt_tokens": 1000, "completion_tokens": 10},
                }
            ).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", requests
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
