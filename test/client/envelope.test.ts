import { expect, it } from "vitest";
import type { AdGenClient, ClientOptions } from "../../src/client/index.ts";
import { answerWithText, cutBody, failure, success } from "../helpers/answers.ts";
import {
  type Call,
  createBrand,
  deleteBrand,
  doubtOfSubmission,
  doubtWithJob,
  failing,
  getJob,
  listJobs,
  schemaOf,
  submitJob,
  updateBrand,
} from "../helpers/calls.ts";
import { clientOf } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

/** End of the message of a response that can't be the service's. */
const checkBaseUrl = (url: string): string => ` (check baseUrl: ${url})`;

const json = (body: unknown, status = 200) => answerWithText(status, JSON.stringify(body));
const job = { job_id: "j", status: "queued" };
const html = { "content-type": "text/html; charset=utf-8" };
const envelope = (data: unknown) => ({ success: true, data, error: null });
const text = JSON.stringify(envelope(job));

const more = { ...job, status: "processing", progress: 0.5, nested: { list: [1, null] } };
const brand = { id: "b" };
const savedAdDelete: Call = ({ savedAds }) => savedAds.delete("b");

it.each<[string, Answer, Call, unknown]>([
  ["with undocumented fields", json({ ...envelope(more), x: {} }), getJob, more],
  ["to a submission, with them", success({ ...job, cost: 4 }, 202), submitJob, { ...job, cost: 4 }],
  ["without the job's id", success({ status: "queued" }), getJob, job],
  ["under 202", success(brand, 202), updateBrand, brand],
  ["under 299", success(brand, 299), updateBrand, brand],
  ["without a content type", answerWithText(200, text), getJob, job],
  ["with a wrong content type", answerWithText(200, text, html), getJob, job],
  ["without a body to an update", answerWithText(204), updateBrand, brand],
  ...[deleteBrand, savedAdDelete].flatMap((call): [string, Answer, Call, unknown][] => {
    const deleted = { ...brand, deleted: true };
    return [
      ["to a deletion, with the id", success(deleted), call, deleted],
      ["to a deletion, with more", success({ ...deleted, at: 1 }), call, { ...deleted, at: 1 }],
      ["to a deletion, with an empty object", success({}, 202), call, deleted],
      ["to a deletion, with null data", success(null), call, deleted],
      ["to a deletion, without a body", answerWithText(200), call, deleted],
      ["to a deletion, without a body under 202", answerWithText(202), call, deleted],
      ["to a deletion, under 204", answerWithText(204), call, deleted],
    ];
  }),
])("a success %s gives its data", async (_, answer, call, data) => {
  expect(await call(clientOf(await listen(answer)))).toEqual(data);
});

it("a truncated refusal doesn't count as a response, even if it parses", async () => {
  const refusal = '{"success":false,"data":null,"error":"no"}';
  const { error } = await failing(cutBody(200, refusal), getJob, { maxRetries: 0 });
  expect(error).toMatchObject({ code: "connection", status: 200, received: undefined });
});

const broken: [string, unknown, "envelope" | "data"][] = [
  ["no success", { data: job, error: null }, "envelope"],
  ["no error", { success: true, data: job }, "envelope"],
  ["no data and no error", { success: true }, "envelope"],
  ["a success that is no boolean", { success: "true", data: job, error: null }, "envelope"],
  ["a success that is 1", { success: 1, data: job, error: null }, "envelope"],
  ["an error beside its success", { success: true, data: job, error: "but" }, "envelope"],
  ["an empty error beside its success", { success: true, data: job, error: "" }, "envelope"],
  ["no data", { success: true, error: null }, "data"],
  ["null data", envelope(null), "data"],
  ["data that is a list", envelope([job]), "data"],
  ["data that is a text", envelope("queued"), "data"],
  ["data without its fields", envelope({}), "data"],
  ["a status that is no text", envelope({ status: 1 }), "data"],
  ["the bare data", job, "envelope"],
  ["an empty object", {}, "envelope"],
  ["null", null, "envelope"],
  ["a number", 42, "envelope"],
  ["a text", "ok", "envelope"],
  ["a list", [envelope(job)], "envelope"],
];

