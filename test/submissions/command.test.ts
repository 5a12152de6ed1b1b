import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { makeError } from "../../src/client/errors/make-error.ts";
import { createClient } from "../../src/client/index.ts";
import { createProxy } from "../../src/proxy/index.ts";
import { runCommand } from "../../src/submissions/command/run-command.ts";
import { type FileStore, openFileStore } from "../../src/submissions/file.ts";
import { createSubmissions } from "../../src/submissions/index.ts";
import { failure, resetConnection, success } from "../helpers/answers.ts";
import { rejection, testKey } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { runNode } from "../helpers/run-node.ts";

const opened: FileStore[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const store of opened.splice(0)) await store.close();
});

const order = { action: "generate-ad", prompt: "Lemonade" } as const;

/**
 * Opens a store, and starts a service that lists these jobs and loses the answer to each
 * submission.
 */
const start = async (...jobs: { job_id: string; [field: string]: unknown }[]) => {
  const service = await listen((response, request) => {
    if (request.method === "POST") return resetConnection(response, request);
    const id = /^\/v1\/jobs\/(.+)$/.exec(request.url)?.[1];
    const job = jobs.find(({ job_id }) => job_id === id);
    const answer = id === undefined ? success({ jobs }) : job ? success(job) : failure(404);
    return answer(response, request);
  });
  const path = join(await mkdtemp(join(tmpdir(), "adgen-command-")), "submissions");
  const store = await openFileStore(path);
  opened.push(store);
  const submissions = createSubmissions(store, { lateArrivalMs: 0 });
  const client = createClient({ baseUrl: service.url, apiKey: testKey, submissions });
  const lose = (once: string) => rejection(client.jobs.submit(order, { once }));
  const settings = { ADGEN_BASE_URL: service.url, ADGEN_API_KEY: testKey };
  /** Runs the command in a process of its own. */
  const commandAlone = async (...args: string[]) => {
    const script = new URL("../../src/submissions/cli.ts", import.meta.url);
    const fromSource = ["--import", new URL("../helpers/from-source.ts", import.meta.url).href];
    const { code, lines, errors } = await runNode(script, args, fromSource, settings);
    return { code, output: lines.join("\n"), errors };
  };
  /** Runs the command in this process, on a connection of its own to the store. */
  const command = async (args: readonly string[], environment: Record<string, string> = {}) => {
    for (const [name, value] of Object.entries({ ...settings, ...environment })) {
      vi.stubEnv(name, value);
    }
    const printed: string[] = [];
    const failed: string[] = [];
    const code = await runCommand(args, {
      print: (text) => printed.push(text),
      printError: (text) => failed.push(text),
    });
    vi.unstubAllEnvs();
    return { code, output: printed.join("\n"), errors: failed.join("\n") };
  };
  /** Opens the page of a user, behind a proxy that shares the store. */
  const openPage = (owner: string) => {
    const options = { baseUrl: service.url, apiKey: testKey, store, timeoutMs: 2_000 };
    const proxy = createProxy({ ...options, authorize: () => owner, hooks: { onError: () => {} } });
    const page = createClient({
      ...{ baseUrl: "http://proxy", apiKey: null, maxRetries: 0 },
      fetch: proxy.fetchAs(owner),
    });
    const submit = () => page.jobs.submit(order, { once: "hero-7", timeoutMs: 5_000 });
    return { page, submit };
  };
  const posts = () => service.received.filter(({ method }) => method === "POST").length;
  return { path, store, submissions, client, lose, command, commandAlone, openPage, posts };
};

const now = () => new Date().toISOString();

test("the command lists submissions in doubt with candidates and the commands that decide", async () => {
  const { path, submissions, lose, command } = await start(
    { job_id: "job_old", status: "completed", created_at: "2026-01-01T00:00:00Z" },
    { job_id: "job_1", status: "completed", created_at: now(), prompt: "Lemonade" },
    { job_id: "job_taken", status: "queued", created_at: now() },
  );
  const call = { method: "jobs.submit", body: order, timeoutMs: 60_000 };
  const answer = { job_id: "job_taken", status: "queued" };
  await submissions.runOnce({ ...call, once: "done" }, async () => ({
    answer,
    jobId: "job_taken",
  }));
  await lose("order 17");
  const { code, output, errors } = await command([path]);
  expect([code, errors]).toEqual([0, ""]);
  expect(output.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, "TIME")).toContain(
    [
      "1 submission is in doubt, 0 are under way.",
      "",
      "order 17",
      "  submitted TIME, without an answer (connection)",
      '  request {"action":"generate-ad","prompt":"Lemonade"}',
      "  candidates, the likeliest first; compare prompt and picture:",
    ].join("\n"),
  );
  const candidates = [...output.matchAll(/^ {4}(\S+) {2}\{/gm)].map(([, id]) => id);
  expect(candidates).toEqual(["job_1", "job_old"]);
  expect(output).toContain(`    adgen-submissions ${path} --adopt 'order 17' job_1\n`);
  expect(output).toContain(`    adgen-submissions ${path} --drop 'order 17'\n`);
  expect(output).toContain(`    adgen-submissions ${path} --resubmit 'order 17'`);
  expect(output).not.toContain(testKey);
});

