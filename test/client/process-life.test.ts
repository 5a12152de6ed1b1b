import { expect, it } from "vitest";
import { failure, silence, success } from "../helpers/answers.ts";
import { listen } from "../helpers/http-server.ts";
import { runNode } from "../helpers/run-node.ts";

it("a process stays alive while a call is awaited, and ends after the last one", async () => {
  const found = success({ status: "queued" });
  const wait = (seconds: string) => failure(503, "wait", { "retry-after": seconds });
  const server = await listen(
    ...[found, wait("0.5"), found, silence, silence, wait("30")],
    ...[found, success({ status: "completed" }), found],
  );

  const script = new URL("children/process-life.ts", import.meta.url);
  const { code, lines, errors, lingeredMs } = await runNode(script, [server.url]);

  expect(errors).toBe("");
  // A wait that did not keep it alive would end it with code 13, without the line of that call.
  expect(lines).toEqual([
    "a deaf fetch: timeout 1",
    "an answer: ok",
    "an answer after a wait: ok",
    "silence: timeout 1",
    "an abort: aborted 1",
    "an abort in a wait: aborted 1",
    "a wait for a job: ok",
    "an abort in such a wait: aborted 1",
  ]);
  expect(code).toBe(0);
  expect(lingeredMs).toBeLessThan(2_000);
});
