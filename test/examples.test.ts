import { execFile, spawn, spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createMockService, type MockService } from "adgen-sdk/mocks";
import { connectMock } from "adgen-sdk/mocks/connect";
import { startMockServer } from "adgen-sdk/mocks/server";
import { describe, expect, test } from "vitest";

const fromSource = new URL("./helpers/from-source.ts", import.meta.url).href;

const { PATH, NODE_COMPILE_CACHE } = process.env;

/** As a user does, but on the sources; an exit code other than 0 rejects. */
const run = async (args: readonly string[], env: Record<string, string> = {}) => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["--import", fromSource, ...args],
    { env: { PATH, NODE_COMPILE_CACHE, ...env }, timeout: 150_000 },
  );
  expect(stderr).toBe("");
  return stdout.trimEnd().split("\n");
};

/** Runs an example against this service, over HTTP. */
const runWith = async (
  service: MockService,
  example: string,
  args: readonly string[] = [],
): Promise<string[]> => {
  const { url, close } = await startMockServer({ service });
  try {
    return await run([example, ...args], { ADGEN_BASE_URL: url, ADGEN_API_KEY: "test-key" });
  } finally {
    await close();
  }
};

const chargesOf = (service: MockService) =>
  service.account("test-key").ledger.filter(({ reason }) => reason === "charge");

test("every example is run here", () => {
  expect(globSync("examples/*.ts").sort()).toEqual([
    "examples/cancel-a-job.ts",
    "examples/generate-an-ad.ts",
    "examples/handle-errors.ts",
    "examples/many-jobs.ts",
    "examples/own-schemas.ts",
    "examples/save-results.ts",
    "examples/test-with-msw.test.ts",
    "examples/with-mock.ts",
  ]);
});

describe.concurrent("examples", () => {
  test("generate-an-ad submits a job, waits for it and fetches its pictures", async () => {
    const service = createMockService();
    const printed = await runWith(service, "examples/generate-an-ad.ts");
    const [charge] = chargesOf(service);
    expect(printed.slice(0, 3)).toEqual([
      `submitted   ${charge?.jobId}`,
      "processing",
      "completed",
    ]);
    expect(printed.slice(3)).toHaveLength(4);
    for (const line of printed.slice(3)) expect(line).toMatch(/^picture \d {3}image\/svg\+xml, \d/);
    expect(chargesOf(service)).toMatchObject([{ credit: "image", monthly: -4 }]);
  });

  test("handle-errors meets a 400, a 402, a refused connection and a lost answer", async () => {
    const service = createMockService();
    const printed = await runWith(service, "examples/handle-errors.ts");
    const [charge] = chargesOf(service);
    expect(printed).toEqual([
      expect.stringMatching(/^bad_request: choose one of copy-ad, .*, video-b-3-0$/),
      "payment_required: buy credits",
      "connection: not-sent, so it is safe to submit again",
      `connection: unknown, so look first: ${charge?.jobId}`,
    ]);
    expect(chargesOf(service)).toMatchObject([{ credit: "image", monthly: -1 }]);
  });

  test("cancel-a-job stops waiting, and waits for the same job again", async () => {
    const service = createMockService();
    const printed = await runWith(service, "examples/cancel-a-job.ts");
    const [charge] = chargesOf(service);
    expect(printed).toEqual([
      "processing",
      `AbortError: somebody pressed Cancel, while waiting for ${charge?.jobId}`,
      "completed all the same",
    ]);
    expect(chargesOf(service)).toHaveLength(1);
  });

  test("many-jobs submits within its limits, and stops when the credits are used up", async () => {
    const image = { monthly: 4, purchased: 0 };
    const service = createMockService({ accounts: { "test-key": { credits: { image } } } });
    expect(await runWith(service, "examples/many-jobs.ts")).toEqual([
      "Lemonade       completed",
      "Iced tea       completed",
      "Ginger beer    payment_required, refused",
      // It may have been under way when the first 402 came.
      expect.stringMatching(/^Root beer {6}payment_required, (refused|not-sent)$/),
      "Orange juice   payment_required, not-sent",
      "saved 2 ids of jobs",
    ]);
    expect(chargesOf(service)).toHaveLength(2);
  });

  test("own-schemas types a brand and a result, and loses nothing of a misfit", async () => {
    const service = createMockService();
    expect(await runWith(service, "examples/own-schemas.ts")).toEqual([
      expect.stringMatching(/^brand {5}Acme Lemonade, since \d{4}$/),
      "picture   1080 × 1080",
      expect.stringMatching(/^misfit {4}result\.poem: .*expected string/),
      "received  copy",
    ]);
    expect(chargesOf(service)).toHaveLength(1);
  });

  test("save-results saves pictures and a video, with the endings of their types", async () => {
    const folder = await mkdtemp(join(tmpdir(), "save-results-"));
    const service = createMockService({});
    const printed = await runWith(service, "examples/save-results.ts", [folder]);
    const [ad, film] = chargesOf(service).map(({ jobId }) => jobId);
    const names = [`${ad}-1.svg`, `${ad}-2.svg`, `${film}-1.mp4`];
    expect(printed).toEqual(names.map((name) => `saved ${join(folder, name)}`));
    const files = await Promise.all(names.map((name) => readFile(join(folder, name))));
    const starts = files.map((file) => file.toString("latin1", 0, 8));
    expect(starts).toEqual(["<svg xml", "<svg xml", expect.stringContaining("ftyp")]);
    await rm(folder, { recursive: true });
  });

  test("with-mock brings a service of its own", async () => {
    const preload = ["--import", "./examples/with-mock.ts"];
    const printed = await run([...preload, "examples/generate-an-ad.ts"]);
    // Its jobs take real time: a busy machine may see the end alone.
    expect(printed[0]).toMatch(/^submitted {3}\w/);
    expect(printed).toContain("completed");
    expect(printed.filter((line) => line.startsWith("picture "))).toHaveLength(4);
  });

  test("with-mock alone says which examples there are", async () => {
    const args = ["--import", fromSource, "--import", "./examples/with-mock.ts"];
    const ended = spawnSync(process.execPath, args, { env: { PATH }, encoding: "utf8" });
    expect(ended.status).toBe(2);
    const named = ended.stderr.match(/npm run example \S+/g);
    const others = /test\.ts|with-mock/; // suites and a helper: alone they do nothing
    const examples = globSync("examples/*.ts").filter((path) => !others.test(path));
    expect(named).toEqual(examples.sort().map((path) => `npm run example ${path}`));
  });
});