test("the command adopts, drops and resubmits in a store that another process has open", async () => {
  const { path, submissions, lose, commandAlone } = await start({
    job_id: "job_1",
    status: "queued",
  });
  for (const id of ["a", "b", "c"]) await lose(id);
  const adopted = await commandAlone(path, "--adopt", "a", "job_1");
  expect(adopted).toMatchObject({ code: 0, output: "a has the job job_1 from now on." });
  expect(await commandAlone(path, "--drop", "b")).toMatchObject({ code: 0 });
  expect(await commandAlone(path, "--resubmit", "c")).toMatchObject({ code: 0 });
  expect(await submissions.find("a")).toEqual({ state: "settled", job_id: "job_1" });
  expect(await submissions.find("b")).toEqual({ state: "dropped" });
  expect(await submissions.find("c")).toEqual({ state: "free" });
  const { output } = await commandAlone(path);
  expect(output).toBe("0 submissions are in doubt, 0 are under way.");
});

test("the command lists a page's order with its user, and the page gets the adopted job", async () => {
  const { path, lose, command, openPage, posts } = await start(
    { job_id: "job_1", status: "queued", created_at: now() },
    { job_id: "job_2", status: "queued", created_at: now() },
  );
  const { page, submit } = openPage("ann@example.com");
  expect(await rejection(submit())).toMatchObject({ outcome: "unknown" });
  const name = "calls/ann%40example.com:hero-7";
  const { output } = await command([path]);
  expect(output).toContain(`${name}\n  ordered by the user ann@example.com, in a page\n`);
  expect(output).toContain('  request {"action":"generate-ad"}\n');
  expect(await command([path, "--adopt", name, "job_1"])).toMatchObject({ code: 0 });
  expect(await submit()).toMatchObject({ job_id: "job_1" });
  expect(await page.jobs.get("job_1")).toMatchObject({ status: "queued" });
  // The page's job is not a candidate for a submission of the server.
  await lose("order-17");
  const later = await command([path]);
  expect(later.output).toContain("job_2");
  expect(later.output).not.toContain("job_1");
  expect(posts()).toBe(2);
});

test("--resubmit of a page's order is refused while its request may still arrive, and --drop is told to the page", async () => {
  const { path, submissions, command, openPage } = await start();
  const { page, submit } = openPage("ann");
  await rejection(submit());
  const early = await command([path, "--resubmit", "calls/ann:hero-7"]);
  expect(early).toMatchObject({
    code: 1,
    errors: expect.stringContaining("may still carry out"),
  });
  expect((await submissions.listOpen()).unknown).toEqual([]);
  expect(await command([path, "--drop", "calls/ann:hero-7"])).toMatchObject({ code: 0 });
  expect(await rejection(submit())).toMatchObject({
    outcome: "unknown",
    serviceMessage: expect.stringContaining("dropped by a decision of the app"),
  });
  const other = page.jobs.submit({ ...order, prompt: "Other" }, { once: "hero-7" });
  expect(await rejection(other)).toMatchObject({
    outcome: "refused",
    serviceMessage: expect.stringContaining("dropped by a decision and is never sent again"),
  });
});

test("--resubmit frees the order of a page after its time, and the page's next call is sent", async () => {
  const { path, store, command, openPage, posts } = await start();
  const { submit } = openPage("ann");
  await rejection(submit());
  expect(posts()).toBe(1);
  // The process of the command has a clock of its own, so the record is made older instead.
  const key = "calls/once:ann:hero-7";
  const { rev = "", text = "{}" } = (await store.get(key)) ?? {};
  const record = JSON.parse(text);
  const aged = { ...record, settlesAt: Date.now() - 1 };
  await store.swap(key, rev, { rev: "aged", text: JSON.stringify(aged), list: "calls/open" });

  expect(await command([path, "--resubmit", "calls/ann:hero-7"])).toMatchObject({
    code: 0,
    output: "calls/ann:hero-7 is free: the next call with this id is sent, and paid.",
  });
  await rejection(submit());
  expect(posts()).toBe(2);
});

