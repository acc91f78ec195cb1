// A live connection: it is opened again whenever it closes, each time after a longer pause.

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/**
 * @template Message
 * @typedef {object} SocketOptions
 * @property {() => string} path where to connect, asked before every attempt
 * @property {(message: Message) => void} onMessage
 * @property {() => void} [onOpen]
 * @property {() => void} [onLost] called when it has closed and could not be opened again at once
 */

/** @template Message */
export class LiveSocket {
  /** @type {WebSocket | null} */
  #socket = null;
  #pauseMs = FIRST_PAUSE_MS;
  #options;

  /** @param {SocketOptions<Message>} options */
  constructor(options) {
    this.#options = options;
    this.#open();
  }

  /** Closes the connection and opens another one at once. */
  reopen() {
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    this.#open();
  }

  /** Whether messages can be sent now. */
  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Sends a message, if the connection is open.
   * @param {object} message
   */
  send(message) {
    if (this.isOpen) this.#socket?.send(JSON.stringify(message));
  }

  #open() {
    const { path, onMessage, onOpen, onLost } = this.#options;
    const address = new URL(path(), location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pauseMs = FIRST_PAUSE_MS;
      onOpen?.();
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) onMessage(JSON.parse(data)); // the next connection sends what is missing
    };
    socket.onclose = () => {
      if (socket !== this.#socket) return;
      if (this.#pauseMs > FIRST_PAUSE_MS) onLost?.();
      setTimeout(() => socket === this.#socket && this.#open(), this.#pauseMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    };
  }
}
