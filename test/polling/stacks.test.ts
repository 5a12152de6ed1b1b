import { pollJob, pollJobs, watchJob } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { failure, queued, silence } from "../helpers/answers.ts";
import { paidJob } from "../helpers/client.ts";
import type { Answer } from "../helpers/http-server.ts";
import { job, startJobService } from "./job-service.ts";

const soon = { intervalMs: 2, maxIntervalMs: 2 };

type Service = Awaited<ReturnType<typeof startJobService>>;

/** Every way to wait. Each is called by a function with a name of its own. */
const waits: readonly [name: string, wait: (service: Service) => Promise<unknown>][] = [
  [
    "pollJob",
    async function callerOfPollJob({ client }) {
      return await pollJob(client, "job_1", { ...soon, timeoutMs: 30 });
    },
  ],
  [
    "pollJobs",
    async function callerOfPollJobs({ client }) {
      const [first] = await pollJobs(client, ["job_1"], { ...soon, timeoutMs: 30 });
      throw first?.error;
    },
  ],
  [
    "watchJob",
    async function callerOfWatchJob({ client }) {
      for await (const _ of watchJob(client, "job_1", { ...soon, timeoutMs: 30 }));
    },
  ],
];

const endings: readonly [name: string, script: readonly Answer[], code: string][] = [
  ["a refusal at the first poll", [failure(403)], "unexpected_status"],
  ["a refusal at a later poll", [job("queued"), failure(404)], "not_found"],
  ["the deadline", [job("processing")], "poll_timeout"],
  ["silence until the deadline", [silence], "poll_timeout"],
];

describe.each(waits)("the stack of an error of %s", (name, wait) => {
  test.each(endings)("after %s names the function that called it", async (_, script, code) => {
    const service = await startJobService(...script);
    const error = await wait(service).then(
      () => expect.unreachable(),
      (thrown) => thrown,
    );
    expect(error).toMatchObject({ code });
    expect(error.stack).toContain(`callerOf${name[0]?.toUpperCase()}${name.slice(1)}`);
    // Its first line is the error itself.
    expect(error.stack.startsWith(`${error.name}: ${error.message}\n`)).toBe(true);
  });
});

describe("the stack of an error of", () => {
  test("jobs.get names the function that called it", async () => {
    const { client } = await startJobService(failure(404));
    const callerOfGet = async () => await client.jobs.get("job_1");
    const error = await callerOfGet().catch((thrown) => thrown);
    expect(error.stack).toContain("callerOfGet");
  });

  test("a read that was made again names the function that called it", async () => {
    const { clientWith, polls } = await startJobService(failure(503));
    const client = clientWith({ maxRetries: 1 });
    const callerOfGet = async () => await client.jobs.get("job_1");
    const error = await callerOfGet().catch((thrown) => thrown);
    expect(error.stack).toContain("callerOfGet");
    expect(polls).toHaveLength(2);
  });

  test.each([
    ["a refusal", failure(402)],
    ["an answer without an id", queued("")],
  ])("submit after %s names the function that called it", async (_, answer) => {
    const { client } = await startJobService(answer);
    const callerOfSubmit = async () => await client.jobs.submit(paidJob);
    const error = await callerOfSubmit().catch((thrown) => thrown);
    expect(error.stack).toContain("callerOfSubmit");
  });

  test.each([
    ["its submission", [failure(402)]],
    ["its wait", [queued("job_7"), failure(403)]],
    ["its deadline", [queued("job_7"), job("processing")]],
  ])("submitAndPoll in %s names the function that called it", async (_, script) => {
    const { client } = await startJobService(...script);
    const callerOfBoth = async () =>
      await client.jobs.submitAndPoll(paidJob, { ...soon, timeoutMs: 30 });
    const error = await callerOfBoth().catch((thrown) => thrown);
    expect(error.stack).toContain("callerOfBoth");
  });

  test.each([
    ["pollJob", "the job", () => pollJob(undefined as never, "job_1")],
    ["pollJobs", "a list of jobs", () => pollJobs(undefined as never, ["job_1"])],
    ["watchJob", "the job", async () => watchJob(undefined as never, "job_1")],
  ])("%s without a client names the function that called it", async (name, then, call) => {
    const callerOfIt = async () => await call();
    const error = await callerOfIt().catch((thrown) => thrown);
    expect(error).toMatchObject({
      code: "invalid_request",
      message: `${name} takes a client first, and then ${then}; got undefined`,
    });
    expect(error.stack).toContain("callerOfIt");
  });
});
