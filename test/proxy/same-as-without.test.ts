// A page behind the proxy is told what a program is told that has the key, but for a few things.
import { type AdGenClient, type AnyAdGenError, createClient, toResult } from "adgen-sdk";
import { type AdGenProxy, createProxy, type ProxyOptions } from "adgen-sdk/proxy";
import { createMemoryStore } from "adgen-sdk/submissions";
import { expect, test } from "vitest";
import { failure, raw, reset, success } from "../helpers/answers.ts";
import { paidJob, testKey } from "../helpers/client.ts";
import { type Answer, listen, type Received } from "../helpers/http-server.ts";
import { lossesOf, refusals } from "../helpers/service-faults.ts";

/** A browser that sends each POST again by itself, and must get the same answer again. */
const sendTwice = async (proxy: AdGenProxy, request: Request) => {
  if (request.method !== "POST") return proxy(request);
  const [first, again] = [await proxy(request.clone()), await proxy(request)];
  const partsOf = async (response: Response) => {
    return [response.status, [...response.headers], await response.text()];
  };
  expect(await partsOf(again)).toEqual(await partsOf(first.clone()));
  return first;
};

/** A page of Ada behind the proxy, who owns what is there. */
const pageOf = async (options: ProxyOptions) => {
  const store = createMemoryStore();
  const hooks = { onError: () => {} }; // failures are meant, and must not be printed
  const proxy = createProxy({ ...options, apiKey: testKey, authorize: () => "ada", store, hooks });
  await proxy.claim("job", "job-1", "ada");
  await proxy.claim("brand", "b-1", "ada");
  const own = { baseUrl: "https://shop.test/adgen", apiKey: null, callIds: true, maxRetries: 0 };
  return createClient({ ...own, fetch: (request) => sendTwice(proxy, request) });
};

/** A failed call, as its caller can tell. */
const factsOf = (error: AnyAdGenError) => {
  const { code, status, outcome, retryAfterMs, requestId, jobId } = error;
  const supportedActions = code === "bad_request" ? error.supportedActions : undefined;
  return { code, status, outcome, retryAfterMs, requestId, jobId, supportedActions };
};

type Facts = ReturnType<typeof factsOf>;

/*
 * The intended differences. A 401 or a 403 is for the proxy, and a page would send its user to sign
 * in. Redirects, pages and broken answers tell about the house behind the proxy. Such an answer
 * becomes a 502, because a page's client would judge by its status, and so does none at all. The
 * outcome stays that of the answer. Seconds are whole in the header, so a wait is rounded up.
 */
const passedOn = ["bad_request", "payment_required", "not_found", "rate_limited", "server_error"];

const forPages = ({ retryAfterMs, ...facts }: Facts, isStray = false): Facts => ({
  ...facts,
  retryAfterMs: retryAfterMs && Math.ceil(retryAfterMs / 1_000) * 1_000,
  ...((isStray || !passedOn.includes(facts.code)) && { code: "server_error", status: 502 }),
});

/** The end of a call, as its caller is told: the data, or the facts of the failure. */
const tell = async (call: Promise<unknown>): Promise<{ data: unknown } | Facts> => {
  const { ok, data, error } = await toResult(call);
  return ok ? { data } : factsOf(error);
};

/** Makes one call of each kind, the deletion last, and tells how each ended. */
const tellAll = async ({ jobs, brands }: AdGenClient) => {
  const [submitted, created, updated, got, listed] = await Promise.all([
    tell(jobs.submit(paidJob)),
    tell(brands.create({ name: "Acme" })),
    tell(brands.update("b-1", { name: "Acme" })),
    tell(jobs.get("job-1")),
    tell(jobs.list().then(({ items }) => items)),
  ]);
  return { submitted, created, updated, got, listed, deleted: await tell(brands.delete("b-1")) };
};

const compare = async (baseUrl: string, timeoutMs?: number) => {
  const options = { baseUrl, timeoutMs, maxResponseBytes: 10_000 };
  const clients = [
    createClient({ ...options, apiKey: testKey, maxRetries: 0 }),
    await pageOf(options),
  ];
  const [told = expect.fail(), page = expect.fail()] = await Promise.all(clients.map(tellAll));
  return { told, page };
};

