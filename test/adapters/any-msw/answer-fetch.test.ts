// `fetch` gives the same answers where the mock replaces it as it gives through MSW. With each MSW
// that the package accepts: see the project "msw2" in vitest.config.ts.
import { type AdGenError, createClient, toResult } from "adgen-sdk";
import { bypass, HttpResponse, http, passthrough } from "msw";
import { type SetupServer, setupServer } from "msw/node";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createMockService, type MockFault, type MockService } from "../../../mocks/index.ts";
import { createHandlers } from "../../../mocks/msw/index.ts";
import { setupMockServer } from "../../../mocks/node/index.ts";
import { listen } from "../../helpers/http-server.ts";

const baseUrl = "https://ads.test";
const jobs = `${baseUrl}/v1/jobs`;

const closing: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0)) close();
});

interface Way {
  readonly service: MockService;
  readonly server: SetupServer;
}

const ways: Record<string, () => Promise<Way>> = {
  door: async () => {
    const mock = setupMockServer({ baseUrl, hooks: false, onUnhandled: "bypass" });
    closing.push(mock.allowNetwork, mock.close);
    await mock.listen();
    return mock;
  },
  MSW: async () => {
    const service = createMockService({ baseUrl });
    const server = setupServer(...createHandlers(service));
    server.listen({ onUnhandledFrame: "bypass", onUnhandledRequest: "bypass" } as never);
    closing.push(() => server.close());
    return { service, server };
  },
};

/** Does the same work by each way, and gives the results. */
const byEachWay = async (work: (way: Way) => Promise<unknown>) => {
  const ends: unknown[] = [];
  for (const enter of Object.values(ways)) {
    ends.push(await work(await enter()));
    for (const close of closing.splice(0)) close();
  }
  return ends;
};

const submit = async ({ service }: Way, timeoutMs = 60_000) => {
  const client = createClient({ baseUrl, apiKey: "test-key", maxRetries: 0 });
  const { data, error } = await toResult(
    client.jobs.submit({ action: "generate-ad" }, { timeoutMs }),
  );
  const { code, outcome, status } = { status: data?.status, ...error } as Partial<AdGenError>;
  return { code, outcome, status, charges: service.account("test-key").charges.length };
};

const faults: readonly [MockFault, timeoutMs?: number][] = [
  [{ kind: "status", status: 503 }],
  [{ kind: "status", status: 402, accepted: true }],
  [{ kind: "rate-limit", retryAfterMs: 1_000 }],
  [{ kind: "html" }],
  [{ kind: "wrong-json" }],
  [{ kind: "latency", ms: 5 }],
  [{ kind: "reset" }],
  [{ kind: "reset", accepted: true }],
  [{ kind: "refuse" }],
  [{ kind: "cut-body" }],
  [{ kind: "drip-body", bytes: 40, everyMs: 1 }],
  [{ kind: "stall" }, 300],
  [{ kind: "stall-body" }, 300],
];

const crash = () => {
  throw new Error("a mistake of the handler");
};

const handlers: Record<string, () => Response | undefined | Promise<Response>> = {
  "an answer": () => HttpResponse.json({ data: "mine" }, { status: 503, statusText: "Mine" }),
  "no answer": () => undefined,
  "a network error": () => HttpResponse.error(),
  "a mistake": crash,
  "a thrown answer": () => {
    throw HttpResponse.json({ success: false, error: "no" }, { status: 400 });
  },
  "a thrown error of a socket": () => {
    throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", errno: -104 });
  },
};

describe("a request by fetch to the mock ends as through MSW", () => {
  test.each(faults)(
    "a fetch to the mock ends as through MSW when it meets the fault %j",
    async (fault, timeoutMs) => {
      const [atDoor, throughMsw] = await byEachWay((way) => {
        way.service.faults.play(fault);
        return submit(way, timeoutMs);
      });
      expect(atDoor).toEqual(throughMsw);
    },
  );

  test.each(Object.entries(handlers))(
    "a fetch to the mock ends as through MSW when its handler gives %s",
    async (_, handler) => {
      vi.spyOn(console, "error").mockImplementation(() => {});
      const [atDoor, throughMsw] = await byEachWay(async (way) => {
        way.server.use(http.post(jobs, handler, { once: true }));
        const response = await fetch(jobs, { method: "POST", body: "{}" }).catch((error) => error);
        const { status, url, redirected } = response;
        const text = response instanceof Response ? await response.text() : "";
        const isFailed = response instanceof Error;
        const plain = { isFailed, status, url, redirected, text: text.slice(0, 80) };
        way.server.use(http.post(jobs, handler, { once: true }));
        return { plain, ...(await submit(way)) };
      });
      expect(atDoor).toEqual(throughMsw);
    },
  );
});

describe("a request that a handler lets out", () => {
  test("a request that a handler passes through or bypasses reaches the network once, with its body", async () => {
    const real = await listen((response) => response.end("real"));
    const mock = setupMockServer({ baseUrl: real.url, hooks: false });
    closing.push(mock.allowNetwork, mock.close);
    await mock.listen();
    const url = `${real.url}/v1/jobs`;
    mock.server.use(
      http.post(url, async ({ request }) => {
        await request.text();
        return passthrough();
      }),
      http.put(url, async ({ request }) => {
        const answer = await fetch(bypass(request));
        return HttpResponse.text(`${await answer.text()}, changed`);
      }),
    );
    const send = async (method: string) => (await fetch(url, { method, body: method })).text();
    expect(await send("POST")).toBe("real");
    expect(await send("PUT")).toBe("real, changed");
    expect(real.received.map(({ method, body }) => [method, body])).toEqual([
      ["POST", "POST"],
      ["PUT", "PUT"],
    ]);
    expect(JSON.stringify(real.received)).not.toContain("msw");
  });
});

describe("a signal", () => {
  const mocked = async (body: () => Promise<Response>) => {
    const { server } = await (ways["door"] as () => Promise<Way>)();
    server.use(http.get(jobs, body));
  };

  test("an aborted signal lets no handler run", async () => {
    const body = vi.fn(async () => HttpResponse.text("late"));
    await mocked(body);
    await expect(fetch(jobs, { signal: AbortSignal.abort("left") })).rejects.toBe("left");
    expect(body).not.toHaveBeenCalled();
  });

  test("an abort ends the wait for an answer, and a body on its way", async () => {
    const sent = new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(1)) });
    for (const answer of [
      () => new Promise<Response>(() => {}),
      async () => new HttpResponse(sent),
    ]) {
      await mocked(answer);
      const leaving = new AbortController();
      const pending = fetch(jobs, { signal: leaving.signal }).then((response) => response.text());
      setTimeout(() => leaving.abort(new Error("left")), 5);
      await expect(pending).rejects.toThrow("left");
      for (const close of closing.splice(0)) close();
    }
  });
});
