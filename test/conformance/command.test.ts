import { spawn } from "node:child_process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCheck } from "../../mocks/conformance/check/run-check.ts";
import type { FaultOptions, MockFault, MockService } from "../../mocks/index.ts";
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
  const printed = [...lines, ...errors].join("\n");
  return { code, lines, last: lines.at(-1), printed, errors: errors.join("\n") };
};

const run = (...args: readonly string[]) =>
  runWith(["--base-url", server.url, "--key", keys.first, ...args]);

/** Plays a fault to the first account. */
const play = (fault: MockFault, options: FaultOptions = {}) =>
  service.faults.play(fault, { account: keys.first, ...options });

const others = ["--second-key", keys.second, "--poor-key", keys.poor];

const charges = (): unknown[] => service.accounts.flatMap(({ charges: own }) => own);
const made = (): unknown[] =>
  service.accounts.flatMap(({ brands, savedAds }) => [...brands, ...savedAds]);

describe("adgen-mock check", () => {
  test("goes through the free part of the script, and charges and leaves nothing", async () => {
    const { credits } = service.account(keys.first);
    const { code, last, errors } = await run();
    expect([code, errors]).toEqual([0, ""]);
    expect(last).toMatch(/^1\d\d ok, 0 against the document, 0 unlike .*, [1-9]\d skipped$/);
    expect([charges(), made()]).toEqual([[], []]);
    expect(service.account(keys.first).credits).toEqual(credits);
    const submitted = service.journal.find({ operation: "jobs.submit", status: 202 });
    expect(new Set(submitted.map(({ action }) => action))).toEqual(new Set(["generate-ad-copy"]));
  });

  test("goes through all of it when it may spend and has every key", async () => {
    const { code, last, printed } = await run(
      ...["--spend", "--mock", ...others, "--poll-ms", "5000"],
    );
    // No answer shows what a video costs.
    expect(printed).toMatch(/✓ A11 .*only the limits of `duration` were seen; no answer tells/);
    expect(code).toBe(0);
    expect(last).toMatch(/^1\d\d ok, 0 against the document, 0 unlike .*, 0 skipped$/);
    expect(charges().length).toBeGreaterThan(8);
    const { ledger } = service.account(keys.poor);
    expect(ledger.filter(({ reason }) => reason === "charge")).toEqual([]);
    expect(made()).toEqual([]);
  });

  test("prints the breach of the document, but no key that the service repeats: 1", async () => {
    const who = { error: `Who is ${keys.first}?` };
    play({ kind: "status", status: 418, body: who }, { operation: "brands.list" });
    const empty = { kind: "status", status: 200, accepted: true, body: "{}" } as const;
    play(empty, { operation: "savedAds.create" });
    const { code, lines, printed } = await run(...others);
    expect(code).toBe(1);
    const [step, why] = lines.slice(lines.findIndex((line) => /✗ saves an ad /.test(line)));
    expect(step).toMatch(/^✗ saves an ad .* differs \(documented: 2\. Response envelope; /);
    expect(why).toContain("expected success to say what the status says, saw 200");
    expect(printed).toContain("Who is ***?");
    for (const key of Object.values(keys)) expect(printed).not.toContain(key);
  });

  test("waits when it is asked to, and asks again", async () => {
    play({ kind: "rate-limit", retryAfterMs: 0 }, { times: 3 });
    const { code, last } = await run();
    expect(code).toBe(0);
    expect(last).toContain(" 0 against the document");
    service.journal.assertCount(3, { status: 429 });
  });

  test("says of no rule that it is broken while the service fails", async () => {
    play({ kind: "status", status: 503 }, { operation: "jobs.get", times: Infinity });
    const { code, last, printed } = await run();
    expect(code).toBe(1);
    expect(last).toMatch(/ 0 against the document, 0 unlike .*, [1-9] not answered, /);
    expect(printed).toContain("not answered (the service failed: 503)");
  });

  test("has a report for machines", async () => {
    const { code, printed } = await run("--json");
    const { steps, ...report } = JSON.parse(printed);
    expect(code).toBe(0);
    const summary = { documented: 0, assumed: 0 };
    expect(report).toMatchObject({ baseUrl: server.url, summary, left: [] });
    const lists = { name: "lists jobs", operation: "jobs.list", verdict: "ok", exchanges: 1 };
    const takes = { name: "takes copy-ad", operation: "jobs.submit", verdict: "skipped" };
    expect(steps).toContainEqual(lists);
    expect(steps).toContainEqual({ ...takes, reason: "costs credits", exchanges: 0 });
  });

  test("deletes its brands and ads when Ctrl-C ends the process, and exits with 130", async () => {
    const operation = ["savedAds.create", "brands.listAds"] as const;
    play({ kind: "latency", ms: 20 }, { operation, times: Infinity });
    const args = ["mocks/cli.ts", "check", "--base-url", server.url, "--key", keys.first];
    const child = spawn(process.execPath, args, { stdio: "ignore", timeout: 150_000 });
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    const saved = () => service.journal.find({ operation: "savedAds.create", status: 201 }).length;
    await expect.poll(saved, { timeout: 150_000, interval: 5 }).toBe(1);
    expect(made()).not.toEqual([]);
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(made()).toEqual([]);
  });

  const key = ["--key", "secret-key"];
  const at = [...key, "--base-url", "http://x.test"];
  const sameKey = [...at, "--second-key", "secret-key"];

  test.each([
    ["no key", ["--base-url", "http://127.0.0.1:1"], "--key is missing"],
    ["no base URL", key, "--base-url is missing"],
    ["one key for two accounts", sameKey, "--second-key must be of another account"],
    ["another scheme", [...key, "--base-url", "ftp://x.test"], "--base-url must be"],
    ["an option that there is not", ["--speed"], "--speed"],
    ["a time that is none", [...at, "--timeout-ms", "soon"], "--timeout-ms must be a whole number"],
  ])("refuses %s", async (_, args, message) => {
    const { code, lines, errors } = await runWith(args);
    expect([code, lines]).toEqual([2, []]);
    expect(errors).toContain(message);
    expect(errors).not.toContain("secret-key");
  });

  test("explains itself, and ends with 2 when no service answers or one refuses the key", async () => {
    const { code, lines } = await runWith(["--help"]);
    expect([code, lines[0]]).toEqual([0, expect.stringMatching(/^Usage: adgen-mock check/)]);
    for (const [url, reason] of [
      ["http://127.0.0.1:1", "cannot be reached"],
      [server.url, "refuses the key: 401"],
    ] as const) {
      const { code, errors } = await runWith(["--base-url", url, ...key]);
      expect(code).toBe(2);
      expect(errors).toContain(`${url} ${reason}`);
      expect(errors).not.toContain("secret-key");
    }
    expect(service.journal.count).toBe(1);
  });
});
