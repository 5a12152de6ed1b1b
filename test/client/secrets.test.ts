import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import type { ClientOptions } from "../../src/index.ts";
import { cut, failure, raw, reset, silence, success } from "../helpers/answers.ts";
import {
  createBrand,
  envelopeText,
  failing,
  get,
  list,
  over,
  schemaOf,
  submit,
  updateBrand,
} from "../helpers/calls.ts";
import { clientOf, fetchError, rejection } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const secret = "ak-S3cr3t+Key/With=Signs.$&";
const options: ClientOptions = { apiKey: secret, maxRetries: 0, timeoutMs: 80 };

/** Everything of a value that may end in a log. */
const printed = (value: unknown): string => {
  const texts = [inspect(value, { showHidden: true, depth: 10 }), JSON.stringify(value)];
  for (let error = value; error instanceof Error; error = error.cause) {
    const facts = Object.values(error).map(String);
    texts.push(String(error), error.message, error.stack ?? "", ...facts);
  }
  return texts.join("\n");
};

const expectNoKey = (value: unknown): void => {
  expect(printed(value)).not.toContain(secret);
  expect(printed(value)).not.toContain("S3cr3t");
};

/** Says the key wherever it can. */
const echoing =
  (status: number, body: (key: string) => string): Answer =>
  (response, request) => {
    const key = request.headers.authorization ?? "";
    expect(key).toBe(`Bearer ${secret}`);
    const headers = {
      "x-request-id": `id of ${key}`,
      location: `https://evil.test/?key=${encodeURIComponent(key)}`,
      "x-echo": key,
      "www-authenticate": key,
    };
    raw(status, body(key), headers)(response, request);
  };

const envelope = (key: string) =>
  JSON.stringify({ success: false, data: null, error: `bad key ${key} and ${key}` });
const page = (key: string) => `<html>${key}</html>`;

describe("the key", () => {
  it.each<[string, Answer]>([
    ["a 401 that repeats it", echoing(401, envelope)],
    ["a 400 that lists it", echoing(400, (key) => envelope(`Invalid action. Supported: ${key}, `))],
    ["a 500 with a page that repeats it", echoing(500, page)],
    ["a 200 with a page that repeats it", echoing(200, page)],
    ["a redirect with it in the location", echoing(302, page)],
    ["a success that says failure", echoing(200, envelope)],
    ["a success without an envelope", echoing(200, (key) => JSON.stringify({ key }))],
    ["a success with wrong data", echoing(200, (key) => envelopeText({ job_id: key, key }))],
    ["a reset", reset],
    ["a cut body", cut()],
    ["silence", silence],
  ])("is not in the error after %s", async (_, answer) => {
    const ofFunction = { ...options, apiKey: async () => secret };
    expectNoKey((await failing(answer, submit, options)).error);
    expectNoKey((await failing(answer, get, ofFunction)).error);
  });

  it("is cut out of the service's text, and the rest stays", async () => {
    const { error } = await failing(echoing(401, envelope), submit, options);
    expect(error.message).toBe("POST /v1/jobs answered 401: bad key Bearer *** and Bearer ***");
    expect(error.requestId).toBe("id of Bearer ***");
  });

  it("is cut out before the text is cut, also at the edge", async () => {
    for (let padding = 500 - secret.length; padding <= 500; padding++) {
      const body = { success: false, error: "x".repeat(padding) + secret };
      const client = over(async () => Response.json(body, { status: 400 }), options);
      expect((await rejection(submit(client))).message).not.toContain("ak-S");
    }
  });

  const keyOf = (request: Request): string => request.headers.get("authorization") ?? "";
  const errorWith = (facts: object) => Object.assign(new Error("no"), facts);
  it.each<[string, (request: Request) => unknown]>([
    ["holds the request", (request) => errorWith({ request })],
    ["holds its headers", ({ headers }) => errorWith({ config: { headers } })],
    ["quotes it", (request) => new Error(`cannot send ${keyOf(request)}`)],
    ["has it in its cause", (request) => new Error("no", { cause: new Error(keyOf(request)) })],
    ["has it in its code", (request) => errorWith({ code: keyOf(request) })],
    ["has it in its name", (request) => errorWith({ name: keyOf(request) })],
    ["is the text of it", keyOf],
    ["is an object with it", (request) => ({ message: keyOf(request), request })],
    ["is a request", (request) => request],
    ["is a failed connection", (request) => Object.assign(fetchError("ECONNRESET"), { request })],
  ])("is not in the error when fetch throws what %s", async (_, errorOf) => {
    const error = await rejection(
      submit(over((request: Request) => Promise.reject(errorOf(request)), options)),
    );

    expect(error).toMatchObject({ code: "connection", outcome: "unknown" });
    expect(error.cause).toBeInstanceOf(Error);
    expectNoKey(error);
  });

  it("is not in a schema's text about an answer that repeats it", async () => {
    const brand = schemaOf((value) => ({
      issues: [{ message: `received ${JSON.stringify(value)}`, path: [secret, "note"] }],
    }));
    const answer = success({ id: "b", note: `key ${secret}` });

    const { error } = await failing(answer, createBrand, { ...options, schemas: { brand } });

    expect(error).toMatchObject({ code: "decode", issues: [{ path: ["***", "note"] }] });
    expect(error.message).toContain("received");
    expect(error.message + JSON.stringify(error)).not.toContain("S3cr3t");
  });

  it("is not in the client", () => {
    const client = clientOf({ url: "http://ads.test" }, options);
    for (const value of [client, client.jobs, client.brands]) expectNoKey(value);
    expect(Object.values(client.jobs).map(String).join()).not.toContain("S3cr3t");
  });

  it("is neither in what hooks get, nor in the output of those that fail", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const events: unknown[] = [];
    const note = (event: unknown): void => {
      events.push(event);
      throw new Error("a bug in the hook");
    };
    const hooks = { onRequest: note, onResponse: note, onRetry: note, onDrift: note };
    const again = { ...options, maxRetries: 1, timeoutMs: 5_000, hooks };

    await failing(echoing(503, envelope), get, again);
    await updateBrand(clientOf(await listen(success({ id: "b" })), { ...again, apiKey: secret }));

    expect(events).toHaveLength(7);
    expectNoKey(events);
    expect(print).toHaveBeenCalledTimes(7);
    expectNoKey(print.mock.calls);
    print.mockRestore();
  });

  it("stays where it is sent: in one header, and nowhere else of the request", async () => {
    const server = await listen(failure(400), failure(400));
    const client = clientOf(server, { apiKey: secret });

    for (const call of [submit, list]) await rejection(call(client));

    expect(server.received).toHaveLength(2);
    for (const { url, body, headers } of server.received) {
      const { authorization, ...others } = headers;
      expect(authorization).toBe(`Bearer ${secret}`);
      expectNoKey({ url, body, others });
    }
  });
});
