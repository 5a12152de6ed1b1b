import { expect, it } from "vitest";
import type { AdGenClient, ClientOptions, PostOptions } from "../../src/client/index.ts";
import { failure, queued, resetConnection, success } from "../helpers/answers.ts";
import {
  type Call,
  createBrand,
  deleteBrand,
  doubtOfSubmission,
  failing,
  getJob,
  listJobs,
  submitJob,
  updateBrand,
} from "../helpers/calls.ts";
import { clientOf, paidJob, pause, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { lossesOf, refusals, rowsOf } from "../helpers/service-faults.ts";

const job = success({ job_id: "j", status: "queued" });
const deleted = success({ id: "b", deleted: true });

const losses = lossesOf(200);
const faults = [...losses, ...refusals];
const passing = rowsOf(faults.filter(({ isRepeated }) => isRepeated));
const lasting = rowsOf(faults.filter(({ isRepeated }) => !isRepeated));

/** Options that allow the most retries. */
const eager = { maxRetries: 10, timeoutMs: 1_000, totalTimeoutMs: 5_000 };
const settleMs = 20; // for a request that comes after the call has settled

it.concurrent.each(passing)("a read is retried after %s", async (_, fault) => {
  const server = await listen(fault, job);
  const client = clientOf(server, { timeoutMs: 1_000, totalTimeoutMs: 20_000 });
  expect(await getJob(client)).toEqual({ job_id: "j", status: "queued" });
  const sent = server.received.map(({ method, url }) => `${method} ${url}`);
  expect(sent).toEqual(["GET /v1/jobs/j", "GET /v1/jobs/j"]);
});

it.concurrent.each(lasting)("a read isn't retried after %s", async (_, fault, expected) => {
  const { error, received } = await failing([fault, job], getJob);
  expect(error).toMatchObject({ ...expected, attempts: 1 });
  expect(received).toHaveLength(1);
});

// A change may succeed without a body.
const lost = losses.filter(({ name }) => !["no body", "a 204"].includes(name));
it.concurrent.each(rowsOf(lost))("a change isn't retried after %s", async (_, fault, expected) => {
  const { error, received } = await failing([fault, success({ id: "b" })], updateBrand, eager);
  await pause(settleMs);
  expect(received).toHaveLength(1);
  expect(error).toMatchObject({ ...expected, outcome: "unknown", attempts: 1 });
  expect(error.message).toMatch(/; it may have been carried out$/);
});

it("a delete that finds nothing, or gets no key, after a reset may have been carried out", async () => {
  const lost = await failing([resetConnection, failure(404, "no such brand")], deleteBrand);
  const keys = ["ak-1", ""];
  const apiKey = () => keys.shift() ?? "";
  const keyless = await failing([resetConnection, deleted], deleteBrand, { apiKey });

  expect(lost.error).toMatchObject({ code: "not_found", outcome: "unknown", attempts: 2 });
  expect(lost.error.message).toBe(
    "DELETE /v1/brands/b answered 404: no such brand; it may have been carried out",
  );
  expect(keyless.error).toMatchObject({ code: "config", outcome: "unknown", attempts: 2 });
  expect(keyless.received).toHaveLength(1);
});

it("a paid POST is sent once over a kept connection that breaks", async () => {
  const ports: (number | undefined)[] = [];
  const server = await listen((response, request) => {
    ports.push(response.socket?.remotePort);
    (ports.length > 1 ? resetConnection : success([]))(response, request);
  });
  const client = clientOf(server);
  await listJobs(client);
  await pause(settleMs);

  const error = await rejection(client.jobs.submit(paidJob, eager));
  await pause(settleMs);

  expect(ports).toEqual([ports[0], ports[0]]);
  expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
});

it("a paid POST is sent once if early hints come before its response", async () => {
  const server = await listen((response, request) => {
    response.writeEarlyHints({ link: "</a.css>; rel=preload" });
    queued()(response, request);
  });

  expect((await clientOf(server).jobs.submit(paidJob)).job_id).toBe("job-1");
  expect(server.received).toHaveLength(1);
});

const said = (status: number, word: string) =>
  failure(status, "no", { "retry-after": "0", "adgen-outcome": word });

it.each<[number, string, string, boolean]>([
  [503, "not-sent", "not-sent", true],
  [502, "refused", "refused", true],
  [409, "refused", "refused", true],
  [402, "not-sent", "not-sent", true],
  [402, "unknown", "unknown", true],
  // The header is missing, unknown, or the service's own.
  [502, "", "unknown", true],
  [502, "sent", "unknown", true],
  [502, "toString", "unknown", true],
  [502, "refused, unknown", "unknown", true],
  [502, "not-sent", "unknown", false],
])("a write's %i with a proxy's %j has the outcome %s", async (status, word, outcome, isProxy) => {
  const options = isProxy ? { apiKey: null } : {};
  const { error } = await failing(said(status, word), submitJob, options);

  expect(error).toMatchObject({ status, outcome, attempts: 1 });
  expect(error.message.endsWith(doubtOfSubmission)).toBe(outcome === "unknown");
});

const named = { "Idempotency-Key": "order-1" };
const submitWith = (options: PostOptions) => (client: AdGenClient) =>
  client.jobs.submit(paidJob, options);
it.each<[what: string, status: number, call: Call, outcome: string, options?: ClientOptions]>([
  ["an id that the client has made", 401, submitJob, "refused"],
  ["an id that the client has made", 403, submitJob, "refused"],
  ["an id that the client has made", 403, deleteBrand, "refused"],
  ["an id that the client has made", 500, submitJob, "unknown"],
  ["an id of the caller's", 401, submitWith({ once: "order-1" }), "unknown"],
  ["an id of the caller's", 403, submitWith({ once: "order-1" }), "unknown"],
  ["a header of the caller's", 401, submitWith({ headers: named }), "unknown"],
  ["a header of the client's", 401, submitJob, "unknown", { headers: named }],
])("%s decides what a proxy's unknown %i means", async (_, status, call, outcome, options) => {
  const given = { apiKey: null, callIds: true, maxRetries: 0, ...options };

  const { error } = await failing(said(status, "unknown"), call, given);

  expect(error).toMatchObject({ status, outcome });
  if (outcome === "refused") expect(error.message).toMatch(/ answered \d+: no$/);
});

it("a proxy's outcome stays unknown if an earlier attempt may have been carried out", async () => {
  const answers = [resetConnection, said(401, "unknown")];
  const options = { apiKey: null, callIds: true, maxRetries: 1 };

  const { error } = await failing(answers, deleteBrand, options);

  expect(error).toMatchObject({ status: 401, outcome: "unknown", attempts: 2 });
});

it("a proxy's outcome never overrides an earlier unknown one, and is ignored for a read", async () => {
  const proxied = { apiKey: null };
  const answers = [said(429, "refused"), said(503, "not-sent")];
  const refusedTwice = await failing(answers, createBrand, proxied);
  const unknownFirst = [said(503, "unknown"), said(503, "not-sent")];
  const doubtful = await failing(unknownFirst, deleteBrand, proxied);
  const ofRead = await failing(said(404, "unknown"), listJobs, proxied);

  expect(refusedTwice.error).toMatchObject({ status: 503, outcome: "not-sent", attempts: 2 });
  expect(doubtful.error).toMatchObject({ outcome: "unknown", attempts: 3 });
  expect(ofRead.error.outcome).toBeUndefined();
});