const form = "not in the service's form { success, data, error }";

it.each(broken)("a response with status 200 and %s is refused", async (what, body, reason) => {
  const { error } = await failing(json(body), getJob);

  const name = "DecodeError";
  expect(error).toMatchObject({ name, code: "decode", status: 200, jobId: "j", reason });
  expect(error.received).toEqual(body);
  expect(Object.keys(error)).not.toContain("received");
  if (reason === "data") return;
  const missing = what.startsWith("no ") ? `: it has ${what.replace(/no (\w+)/g, 'no "$1"')}` : "";
  expect(error.message).toBe(`GET /v1/jobs/j answered 200, ${form}${missing}`);
  expect(error).toMatchObject({ issues: [] });
});

const picky = (path: string) =>
  schemaOf(() => ({ issues: [{ message: "expected a number", path: [path] }] }));
const misfit = "data that is not what was asked for";
const noSchema = "data that does not fit your schema";
const lost = "; it may have been carried out";
const createAd = ({ savedAds }: AdGenClient) => savedAds.create({ brand_id: "b" });

const noText = "expected string, got";
const idOf = (job_id: unknown) => success({ job_id, status: "queued" }, 202);
const ofBrand = { schemas: { brand: picky("name") } };
const ofAd = { schemas: { savedAd: picky("url") } };
const megabyte = `<html>${"<p>Bad Gateway</p>".repeat(60_000)}</html>`;

/** Bodies that aren't JSON, their content type, and the message. */
const notJson: [body: string, contentType: string, said: string][] = [
  ["", "", " without a body"],
  [" \n", "", ", not JSONHINT"],
  ["<!doctype html>", "text/html", " with text/html, not JSONHINT"],
  ['{"success":true,"data":{"status":"queu', "", ", not JSONHINT"],
  ['{"success":', "application/json", " with broken or cut-off JSON"],
  [`${text}{}`, "", ", not JSONHINT"],
  ["{success:true,data:{status:'queued'},error:null}", "", ", not JSONHINT"],
];

/** Facts of an error about the job "j", for a field whose value doesn't fit. */
const misfitOf = (field: string, value: unknown, message: string) => ({
  ...{ jobId: "j", reason: "data", issues: [{ path: [field], message }] },
  received: envelope({ ...job, [field]: value }),
});
const otherJob = misfitOf("job_id", "o", 'expected "j", got "o"');
const noStatus = misfitOf("status", 1, `${noText} a number`);

/** Calls, responses and messages. HINT stands for the advice to check baseUrl. */
const messages: [Call, Answer, said: string, doubt: string, ClientOptions?, object?][] = [
  ...notJson.map(([body, contentType, said]): (typeof messages)[0] => {
    const type = contentType && { "content-type": `${contentType}; charset=utf-8` };
    const known = { name: "DecodeError", status: 200, reason: "not-json" };
    const facts = { ...known, contentType, received: undefined };
    return [getJob, answerWithText(200, body, { ...type }), `200${said}`, "", {}, facts];
  }),
  [getJob, success({ ...job, job_id: "o" }), 'job_id "o", asked for "j"', "", {}, otherJob],
  [getJob, success({ ...job, job_id: 7 }), 'job_id a number, asked for "j"', ""],
  [getJob, success({ ...job, job_id: "" }), 'job_id "", asked for "j"', ""],
  [getJob, success({ ...job, job_id: null }), 'job_id null, asked for "j"', ""],
  [
    getJob,
    success({ ...job, status: 1 }),
    `${misfit}: status: ${noText} a number`,
    "",
    {},
    noStatus,
  ],
  [
    getJob,
    answerWithText(404, "<html>", html),
    "404 with text/html, not in the service's formHINT",
    "",
  ],
  ...[{ message: "no" }, null, [], "no"].map((body): (typeof messages)[0] => {
    return [getJob, json(body, 404), "404, not in the service's formHINT", ""];
  }),
  [submitJob, answerWithText(502, megabyte, html), "502", doubtOfSubmission],
  [submitJob, idOf(undefined), `${misfit}: job_id: ${noText} undefined`, doubtOfSubmission],
  [submitJob, idOf(1), `${misfit}: job_id: ${noText} a number`, doubtWithJob],
  [
    submitJob,
    success({ job_id: "j" }, 202),
    `${misfit}: status: ${noText} undefined`,
    doubtWithJob,
  ],
  [
    submitJob,
    answerWithText(202, "<html>", html),
    "202 with text/html, not JSONHINT",
    doubtOfSubmission,
  ],
  ...[createBrand, updateBrand, createAd].map((call): (typeof messages)[0] => {
    return [call, success({ name: "a" }), `${misfit}: id: ${noText} undefined`, lost];
  }),
  [updateBrand, success({ id: "b" }), `${noSchema}: name: expected a number`, lost, ofBrand],
  [createAd, success({ id: "a" }), `${noSchema}: url: expected a number`, lost, ofAd],
];

