import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/index.ts";
import { queued, success } from "../helpers/answers.ts";
import { accepted, over } from "../helpers/calls.ts";
import { clientOf, paidJob, testKey } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

interface Called {
  readonly self: unknown;
  readonly input: readonly unknown[];
  readonly text: string;
}

/** A `fetch` that notes how it was called, and with which body; it answers a submission. */
const noting = () => {
  const calls: Called[] = [];
  const fetch = async function (this: unknown, ...input: unknown[]): Promise<Response> {
    const [first, init] = input as [unknown, RequestInit?];
    const sent = first instanceof Request ? first.clone() : new Response(init?.body ?? null);
    calls.push({ self: this, input, text: await sent.text() });
    return accepted();
  };
  return { calls, fetch };
};

const initOf = ([call]: readonly Called[]): RequestInit => call?.input[1] as RequestInit;

const body = JSON.stringify(paidJob);
/** Made before a global `fetch` is replaced, which is looked up at each request. */
const client = createClient({ baseUrl: "http://ads.test/api", apiKey: testKey });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("the global fetch", () => {
  it("is called with URL and init, the signal in the init, and without this", async () => {
    const { calls, fetch } = noting();
    vi.stubGlobal("fetch", fetch);

    await client.jobs.get("job-1");

    expect(calls).toHaveLength(1);
    const init = initOf(calls);
    expect(calls[0]?.input[0]).toBe("http://ads.test/api/v1/jobs/job-1");
    expect(init).toMatchObject({ method: "GET", redirect: "manual", cache: "no-store" });
    // React and Next.js answer a GET from memory within a render, unless its init has a signal. A
    // wait would never see its job move. They do not look at the signal of a Request.
    expect(init.signal).toBeInstanceOf(AbortSignal);
    expect(new Headers(init.headers).get("authorization")).toBe(`Bearer ${testKey}`);
    expect(init.body ?? null).toBeNull();
    expect(init).not.toHaveProperty("duplex");
    expect(calls[0]?.self).toBeUndefined();
  });

  it.each<[isStream: boolean, where: string, name: string, value: object | undefined]>([
    [true, "in Node", "stub", undefined],
    [true, "where a navigator alone plays a browser", "navigator", { userAgent: "Mozilla/5.0" }],
    [false, "where there is a document", "document", {}],
    [false, "in a Worker of Cloudflare", "navigator", { userAgent: "Cloudflare-Workers" }],
    [false, "where it does not say that it is Node", "process", { env: {} }],
  ])("gets a POST's body as a stream, which cannot be sent again (%s), %s", async (...row) => {
    const [isStream, , name, value] = row;
    const { calls, fetch } = noting();
    vi.stubGlobal("fetch", fetch);
    vi.stubGlobal(name, value);

    await client.jobs.submit(paidJob);

    const init = initOf(calls);
    expect(init).toMatchObject({ method: "POST", duplex: "half" });
    if (isStream) expect(init.body).toBeInstanceOf(ReadableStream);
    else expect(init.body).toBe(body);
    const headers = new Headers(init.headers);
    expect(headers.get("content-length")).toBe(isStream ? String(Buffer.byteLength(body)) : null);
    expect(headers.get("content-type")).toBe("application/json");
    expect(calls[0]?.text).toBe(body);
  });
});

describe("a fetch of the caller's", () => {
  it("gets one Request, with its signal, and no this", async () => {
    const { calls, fetch } = noting();

    await over(fetch).jobs.submit(paidJob);

    const { self, input, text } = calls[0] ?? { input: [] };
    expect(self).toBeUndefined();
    expect(input).toHaveLength(1);
    const request = input[0] as Request;
    expect(request).toBeInstanceOf(Request);
    expect(request).toMatchObject({ method: "POST", url: "http://ads.test/v1/jobs" });
    expect(request.signal).toBeInstanceOf(AbortSignal);
    expect(text).toBe(body);
  });

  it("may be the runtime's own, as in fetch: globalThis.fetch", async () => {
    const server = await listen(queued(), success({ status: "queued" }));
    // Browsers and workers throw "Illegal invocation" where `this` is anything else.
    const native = globalThis.fetch;
    const strict = function (this: unknown, request: Request): Promise<Response> {
      if (this !== undefined) throw new TypeError("Illegal invocation");
      return native(request);
    };
    const { jobs } = clientOf(server, { fetch: strict });

    expect((await jobs.submit(paidJob)).job_id).toBe("job-1");
    expect((await jobs.get("j")).status).toBe("queued");
    expect((await clientOf(server, { fetch: native }).jobs.get("j")).status).toBe("queued");
  });
});