test("the command lists no candidates and resubmits nothing while the service is away", async () => {
  const { path, lose, command, submissions } = await start();
  await lose("a");
  const away = { ADGEN_BASE_URL: "http://127.0.0.1:9" };
  const { code, output } = await command([path], away);
  expect(code).toBe(0);
  expect(output).toMatch(/^The service gave no list of jobs, so there are no candidates: /);
  expect(output).toContain("candidates: unknown, because the service was not asked");
  expect((await command([path], { ADGEN_API_KEY: "" })).output).toContain("candidates: unknown");
  expect(await command([path, "--resubmit", "a"], away)).toMatchObject({ code: 1 });
  expect(await command([path, "--resubmit", "a"], { ADGEN_API_KEY: "" })).toMatchObject({
    code: 2,
    errors: expect.stringContaining("set ADGEN_BASE_URL and ADGEN_API_KEY"),
  });
  expect(await submissions.find("a")).toMatchObject({ state: "in-doubt" });
});

test("the command prints no control character from a prompt or an id", async () => {
  const { path, submissions, command } = await start();
  const lost = makeError("connection", "lost", { outcome: "unknown" });
  const body = { ...order, prompt: "\u001b[2J\u0007 sale" };
  const call = { method: "jobs.submit", body, timeoutMs: 60_000, once: "evil\u001b[31m" };
  await rejection(submissions.runOnce(call, () => Promise.reject(lost)));
  const { output } = await command([path]);
  expect(output).toContain("1 submission is in doubt");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for these characters
  expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
});

test.each<[args: string, part: string]>([
  ["", "the path of the store's file is missing"],
  ["/nowhere/submissions", "there is no file /nowhere/submissions"],
  ["STORE --adopt a", "--adopt takes the id of the submission and then"],
  ["STORE --drop a --resubmit a", "these are several decisions"],
  ["STORE --drop a b", '"b" is one argument too many'],
  ["STORE --dorp a", "Unknown option '--dorp'"],
  ["STORE --drop other", 'no submission "other" is in doubt'],
])("the command refuses the arguments '%s', and says: %s", async (args, part) => {
  const { path, command } = await start();
  const words = args.split(" ").filter(Boolean);
  const { code, errors } = await command(words.map((word) => (word === "STORE" ? path : word)));
  expect(code).toBe(2);
  expect(errors).toContain(part);
  expect(errors).toContain("--help");
});

test("--adopt refuses a job that the service does not know", async () => {
  const { path, lose, command, submissions } = await start();
  await lose("a");
  expect(await command([path, "--adopt", "a", "job_9"])).toMatchObject({ code: 1 });
  expect(await submissions.find("a")).toMatchObject({ state: "in-doubt" });
});

test("--adopt refuses a job of another user for a page's order", async () => {
  const { path, store, command, openPage } = await start({ job_id: "job_1", status: "queued" });
  const { submit } = openPage("ann");
  await rejection(submit());
  await store.swap("owner:job:job_1", "", { rev: "1", text: JSON.stringify({ owner: "bob" }) });
  const { code, errors } = await command([path, "--adopt", "calls/ann:hero-7", "job_1"]);
  expect(code).toBe(1);
  expect(errors).toContain('the job "job_1" belongs to the user "bob", and "calls/ann:hero-7"');
  expect((await command([path])).output).toContain("1 submission is in doubt");

  // A job that the app has claimed for the same user can be adopted.
  const { rev = "" } = (await store.get("owner:job:job_1")) ?? {};
  await store.swap("owner:job:job_1", rev, { rev: "2", text: JSON.stringify({ owner: "ann" }) });
  const adopted = await command([path, "--adopt", "calls/ann:hero-7", "job_1"]);
  expect(adopted).toMatchObject({ code: 0 });
  expect(await submit()).toMatchObject({ job_id: "job_1" });
});

test("--help prints the usage of the command", async () => {
  const { command } = await start();
  const { code, output } = await command(["--help"]);
  expect(code).toBe(0);
  expect(output).toMatch(/^Usage: adgen-submissions <file>/);
});
