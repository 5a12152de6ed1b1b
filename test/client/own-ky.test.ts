import { inspect } from "node:util";
import ky from "ky";
import { expect, it, onTestFinished, vi } from "vitest";
import type { ClientOptions } from "../../src/client/index.ts";
import { failure, queued, resetConnection, silence, success } from "../helpers/answers.ts";
import { failing, getJob, submitJob } from "../helpers/calls.ts";
import { clientOf, measureTime, paidJob, rejection, testKey } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

/** Turns retries on twice: by options, and by a hook that runs after options are merged. */
const retry = { limit: 5, methods: ["get", "post"], statusCodes: [402, 503], delay: () => 5 };
const eager = ky.create({
  retry: { ...retry, retryOnTimeout: true },
  hooks: {
    init: [(options) => void Object.assign(options, { retry, throwHttpErrors: true, timeout: 1 })],
  },
});

it.each<[what: string, answer: Answer, code: string, outcome: string]>([
  ["a 402", failure(402, "Insufficient credits"), "payment_required", "refused"],
  ["a 503", failure(503), "server_error", "unknown"],
  ["a reset", resetConnection, "connection", "unknown"],
  ["silence", silence, "timeout", "unknown"],
])("a caller's ky that retries makes one POST only after %s", async (...row) => {
  const [, answer, code, outcome] = row;
  const brief = answer === silence ? { timeoutMs: 200 } : {};

  const { error, received } = await failing(answer, submitJob, { ky: eager, ...brief });

  expect(error).toMatchObject({ code, outcome, attempts: 1 });
  expect(received).toHaveLength(1);
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(testKey);
});

it.each<[what: string, api: NonNullable<ClientOptions["ky"]>]>([
  ["a retry", eager],
  [
    "a wrapper around ky, or an older ky, that calls twice",
    async (url, options) => {
      await ky(url, options);
      return ky(url, options);
    },
  ],
])("a caller's ky makes one POST only for %s with a text body, as in browsers", async (...row) => {
  const [, api] = row;
  vi.stubGlobal("document", {});
  onTestFinished(() => void vi.unstubAllGlobals());
  const options = { ky: api, allowBrowserKey: true };
  const { error, received } = await failing([failure(503), queued()], submitJob, options);
  expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
  expect(received).toHaveLength(1);
});

it("a caller's ky keeps the proof that nothing was sent if the port is closed", async () => {
  const server = await listen(silence);
  server.close();
  const error = await rejection(submitJob(clientOf(server, { ky: eager, maxRetries: 0 })));
  expect(error).toMatchObject({ code: "connection", outcome: "not-sent" });
});

it("a caller's ky runs its hooks for each attempt, with a new key, and changes address and headers", async () => {
  const server = await listen(
    failure(503),
    failure(503),
    success({ job_id: "j", status: "queued" }),
  );
  const seen: (string | null)[] = [];
  const api = ky.create({
    ...{ prefix: "https://ads.test", timeout: 1, searchParams: { page: 1 } },
    headers: { authorization: "Bearer other", "x-app": "shop" },
    hooks: {
      beforeRequest: [
        ({ request }) => {
          seen.push(request.headers.get("authorization"));
          request.headers.set("traceparent", "00-1");
        },
      ],
      afterResponse: [({ response }) => void seen.push(String(response.status))],
    },
  });
  let keys = 0;

  await getJob(clientOf(server, { ky: api, apiKey: () => `key-${++keys}`, timeoutMs: 5_000 }));

  const each = ["503", "503", "200"];
  expect(seen).toEqual(each.flatMap((status, place) => [`Bearer key-${place + 1}`, status]));
  expect(server.received.map(({ url, headers }) => [url, headers.authorization])).toEqual(
    each.map((_, place) => ["/v1/jobs/j?page=1", `Bearer key-${place + 1}`]),
  );
  for (const { headers } of server.received) {
    expect(headers).toMatchObject({ "x-app": "shop", traceparent: "00-1" });
  }
});

it("a caller's ky sends a body that its hooks don't see, also by the caller's fetch", async () => {
  const server = await listen(queued());
  const bodies: unknown[] = [];
  const api = ky.create({
    hooks: { beforeRequest: [({ request }) => void bodies.push(request.body)] },
  });
  for (const fetch of [undefined, globalThis.fetch]) {
    await submitJob(clientOf(server, { ky: api, fetch }));
  }
  const body = JSON.stringify(paidJob);
  expect(server.received.map((request) => request.body)).toEqual([body, body]);
  expect(server.received[0]?.headers["content-length"]).toBe(String(body.length));
  expect(bodies).toEqual([null, null]);
});

it.each<[what: string, hook: () => unknown, code: string]>([
  ["throws", () => expect.fail("no token"), "config"],
  ["never ends", () => new Promise(() => {}), "timeout"],
  ["leads to another host", () => new Request("http://evil.test"), "config"],
])("a caller's ky sends nothing when its hook %s", async (_, hook, code) => {
  const api = ky.create({ hooks: { beforeRequest: [hook as () => Promise<undefined>] } });
  const options = { ky: api, timeoutMs: code === "timeout" ? 100 : 1_500, maxRetries: 0 };
  const { value, ms } = await measureTime(() => failing(queued(), submitJob, options));
  const { error, received } = value;
  expect(error).toMatchObject({ code, outcome: "not-sent" });
  expect(ms).toBeLessThan(2_000);
  expect(received).toEqual([]);
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(testKey);
});

/** Sends a request as ky 1 does, which has `prefixUrl` and no `init` hooks. */
const createKy1 = ({ prefixUrl }: { readonly prefixUrl: string }) => {
  type Ky1Options = RequestInit & { readonly fetch: (request: Request) => Promise<Response> };
  return async (url: string, options: object) => {
    const { fetch, ...init } = options as Ky1Options;
    return fetch(new Request(`${prefixUrl}/${url}`, init));
  };
};

it("ky 1 is refused before anything is sent", async () => {
  const server = await listen(queued());
  for (const prefixUrl of [`${server.url}/api`, "https://elsewhere.test"]) {
    const client = clientOf(server, { ky: createKy1({ prefixUrl }) });
    const error = await rejection(submitJob(client));
    expect(error).toMatchObject({ code: "config", outcome: "not-sent", attempts: 1 });
    expect(error.message).toContain("your ky is too old: it must be 2.0 or newer");
  }
  expect(server.received).toEqual([]);
});
