import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { failure, queued, raw, success } from "../helpers/answers.ts";
import {
  deleteBrand,
  envelopeText,
  failing,
  get,
  list,
  over,
  streamOf,
  submit,
  updateBrand,
} from "../helpers/calls.ts";
import { clientOf, rejection, testKey } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const gzip = { "content-encoding": "gzip" };
const text = envelopeText({ status: "queued" });

it("a body may split a character over its chunks", async () => {
  const note = "Größe — 日本語 \u{1f600}";
  const bytes = Buffer.from(envelopeText({ status: "queued", note }));
  const body = streamOf(Array.from(bytes, (byte) => Uint8Array.of(byte)));
  expect(await get(over(async () => new Response(body)))).toMatchObject({ note });
});

it.each<[string, Answer]>([
  ["be compressed", raw(200, gzipSync(text), gzip)],
  ["begin with a byte order mark", raw(200, `\ufeff${text}`)],
])("a body may %s", async (_, answer) => {
  expect(await get(clientOf(await listen(answer)))).toMatchObject({ status: "queued" });
});

it("a body that does not fit its encoding was cut off", async () => {
  const { error } = await failing(raw(200, "no gzip", gzip), get, { maxRetries: 0 });
  expect(error).toMatchObject({ code: "connection", status: 200 });
  expect(error.message).toMatch(/^GET \/v1\/jobs\/j was cut off: /);
});

describe("a body that is too large", () => {
  const maxResponseBytes = 1_000;
  const filled = envelopeText({
    status: "queued",
    x: "x".repeat(1_000 - envelopeText({ status: "queued", x: "" }).length),
  });

  it.each<[string, Answer]>([
    ["as it is declared", raw(200, `${filled} `)],
    ["as it is decoded", raw(200, gzipSync(`${filled} `), gzip)],
    ["in bytes, not in characters", raw(200, "ü".repeat(501))],
  ])("is refused, %s, and not with one byte less", async (_, answer) => {
    const { error } = await failing(answer, get, { maxResponseBytes });
    const largest = clientOf(await listen(raw(200, filled)), { maxResponseBytes });

    expect(error).toMatchObject({ name: "DecodeError", status: 200, reason: "too-large" });
    expect(error.message).toBe("GET /v1/jobs/j answered more than maxResponseBytes (1000)");
    expect(await get(largest)).toMatchObject({ status: "queued" });
  });

  it("costs little as a gzip bomb: 16 MiB by default, and less is no matter", async () => {
    const x = "x".repeat(2_000_000);
    const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20, " "));

    const { error } = await failing(raw(202, bomb, gzip), submit);
    const data = await get(clientOf(await listen(success({ status: "queued", x }))));

    expect(error).toMatchObject({ code: "decode", status: 202, outcome: "unknown" });
    const said = "POST /v1/jobs answered more than maxResponseBytes (16777216)";
    expect(error.message).toBe(said + doubtOfSubmission);
    expect(data).toHaveProperty("x.length", 2_000_000);
  });

  it("keeps its status as a failure", async () => {
    const { error } = await failing(failure(402, "x".repeat(2_000)), submit, { maxResponseBytes });
    expect(error).toMatchObject({ name: "PaymentRequiredError", status: 402, outcome: "refused" });
    expect(error.message).toBe("POST /v1/jobs answered 402");
  });
});

const calls = { GET: get, POST: submit, PATCH: updateBrand, DELETE: deleteBrand };
const notFollowed = "redirects are not followed";

describe("a redirect", () => {
  it.each([300, 301, 302, 303, 305, 307, 308])("with %i is followed by no call", async (status) => {
    const elsewhere = await listen(queued(), success({ id: "b", status: "queued" }));
    const places = ["/v1/other", `${elsewhere.url}/v1/jobs`, "//evil.test/", undefined];
    const answers = places.map((place) => raw(status, "moved", place ? { location: place } : {}));

    for (const [method, call] of Object.entries(calls)) {
      const server = await listen(...answers);
      for (const _ of places) {
        const error = await rejection(call(clientOf(server, { maxRetries: 10 })));
        expect(error).toMatchObject({
          name: "ApiError",
          code: "unexpected_status",
          status,
          method,
        });
        expect(error.message).toContain(`answered ${status}: ${notFollowed}`);
      }
      expect(server.received).toHaveLength(places.length);
    }
    expect(elsewhere.sockets.size).toBe(0);
  });

  const advice = (origin: string) => `${notFollowed}; it leads to ${origin}: set baseUrl to that`;
  const api = "https://api.example.com";
  it.each<[string, string, (origin: string) => string]>([
    ["to https of the same host", "//HOST/v1/jobs", (origin) => advice(origin)],
    ["to another host", `${api}/v1/jobs?token=S3cr3t`, () => advice(api)],
    ["to a path of the same host", "/login", () => notFollowed],
    ["to no address of the web", "data:text/html,a", () => notFollowed],
    ["to nowhere", "http://[", () => notFollowed],
  ])("%s says what to do", async (_, location, says) => {
    const server = await listen((response, { headers }) => {
      const target = location.replace("//HOST", `https://${headers.host}`);
      response.writeHead(308, { location: target }).end();
    });

    const error = await rejection(list(clientOf(server)));

    const origin = server.url.replace("http:", "https:");
    expect(error.message).toBe(`GET /v1/jobs answered 308: ${says(origin)}`);
  });

  it("shows neither the key nor an address without end", async () => {
    const location = `https://${testKey}.${"x".repeat(5_000)}.test/`;
    const { error } = await failing(raw(307, "", { location }), list);
    expect(error.message).not.toContain(testKey);
    expect(error.message.length).toBeLessThan(300);
  });

  it("as a browser shows it is not followed either: status 0, nothing to see", async () => {
    const redirects: string[] = [];
    const fetch = async ({ redirect }: Request) => {
      redirects.push(redirect);
      return { status: 0, type: "opaqueredirect", headers: new Headers(), text: async () => "" };
    };

    const error = await rejection(submit(over(fetch)));

    expect(redirects).toEqual(["manual"]);
    expect(error).toMatchObject({ code: "unexpected_status", status: 0, outcome: "unknown" });
    const said = `POST /v1/jobs answered with a redirect: ${notFollowed}`;
    expect(error.message).toBe(said + doubtOfSubmission);
  });
});
