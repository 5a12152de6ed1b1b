import { describe, expect, it } from "vitest";
import { failure, silence, success } from "../helpers/answers.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { runNode } from "../helpers/run-node.ts";

const script = new URL("children/process-life.ts", import.meta.url);

const found = success({ status: "queued" });
const wait = (seconds: string) => failure(503, "wait", { "retry-after": seconds });

const scenarios: [string, Answer[], string][] = [
  ["answer", [found], "ok"],
  ["retry", [wait("1"), found], "ok"],
  ["timeout", [silence], "timeout 1"],
  ["deaf fetch", [silence], "timeout 1"],
  ["abort", [silence], "aborted 1"],
  ["abort in a wait", [wait("30")], "aborted 1"],
];

describe("a process", () => {
  // A wait that did not keep it alive would end it with code 13 and no line.
  it.each(scenarios)(
    "stays alive while a call is awaited, and ends after it (%s)",
    async (scenario, answers, line) => {
      const server = await listen(...answers);

      const { code, lines, errors, lingeredMs } = await runNode(script, [server.url, scenario]);

      expect(errors).toBe("");
      expect(lines).toEqual([line]);
      expect(code).toBe(0);
      expect(lingeredMs).toBeLessThan(2_000);
    },
  );
});
