import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/index.ts";
import { failure, queued, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const malformed: [string, string][] = [
  ["empty", ""],
  ["blank", "   "],
  ["with a line break", "test-secret\r\nx-evil: 1"],
  ["with a trailing line break", "test-secret\n"],
  ["with a leading blank", " test-secret"],
  ["with a blank inside", "test secret"],
  ["with a tab", "test-\tsecret"],
  ["with a NUL", "test-\0secret"],
  ["with unicode", "test-secret\u2013"],
  ["with Latin-1", "test-secr\u00e9t"],
  ["with a zero-width blank", "test-secret\u200b"],
];

describe("the API key", () => {
  it("is sent as Bearer, with every request", async () => {
    const server = await listen(queued(), success([]));
    const client = clientOf(server, { apiKey: "ak-1" });

    await client.jobs.submit(paidJob);
    await client.brands.list();

    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer ak-1",
      "Bearer ak-1",
    ]);
  });

  it.each(malformed)("is refused %s, without being quoted", (_, apiKey) => {
    const create = () => createClient({ baseUrl: "http://ads.test", apiKey });

    expect(create).toThrow(/^apiKey/);
    expect(create).not.toThrow(/secr/);
    expect(create).toThrow(expect.objectContaining({ name: "ConfigError", code: "config" }));
  });

  it.each([0, 1n, true, Symbol("key"), ["ak-1"], {}, new String("ak-1")])(
    "is refused when it is no text (%s)",
    (apiKey) => {
      const options = { baseUrl: "http://ads.test", apiKey: apiKey as string };

      expect(() => createClient(options)).toThrow(expect.objectContaining({ code: "config" }));
    },
  );

  it("is not sent at all when it is null, as a proxy adds it", async () => {
    const server = await listen(queued(), failure(401, "who are you?"));
    const client = clientOf(server, { apiKey: null });

    await client.jobs.submit(paidJob);
    const error = await rejection(client.jobs.submit(paidJob));

    expect(server.received[0]?.headers).not.toHaveProperty("authorization");
    expect(error.message).toBe("POST /v1/jobs answered 401: who are you?");
  });

  it("must begin with apiKeyPrefix, where that is given", async () => {
    const options = { baseUrl: "http://ads.test", apiKeyPrefix: "live-" };

    expect(() => createClient({ ...options, apiKey: "live-1" })).not.toThrow();
    expect(() => createClient({ ...options, apiKey: "test-secret" })).toThrow(
      /^apiKey does not begin with apiKeyPrefix "live-"$/,
    );
    const client = createClient({ ...options, apiKey: () => "test-secret" });
    expect(await rejection(client.jobs.list())).toMatchObject({
      name: "ConfigError",
      message:
        "GET /v1/jobs was not sent: the apiKey function gave a key that " +
        'does not begin with apiKeyPrefix "live-"',
    });
  });
});

describe("an apiKey function", () => {
  it.each([
    ["at once", () => "ak-1"],
    ["later", async () => "ak-1"],
  ])("may give the key %s", async (_, apiKey) => {
    const server = await listen(queued());

    await clientOf(server, { apiKey }).jobs.submit(paidJob);

    expect(server.received[0]?.headers.authorization).toBe("Bearer ak-1");
  });

  it("is asked anew for every attempt, and not before the first", async () => {
    const server = await listen(failure(503, "busy", { "retry-after": "0" }), success([]));
    const apiKey = vi.fn(async () => `ak-${apiKey.mock.calls.length}`);
    const client = clientOf(server, { apiKey });
    expect(apiKey).not.toHaveBeenCalled();

    await client.brands.list();

    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer ak-1",
      "Bearer ak-2",
    ]);
  });

  it("that throws fails the call, which sends nothing; its message alone is the cause", async () => {
    const server = await listen(queued());
    const cause = Object.assign(new Error("no token today"), { token: "S3cr3t" });
    for (const apiKey of [
      () => {
        throw cause;
      },
      () => Promise.reject(cause),
    ]) {
      const client = clientOf(server, { apiKey });

      const error = await rejection(client.jobs.submit(paidJob, { maxRetries: 0 }));

      expect(error).toMatchObject({
        name: "ConnectionError",
        code: "connection",
        outcome: "not-sent",
        message: "POST /v1/jobs was not sent: the apiKey function failed: no token today",
      });
      expect(error.cause).toEqual(new Error("no token today"));
      expect(inspect(error, { showHidden: true, getters: true })).not.toContain("S3cr3t");
    }
    expect(server.received).toHaveLength(0);
  });

  it("that throws once is asked again: nothing was sent", async () => {
    const server = await listen(queued());
    let asked = 0;
    const apiKey = () => {
      if (++asked === 1) throw new Error("no token yet");
      return "ak-1";
    };

    expect((await clientOf(server, { apiKey }).jobs.submit(paidJob)).job_id).toBe("job-1");
    expect(server.received).toHaveLength(1);
  });

  it.each(malformed)(
    "that gives a key %s fails the call, and is not asked again",
    async (_, key) => {
      const server = await listen(queued());
      const apiKey = vi.fn(async () => key);

      const error = await rejection(clientOf(server, { apiKey }).jobs.submit(paidJob));

      expect(error).toMatchObject({ name: "ConfigError", code: "config", outcome: "not-sent" });
      expect(error.message).toMatch(/^POST \/v1\/jobs was not sent: the apiKey function gave an? /);
      expect(error.message).not.toContain("secr");
      expect(apiKey).toHaveBeenCalledTimes(1);
      expect(server.sockets.size).toBe(0);
    },
  );

  it.each([
    [undefined, "undefined"],
    [null, "null"],
    [5, "a number"],
    [{ key: "ak-1" }, "an object"],
  ])("that gives %j fails the call", async (key, kind) => {
    const server = await listen(queued());
    const apiKey = async () => key as unknown as string;

    const error = await rejection(clientOf(server, { apiKey }).jobs.submit(paidJob));

    expect(error).toMatchObject({
      code: "config",
      outcome: "not-sent",
      message:
        `POST /v1/jobs was not sent: the apiKey function gave ${kind}: ` +
        "it must give the key as text",
    });
    expect(server.sockets.size).toBe(0);
  });
});
