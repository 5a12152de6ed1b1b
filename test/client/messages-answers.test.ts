import { describe, expect, it } from "vitest";
import type { AdGenClient, ClientOptions } from "../../src/index.ts";
import { failure, raw, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { checkBaseUrl } from "../helpers/stranger.ts";

const get = ({ jobs }: AdGenClient) => jobs.get("j");
const submit = ({ jobs }: AdGenClient) => jobs.submit(paidJob);

const html = { "content-type": "text/html; charset=utf-8" };
const moved = { location: "https://api.example.com/v2/jobs?token=S3cr3t" };
const form = "not in the service's form";
const wholeForm = `${form} { success, data, error }`;
const picky = (path: string) => ({
  "~standard": {
    version: 1 as const,
    vendor: "test",
    validate: () => ({ issues: [{ message: "expected a number", path: [path] }] }),
  },
});

type Row = [
  string,
  Answer,
  (client: AdGenClient) => Promise<unknown>,
  string | RegExp,
  ClientOptions?,
];

/** HINT stands for the advice to look at baseUrl. */
const rows: Row[] = [
  ["a page", raw(200, "<html>", html), get, "answered 200 with text/html, not JSONHINT"],
  ["a page of a 404", raw(404, "<html>", html), get, `answered 404 with text/html, ${form}HINT`],
  ["another form", raw(200, "{}"), get, `answered 200, ${wholeForm}`],
  [
    "a paid page",
    raw(202, "<html>", html),
    submit,
    `answered 202 with text/html, not JSONHINT${doubtOfSubmission}`,
  ],
  [
    "no list",
    success({ jobs: {} }),
    ({ jobs }) => jobs.list(),
    'answered 200: its data holds no list "jobs"',
  ],
  [
    "no job id",
    success({ status: "queued" }, 202),
    submit,
    `answered data that is not what was asked for: job_id: expected string, got undefined${doubtOfSubmission}`,
  ],
  [
    "an empty job id",
    success({ job_id: "", status: "queued" }, 202),
    submit,
    `answered without a usable job_id: it must be a non-empty string, got an empty one${doubtOfSubmission}`,
  ],
  [
    "another job",
    success({ job_id: "o", status: "queued" }),
    get,
    /answered job_id "o", asked for "j"$/,
  ],
  [
    "a job id that is a number",
    success({ job_id: 7, status: "queued" }),
    get,
    /answered job_id a number, asked for "j"$/,
  ],
  [
    "too many bytes",
    success({ status: "queued" }),
    get,
    "answered more than maxResponseBytes (9)",
    { maxResponseBytes: 9 },
  ],
  [
    "a redirect",
    raw(301, "", moved),
    get,
    "answered 301: redirects are not followed; it leads to https://api.example.com: set baseUrl to that",
  ],
  [
    "a 429",
    failure(429, "Too many requests", { "retry-after": "3600" }),
    get,
    "answered 429: Too many requests; try again in 3600 s",
  ],
  [
    "a page of a 429",
    raw(429, "<html>", { "retry-after": "7" }),
    get,
    "answered 429; try again in 7 s",
  ],
  [
    "a schema for brands",
    success({ id: "b" }),
    ({ brands }) => brands.update("b", {}),
    / that does not fit your schema: name: expected a number; it may have been carried out$/,
    { schemas: { brand: picky("name") } },
  ],
  [
    "a schema for ads",
    success({ id: "a" }),
    ({ savedAds }) => savedAds.create({ brand_id: "b" }),
    / that does not fit your schema: url: expected a number; it may have been carried out$/,
    { schemas: { savedAd: picky("url") } },
  ],
  [
    "a schema for results",
    success({ status: "completed", result: {} }),
    ({ jobs }) => jobs.get({ job_id: "j", action: "copy-ad" }),
    / that does not fit your schema: result\.text: expected a number$/,
    { schemas: { results: { "copy-ad": picky("text") } } },
  ],
];

describe("the message of an answer that is of no use", () => {
  it.each(rows)("names value, problem and remedy: %s", async (_, answer, call, text, options) => {
    const server = await listen(answer);

    const error = await rejection(call(clientOf(server, { maxRetries: 0, ...options })));

    const { method, path } = error;
    expect(error.message.startsWith(`${method} ${path} answered `)).toBe(true);
    if (text instanceof RegExp) expect(error.message).toMatch(text);
    else {
      const expected = text.replace("HINT", checkBaseUrl(server.url));
      expect(error.message).toBe(`${method} ${path} ${expected}`);
    }
    expect(error.message).not.toContain("S3cr3t");
  });
});
