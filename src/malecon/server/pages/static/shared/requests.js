// Requests to the server: JSON comes back, or an error that says what to tell the reader.

import { say } from "./page-data.js";

/** The server has refused a request, or cannot be reached: then the status is 0. Its message is for the reader. */
export class RequestError extends Error {
  /**
   * @param {string} message
   * @param {number} status
   */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * @template T
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<T>}
 */
async function request(path, options) {
  let response;
  let answer = null;
  try {
    const headers = { accept: "application/json", .../** @type {Record<string, string>} */ (options.headers) };
    response = await fetch(path, { ...options, headers });
    if (response.status !== 204) answer = await response.json();
  } catch {
    throw new RequestError(say("notSent"), 0); // also if a proxy answers with a page of its own
  }
  if (!response.ok) throw new RequestError(answer?.error ?? "", response.status);
  return answer;
}

/**
 * Returns what the server answers at a path.
 * @template T
 * @param {string} path
 * @returns {Promise<T>}
 */
export const getJson = (path) => request(path, {});

/**
 * Sends a form and returns the answer.
 * @template T
 * @param {string} path
 * @param {URLSearchParams} body
 * @returns {Promise<T>}
 */
export const postForm = (path, body) => request(path, { method: "POST", body });

/**
 * Sends JSON and returns the answer.
 * @template T
 * @param {string} path
 * @param {object} data
 * @returns {Promise<T>}
 */
export const postJson = (path, data) =>
  request(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) });

/**
 * Returns the fields of a form, with the button that submits it.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [button]
 */
export function fieldsOf(form, button = null) {
  const fields = new FormData(form, button);
  return new URLSearchParams(
    /** @type {[string, string][]} */ ([...fields].filter(([, value]) => typeof value === "string")),
  );
}
