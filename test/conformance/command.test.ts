import { spawn } from "node:child_process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCheck } from "../../mocks/conformance/check/run-check.ts";
import type { MockService } from "../../mocks/index.ts";
import { type MockServer, startMockServer } from "../../mocks/server.ts";
import { createScriptedService, keys } from "./mock-world.ts";

let service: MockService;
let server: MockServer;

beforeEach(async () => {
  service = createScriptedService();
  server = await startMockServer({ service });
});
afterEach(() => server.close());

/** Runs the command in this process. */
const runWith = async (args: readonly string[]) => {
  const [lines, errors]: [string[], string[]] = [[], []];
  const code = await runCheck(args, {
    env: {},
    pollIntervalMs: 5,
    print: (text) => lines.push(...text.split("\n")),
    printError: (text) => errors.push(text),
  });
  return { code, lines, errors: errors.join("\n") };
};

const run = (...args: readonly string[]) =>
  runWith(["--base-url", server.url, "--key", keys.first, ...args]);

const others = ["--second-key", keys.second, "--poor-key", keys.poor];

const charges = (): unknown[] => service.accounts.flatMap(({ charges: own }) => own);
const made = (): unknown[] =>
  service.accounts.flatMap(({ brands, savedAds }) => [...brands, ...savedAds]);

describe("adgen-mock check", () => {
  test("goes through the free part of the script, and charges and leaves nothing", async () => {
    const { code, lines, errors } = await run();
    expect(errors).toBe("");
    expect(lines.at(-1)).toMatch(
      /^1\d\d ok, 0 against the document, 0 unlike .*, [1-9]\d skipped$/,
    );
    expect(code).toBe(0);
    expect(charges()).toEqual([]);
    expect(made()).toEqual([]);
    expect(service.account(keys.first).credits).toEqual(
      createScriptedService().account(keys.first).credits,
    );
    const lookedAt = service.journal.find({ operation: "jobs.submit", status: 202 });
    expect(new Set(lookedAt.map(({ action }) => action))).toEqual(new Set(["generate-ad-copy"]));
  });

  test("goes through all of it when it may spend and has every key", async () => {
    const { code, lines } = await run("--spend", "--mock", ...others, "--poll-ms", "5000");
    expect(lines.at(-1)).toMatch(/^1\d\d ok, 0 against the document, 0 unlike .*, 0 skipped$/);
    expect(code).toBe(0);
    expect(charges().length).toBeGreaterThan(8);
    expect(service.account(keys.poor).ledger.filter(({ reason }) => reason === "charge")).toEqual(
      [],
    );
    expect(made()).toEqual([]);
  });

  test("prints no key, not even one that the service repeats", async () => {
    service.faults.play(
      { kind: "status", status: 418, body: { error: `Who is ${keys.first}?` } },
      { operation: "brands.list", times: 1, account: keys.first },
    );
    const { code, lines, errors } = await run(...others);
    const printed = lines.join("\n") + errors;
    expect(code).toBe(1);
    expect(printed).toContain("Who is ***?");
    for (const key of Object.values(keys)) expect(printed).not.toContain(key);
  });

  test("prints the breach of the document, and ends with 1", async () => {
    service.faults.play(
      { kind: "status", status: 200, accepted: true, body: "{}" },
      { operation: "savedAds.create", times: 1, account: keys.first },
    );
    const { code, lines } = await run();
    expect(code).toBe(1);
    const [step, ...why] = lines.slice(lines.findIndex((line) => line.startsWith("✗")));
    expect(step).toMatch(/saves an ad .* differs \(documented: 2\. Response envelope; /);
    expect(why[0]).toContain("expected success to say what the status says, saw 200");
  });

  test("waits when it is asked to, and asks again", async () => {
    service.faults.play({ kind: "rate-limit", retryAfterMs: 0 }, { account: keys.first, times: 3 });
    const { code, lines } = await run();
    expect(code).toBe(0);
    expect(lines.at(-1)).toContain(" 0 against the document");
    service.journal.assertCount(3, { status: 429 });
  });

  test("says of no rule that it is broken while the service fails", async () => {
    service.faults.play(
      { kind: "status", status: 503 },
      { operation: "jobs.get", times: Infinity, account: keys.first },
    );
    const { code, lines } = await run();
    expect(lines.at(-1)).toMatch(/ 0 against the document, 0 unlike .*, [1-9] not answered, /);
    expect(lines.join("\n")).toContain("not answered (the service failed: 503)");
    expect(code).toBe(1);
  });

  test("has a report for machines", async () => {
    const { code, lines } = await run("--json");
    const report = JSON.parse(lines.join("\n"));
    expect(code).toBe(0);
    expect(report).toMatchObject({
      baseUrl: server.url,
      summary: { documented: 0, assumed: 0 },
      left: [],
    });
    expect(report.steps).toContainEqual({
      name: "lists jobs",
      operation: "jobs.list",
      verdict: "ok",
      exchanges: 1,
    });
    expect(report.steps).toContainEqual({
      name: "takes copy-ad",
      operation: "jobs.submit",
      verdict: "skipped",
      reason: "costs credits",
      exchanges: 0,
    });
  });

  test("deletes its brands and ads when Ctrl-C ends the process, and exits with 130", async () => {
    service.faults.play(
      { kind: "latency", ms: 20 },
      { operation: ["savedAds.create", "brands.listAds"], times: Infinity },
    );
    const child = spawn(
      process.execPath,
      ["mocks/cli.ts", "check", "--base-url", server.url, "--key", keys.first],
      { stdio: "ignore", timeout: 150_000 },
    );
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    await expect
      .poll(() => service.journal.find({ operation: "savedAds.create", status: 201 }).length, {
        timeout: 150_000,
        interval: 5,
      })
      .toBe(1);
    expect(made()).not.toEqual([]);
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(made()).toEqual([]);
  });

  test.each([
    ["no key", ["--base-url", "http://127.0.0.1:1"], "--key is missing"],
    ["no base URL", ["--key", "secret-key"], "--base-url is missing"],
    [
      "one key for two accounts",
      ["--base-url", "http://x.test", "--key", "secret-key", "--second-key", "secret-key"],
      "--second-key must be of another account",
    ],
    ["another scheme", ["--key", "secret-key", "--base-url", "ftp://x.test"], "--base-url must be"],
    ["an option that there is not", ["--speed"], "--speed"],
    [
      "a time that is none",
      ["--key", "secret-key", "--base-url", "http://x.test", "--timeout-ms", "soon"],
      "--timeout-ms must be a whole number",
    ],
  ])("refuses %s", async (_, args, message) => {
    const { code, lines, errors } = await runWith(args);
    expect(code).toBe(2);
    expect(lines).toEqual([]);
    expect(errors).toContain(message);
    expect(errors).not.toContain("secret-key");
  });

  test("ends with 2 when no service answers, and when the service refuses the key", async () => {
    await using server = await startMockServer();
    for (const [url, reason] of [
      ["http://127.0.0.1:1", "cannot be reached"],
      [server.url, "refuses the key: 401"],
    ] as const) {
      const { code, errors } = await runWith(["--base-url", url, "--key", "secret-key"]);
      expect(code).toBe(2);
      expect(errors).toContain(`${url} ${reason}`);
      expect(errors).not.toContain("secret-key");
    }
    expect(server.service.journal.count).toBe(1);
  });

  test("explains itself", async () => {
    const { code, lines } = await runWith(["--help"]);
    expect(code).toBe(0);
    expect(lines[0]).toMatch(/^Usage: adgen-mock check/);
  });
});
