// shared/requests.js: JSON comes back, or an error that says what to tell the reader.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answerRequests, getButton, getForm, openPage, requests, unreachable } from "./page.js";

openPage(
  `<form id="form"><input name="text" value="a b"><input name="file" type="file">
    <button name="phrase" value="7">thanks</button><button name="phrase" value="8">sorry</button></form>`,
  { data: { texts: { notSent: "There is no connection." } } },
);
const { fieldsOf, getJson, postForm, postJson, RequestError } = await import("#scripts/shared/requests.js");

/**
 * Returns the error of a request.
 * @param {Promise<unknown>} request
 */
async function errorOf(request) {
  const error = await request.then(
    () => null,
    (/** @type {unknown} */ reason) => reason,
  );
  assert.ok(error instanceof RequestError);
  return { message: error.message, status: error.status };
}

test("an answer is read as JSON", async () => {
  answerRequests(() => Response.json({ a: 1 }));
  assert.deepEqual(await getJson("/state"), { a: 1 });
  assert.deepEqual(requests, [{ path: "/state", method: "GET", body: "" }]);
});

test("every request says that it wants JSON", async () => {
  /** @type {Headers[]} */
  const headers = [];
  globalThis.fetch = async (_, options) => {
    headers.push(new Headers(options?.headers));
    return Response.json({});
  };
  await getJson("/a");
  await postForm("/b", new URLSearchParams());
  await postJson("/c", {});
  assert.deepEqual(
    headers.map((each) => each.get("accept")),
    ["application/json", "application/json", "application/json"],
  );
  assert.equal(headers[2].get("content-type"), "application/json");
});

test("an answer without content is null", async () => {
  answerRequests(() => new Response(null, { status: 204 }));
  assert.equal(await postJson("/push/device", { endpoint: "x" }), null);
  assert.deepEqual(requests[0], { path: "/push/device", method: "POST", body: '{"endpoint":"x"}' });
});

test("a refusal has the server's words and status", async () => {
  answerRequests(() => Response.json({ error: "It is not your turn." }, { status: 409 }));
  assert.deepEqual(await errorOf(getJson("/move")), { message: "It is not your turn.", status: 409 });
});

test("a refusal without words has an empty message", async () => {
  answerRequests(() => Response.json(null, { status: 500 }));
  assert.deepEqual(await errorOf(getJson("/move")), { message: "", status: 500 });
});

test("a server out of reach is an error without a status", async () => {
  answerRequests(unreachable);
  assert.deepEqual(await errorOf(getJson("/move")), { message: "There is no connection.", status: 0 });
});

test("a proxy that answers with a page of its own means the same", async () => {
  answerRequests(() => new Response("<h1>Bad gateway</h1>", { status: 502 }));
  assert.deepEqual(await errorOf(getJson("/move")), { message: "There is no connection.", status: 0 });
});

test("a form is sent with the button that was pressed, and without files", () => {
  assert.equal(fieldsOf(getForm("#form")).toString(), "text=a+b");
  assert.equal(fieldsOf(getForm("#form"), getButton("[value='8']")).toString(), "text=a+b&phrase=8");
});
