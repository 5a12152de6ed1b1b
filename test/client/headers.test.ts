import { describe, expect, it } from "vitest";
import { type CallOptions, type ClientOptions, createClient } from "../../src/index.ts";
import { queued, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const connectionHeaders = [
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

const bad: [string, Record<string, unknown>, RegExp][] = [
  ["of the connection", { Upgrade: "h2c" }, /^headers "Upgrade" cannot be set: the runtime sets/],
  ["for the key", { AUTHORIZATION: "S3cr3t" }, /^headers must not hold Authorization: use apiKey$/],
  [
    "with a blank in its name",
    { "x team": "S3cr3t" },
    /^headers "x team" cannot be sent: .* HTTP forbids$/,
  ],
  ["without a name", { "": "S3cr3t" }, /^headers "" cannot be sent: /],
  [
    "with a line break",
    { "x-a": "S3cr3t\r\nx-b: 1" },
    /^headers "x-a" cannot be sent: .* HTTP forbids$/,
  ],
  ["outside Latin-1", { "x-a": "S3cr3t\u2013" }, /^headers "x-a" cannot be sent: .* HTTP forbids$/],
  ["that is null", { "x-a": null }, /^headers "x-a" must be text, got null$/],
  ["that is a number", { "x-a": 5 }, /^headers "x-a" must be text, got a number$/],
  ["that is a list", { "x-a": ["S3cr3t"] }, /^headers "x-a" must be text, got an array$/],
];

describe("a header", () => {
  it.each(bad)(
    "%s is refused by name, by the client and by a call",
    async (_, headers, message) => {
      const server = await listen(queued());
      const create = () => clientOf(server, { headers } as ClientOptions);
      expect(create).toThrow(expect.objectContaining({ code: "config", outcome: "not-sent" }));
      expect(create).toThrow(message);

      const { jobs } = clientOf(server);
      const write = await rejection(jobs.submit(paidJob, { headers } as CallOptions));
      const read = await rejection(jobs.get("j", { headers } as CallOptions));

      expect(write).toMatchObject({ code: "invalid_request", outcome: "not-sent" });
      expect(read.code).toBe("invalid_request");
      expect(read.outcome).toBeUndefined();
      for (const error of [write, read]) {
        expect(error.message).toMatch(message);
        expect(error.message).not.toContain("S3cr3t");
      }
      expect(server.sockets.size).toBe(0);
    },
  );

  it.each(connectionHeaders)("of the connection is refused: %s", (name) => {
    for (const given of [name, name.toUpperCase()]) {
      expect(() =>
        createClient({ baseUrl: "http://ads.test", apiKey: "ak-1", headers: { [given]: "1" } }),
      ).toThrow(`headers "${given}" cannot be set`);
    }
  });

  it("that is undefined is left out, and never sent as that word", async () => {
    const server = await listen(success([]));
    const client = clientOf(server, { headers: { "x-a": undefined, "x-b": "1" } });

    await client.jobs.list({}, { headers: { "x-c": undefined, "x-d": "2" } });

    const headers = server.received[0]?.headers;
    expect(headers).toMatchObject({ "x-b": "1", "x-d": "2" });
    expect(headers).not.toHaveProperty("x-a");
    expect(headers).not.toHaveProperty("x-c");
  });

  it("of a call that is undefined leaves the client's as it is", async () => {
    const server = await listen(success([]));

    await clientOf(server, { headers: { "x-a": "1" } }).jobs.list(
      {},
      { headers: { "X-A": undefined } },
    );

    expect(server.received[0]?.headers["x-a"]).toBe("1");
  });

  it("of a call replaces the client's in any case of its letters", async () => {
    const server = await listen(success([]));

    await clientOf(server, { headers: { "X-Team": "a" } }).jobs.list(
      {},
      { headers: { "x-team": "b" } },
    );

    expect(server.received[0]?.headers["x-team"]).toBe("b");
  });

  it("of a Headers object is sent too", async () => {
    const server = await listen(success([]));
    const headers = new Headers({ "x-a": "1" }) as unknown as Record<string, string>;

    await clientOf(server, { headers }).jobs.list();

    expect(server.received[0]?.headers["x-a"]).toBe("1");
  });
});
