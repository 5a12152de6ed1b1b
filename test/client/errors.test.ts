import { inspect } from "node:util";
import { build } from "esbuild";
import { beforeAll, expect, it } from "vitest";
import * as here from "../../src/client/index.ts";
import {
  AdGenError,
  actions,
  createClient,
  createPollTicket,
  pollJob,
  pollJobs,
  watchJob,
  watchJobs,
} from "../../src/client/index.ts";
import { answerWithText, failure, resetConnection, silence, success } from "../helpers/answers.ts";
import {
  type Call,
  clientOver,
  createBrand,
  deleteBrand,
  doubtOfSubmission,
  failing,
  getJob,
  listJobs,
  submitJob,
  updateBrand,
} from "../helpers/calls.ts";
import { clientOf, fetchError, paidJob, rejection, testKey } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

/** Statuses with a code of their own. Each means that a write was refused. */
const refusals: [status: number, name: string, code: string][] = [
  [400, "BadRequestError", "bad_request"],
  [401, "UnauthorizedError", "unauthorized"],
  [402, "PaymentRequiredError", "payment_required"],
  [404, "NotFoundError", "not_found"],
  [429, "ApiError", "rate_limited"],
];

/** Statuses after which a write may have been carried out. A 2xx may hold a failure as well. */
const doubts = [
  ...[200, 202, 300, 301, 304, 403, 405, 406, 408, 409, 410, 411, 413, 415, 418, 422, 423, 425],
  ...[426, 428, 431, 451, 499, 500, 501, 502, 503, 504, 505, 507, 511, 520, 599],
].map((status): [number, string, string] => {
  return [status, "ApiError", status < 500 ? "unexpected_status" : "server_error"];
});

it.each([...refusals, ...doubts])("a %i is a %s with the code %s", async (...row) => {
  const [status, name, code] = row;
  const server = await listen(failure(status, "no such luck", { "x-request-id": "req-1" }));
  const { jobs } = clientOf(server);

  const read = await rejection(jobs.get("j", { maxRetries: 0 }));
  const write = await rejection(jobs.submit(paidJob));

  const facts = { name, code, status, requestId: "req-1", attempts: 1 };
  const said = `answered ${status}${status === 304 ? "" : ": no such luck"}`;
  expect(read).toMatchObject({ ...facts, method: "GET", path: "/v1/jobs/j", jobId: "j" });
  expect(read.elapsedMs).toBeGreaterThanOrEqual(0);
  expect(read.serviceMessage).toBe(status === 304 ? undefined : "no such luck");
  expect(Object.keys(read.toJSON())).not.toContain("serviceMessage");
  expect(read).not.toHaveProperty("outcome");
  expect("contentType" in read).toBe(status === 304); // it has no body
  expect(read.message).toBe(`GET /v1/jobs/j ${said}`);
  const isRefused = refusals.some((refusal) => refusal[0] === status);
  expect(write).toMatchObject({ ...facts, outcome: isRefused ? "refused" : "unknown" });
  expect(write.message).toBe(`POST /v1/jobs ${said}${isRefused ? "" : doubtOfSubmission}`);
  expect(server.received).toHaveLength(2);
});

const untyped = refusals.map(([status]): [number, string] => [status, ""]);
const pages = [404, 503].map((status): [number, string] => [status, "text/html"]);
it.each([...untyped, ...pages, [403, "application/json"] as const])(
  "a response with status %i but no envelope has the same class, with its content type %j",
  async (status, type) => {
    const headers = type ? { "content-type": `${type}; charset=utf-8` } : {};
    const { error } = await failing(
      answerWithText(status, '{"detail":"<html>"}', headers),
      submitJob,
    );
    const [, name, code] = [...refusals, ...doubts].find((row) => row[0] === status) ?? [];
    const outcome = name === "ApiError" && status !== 429 ? "unknown" : "refused";
    expect(error).toMatchObject({ name, code, status, outcome, contentType: type });
  },
);

