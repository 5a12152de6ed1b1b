import { describe, expect, test } from "vitest";
import { createManualClock, createMockService, type MockService } from "../../mocks/index.ts";
import { adapterNames, adapters } from "../helpers/adapters.ts";

const url = "https://ads.test/v1/jobs";
const headers = { authorization: "Bearer test-key" };
const body = '{"action":"generate-ad"}';
const submission = { method: "POST", headers, body };

describe("service.fetch", () => {
  test("service.fetch takes a string, a URL or a Request, and init options that override it", async () => {
    const { fetch } = createMockService();
    const request = new Request(url, submission);
    for (const answering of [
      fetch(url, submission),
      fetch(new URL(url), submission),
      fetch(request.clone()),
      fetch(new Request(url, { headers }), { method: "POST", body }),
      fetch(url, { method: "post", headers: new Headers(headers), body: new Blob([body]) }),
      fetch(url, { ...submission, body: new Blob([body]).stream(), duplex: "half" } as RequestInit),
    ]) {
      expect((await answering).status).toBe(202);
    }
    // The text in the options replaces the body of the request, which stays unread.
    const replaced = new Request(url, { ...submission, body: "{" });
    expect((await fetch(replaced, { method: "POST", body })).status).toBe(202);
    expect(await replaced.text()).toBe("{");
    expect((await fetch(request, {})).status).toBe(202);
  });

  test("service.fetch rejects a request that fetch itself would not send", async () => {
    const { fetch } = createMockService();
    const used = new Request(url, submission);
    await used.text();
    await expect(fetch(used)).rejects.toThrow(TypeError);
    for (const wrong of ["https://", "https://ann@ads.test/v1/jobs", "https://:pass@ads.test"]) {
      await expect(fetch(wrong, submission)).rejects.toThrow(TypeError);
    }
    for (const ftp of ["ftp://ads.test/v1/jobs", new URL("ftp://ads.test/v1/jobs")]) {
      await expect(fetch(ftp, submission)).rejects.toThrow(
        'The mock\'s fetch takes "http:" and "https:"; it was given "ftp:"',
      );
    }
    await expect(fetch("data:,1")).rejects.toThrow('it was given "data:"');
    await expect(fetch(url, { body })).rejects.toThrow(TypeError);
  });

  test("service.fetch rejects with the reason of an aborted signal, and nothing has happened", async () => {
    const service = createMockService();
    const reason = new Error("no longer wanted");
    const aborted = { ...submission, signal: AbortSignal.abort(reason) };
    await expect(service.fetch(url, aborted)).rejects.toBe(reason);
    await expect(service.fetch(new Request(url, aborted))).rejects.toBe(reason);
    const controller = new AbortController();
    const pending = service.fetch(url, { ...submission, signal: controller.signal });
    controller.abort(reason);
    await expect(pending).rejects.toBe(reason);
    const reader = new AbortController();
    const reading = service.fetch(url, { headers, signal: reader.signal });
    reader.abort(reason);
    await expect(reading).rejects.toBe(reason);
    expect(service.journal.entries).toEqual([]);
    expect(service.account("test-key").ledger).toHaveLength(2);
    expect(service.account("test-key").jobs.count).toBe(0);
  });

  test("service.fetch rejects as soon as the signal aborts, even if the body never ends", async () => {
    const { fetch } = createMockService();
    const controller = new AbortController();
    const endless = new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(1)) });
    const streamed = { ...submission, body: endless, duplex: "half", signal: controller.signal };
    const pending = fetch(url, streamed as RequestInit);
    await Promise.resolve();
    controller.abort();
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
  });

  test.each<[string, RequestInit | undefined]>([
    ["/v1/jobs?limit=2#part", { headers }],
    ["/v1/jobs", { headers: null as never }],
    ["/v1/jobs", { headers: { ...headers, Authorization: "Bearer b" } }],
    ["/v1/jobs", { headers: { authorization: " Bearer test-key " } }],
    ["/v1/jobs", { headers: { authorization: "Bearer ключ" } }],
    ["/v1/jobs", { headers: { ...headers, "x-none": undefined as never } }],
    ["/v1/jobs", { headers: { ...headers, "x-number": 5 as never, "x-empty": "" } }],
    ["/v1/jobs", { headers: { ...headers, "x-trace": " 1", "X-Trace": "2\t" } }],
    ["/v1/jobs", { headers: { ...headers, "x-line": "a\nb" } }],
    ["/v1/jobs", { method: "POST", headers: [["Authorization", "Bearer test-key"]], body }],
    ["/v1/jobs", { method: "post", headers, body }],
    ["/v1/jobs", { method: "POST", headers, body, cache: "no-store" }],
    ["/v1/jobs", { method: "POST", headers, body: `\uFEFF${body}` }],
    ["/v1/brands", { method: "POST", headers, body: '{"name":"half a pair: \ud83d"}' }],
    ["/v1/brands", { method: "POST", headers, body: '{"name":"a pair: 🍋"}' }],
    ["/v1/jobs/../brands/./%2e", { headers, body: "" }],
    ["/v1/jobs/x", { method: "HEAD", headers }],
    ["/v1/jobs", undefined],
    ["/v1/jobs", { method: "GET", headers, body }],
    ["/v1/jobs", { method: "B A D", headers }],
    ["/v1/jobs", { headers: { "bad header": "x" } }],
  ])(
    "service.fetch answers a URL with options like a Request made of them: %s %o",
    async (path, init) => {
      const outcomeOf = async (ask: (service: MockService) => Promise<Response>) => {
        const service = createMockService({ clock: createManualClock() });
        const answered = await ask(service).catch((error: Error) => error.name);
        const seen =
          typeof answered === "string" ? answered : [...answered.headers, await answered.text()];
        const { entries } = service.journal;
        // A `Request` adds the type of a text.
        const logged = entries.map(({ headers: { "content-type": _, ...others } }) => others);
        return { seen, journal: entries, logged, jobs: service.jobs.all };
      };
      const href = `https://ads.test${path}`;
      expect(await outcomeOf(({ fetch }) => fetch(href, init))).toEqual(
        await outcomeOf(async ({ fetch }) => fetch(new Request(href, init))),
      );
    },
  );
});

const mebi = 1024 * 1024;
/** Writes a submission of this many bytes, with a character of three bytes at its end. */
const submissionOf = (bytes: number): string => {
  const around = '{"action":"copy-ad","prompt":"✂"}';
  return around.replace("✂", `${"a".repeat(bytes - around.length - 2)}✂`);
};

test.each([
  [16 * mebi, 202],
  [16 * mebi + 1, 413],
])(
  "every adapter answers a body of %i bytes with %i, with or without a key",
  async (bytes, expected) => {
    const text = submissionOf(bytes);
    const tooLarge = '{"success":false,"data":null,"error":"Request body is too large"}';
    for (const name of adapterNames) {
      const service = createMockService();
      const { baseUrl, fetch = globalThis.fetch, close } = await adapters[name](service);
      for (const [sent, status] of [
        [headers, expected],
        [{}, expected === 413 ? 413 : 401],
      ] as const) {
        const init = { method: "POST", headers: sent, body: text };
        const answer = await fetch(`${baseUrl}/v1/jobs`, init);
        expect([name, answer.status]).toEqual([name, status]);
        if (status === 413) expect(await answer.text()).toBe(tooLarge);
      }
      expect(service.jobs.all).toHaveLength(expected === 202 ? 1 : 0);
      await close();
    }
  },
);
