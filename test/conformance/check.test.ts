// `adgen-mock check`, in this process: against the mock, and against servers that differ.
import { expect, onTestFinished, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { type MockServer, startMockServer } from "../../mocks/server/index.ts";
import { runCheck } from "../../mocks/server/run-check.ts";
import { endpoints } from "../../src/contract/endpoint.ts";
import { answerWithText } from "../helpers/answers.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

/** Runs the command with variables, and returns its exit code and its lines. */
const runWith = async (variables: Record<string, string>, ...args: string[]) => {
  const lines: string[] = [];
  const print = (text: string) => void lines.push(...text.split("\n"));
  const env = { ADGEN_API_KEY: "test-key", ...variables };
  const code = await runCheck(args, { print, printError: print, env });
  return { code, lines, text: lines.join("\n") };
};
const run = (...args: string[]) => runWith({}, ...args);

const startMock = async (...given: Parameters<typeof startMockServer>): Promise<MockServer> => {
  const server = await startMockServer(...given);
  onTestFinished(() => server.close());
  return server;
};

test("adgen-mock check finds that the mock fits in every step, and spends nothing without --spend", async () => {
  const { url } = await startMock({ timeline: { queuedMs: 0, processingMs: 0 } });
  const { code, lines } = await run("--base-url", url);
  expect(code).toBe(0);
  expect(lines.filter((line) => line.startsWith("ok"))).toHaveLength(13);
  expect(lines.filter((line) => line.startsWith("skipped"))).toEqual([
    "skipped  takes a job for one image credit  (costs a credit: add --spend)",
    "skipped  finishes the paid job  (costs a credit: add --spend)",
  ]);
});

test("adgen-mock check calls the service that ADGEN_BASE_URL names, unless a flag names another", async () => {
  const [{ url, service }, other] = [await startMock(), await startMock()];
  expect((await runWith({ ADGEN_BASE_URL: url })).lines[0]).toBe(`Checks ${url}`);
  expect(service.journal.entries).not.toEqual([]);
  const text = (await runWith({ ADGEN_BASE_URL: url }, "--base-url", other.url)).lines[0];
  expect(text).toBe(`Checks ${other.url}`);
});

test("adgen-mock check --spend costs one image credit, calls every endpoint, and deletes brand and ad", async () => {
  const { url, service } = await startMock({ timeline: { queuedMs: 0, processingMs: 0 } });
  expect((await run("--base-url", url, "--spend")).code).toBe(0);
  const account = service.account("test-key");
  account.assertCharges([{ credit: "image", amount: 1 }]);
  expect([account.brands, account.savedAds, account.jobs.count]).toEqual([[], [], 2]);
  const called = new Set(account.journal.entries.map(({ operation }) => operation));
  expect([...called].sort()).toEqual(Object.keys(endpoints).sort());
});

test("adgen-mock check lists each difference of a server with its assumption, without the key", async () => {
  const service = createMockService({ timeline: { queuedMs: 0, processingMs: 0 } });
  const differ = async (...[outgoing, asked]: Parameters<Answer>): Promise<void> => {
    const { method, url: path, headers, body } = asked;
    const init = {
      method,
      headers: { authorization: headers.authorization ?? "" },
      ...(body !== "" && { body }),
    };
    const answer = await service.fetch(`http://x.test${path}`, init);
    let { status } = answer;
    const { data, error, success } = await answer.json();
    let made = data;
    if (status === 401) outgoing.removeHeader("www-authenticate");
    if (method === "DELETE" && status === 200) status = 204; // A7
    if (path === "/v1/brands" && Array.isArray(data?.brands)) made = data.brands; // A4
    if (method === "POST" && path === "/v1/brands")
      made = { id: data.id, echo: headers.authorization }; // A5
    if (method === "GET" && data?.result)
      made = { job_id: data.job_id, status: "completed", result: [] }; // A3, A9
    const words = success === false && status === 400 ? "Unknown action" : error; // document
    outgoing.writeHead(status, { "content-type": "application/json" });
    outgoing.end(
      status === 204 ? undefined : JSON.stringify({ success, data: made, error: words }),
    );
  };
  const { url } = await listen((...given) => void differ(...given));
  const { code, lines, text } = await run("--base-url", url, "--key", "test-key");
  expect(code).toBe(1);
  const differing = lines.filter((line) => line.startsWith("differs")).map((line) => line.slice(9));
  expect(differing.map((line) => line.split("  (")[0])).toEqual([
    "refuses a wrong key",
    "refuses an unsupported action in the documented words",
    "makes a brand",
    "lists the brands",
    "deletes the ad",
    "deletes the brand",
    "finishes the free job",
  ]);
  expect(differing[1]).toContain(
    'document: the error lists the nine actions; saw 400 {"success":false',
  );
  expect(differing[4]).toContain("A7: savedAds.delete answers 200; saw 204 no body");
  expect(text).toContain("\n7 answers differ.");
  expect(lines.slice(lines.indexOf("These assumptions are wrong:") + 1, -2)).toEqual([
    "  A20  a 401 has WWW-Authenticate: Bearer",
    "  A3  a job has job_id, status, action and created_at",
    "  A4  a list is { brands: [...] }",
    "  A5  a brand has id, name, created_at and updated_at",
    "  A7  brands.delete answers 200",
    "  A7  savedAds.delete answers 200",
    "  A9  a completed job has result: { copy: [{ headline, primary_text, description, call_to_action }] }",
  ]);
  expect(text).toContain("Bearer <key>");
  expect(text).not.toContain("test-key");
});

test("adgen-mock check reports an unfinished job, and skips the steps that need a missing brand", async () => {
  const service = createMockService({ timeline: { queuedMs: 0, processingMs: Infinity } });
  service.faults.play(
    { kind: "status", status: 201, body: { success: true, data: { name: "x" }, error: null } },
    { operation: "brands.create" },
  );
  const { url } = await startMock({ service });
  const { code, text } = await run("--base-url", url, "--wait", "1");
  expect(code).toBe(1);
  expect(text).toContain("differs  makes a brand  (A5: ");
  expect(text).toContain("skipped  changes the brand  (there is no brand)");
  expect(text).toMatch(/differs {2}finishes the free job {2}\(document: .*job_/);
});

test.each([
  ["a web page", "<!doctype html><title>Shop</title>", 200, "No ad generation service answers at "],
  ["another API", '{"items":[]}', 200, "No ad generation service answers at "],
  ["a refused key", '{"success":false,"data":null,"error":"no"}', 401, "refuses the key"],
])(
  "adgen-mock check ends after one request to a server with %s",
  async (_, body, status, words) => {
    const { url, received } = await listen(answerWithText(status, body));
    const { code, lines } = await run("--base-url", url);
    expect([code, lines]).toEqual([2, [`Checks ${url}`, expect.stringContaining(words)]]);
    expect(received).toHaveLength(1);
  },
);

test.each<[flags: string[], code: number, words: string]>([
  [["--base-ulr", "http://127.0.0.1:1"], 2, "--base-ulr"],
  [[], 2, "--base-url"],
  [["--wait", "soon"], 2, "--wait must be"],
  [["--help"], 0, "--spend"],
])("adgen-mock check %j ends with %i, and says why", async (flags, code, words) => {
  expect(await run(...flags)).toMatchObject({ code, text: expect.stringContaining(words) });
});