it("the error of every write has an outcome", async () => {
  const createAd: Call = ({ savedAds }) => savedAds.create({ brand_id: "b" });
  const deleteAd: Call = ({ savedAds }) => savedAds.delete("a");
  for (const call of [createBrand, updateBrand, deleteBrand, createAd, deleteAd]) {
    const { error } = await failing(failure(404), call);
    expect(error).toMatchObject({ code: "not_found", outcome: "refused" });
  }
});

const documented = `Invalid action. Supported: ${[...actions].join(", ")}`;
it.each<[number, string, readonly string[] | undefined]>([
  [400, documented, actions],
  // Actions that did not exist when this was written.
  [400, "Invalid action. Supported: a, b", ["a", "b"]],
  [400, "x Invalid action. Supported: a, b", undefined],
  [402, "Invalid action. Supported: a, b", undefined],
  [500, "Invalid action. Supported: a, b", undefined],
])("only a 400 lists the supported actions: %i, %s", async (status, message, supported) => {
  const { error } = await failing(failure(status, message), submitJob);
  expect(error.message).toContain(`POST /v1/jobs answered ${status}: ${message}`);
  expect("supportedActions" in error).toBe(supported !== undefined);
  if (supported) expect(error).toMatchObject({ supportedActions: [...supported] });
});

it("an error carries known facts only", async () => {
  const { error: ofData } = await failing(success({ status: 1 }), getJob);
  expect(ofData).not.toHaveProperty("contentType");
  const error = await rejection(listJobs(clientOf({ url: "http://127.0.0.1:1" })));
  expect(Object.keys(error).sort()).toEqual(["attempts", "code", "elapsedMs", "method", "path"]);
  expect(Object.values(error)).not.toContain(undefined);
});

const bodyWasRead = async () => {
  const response = Response.json({});
  await response.json();
  return response;
};
const noResponse = "got no answer: your fetch gave no Response, got";
const noRequest = "your fetch does not take a Request; wrap it, and hand it request.url";
const wasRead = "your fetch has read the body already: return response.clone() instead";
it.each<[fetch: (request: Request) => unknown, text: string]>([
  [() => undefined, `${noResponse} undefined`],
  [() => null, `${noResponse} null`],
  [() => 5, `${noResponse} a number`],
  [() => "text", `${noResponse} a string`],
  [() => ({ status: 200 }), `${noResponse} an object`],
  [() => ({ headers: new Headers() }), `${noResponse} an object`],
  [(request) => request, `${noResponse} an object`],
  [(request) => new URL(`${request}`), `got no answer: Invalid URL: ${noRequest}`],
  [() => Response.error(), "got no answer: your fetch gave Response.error()"],
  [bodyWasRead, `could not be read: ${wasRead}`],
])("an error says what is wrong with the caller's fetch: %s", async (fetch, text) => {
  const error = await rejection(submitJob(clientOver(async (request: Request) => fetch(request))));

  expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
  expect(error.message).toBe(`POST /v1/jobs ${text}${doubtOfSubmission}`);
});

it.each<[host: string, code: string, isPlaceholder: boolean]>([
  ["api.example.com", "ENOTFOUND", true],
  ["api.example.com", "EAI_AGAIN", true],
  ["ads.example", "ENOTFOUND", true],
  // The host has an address, so it is a name on this network.
  ["api.example.com", "ECONNREFUSED", false],
  ["example.com.shop.test", "ENOTFOUND", false],
])("an error says of %s, after %s, whether it is a placeholder: %s", async (host, code, isOne) => {
  const fetch = () => Promise.reject(fetchError(code));
  const client = clientOf({ url: `https://${host}` }, { fetch, maxRetries: 0 });
  const hint = isOne ? ": this is a placeholder; set baseUrl to the service's own address" : "";
  expect((await rejection(listJobs(client))).message).toBe(
    `GET /v1/jobs got no answer: connect ${code}${hint}`,
  );
});