// A suite of its own: importing it here declares its tests here.
describe("test-with-msw", async () => {
  await import("../examples/test-with-msw.test.ts");
});

test.concurrent("the demo runs against an adgen-mock in another process, and refuses everything else", async () => {
  const mock = spawn(process.execPath, [
    ...["mocks/server/cli.ts", "--port", "0", "--key", "demo-2", "--timeline", "200,600"],
  ]);
  try {
    let greeting = "";
    for await (const chunk of mock.stdout) {
      greeting += chunk;
      if (greeting.includes("ADGEN_API_KEY")) break;
    }
    const url = /https?:\/\/\S+/.exec(greeting)?.[0] ?? "";
    const demo = ["examples/demo/main.ts", "--mock", url, "--key"];
    const printed = (await run([...demo, "demo-2"])).join("\n");
    expect(printed).toContain(`a mock, on            ${url}`);
    expect(printed).toMatch(/generate-ad +-4 monthly +0 purchased/);
    const charges = await connectMock(url).account("demo-2").charges();
    // Of the copy ads, none is charged: 2 of the three jobs, and 24 of the 36 small ones.
    expect(charges).toHaveLength(26);
    await expect(run([...demo, "demo-3"])).rejects.toThrow(
      "is not an adgen-mock with the key demo-3",
    );
  } finally {
    mock.kill();
  }
});

test.concurrent("the demo ends soon, without an error in its output", async () => {
  const startedAt = performance.now();
  const printed = await run(["examples/demo/main.ts"]);
  // Some seconds, and what a busy machine adds.
  expect(performance.now() - startedAt).toBeLessThan(60_000);

  const column = / {2,}/;
  const bill = printed.slice(printed.indexOf("The bill") + 1).map((line) => line.split(column));
  expect(bill.slice(0, 5)).toEqual([
    ["", "generate-ad", "-3 monthly", "-1 purchased", "image credits"],
    ["", "video-a-2", "-5 monthly", "0 purchased", "video credits"],
    ["", "generate-ad-copy", "free"],
    ["", "the small jobs", "-12", "image credits"],
    ["", "the small jobs", "-12", "video credits"],
  ]);
  const lines = (status: string) => printed.filter((line) => line.includes(` ${status} `));
  expect(lines("queued")).not.toEqual([]);
  // Each job has estimates before its end, below 100 %, whatever its polls have met.
  const followed = printed.filter((line) => / polls: \d+ /.test(line));
  for (const action of ["generate-ad ", "generate-ad-copy ", "video-a-2 "]) {
    const ofJob = followed.filter((line) => line.trimStart().startsWith(action));
    expect(ofJob.at(-1)).toMatch(/ completed +█+ 100 % /);
    const percents = ofJob.slice(0, -1).flatMap((line) => /(\d+) %/.exec(line)?.[1] ?? []);
    expect(percents, action).not.toEqual([]);
    for (const percent of percents) expect(Number(percent)).toBeLessThan(100);
  }
  const text = printed.join("\n");
  const polls = [...text.matchAll(/([\d.]+) before +(\d+) now/g)].map(([, before, now]) => [
    Number(before),
    Number(now),
  ]);
  expect(polls).toHaveLength(3);
  // That they become fewer is measured by virtual time, in test/bench: this machine may be busy.
  for (const counts of polls) expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
  expect(text).toMatch(/BadRequestError +400 .* none of these 9:/);
  expect(text).toMatch(/PaymentRequiredError +402 /);
  expect(text).toMatch(/listed +ad_\w+ {2}“.*ice-cold lemonade/);
  for (const [, example = ""] of text.matchAll(/(examples\/\S+)/g)) {
    expect(globSync("examples/*.ts")).toContain(example);
  }
  expect(text).not.toMatch(/\p{Cc}(?<!\n)|undefined|NaN|\bat .*:\d+:\d+/u);
  expect(Math.max(...printed.map(({ length }) => length))).toBeLessThanOrEqual(80);
});