const id = { "x-request-id": "request-7" };
const html = { "content-type": "text/html", ...id };
const actions =
  "Invalid action. Supported: copy-ad, generate-ad, edit-ad, generate-ad-copy, image-a-2, " +
  "image-a-pro, video-a-2, video-a-2-pro, video-b-3-0";

/** Data and status of an answer when all is well, by method and path. */
const goodData = ({ method, url }: Received): [data: unknown, status: number] => {
  const brand = { id: "b-1", name: "Acme", more: [1] };
  if (method === "POST" && url === "/v1/jobs") return [{ job_id: "job-2", status: "queued" }, 202];
  if (method === "POST") return [{ ...brand, id: "b-2" }, 201];
  if (method === "PATCH") return [brand, 200];
  if (method === "DELETE") return [{ id: "b-1", deleted: true }, 200];
  const job = { job_id: "job-1", status: "completed", result: { images: [] }, more: { a: null } };
  return [url === "/v1/jobs/job-1" ? job : { jobs: [job] }, 200];
};

/** A service that does what it is asked for. */
const goodAnswer: Answer = (response, request) => {
  const [data, status] = goodData(request);
  success(data, status, id)(response, request);
};

const large = { job_id: "job-7", status: "queued", id: "b-1", padding: "x".repeat(20_000) };

/** An answer of the service. A stray one comes from something before it; `isGone` is none at all. */
interface Met {
  readonly name: string;
  readonly answer: Answer;
  readonly isSlow?: true;
  readonly isStray?: true;
  readonly isGone?: true;
}

const answers: readonly Met[] = [
  { name: "all is well", answer: goodAnswer },
  { name: "nobody is there", answer: reset, isGone: true },
  ...lossesOf(202).filter(({ name }) => name !== "a list instead of an object"),
  ...refusals,
  { name: "a 400 for an unknown action", answer: failure(400, actions, id) },
  { name: "a 403", answer: failure(403, "Forbidden", id) },
  { name: "999", answer: failure(999, "odd", id), isStray: true },
  { name: "a wait for 7 seconds", answer: failure(429, "no", { "retry-after": "7", ...id }) },
  ...[400, 402, 404].map(
    (status): Met => ({
      ...{ name: `a page with ${status}`, isStray: true },
      answer: raw(status, "<h1>Sorry</h1>", html),
    }),
  ),
  { name: "no status of the job", answer: success({ job_id: "job-7" }, 202, id) },
  { name: "too many bytes", answer: success(large, 202, id) },
];

test.concurrent.each(answers)(
  "a page learns the same as a program without the proxy: $name",
  async (fault) => {
    const { url, received, close } = await listen(fault.answer);
    if (fault.isGone) close();
    const { told, page } = await compare(url, fault.isSlow && 800);
    for (const [name, end] of Object.entries(told)) {
      // A job that is gone is left out of the proxy's list, each of whose jobs it reads singly.
      if (name === "listed" && "code" in end && end.code === "not_found") continue;
      if (name === "listed" && "data" in end) continue;
      // An answer may do for one kind of call, and be useless for the others.
      const facts = "data" in end ? end : forPages(end, fault.isStray);
      // What the proxy has on record as unknown stays so: it asks for no repeat.
      const isOnRecord =
        "code" in facts && facts.outcome === "unknown" && ["submitted", "created"].includes(name);
      const expected = isOnRecord ? { ...facts, retryAfterMs: undefined } : facts;
      expect({ name, ...page[name as keyof typeof page] }).toEqual({ name, ...expected });
    }
    // Each was sent once without the proxy, and once through it: a refusal frees the call's id.
    const sent = received.filter(({ method }) => method === "POST");
    const isFree = "code" in told.submitted && told.submitted.outcome === "refused";
    expect(sent).toHaveLength(fault.isGone ? 0 : isFree ? 6 : 4);
  },
);