it("an error's JSON is small and stable, and the same inside another object", async () => {
  const headers = { "retry-after": "3600", "x-request-id": "req-1" };
  const { error } = await failing(failure(429, "slow down", headers), submitJob);

  const form = {
    name: "ApiError",
    message: "POST /v1/jobs answered 429: slow down; try again in 3600 s",
    code: "rate_limited",
    method: "POST",
    path: "/v1/jobs",
    status: 429,
    requestId: "req-1",
    retryAfterMs: 3_600_000,
    outcome: "refused",
    action: "generate-ad",
    attempts: 1,
    elapsedMs: error.elapsedMs,
  };
  expect(JSON.parse(JSON.stringify({ error, list: [error] }))).toEqual({
    error: form,
    list: [form],
  });
});

it("a printed error begins with its name and message, and shows its cause", async () => {
  const { error } = await failing(resetConnection, submitJob);
  const printed = inspect(error);

  expect(error.stack?.split("\n")[0]).toBe(`ConnectionError: ${error.message}`);
  expect(printed).toContain("outcome: 'unknown'");
  expect(printed).toContain("the job may exist and be charged");
  expect(printed).toContain("[cause]");
  expect(printed.length).toBeLessThan(5_000);
});

it("a printed error hides the last job and the response, which getters return", async () => {
  const huge = "x".repeat(10_000);
  const job = { job_id: "other", status: "queued", echo: `Bearer ${testKey}`, huge };
  const { error } = await failing(success(job), getJob);

  expect(error.received).toEqual({ success: true, data: job, error: null });
  for (const name of ["lastJob", "received"]) {
    expect(Object.hasOwn(error, name)).toBe(false);
    expect(Object.getOwnPropertyDescriptor(AdGenError.prototype, name)?.get).toBeDefined();
  }
  for (const options of [{ showHidden: true }, { getters: true }]) {
    const printed = inspect(error, { ...options, depth: 10 });
    expect(printed).not.toContain(testKey);
    expect(printed).not.toContain("xxx");
  }
  const text = JSON.stringify(error);
  expect(text).not.toMatch(/xxx|stack|Bearer/);
  expect(text.length).toBeLessThan(1_000);
});

it.each<[string, Answer, object?]>([
  ["a refusal", failure(402)],
  ["a broken connection", resetConnection],
  ["a timeout", silence, { timeoutMs: 30 }],
  ["an unusable response", answerWithText(202, "<html>")],
])("an error's stack shows who made the call: %s", async (_, answer, options) => {
  const server = await listen(answer);
  const { jobs } = clientOf(server, { maxRetries: 0 });
  const submitHere = async () => void (await jobs.submit(paidJob, options));
  const readHere = async () => void (await jobs.get("j", options));

  for (const call of [submitHere, readHere]) {
    const error: unknown = await call().catch((thrown) => thrown);

    expect(error).toBeInstanceOf(AdGenError);
    expect((error as Error).stack).toMatch(new RegExp(`\\n.* ${call.name} `));
  }
});

const wrong: object = { interval: 3 };
const anywhere = createClient({ baseUrl: "http://ads.test", apiKey: testKey });
it.each<[string, () => unknown]>([
  ["createClient", () => createClient(wrong)],
  ["createPollTicket", () => createPollTicket("j", wrong)],
  ["pollJob", () => pollJob(anywhere, "j", wrong)],
  ["pollJobs", () => pollJobs(anywhere, ["j"], wrong)],
  ["watchJob", () => watchJob(anywhere, "j", wrong)],
  ["watchJobs", () => watchJobs(anywhere, ["j"], wrong)],
])("the stack of a refusal by %s begins with the caller's line", async (name, call) => {
  const error: unknown = await Promise.resolve()
    .then(call)
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(AdGenError);
  const [message, first] = (error as Error).stack?.split("\n") ?? [];
  expect(message).toContain(`${name} has no option "interval"`);
  expect(first).toContain("errors.test.ts:");
});

type Library = typeof here;
const own: Library = here;

