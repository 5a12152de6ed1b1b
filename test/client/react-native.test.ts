import { expect, test } from "vitest";
import { failure, queued, silence, success } from "../helpers/answers.ts";
import { listen } from "../helpers/http-server.ts";
import { runNode } from "../helpers/run-node.ts";

/**
 * A stand-in for the package `abort-controller`. To play the package itself, install it somewhere, and
 * name its file.
 */
const signals = process.env["ABORT_CONTROLLER"] ?? "";

test("calls work, and aborts are told as such, with React Native's signals and without streams", async () => {
  const server = await listen((response, request) => {
    const { method, url, body } = request;
    const id = url.split("/").at(-1) ?? "";
    const isSilent = id === "silent" || body.includes("silent");
    const done = { job_id: id, status: id === "busy" ? "processing" : "completed", result: null };
    const list = url.endsWith("/jobs") ? { jobs: [] } : done;
    const answer = method === "POST" ? queued("job-1") : success(list);
    const isKeyed = method === "GET" || request.headers["idempotency-key"] !== undefined;
    (isSilent ? silence : isKeyed ? answer : failure(400, "no id"))(response, request);
  });

  const script = new URL("children/react-native.ts", import.meta.url);
  const { lines, errors } = await runNode(script, [server.url, signals]);

  expect(errors).toBe("");
  expect(lines).toEqual([
    "list: ok",
    "submit: ok",
    "submit, not aborted: ok",
    "submitAndPoll: ok",
    "pollJobs: ok",
    "submit, aborted before: aborted AbortError",
    "get, aborted: aborted AbortError",
    "submit, aborted: aborted AbortError",
    "pollJob, aborted in a poll: aborted AbortError",
    "pollJob, aborted in a sleep: aborted AbortError",
    "get, too slow: timeout TimeoutError",
    "watchJobs: ok",
    "submitMany: ok",
    "watchJobs: aborted",
    "submitMany: aborted",
  ]);
});
