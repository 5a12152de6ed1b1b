import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { type ClientOptions, createClient } from "../../src/index.ts";
import { cut, failure, raw, reset, silence, success } from "../helpers/answers.ts";
import { clientOf, fetchError, paidJob, rejection } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const secret = "ak-S3cr3t+Key/With=Signs.$&";

/** Everything of a value that may end in a log. */
const printed = (value: unknown): string => {
  const texts = [inspect(value, { showHidden: true, depth: 10 }), JSON.stringify(value)];
  for (let error = value; error instanceof Error; error = error.cause) {
    texts.push(
      String(error),
      error.message,
      error.stack ?? "",
      ...Object.values(error).map(String),
    );
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
const successful = (data: object) => JSON.stringify({ success: true, data, error: null });
const page = (key: string) => `<html>${key}</html>`;

const answers: [string, Answer][] = [
  ["a 401 that repeats it", echoing(401, envelope)],
  ["a 400 that lists it", echoing(400, (key) => envelope(`Invalid action. Supported: ${key}, `))],
  ["a 500 with a page that repeats it", echoing(500, page)],
  ["a 200 with a page that repeats it", echoing(200, page)],
  ["a redirect with it in the location", echoing(302, page)],
  ["a success that says failure", echoing(200, envelope)],
  ["a success without an envelope", echoing(200, (key) => JSON.stringify({ key }))],
  ["a success with the wrong data", echoing(200, (key) => successful({ job_id: key, key }))],
  ["a reset", reset],
  ["a cut body", cut()],
  ["silence", silence],
];

const create = (baseUrl: string, options: ClientOptions = {}) =>
  createClient({ baseUrl, apiKey: secret, maxRetries: 0, timeoutMs: 80, ...options });

describe("the key", () => {
  it.each(answers)("is not in the error after %s", async (_, answer) => {
    const server = await listen(answer);
    const client = create(server.url);

    expectNoKey(await rejection(client.jobs.submit(paidJob)));
    expectNoKey(await rejection(client.jobs.get("j")));
  });

  it("is cut out of the service's text, and the rest stays", async () => {
    const server = await listen(echoing(401, envelope));

    const error = await rejection(create(server.url).jobs.submit(paidJob));

    expect(error.message).toBe("POST /v1/jobs answered 401: bad key Bearer *** and Bearer ***");
    expect(error.requestId).toBe("id of Bearer ***");
  });

  it("is cut out before the text is cut, also at the edge", async () => {
    for (let padding = 500 - secret.length; padding <= 500; padding++) {
      const client = create("http://ads.test", {
        fetch: async () =>
          Response.json({ success: false, error: "x".repeat(padding) + secret }, { status: 400 }),
      });
      expect((await rejection(client.jobs.submit(paidJob))).message).not.toContain("ak-S");
    }
  });

  const fetchErrors: [string, (request: Request) => unknown][] = [
    ["holds the request", (request) => Object.assign(new Error("failed"), { request })],
    ["holds its headers", ({ headers }) => Object.assign(new Error("no"), { config: { headers } })],
    ["quotes it", ({ headers }) => new Error(`cannot send ${headers.get("authorization")}`)],
    ["has it in its cause", (request) => new Error("no", { cause: new Error(keyOf(request)) })],
    ["has it in its code", (request) => Object.assign(new Error("no"), { code: keyOf(request) })],
    ["has it in its name", (request) => Object.assign(new Error("no"), { name: keyOf(request) })],
    ["is the text of it", keyOf],
    ["is an object with it", (request) => ({ message: keyOf(request), request })],
    ["is a request", (request) => request],
    ["is a failed connection", (request) => Object.assign(fetchError("ECONNRESET"), { request })],
  ];

  it.each(fetchErrors)("is not in the error when fetch throws what %s", async (_, errorOf) => {
    const fetch = async (request: Request): Promise<never> => {
      throw errorOf(request);
    };

    const error = await rejection(create("http://ads.test", { fetch }).jobs.submit(paidJob));

    expect(error).toMatchObject({ code: "connection", outcome: "unknown" });
    expect(error.cause).toBeInstanceOf(Error);
    expectNoKey(error);
  });

  it("is not in a schema's text about an answer that repeats it", async () => {
    const server = await listen(success({ id: "b", note: `key ${secret}` }));
    const validate = (value: unknown) => ({
      issues: [{ message: `received ${JSON.stringify(value)}`, path: [secret, "note"] }],
    });
    const brand = { "~standard": { version: 1, vendor: "test", validate } } as const;
    const client = create(server.url, { schemas: { brand } });

    const error = await rejection(client.brands.create({ name: "a" }));

    expect(error).toMatchObject({ code: "decode", issues: [{ path: ["***", "note"] }] });
    expect(error.message).toContain("received");
    expect(error.message + JSON.stringify(error)).not.toContain("S3cr3t");
  });

  it("of a function is cut out too", async () => {
    const server = await listen(echoing(401, envelope));

    expectNoKey(await rejection(create(server.url, { apiKey: async () => secret }).jobs.get("j")));
  });

  it("is not in the client", () => {
    const client = create("http://ads.test");

    expectNoKey(client);
    expectNoKey(client.jobs);
    expectNoKey(client.brands);
    expect(Object.values(client.jobs).map(String).join()).not.toContain("S3cr3t");
  });

  it("is not in the hooks' arguments", async () => {
    const server = await listen(echoing(503, envelope));
    const events: unknown[] = [];
    const note = (event: unknown) => void events.push(event);
    const client = create(server.url, {
      maxRetries: 1,
      timeoutMs: 5_000,
      hooks: { onRequest: note, onResponse: note, onRetry: note, onDrift: note },
    });

    await rejection(client.jobs.get("j"));

    expect(events).toHaveLength(5);
    expectNoKey(events);
  });

  it("is not in the output of a hook that fails", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const server = await listen(success({ id: "b" }));
    const fail = () => {
      throw new Error("a bug in the hook");
    };
    const client = create(server.url, { hooks: { onRequest: fail, onResponse: fail } });

    await client.brands.update("b", {});

    expect(print).toHaveBeenCalledTimes(2);
    expectNoKey(print.mock.calls);
    print.mockRestore();
  });

  it("stays where it is sent: in one header, and nowhere else of the request", async () => {
    const server = await listen(failure(400), failure(400));
    const client = clientOf(server, { apiKey: secret });

    await rejection(client.jobs.submit(paidJob));
    await rejection(client.jobs.list({ limit: 1 }));

    for (const { url, body, headers } of server.received) {
      const { authorization, ...others } = headers;
      expect(authorization).toBe(`Bearer ${secret}`);
      expectNoKey({ url, body, others });
    }
  });
});

function keyOf(request: Request): string {
  return request.headers.get("authorization") ?? "";
}
