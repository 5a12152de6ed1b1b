import { describe, expect, it } from "vitest";
import type { JobRequest } from "../../src/index.ts";
import { queued, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

/** Sends a request, and gives the body that arrives at the service. */
const send = async (request: object): Promise<unknown> => {
  const server = await listen(queued());
  await clientOf(server).jobs.submit(request as JobRequest);
  expect(server.received[0]?.headers["content-type"]).toBe("application/json");
  return JSON.parse(server.received[0]?.body ?? "");
};

describe("a request body", () => {
  it("arrives as given, undocumented parameters included", async () => {
    const request = {
      ...paidJob,
      variations: 4,
      images: ["https://a.test/1.png"],
      "x-new": { deep: [null, true, "ü\u2028 \u{1f600}", -1.5, { a: [] }] },
    };

    expect(await send(request)).toEqual(request);
  });

  it("leaves out undefined fields, as JSON does", async () => {
    const sent = await send({ ...paidJob, images: undefined, x: { y: undefined } });

    expect(sent).toEqual({ ...paidJob, x: {} });
  });

  it("writes dates and all values with a JSON form as JSON does", async () => {
    const toJSON = () => ({ x: 1 });
    const when = new Date(0);
    const sent = await send({ ...paidJob, when, url: new URL("https://a.test"), own: { toJSON } });

    expect(sent).toEqual({
      ...paidJob,
      when: "1970-01-01T00:00:00.000Z",
      url: "https://a.test/",
      own: { x: 1 },
    });
  });

  it("takes objects with a class, without a prototype, and ones that stand in two places", async () => {
    class Style {
      tone = "warm";
    }
    const bare = Object.assign(Object.create(null), { a: 1 });

    expect(await send({ ...paidJob, style: new Style(), one: bare, two: [bare, bare] })).toEqual({
      ...paidJob,
      style: { tone: "warm" },
      one: { a: 1 },
      two: [{ a: 1 }, { a: 1 }],
    });
  });

  it("is read once, at the call: getters once, later changes not at all", async () => {
    const server = await listen(queued());
    let reads = 0;
    const nested = { tone: "warm" };
    const request = {
      action: "generate-ad" as const,
      get prompt() {
        reads++;
        return `read ${reads}`;
      },
      nested,
    };

    const call = clientOf(server, { apiKey: async () => "test-key" }).jobs.submit(
      request as JobRequest,
    );
    nested.tone = "changed";
    Object.defineProperty(request, "prompt", { value: "changed" });
    await call;

    expect(reads).toBe(1);
    expect(JSON.parse(server.received[0]?.body ?? "")).toEqual({
      action: "generate-ad",
      prompt: "read 1",
      nested: { tone: "warm" },
    });
  });

  it("is the same in every attempt", async () => {
    const server = await listen((response) => {
      request.prompt = "changed";
      response.writeHead(429, { "retry-after": "0" }).end();
    }, queued());
    const request: JobRequest = { ...paidJob };

    await clientOf(server).jobs.submit(request);

    const [first, second] = server.received;
    expect(second?.body).toBe(first?.body);
    expect(first?.body).toContain("Summer sale");
  });
});

const circle: Record<string, unknown> = {};
circle["self"] = { circle };

const unfit: [string, unknown, string][] = [
  ["NaN", Number.NaN, "request.x"],
  ["Infinity", Number.POSITIVE_INFINITY, "request.x"],
  ["a nested -Infinity", { y: [0, { z: Number.NEGATIVE_INFINITY }] }, "request.x.y[1].z"],
  ["a function", () => 1, "request.x"],
  ["a BigInt", 10n, "request.x"],
  ["a symbol", Symbol("s"), "request.x"],
  ["a cycle", circle, "request.x.self.circle"],
  ["a Map", new Map([["a", 1]]), "request.x"],
  ["a Set in an array", [new Set([1])], "request.x[0]"],
  ["a Blob", new Blob(["a"]), "request.x"],
  ["a Uint8Array", new Uint8Array(2), "request.x"],
  ["a Buffer", Buffer.from("a"), "request.x"],
  ["an ArrayBuffer", new ArrayBuffer(2), "request.x"],
  ["a promise", Promise.resolve(1), "request.x"],
  ["a regular expression", /a/, "request.x"],
  ["an error", new Error("no"), "request.x"],
  ["an invalid date", new Date(Number.NaN), "request.x"],
  ["undefined in an array", ["a", undefined], "request.x[1]"],
  ["a hole in an array", Array(1), "request.x[0]"],
  ["a toJSON that gives nothing", { toJSON: () => undefined }, "request.x"],
  ["a toJSON that gives NaN", { toJSON: () => Number.NaN }, "request.x"],
];

describe("a request body that JSON would change", () => {
  it.each(unfit)("is refused with %s, and its path", async (_, x, path) => {
    const server = await listen(queued());

    const error = await rejection(clientOf(server).jobs.submit({ ...paidJob, x } as JobRequest));

    expect(server.received).toHaveLength(0);
    expect(error).toMatchObject({
      name: "InvalidRequestError",
      code: "invalid_request",
      outcome: "not-sent",
    });
    expect(error.message.startsWith(`${path} cannot be sent`)).toBe(true);
  });

  it.each([undefined, null, "text", 5, [paidJob]])("is refused when it is %j", async (request) => {
    const server = await listen(queued());

    const error = await rejection(clientOf(server).jobs.submit(request as unknown as JobRequest));

    expect(server.received).toHaveLength(0);
    const got = Array.isArray(request) ? "an array" : String(JSON.stringify(request));
    expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent" });
    expect(error.message).toBe(`request must be an object, got ${got}`);
  });

  it("is refused for brands and saved ads too", async () => {
    const server = await listen(success({ id: "b" }));
    const { brands, savedAds } = clientOf(server);
    const bad = { name: "a", brand_id: "b", x: [Number.NaN] };

    const errors = [
      await rejection(brands.create(bad)),
      await rejection(brands.update("b", bad)),
      await rejection(savedAds.create(bad)),
    ];

    expect(server.received).toHaveLength(0);
    expect(errors.map(({ message }) => message.split(" ")[0])).toEqual([
      "brand.x[0]",
      "changes.x[0]",
      "ad.x[0]",
    ]);
  });

  it.each([
    [
      "a getter that throws",
      Object.defineProperty({}, "y", { enumerable: true, get: () => boom() }),
    ],
    ["a toJSON that throws", { toJSON: () => boom() }],
  ])("is refused with %s", async (_, x) => {
    const server = await listen(queued());

    const error = await rejection(clientOf(server).jobs.submit({ ...paidJob, x } as JobRequest));

    expect(server.received).toHaveLength(0);
    expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent" });
    expect(error.cause).toBeInstanceOf(Error);
  });
});

function boom(): never {
  throw new Error("boom");
}
