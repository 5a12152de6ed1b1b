import { spawn } from "node:child_process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCheck } from "../../mocks/conformance/check/run-check.ts";
import { script } from "../../mocks/conformance/check/script.ts";
import type { FaultOptions, MockFault, MockService } from "../../mocks/index.ts";
import { type MockServer, startMockServer } from "../../mocks/server.ts";
import { failure, raw } from "../helpers/answers.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
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
  const [lines, errors, progress]: [string[], string[], string[]] = [[], [], []];
  const code = await runCheck(args, {
    env: {},
    pollIntervalMs: 5,
    print: (text) => lines.push(...text.split("\n")),
    printError: (text) => errors.push(text),
    showProgress: (text) => void progress.push(text),
  });
  const printed = [...lines, ...errors].join("\n");
  return { code, lines, summary: lines.at(-2), printed, progress, errors: errors.join("\n") };
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
    const { code, lines, summary, progress, errors } = await run();
    expect([code, errors]).toEqual([0, ""]);
    expect(summary).toMatch(
      /^1\d\d steps: 1\d\d ok, 0 broke .*, 0 differed .*, 0 not .*, [1-9]\d skipped$/,
    );
    // One screen.
    expect(lines.length).toBeLessThan(20);
    expect(progress[0]).toMatch(/^1 of 1\d\d: refuses/);
    expect(progress.at(-1)).toBe("");
    expect([charges(), made()]).toEqual([[], []]);
    expect(service.account(keys.first).credits).toEqual(credits);
    const submitted = service.journal.find({ operation: "jobs.submit", status: 202 });
    expect(new Set(submitted.map(({ action }) => action))).toEqual(new Set(["generate-ad-copy"]));
  });

  test("goes through all of it when it may spend and has every key", async () => {
    const { code, summary, printed } = await run(...["--spend", ...others, "--poll-ms", "5000"]);
    // No answer shows what a video costs.
    expect(printed).toMatch(/✓ hold: .*A11 \(only its limits of duration\)/);
    expect(code).toBe(0);
    expect(summary).toMatch(
      /^1\d\d steps: 1\d\d ok, 0 broke .*, 0 differed .*, 0 not .*, 0 skipped$/,
    );
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
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^✗ breaks the document \(2\. Response envelope\): expected success to say what the status says; seen: 418 .*, 200 .* \(2 steps: lists brands, …\)$/,
      ),
    );
    expect(printed).toContain("Who is ***?");
    for (const key of Object.values(keys)) expect(printed).not.toContain(key);
  });

  test("waits when it is asked to, and asks again", async () => {
    play({ kind: "rate-limit", retryAfterMs: 0 }, { times: 3 });
    const { code, summary } = await run();
    expect(code).toBe(0);
    expect(summary).toContain(" 0 broke the document");
    service.journal.assertCount(3, { status: 429 });
  });

  test("ends in words where the service limits requests without end", async () => {
    play({ kind: "rate-limit", retryAfterMs: 0 }, { times: Infinity });
    const { code, errors } = await run();
    expect([code, errors]).toEqual([
      2,
      expect.stringContaining("limits requests: GET /v1/jobs answered 429"),
    ]);
    service.faults.clear();
    play({ kind: "rate-limit", retryAfterMs: 0 }, { after: 1, times: Infinity });
    await run();
    // Five repeats of one step, and no more of those after it.
    const { length } = service.journal.find({ status: 429 });
    expect(length).toBeLessThan(5 + script.length + 10);
  });

  test("says of no rule that it is broken while the service fails", async () => {
    play({ kind: "status", status: 503 }, { operation: "jobs.get", times: Infinity });
    const { code, summary, printed } = await run();
    expect(code).toBe(1);
    expect(summary).toMatch(/ 0 broke .*, 0 differed .*, [1-9] not answered, /);
    expect(printed).toMatch(
      /✗ not answered: the service failed: 503 \([1-9] steps: shows a job, …\)/,
    );
  });

  test("has a report for machines", async () => {
    const { code, printed } = await run("--json");
    const { steps, ...report } = JSON.parse(printed);
    expect(code).toBe(0);
    const summary = { breaks: 0, differs: 0 };
    expect(report).toMatchObject({ baseUrl: server.url, summary, causes: [], left: [] });
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
    ["a time that is none", [...at, "--poll-ms", "soon"], "--poll-ms must be a whole number"],
  ])("refuses %s", async (_, args, message) => {
    const { code, lines, errors } = await runWith(args);
    expect([code, lines]).toEqual([2, []]);
    expect(errors).toContain(message);
    expect(errors).not.toContain("secret-key");
  });

  const html = { "content-type": "text/html" };
  const notWith = "not with success, data and error:";
  const noService = "is no such service: GET /v1/jobs answered";
  const json = { "content-type": "application/json" };
  const spaces = " ".repeat(105);
  const to = { location: "https://x.test" };

  test.each<[what: string, answer: Answer, message: string]>([
    [
      "is a web site",
      raw(200, "<html>Hi", html),
      `${noService} 200 with text/html, ${notWith} <html>Hi`,
    ],
    ["repeats the key", raw(200, `${spaces}secret-key`, html), `${notWith} ${spaces}***`],
    [
      "is another API",
      raw(200, "{}", json),
      `${noService} 200 with application/json, ${notWith} {}`,
    ],
    [
      "leads elsewhere",
      raw(308, "", to),
      `${noService} 308 with no content type, to https://x.test, ${notWith}`,
    ],
    ["has no such path", failure(404), `${noService} 404`],
    ["fails", raw(503, "Down"), "fails: GET /v1/jobs answered 503"],
    ["refuses the key otherwise", failure(403), "refuses the key: 403"],
  ])("stops at once, in words, where the address %s", async (_, answer, message) => {
    const { url, received } = await listen(answer);
    const { code, errors, lines } = await runWith(["--base-url", url, ...key]);
    expect([code, lines]).toEqual([2, []]);
    expect(errors).toContain(`adgen-mock check: ${url}`);
    expect(errors).toContain(message);
    expect(errors).not.toContain("secret-");
    expect(received.length).toBeLessThan(4);
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
