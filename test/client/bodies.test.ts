import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createClient } from "../../src/index.ts";
import { failure, raw, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, testKey } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { listen } from "../helpers/http-server.ts";

const envelopeOf = (data: unknown) => JSON.stringify({ success: true, data, error: null });

describe("a body", () => {
  it("may split a character over its chunks", async () => {
    const note = "Größe — 日本語 \u{1f600}";
    const bytes = Buffer.from(envelopeOf({ status: "queued", note }));
    const body = new ReadableStream({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const fetch = async () => new Response(body);
    const client = createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch });

    expect(await client.jobs.get("j")).toMatchObject({ note });
  });

  it("may be compressed, and begin with a byte order mark", async () => {
    const text = envelopeOf({ status: "queued" });
    const server = await listen(
      raw(200, gzipSync(text), { "content-encoding": "gzip" }),
      raw(200, `\ufeff${text}`),
    );
    const { jobs } = clientOf(server);

    expect(await jobs.get("j")).toMatchObject({ status: "queued" });
    expect(await jobs.get("j")).toMatchObject({ status: "queued" });
  });

  it("that does not fit its encoding was cut off", async () => {
    const server = await listen(raw(200, "no gzip", { "content-encoding": "gzip" }));

    expect(await rejection(clientOf(server, { maxRetries: 0 }).jobs.get("j"))).toMatchObject({
      code: "connection",
      status: 200,
    });
  });

  it("may come from a fetch that has no streams", async () => {
    const response = {
      status: 200,
      ok: true,
      headers: new Headers(),
      body: null,
      text: async () => envelopeOf({ status: "queued" }),
      [Symbol.toStringTag]: "Response",
    };
    const fetch = async () => response as unknown as Response;
    const client = createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch });

    expect(await client.jobs.get("j")).toMatchObject({ status: "queued" });
  });

  it("with __proto__ in any spelling is inert", async () => {
    const server = await listen(
      raw(
        200,
        `{"success":true,"error":null,"data":{"status":"queued",
          "__proto__":{"polluted":1},"deep":{"__proto__":{"polluted":3},"kept":1},
          "constructor":{"prototype":{"polluted":4}}}}`,
      ),
      raw(
        200,
        `{"success":true,"error":null,"data":{"status":"queued",
          "\\u005f_proto__":{"polluted":1},"deep":{"__proto\\u005F_":{"polluted":3},"kept":1},
          "constructor":{"prototype":{"polluted":4}}}}`,
      ),
      raw(200, `{"__proto__":{"success":true,"error":null,"data":{"status":"queued"}}}`),
    );
    const { jobs } = clientOf(server);

    for (const job of [await jobs.get("j"), await jobs.get("j")]) {
      expect(Object.keys(job)).toEqual(["job_id", "status", "deep", "constructor"]);
      const { deep } = job as { deep?: object };
      expect(Object.keys(deep ?? {})).toEqual(["kept"]);
      for (const object of [job, Object.assign({}, deep), {}]) {
        expect((object as Record<string, unknown>)["polluted"]).toBeUndefined();
        expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
      }
    }
    expect(await rejection(jobs.get("j"))).toMatchObject({ code: "decode" });
  });
});

describe("a body that is too large", () => {
  const maxResponseBytes = 1_000;

  it.each([
    ["declared", raw(200, envelopeOf({ status: "queued", x: "x".repeat(1_000) }))],
    [
      "compressed",
      raw(200, gzipSync(envelopeOf({ status: "queued", x: "x".repeat(1_000) })), {
        "content-encoding": "gzip",
      }),
    ],
  ])("is refused by its decoded bytes (%s)", async (_, answer) => {
    const server = await listen(answer);

    expect(await rejection(clientOf(server, { maxResponseBytes }).jobs.get("j"))).toMatchObject({
      name: "DecodeError",
      status: 200,
      reason: "too-large",
      message: "GET /v1/jobs/j answered more than maxResponseBytes (1000)",
    });
  });

  it("may have exactly so many bytes", async () => {
    const text = envelopeOf({ status: "queued", x: "" });
    const filled = envelopeOf({ status: "queued", x: "x".repeat(1_000 - text.length) });
    const server = await listen(raw(200, filled), raw(200, `${filled} `));
    const { jobs } = clientOf(server, { maxResponseBytes });

    expect(await jobs.get("j")).toMatchObject({ status: "queued" });
    expect((await rejection(jobs.get("j"))).code).toBe("decode");
  });

  it("is not read to its end", async () => {
    let written = 0;
    const server = await listen((response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(65_536, " ");
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
      };
      response.on("drain", more);
      more();
    });

    await rejection(clientOf(server, { maxResponseBytes }).jobs.get("j"));
    await expect.poll(() => server.sockets.size).toBe(0);

    expect(written).toBeLessThan(50_000_000);
  });

  it("costs little as a gzip bomb: 16 MiB by default", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20, " "));
    const server = await listen(raw(202, bomb, { "content-encoding": "gzip" }));

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(error).toMatchObject({ code: "decode", status: 202, outcome: "unknown" });
    expect(error.message).toBe(
      `POST /v1/jobs answered more than maxResponseBytes (16777216)${doubtOfSubmission}`,
    );
  });

  it("keeps its status as a failure", async () => {
    const server = await listen(failure(402, "x".repeat(2_000)));

    const error = await rejection(clientOf(server, { maxResponseBytes }).jobs.submit(paidJob));

    expect(error).toMatchObject({ name: "PaymentRequiredError", status: 402, outcome: "refused" });
    expect(error.message).toBe("POST /v1/jobs answered 402");
  });

  it("is no matter below the cap", async () => {
    const x = "x".repeat(2_000_000);
    const server = await listen(success({ status: "queued", x }));

    expect(await clientOf(server).jobs.get("j")).toHaveProperty("x.length", 2_000_000);
  });
});