it.each(messages.map((row) => [row[2], row] as const))(
  "the error of an unusable response names value, problem and remedy: %s",
  async (_, row) => {
    const [call, answer, said, doubt, options, facts = {}] = row;
    const { error, url, received } = await failing(answer, call, options);

    const [{ method, url: path } = { method: "", url: "" }] = received;
    const text = said.replace("HINT", checkBaseUrl(url));
    expect(error.message).toBe(`${method} ${path} answered ${text}${doubt}`);
    expect(error).toMatchObject({ ...facts });
    expect(error.outcome).toBe(doubt ? "unknown" : undefined);
    expect(error.stack?.length).toBeLessThan(5_000);
    expect(received).toHaveLength(1);
  },
);

it.each<[string, Answer, Call, object]>([
  ["HTML in response to a deletion", answerWithText(200, "<html>"), deleteBrand, { status: 200 }],
  [
    "half an envelope in response to a deletion",
    json({ success: true, data: null }),
    deleteBrand,
    {},
  ],
  ["a list in response to a deletion", success([]), deleteBrand, { reason: "data" }],
  ...[listJobs, submitJob, createBrand, createAd].map((call): [string, Answer, Call, object] => {
    return [
      "a missing body in response to a call that needs data",
      answerWithText(204),
      call,
      { status: 204, reason: "not-json" },
    ];
  }),
])("%s is a DecodeError", async (_, answer, call, facts) => {
  const { error } = await failing(answer, call);
  expect(error).toMatchObject({ code: "decode", ...facts });
  expect(error.outcome).toBe(call === listJobs ? undefined : "unknown");
});

it.each([
  ["is in the message", "prompt is too long", ": prompt is too long"],
  [
    "is on one line, without control characters",
    "a\r\nERROR forged\tline\u0000\u001b[31m\u0085\u009b\u2028\u2029end",
    ": a ERROR forged line [31m end",
  ],
  ["is cut after 500 characters", "x".repeat(1_000_000), `: ${"x".repeat(499)}…`],
  ["is whole with 500 characters", "x".repeat(500), `: ${"x".repeat(500)}`],
  ["is left out when it is null", null, ""],
  ["is left out when it is a number", 7, ""],
  ["is left out when it is an object", { message: "no" }, ""],
  ["is left out when it is a list", ["no"], ""],
  ["is left out when it is an empty text", "", ""],
])("the service's message %s", async (_, said, shown) => {
  const { error } = await failing(failure(400, said), submitJob);
  expect(error).toMatchObject({ code: "bad_request", outcome: "refused" });
  expect(error.message).toBe(`POST /v1/jobs answered 400${shown}`);
});

it.each([
  ["x-request-id", "r".repeat(8_000), `${"r".repeat(499)}…`],
  ["x-request-id", "a\tb", "a b"],
  ["x-request-id", "", undefined],
  ["request-id", "req-1", "req-1"],
])("a request id is bounded and on one line as %s: %s", async (header, id, shown) => {
  const { error } = await failing(failure(500, "no", { [header]: id }), submitJob);
  expect(error.requestId).toBe(shown);
});
