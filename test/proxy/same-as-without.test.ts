// A page behind the proxy learns what a program with the key learns, with a few intended differences.
import { type AdGenClient, type AnyAdGenError, actions, createClient, toResult } from "adgen-sdk";
import { type AdGenProxy, createProxy, type ProxyOptions } from "adgen-sdk/proxy";
import { createMemoryStore } from "adgen-sdk/submissions";
import { expect, test } from "vitest";
import { answerWithText, failure, resetConnection, success } from "../helpers/answers.ts";
import { paidJob, testKey } from "../helpers/client.ts";
import { type Answer, listen, type Received } from "../helpers/http-server.ts";
import { lossesOf, refusals } from "../helpers/service-faults.ts";

/** Sends each POST twice, as some browsers do, and expects the same answer. */
const sendTwice = async (proxy: AdGenProxy, request: Request) => {
  if (request.method !== "POST") return proxy(request);
  const [first, again] = [await proxy(request.clone()), await proxy(request)];
  const partsOf = async (response: Response) => {
    return [response.status, [...response.headers], await response.text()];
  };
  expect(await partsOf(again)).toEqual(await partsOf(first.clone()));
  return first;
};

/** Creates the client of a page behind the proxy, whose user owns the job and the brand. */
const pageOf = async (options: ProxyOptions) => {
  const store = createMemoryStore();
  const hooks = { onError: () => {} }; // failures are meant, and must not be printed
  const proxy = createProxy({ ...options, apiKey: testKey, authorize: () => "ada", store, hooks });
  await proxy.claim("job", "job-1", "ada");
  await proxy.claim("brand", "b-1", "ada");
  const own = { baseUrl: "https://shop.test/adgen", apiKey: null, callIds: true, maxRetries: 0 };
  return createClient({ ...own, fetch: (request) => sendTwice(proxy, request) });
};

/** Returns the facts of a failed call that its caller sees. */
const factsOf = (error: AnyAdGenError) => {
  const { code, status, outcome, retryAfterMs, requestId, jobId } = error;
  const supportedActions = code === "bad_request" ? error.supportedActions : undefined;
  return { code, status, outcome, retryAfterMs, requestId, jobId, supportedActions };
};

type Facts = ReturnType<typeof factsOf>;

/*
 * These differences are intended. A 401 or a 403 concerns the proxy's key, but a page would ask its
 * user to sign in. Redirects, pages and broken answers would show servers behind the proxy. Such an
 * answer becomes a 502, and so does a missing answer. The outcome stays the same. The header has whole
 * seconds, so a wait is rounded up.
 */
const passedOn = ["bad_request", "payment_required", "not_found", "rate_limited", "server_error"];

const forPages = ({ retryAfterMs, ...facts }: Facts, isStray = false): Facts => ({
  ...facts,
  retryAfterMs: retryAfterMs && Math.ceil(retryAfterMs / 1_000) * 1_000,
  ...((isStray || !passedOn.includes(facts.code)) && { code: "server_error", status: 502 }),
});

/** Returns the data of a call, or the facts of its failure. */
const tell = async (call: Promise<unknown>): Promise<{ data: unknown } | Facts> => {
  const { ok, data, error } = await toResult(call);
  return ok ? { data } : factsOf(error);
};

/** Makes one call of each kind, the deletion last, and returns how each call ended. */
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
const anAction = `Invalid action. Supported: ${actions.join(", ")}`;

/** Returns the data and the status of a success. */
const goodData = ({ method, url }: Received): [data: unknown, status: number] => {
  const brand = { id: "b-1", name: "Acme", more: [1] };
  if (method === "POST" && url === "/v1/jobs") return [{ job_id: "job-2", status: "queued" }, 202];
  if (method === "POST") return [{ ...brand, id: "b-2" }, 201];
  if (method === "PATCH") return [brand, 200];
  if (method === "DELETE") return [{ id: "b-1", deleted: true }, 200];
  const job = { job_id: "job-1", status: "completed", result: { images: [] }, more: { a: null } };
  return [url === "/v1/jobs/job-1" ? job : { jobs: [job] }, 200];
};

/** Answers each request with its success. */
const goodAnswer: Answer = (response, request) => {
  const [data, status] = goodData(request);
  success(data, status, id)(response, request);
};

const large = { job_id: "job-7", status: "queued", id: "b-1", padding: "x".repeat(20_000) };

/** An answer of the service. `isStray`: a server before it answers. `isGone`: nothing answers. */
interface Met {
  readonly name: string;
  readonly answer: Answer;
  readonly isSlow?: true;
  readonly isStray?: true;
  readonly isGone?: true;
}

const answers: readonly Met[] = [
  { name: "all is well", answer: goodAnswer },
  { name: "nobody is there", answer: resetConnection, isGone: true },
  ...lossesOf(202).filter(({ name }) => name !== "a list instead of an object"),
  ...refusals,
  { name: "a 400 for an unknown action", answer: failure(400, anAction, id) },
  { name: "a 403", answer: failure(403, "Forbidden", id) },
  { name: "999", answer: failure(999, "odd", id), isStray: true },
  { name: "a wait for 7 seconds", answer: failure(429, "no", { "retry-after": "7", ...id }) },
  ...[400, 402, 404].map(
    (status): Met => ({
      ...{ name: `a page with ${status}`, isStray: true },
      answer: answerWithText(status, "<h1>Sorry</h1>", html),
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
      // The proxy reads each job of its list by itself, and leaves out a job that is gone.
      if (name === "listed" && "code" in end && end.code === "not_found") continue;
      if (name === "listed" && "data" in end) continue;
      // The same answer may be a success for one kind of call, and useless for another kind.
      const facts = "data" in end ? end : forPages(end, fault.isStray);
      // The proxy asks for no repeat of a call that is on record as unknown.
      const isOnRecord =
        "code" in facts && facts.outcome === "unknown" && ["submitted", "created"].includes(name);
      const expected = isOnRecord ? { ...facts, retryAfterMs: undefined } : facts;
      expect({ name, ...page[name as keyof typeof page] }).toEqual({ name, ...expected });
    }
    // A call is sent once without the proxy and once through it. After a refusal, its repeat is sent too.
    const sent = received.filter(({ method }) => method === "POST");
    const isFree = "code" in told.submitted && told.submitted.outcome === "refused";
    expect(sent).toHaveLength(fault.isGone ? 0 : isFree ? 6 : 4);
  },
);
