import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import * as adgen from "adgen-sdk";
import * as assumed from "adgen-sdk/assumed";
import * as mocks from "adgen-sdk/mocks";
import * as connect from "adgen-sdk/mocks/connect";
import * as msw from "adgen-sdk/mocks/msw";
import * as node from "adgen-sdk/mocks/node";
import * as playwright from "adgen-sdk/mocks/playwright";
import * as server from "adgen-sdk/mocks/server";
import * as proxy from "adgen-sdk/proxy";
import * as submissions from "adgen-sdk/submissions";
import * as fileStore from "adgen-sdk/submissions/file";
import { describe, expect, test } from "vitest";
import { assumptions } from "../../mocks/conformance/assumptions.ts";
import { faultKinds } from "../../mocks/faults/fault.ts";
import { endpoints } from "../../src/contract/endpoint.ts";
import { guides, readme, wordsInCode } from "../helpers/documents.ts";

const guide = (name: string): string => {
  const found = guides.find(({ path }) => path === `docs/${name}.md`);
  if (found === undefined) throw new Error(`There is no docs/${name}.md`);
  return found.text;
};

const sources = globSync("{src,mocks}/**/*.ts").map((path) => readFileSync(path, "utf8"));

/** Reads the one declaration that matches from the sources, in any file. */
const declarationOf = (pattern: RegExp): string => {
  const [found = "", ...others] = sources.flatMap((text) => pattern.exec(text)?.[1] ?? []);
  expect(others, `declarations of ${pattern}`).toEqual([]);
  return found;
};

/** Names the fields and methods of an interface. */
const fieldsOf = (name: string): string[] => {
  const body = declarationOf(new RegExp(`export interface ${name}\\b[^]*?\\{\\n([^]*?)\\n\\}`));
  const fields = body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(<]/gm);
  return Array.from(fields, ([, field = ""]) => field);
};

describe("names every field of", () => {
  test.each([
    ["ClientOptions", "guides/client"],
    ["CallOptions", "guides/client"],
    ["PostOptions", "guides/client"],
    ["PollOptions", "guides/waiting"],
    ["PollJobsOptions", "guides/waiting"],
    ["SubmitManyOptions", "guides/many-jobs"],
    ["ProcessorOptions", "guides/fleet"],
    ["SubmissionData", "guides/fleet"],
    ["HoldEvent", "guides/fleet"],
    ["ErrorFields", "guides/errors"],
    ["RecoverOptions", "guides/crashes"],
    ["RecoveredSubmissions", "guides/crashes"],
    ["SubmissionFacts", "guides/crashes"],
    ["WaitingSubmission", "guides/crashes"],
    ["SubmissionUnderWay", "guides/crashes"],
    ["Doubt", "guides/crashes"],
    ["SubmissionsOptions", "guides/crashes"],
    ["FileStore", "guides/crashes"],
    ["FindLostJobsOptions", "guides/crashes"],
    ["LostJobs", "guides/crashes"],
    ["ClientHooks", "guides/hooks"],
    ["RequestEvent", "guides/hooks"],
    ["ResponseEvent", "guides/hooks"],
    ["RetryEvent", "guides/hooks"],
    ["DriftEvent", "guides/hooks"],
    ["ProxyOptions", "guides/browsers-and-proxies"],
    ["ProxyHooks", "guides/browsers-and-proxies"],
    ["ProxyResponseEvent", "guides/browsers-and-proxies"],
    ["ProxyErrorEvent", "guides/browsers-and-proxies"],
    ["ProxyContext", "guides/browsers-and-proxies"],
    ["AdGenProxy", "guides/browsers-and-proxies"],
    ["OwnerLimit", "guides/limits-and-owners"],
    ["LimitUsage", "guides/limits-and-owners"],
    ["RecordStore", "guides/limits-and-owners"],
    ["ReachedLimit", "guides/limits-and-owners"],
    ["RedisStoreOptions", "guides/limits-and-owners"],
    ["MockServiceOptions", "testing/index"],
    ["MockService", "testing/index"],
    ["MockAccount", "testing/accounts-and-credits"],
    ["Charge", "testing/accounts-and-credits"],
    ["LedgerEntry", "testing/accounts-and-credits"],
    ["AccountJobs", "testing/accounts-and-credits"],
    ["MockJobs", "testing/outcomes"],
    ["MockJobDetail", "testing/outcomes"],
    ["JobTimes", "testing/outcomes"],
    ["JobCost", "testing/outcomes"],
    ["JobOutcome", "testing/outcomes"],
    ["OutcomeOptions", "testing/outcomes"],
    ["MockFaults", "testing/faults"],
    ["FaultOptions", "testing/faults"],
    ["ConnectionFault", "testing/faults"],
    ["BodyFault", "testing/faults"],
    ["DripFault", "testing/faults"],
    ["HtmlFault", "testing/faults"],
    ["StatusFault", "testing/faults"],
    ["RateLimitFault", "testing/faults"],
    ["LatencyFault", "testing/faults"],
    ["MockJournal", "testing/journal"],
    ["JournalEntry", "testing/journal"],
    ["JournalAnswer", "testing/journal"],
    ["JournalFilter", "testing/journal"],
    ["JournalSearch", "testing/journal"],
    ["JournalPage", "testing/journal"],
    ["MockTest", "testing/msw-and-fixtures"],
    ["MockFixtures", "testing/msw-and-fixtures"],
    ["MockFixtureOptions", "testing/msw-and-fixtures"],
    ["MockSetupSettings", "testing/msw-and-fixtures"],
    ["MockWorkerSettings", "testing/browser"],
    ["MockServerListenOptions", "testing/server"],
    ["MockServer", "testing/server"],
    ["ConnectOptions", "testing/shared-server"],
    ["ConnectedMock", "testing/shared-server"],
    ["ConnectedAccount", "testing/shared-server"],
    ["OpenAccountOptions", "testing/shared-server"],
    ["PlaywrightMockOptions", "testing/playwright"],
    ["PlaywrightMockTest", "testing/playwright"],
    ["PlaywrightMockWorker", "testing/playwright"],
    ["SnapshotOptions", "testing/snapshots"],
    ["MockFace", "testing/your-own-face"],
    ["MockReply", "testing/your-own-face"],
    ["ReadRequest", "testing/your-own-face"],
  ])("%s in docs/%s.md", (name, path) => {
    const fields = fieldsOf(name);
    expect(fields).not.toEqual([]);
    const said = wordsInCode(guide(path));
    expect(fields.filter((field) => !said.has(field))).toEqual([]);
  });
});

