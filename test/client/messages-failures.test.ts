import { describe, expect, it } from "vitest";
import { type AdGenClient, pollJob } from "../../src/index.ts";
import { failure, queued, silence, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const submit = ({ jobs }: AdGenClient) => jobs.submit(paidJob);
const wait = (client: AdGenClient) => pollJob(client, "j", { timeoutMs: 60, intervalMs: 10 });

describe("the message of a wait that ran out", () => {
  it.each<[string, Answer, string]>([
    ["a job at work", success({ status: "processing" }), '(last status "processing")'],
    [
      "a service that fails",
      failure(503, "busy"),
      "(it was never seen; last failure: GET /v1/jobs/j answered 503: busy)",
    ],
    [
      "an unknown status",
      success({ status: "archived" }),
      "(its last status is not one that this version knows: see lastJob.status)",
    ],
  ])("says what was seen: %s", async (_, answer, seen) => {
    const error = await rejection(wait(clientOf(await listen(answer))));

    expect(error.message).toBe(`job "j" did not finish within 60 ms ${seen}`);
  });
});

describe("the message of a time that ran out", () => {
  it.each([
    ["timeoutMs", { timeoutMs: 40 }],
    ["timeoutMs", { timeoutMs: 40, totalTimeoutMs: 5_000 }],
    ["totalTimeoutMs", { totalTimeoutMs: 40 }],
  ])("names %s, by %o", async (name, options) => {
    const server = await listen(silence);

    const error = await rejection(clientOf(server).jobs.submit(paidJob, options));

    expect(error.message).toBe(`POST /v1/jobs timed out after 40 ms (${name})${doubtOfSubmission}`);
  });

  it("names the client's option too", async () => {
    const server = await listen(silence);

    const error = await rejection(clientOf(server, { timeoutMs: 40, maxRetries: 0 }).jobs.get("j"));

    expect(error.message).toBe("GET /v1/jobs/j timed out after 40 ms (timeoutMs)");
  });
});

describe("the message of a request that got no answer", () => {
  const own = (fetch: (request: Request) => Promise<unknown>) =>
    clientOf({ url: "http://ads.test" }, { fetch: fetch as never, maxRetries: 0 });

  it.each<[string, AdGenClient, string]>([
    [
      "a blocked port",
      clientOf({ url: "http://127.0.0.1:6000" }, { maxRetries: 0 }),
      "got no answer: port 6000 is blocked by fetch",
    ],
    [
      "a fetch without an answer",
      own(async () => undefined),
      `got no answer: your fetch gave no Response, got undefined${doubtOfSubmission}`,
    ],
    [
      "a fetch that gives its Request",
      own(async (request) => request),
      `got no answer: your fetch gave no Response, got an object${doubtOfSubmission}`,
    ],
    [
      "a fetch that takes no Request",
      own(async (request) => new URL(`${request}`)),
      `got no answer: Invalid URL: your fetch does not take a Request; wrap it, and hand it request.url${doubtOfSubmission}`,
    ],
    [
      "a body that was read",
      own(async () => {
        const response = Response.json({});
        await response.json();
        return response;
      }),
      `could not be read: your fetch has read the body already: return response.clone() instead${doubtOfSubmission}`,
    ],
    [
      "a key that cannot be had",
      clientOf(
        { url: "http://ads.test" },
        { maxRetries: 0, apiKey: () => Promise.reject(new Error("vault sealed")) },
      ),
      "was not sent: the apiKey function failed: vault sealed",
    ],
  ])("says why: %s", async (_, client, text) => {
    expect((await rejection(submit(client))).message).toBe(`POST /v1/jobs ${text}`);
  });

  it("says that https leads to an http port", async () => {
    const { url } = await listen(queued());

    const error = await rejection(submit(clientOf({ url: url.replace("http:", "https:") })));

    expect(error.message).toMatch(/wrong version number.*: is baseUrl http, not https\?/);
  });
});
