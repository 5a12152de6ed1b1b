import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen } from "../helpers/http-server.ts";

interface Result {
  readonly status: string;
  readonly message: string;
}

const root = `${import.meta.dirname}/../..`;
const folder = mkdtempSync(join(tmpdir(), "adgen-sdk-"));
const results = new Map<string, Result>();
let reachedOthers: readonly unknown[];

/** A runner of its own: what makes a test fail there must not fail this one. */
const runSuites = async (otherUrl: string): Promise<void> => {
  const report = join(folder, "report.json");
  const child = spawn(
    process.execPath,
    [
      `${root}/node_modules/vitest/vitest.mjs`,
      "run",
      `--config=${import.meta.dirname}/children/vitest.config.ts`,
      "--reporter=json",
      `--outputFile=${report}`,
    ],
    { env: { ...process.env, OTHER_URL: otherUrl }, stdio: "ignore", timeout: 150_000 },
  );
  await new Promise((resolve) => child.on("close", resolve));
  for (const { assertionResults } of JSON.parse(readFileSync(report, "utf8")).testResults) {
    for (const { title, status, failureMessages } of assertionResults) {
      results.set(title, { status, message: failureMessages.join("\n") });
    }
  }
};

beforeAll(async () => {
  const other = await listen((response) => response.end());
  await runSuites(other.url);
  reachedOthers = other.received;
});
afterAll(() => rmSync(folder, { recursive: true }));

const outcome = (title: string): Result => results.get(title) ?? { status: "not run", message: "" };

describe("in a runner of its own", () => {
  test("a test that makes an unhandled call fails, though its code ignores the error", () => {
    const { status, message } = outcome("fails for a call that the API has not");
    expect(status).toBe("failed");
    expect(message).toMatch("refused them:\n  GET https://ads.test/v1/nothing\nTo the service:");
    expect(message).not.toMatch(/secret|Bearer|test-/);
  });

  test("a test that calls another host fails, and the call is not sent", () => {
    for (const [title, method] of [
      ["fails for a call to somebody else, without any fixture", "GET"],
      ["fails for a call that nothing handles", "POST"],
    ] as const) {
      const { status, message } = outcome(title);
      expect([title, status]).toEqual([title, "failed"]);
      expect(message).toMatch(
        new RegExp(`refused them:\\n {2}${method} http://127.0.0.1:\\d+/collect\\nTo others:`),
      );
    }
    expect(reachedOthers).toEqual([]);
  });

  test("only the test whose call it was fails", () => {
    expect(outcome("fails for its own call").message).toMatch("GET https://ads.test/v1/mine");
    for (const title of [
      "passes, and calls nothing else",
      "passes beside it",
      "passes after it",
      "the first passes",
      "passes after a request with a wrong key",
      "passes when its fault was played",
    ]) {
      expect({ title, ...outcome(title) }).toEqual({ title, status: "passed", message: "" });
    }
  });

  test("a test that times out is told of its unfinished jobs, and no other failure is", () => {
    const { status, message } = outcome("fails while its job is unfinished");
    expect(status).toBe("failed");
    expect(message).toMatch("Test timed out in 100ms");
    expect(message).toMatch(
      /may be why the test failed\. The test waited while jobs were unfinished: job_\w+ \(copy-ad, queued\)\. When the test has fake timers, it must move them/,
    );
    const other = outcome("fails for a reason of its own while its job is unfinished").message;
    expect(other).toMatch("expected 1 to be 2");
    expect(other).not.toMatch("unfinished:");
  });

  test("a test fails for a fault that no request has met, when it asks for that", () => {
    const { status, message } = outcome("fails for a fault that no request meets");
    expect(status).toBe("failed");
    expect(message).toMatch('A planned fault was not played as often as planned: fault_1 {"kind"');
  });

  test("a test that fails is told of a wrong key, and a test that passes is not", () => {
    const { status, message } = outcome("fails after a request with a wrong key");
    expect(status).toBe("failed");
    expect(message).toMatch("expected 401 to be 200");
    expect(message).toMatch(
      /No account has the key test-…\w{4} \(masked\), which a request had while this test ran/,
    );
    expect(message).not.toMatch("test-of-another");
  });

  test("concurrent tests with one key are refused, and told why", () => {
    const { status, message } = outcome("the second is refused");
    expect(status).toBe("failed");
    expect(message).toMatch("Two tests with the same API key run at the same time");
  });
});