type ClassName = Exclude<Extract<keyof Library, `${string}Error`>, "isAdGenError">;
const isClass = (name: string): name is ClassName => /^[A-Z]\w+Error$/.test(name);

/** Every class of error, by the name under which it is exported. */
const names = Object.keys(here).filter(isClass);

const make = (library: Library, name: ClassName): here.AdGenError =>
  new library[name]("config" as never, "why", { status: 404 });

/** A second copy of the whole library, as `node_modules` may have one of another version. */
let minified: Library;
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [new URL("../../src/client/index.ts", import.meta.url).pathname],
    ...{ bundle: true, minify: true, format: "esm", target: "es2022", write: false },
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? "").toString("base64");
  minified = await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`);
});

it("an error class has its exported name, in another copy too, and matches its own errors only", () => {
  expect(minified.AdGenError).not.toBe(here.AdGenError);
  expect(names.length).toBeGreaterThanOrEqual(16);
  for (const [copy, other] of [
    [here, here],
    [here, minified],
    [minified, here],
  ] as const) {
    for (const name of names) {
      const error = make(copy, name);
      const shown = name === "AbortedError" ? "AbortError" : name;

      expect(own[name].name).toBe(name);
      expect([error.name, String(error)]).toEqual([shown, `${shown}: why`]);
      expect(error.stack?.split("\n")[0]).toBe(`${shown}: why`);
      expect(inspect(error)).not.toContain(`_${name}`);
      expect(other.isAdGenError(error)).toBe(true);
      expect(names.filter((kind) => error instanceof copy[kind])).toEqual(
        name === "AdGenError" ? [name] : ["AdGenError", name],
      );
      expect(JSON.stringify(error)).toBe(JSON.stringify(make(other, name)));
    }
  }
});

it("isAdGenError is false for any other value", () => {
  const named = { name: "NotFoundError", code: "not_found" };
  const error = new Error("gone");
  const others = [undefined, null, 0, "NotFoundError", {}, [], () => {}, error, named];
  for (const value of [...others, Object.assign(new Error("gone"), named)]) {
    expect(here.isAdGenError(value)).toBe(false);
    expect((value as unknown) instanceof here.AdGenError).toBe(false);
    expect((value as unknown) instanceof here.NotFoundError).toBe(false);
  }
});

it("isAdGenError and toResult know errors of another copy, and no other errors", async () => {
  const error: here.AdGenError = new minified.NotFoundError("not_found", "gone");
  expect(here.isAdGenError(Object.create(error))).toBe(true);
  expect(await here.toResult(Promise.reject(error))).toEqual({ ok: false, error });
  expect(await here.toResult(Promise.resolve(7))).toEqual({ ok: true, data: 7 });
  const bug = new TypeError("a bug");
  await expect(here.toResult(Promise.reject(bug))).rejects.toBe(bug);
});

it("a user's subclass is an instance of itself and its ancestors only", () => {
  class NoCreditsError extends here.PaymentRequiredError {
    readonly topUpUrl = "https://a.test/credits";
  }
  const error = new NoCreditsError("payment_required", "no credits");
  const kinds = [NoCreditsError, ...names.map((name) => own[name])];

  const { AdGenError, PaymentRequiredError } = here;
  expect(new Set(kinds.filter((kind) => error instanceof kind))).toEqual(
    new Set([NoCreditsError, AdGenError, PaymentRequiredError]),
  );
  expect(error.topUpUrl).toBe("https://a.test/credits");
  for (const name of names) expect(make(here, name)).not.toBeInstanceOf(NoCreditsError);
});

it("the JSON of an error survives postMessage, where the error itself loses its code", async () => {
  const { error } = await failing(resetConnection, submitJob);
  const json = structuredClone(error.toJSON());

  expect(structuredClone(error)).not.toHaveProperty("code");
  expect(json).toEqual({ ...error.toJSON() });
  expect(json).toMatchObject({ code: "connection", outcome: "unknown", action: "generate-ad" });
  expect(JSON.stringify(json)).not.toContain(testKey);
});