describe("names", () => {
  const rowsOf = (text: string): string[] =>
    Array.from(text.matchAll(/^\| (.+?) \|/gm), ([, cell = ""]) => cell);

  test("everything that can be imported", () => {
    const texts = [readme, ...guides].map(({ text }) => text).join();
    const mockEntries = [mocks, msw, node, server, connect, playwright];
    const names = [adgen, assumed, submissions, fileStore, proxy, ...mockEntries].flatMap(
      Object.keys,
    );
    expect(names.filter((name) => !texts.includes(name))).toEqual([]);
  });

  test("every call in the README", () => {
    const said = wordsInCode(readme.text);
    const words = Object.keys(endpoints).flatMap((name) => name.split("."));
    expect(words).toContain("submit");
    expect(words.filter((word) => !said.has(word))).toEqual([]);
  });

  test("every call in the table of the client's guide", () => {
    const rows = Array.from(
      guide("guides/client").matchAll(/^\| `([\w.]+)\([^`]*\)` \| `(\w+) ([^`]+)` \|/gm),
      ([, ...row]) => row.join(" "),
    );
    const calls = Object.entries(endpoints).map(
      ([name, call]) => `${name} ${call.method} ${call.path}`,
    );
    expect(rows).toEqual(calls);
  });

  test("every error code", () => {
    const codes =
      readFileSync("src/errors/error-fields.ts", "utf8").match(/(?<=^ {2}\| )"\w+"/gm) ?? [];
    expect(codes).toHaveLength(17);
    const listed = guide("guides/errors");
    expect(codes.filter((code) => !listed.includes(`| \`${code.slice(1, -1)}\` |`))).toEqual([]);
  });

  test("every assumption once, in order, between the markers", () => {
    const page = guide("service/documented-and-assumed");
    const [, table = ""] = /<!-- assumptions -->(.*)<!-- \/assumptions -->/s.exec(page) ?? [];
    const rows = rowsOf(table).filter((cell) => /^A\d+$/.test(cell));
    expect(rows).toEqual(Object.keys(assumptions).map((_, index) => `A${index + 1}`));
    expect(rowsOf(page).filter((cell) => /^A\d+$/.test(cell))).toEqual(rows);
    expect(readFileSync("README.md", "utf8")).toContain(`(A1 to ${rows.at(-1)})`);
  });

  test("every kind of fault in the table of faults, and each only once", () => {
    const table = rowsOf(guide("testing/faults")).flatMap((cell) => cell.match(/`[\w-]+`/g) ?? []);
    expect(table.sort()).toEqual(["kind", ...faultKinds].map((kind) => `\`${kind}\``).sort());
  });

  test("every part of the admin", async () => {
    await using running = await server.startMockServer();
    const answer = await fetch(`${running.url}/__mock/help`);
    const { data }: { data: { routes: { path: string }[] } } = await answer.json();
    const parts = new Set(data.routes.map(({ path }) => path.split("/")[2] ?? ""));
    expect(parts.size).toBeGreaterThan(8);
    const said = wordsInCode(guide("testing/server"));
    const words = [...parts].flatMap((part) => part.split(/\W/));
    expect(words.filter((word) => !said.has(word))).toEqual([]);
  });

  test("only options that the command has", () => {
    const command = ["mocks/cli.ts", "--help"];
    const { stdout } = spawnSync(process.execPath, command, { encoding: "utf8" });
    const options = new Set(stdout.match(/--[a-z][\w-]*/g));
    const named = guide("testing/server").match(/--[a-z][\w-]*/g) ?? [];
    expect(named).toContain("--timeline");
    expect(named.filter((option) => !options.has(option))).toEqual([]);
  });
});
