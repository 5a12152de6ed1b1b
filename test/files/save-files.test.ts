import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { createClient } from "adgen-sdk";
import { openFile, saveFiles } from "adgen-sdk/files";
import { createMockService } from "adgen-sdk/mocks";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { answerWithText } from "../helpers/answers.ts";
import { type Answer, type HttpServer, listen } from "../helpers/http-server.ts";
import { runCommand } from "../helpers/run-command.ts";

const root = mkdtempSync(join(tmpdir(), "save-files-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(root, "test-")), "below", "ads");
});

const send = (type: string, text: string, status = 200, headers = {}): Answer =>
  answerWithText(status, text, { "content-type": type, ...headers });
/** First bytes of a video. */
const film = `\0\0\0\x20ftypisom${"x".repeat(100)}`;

const png = send("Image/PNG; charset=binary", "a picture");

const stall: Answer = (response) => {
  response.writeHead(200, { "content-type": "video/mp4" });
  response.write(film);
};

const jobOf = (urls: readonly string[], job_id = "job_1") =>
  ({ job_id, status: "completed", result: { images: urls.map((url) => ({ url })) } }) as const;

/** Lists all files in the folder and beside it, with `.part` files. */
const saved = (): string[] =>
  readdirSync(join(folder, "..", ".."), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();

const saveFrom = async (answer: Answer, options = {}, path = "/file.exe?signature=1") => {
  const server = await listen(answer);
  const files = saveFiles(jobOf([`${server.url}${path}`]), folder, options);
  return { server, files };
};

test("saveFiles saves files in the order of the result, with the extensions of their types", async () => {
  const { url, received } = await listen(png, send("video/mp4", "a film"));
  const film = { url: `${url}/2` };
  const job = { ...jobOf([`${url}/1`]), result: { images: [{ url }], videos: [film, {}], n: 2 } };
  const paths = await saveFiles(job, `${folder}/`);
  expect(paths).toEqual([join(folder, "job_1-1.png"), join(folder, "job_1-2.mp4")]);
  expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(["a picture", "a film"]);
  expect(saved()).toEqual(["job_1-1.png", "job_1-2.mp4"]);
  for (const { headers } of received) {
    expect(headers).not.toHaveProperty("authorization");
    expect(headers).not.toHaveProperty("cookie");
  }
});

test("saveFiles saves the data URLs of the mock's jobs", async () => {
  const { fetch } = createMockService({ timeline: { queuedMs: 0, processingMs: 0 } });
  const client = createClient({ baseUrl: "https://ads.test", apiKey: "test-key", fetch });
  const job = await client.jobs.submitAndPoll({ action: "generate-ad", variations: 2 });
  if (job.status === "failed") throw new Error(job.error);
  const paths = await saveFiles(job, folder);
  expect(paths.map((path) => readFileSync(path, "utf8").slice(0, 4))).toEqual(["<svg", "<svg"]);
});

test("a repeated saveFiles fetches only the files that are missing", async () => {
  const { url, received } = await listen(png, send("text/plain", "busy", 503), png);
  const job = jobOf([`${url}/1`, `${url}/2`]);
  await expect(saveFiles(job, folder)).rejects.toMatchObject({ code: "server_error" });
  expect(saved()).toEqual(["job_1-1.png"]);
  const paths = await saveFiles(job, folder);
  expect(await saveFiles(job, folder)).toEqual(paths);
  expect(received.map((request) => request.url)).toEqual(["/1", "/2", "/2"]);
});

test("two calls of saveFiles at the same time save a whole file", async () => {
  const text = "x".repeat(1_000_000);
  const { url } = await listen(send("image/webp", text));
  const both = await Promise.all([1, 2].map(() => saveFiles(jobOf([url]), folder)));
  expect(both).toEqual([[join(folder, "job_1-1.webp")], [join(folder, "job_1-1.webp")]]);
  expect(readFileSync(both[0]?.[0] ?? "", "utf8")).toBe(text);
  expect(saved()).toEqual(["job_1-1.webp"]);
});

test.each(["../../up", "..", "/etc/cron.d/x", "C:\\x", "a\0b", "\uD800"])(
  "saveFiles stays inside its folder for a job with the id %j",
  async (id) => {
    const [path] = await saveFiles(jobOf(["data:image/png,x"], id), folder);
    expect(readdirSync(folder).map((name) => `${folder}/${name}`)).toEqual([path]);
  },
);

test("saveFiles follows a redirect", async () => {
  const files = await listen(png);
  const { url } = await listen(send("", "", 302, { location: `${files.url}/1` }));
  expect(await saveFiles(jobOf([url]), folder)).toEqual([join(folder, "job_1-1.png")]);
  expect(files.received).toHaveLength(1);
});

const endless: Answer = (response) => {
  response.writeHead(200, { "content-type": "video/mp4" });
  const more = () => response.write("x".repeat(10_000), () => response.destroyed || more());
  more();
};
const lead = (location: string) => send("image/png", "a picture", 302, { location });
const { signal } = new AbortController();

test.each<[what: string, answer: Answer, options: object, code: string, message: RegExp]>([
  ["is empty", send("image/png", ""), {}, "decode data", /is empty/],
  [
    "is too large by its content-length",
    send("image/png", "", 200, { "content-length": 1_001 }),
    { maxBytes: 1_000 },
    "decode too-large",
    /more than 1000 bytes \(maxBytes\)/,
  ],
  ["is too large and has no end", endless, { maxBytes: 9_999 }, "decode too-large", /9999 bytes/],
  ["stalls", stall, { timeoutMs: 40 }, "timeout", /longer than 40 ms \(timeoutMs\)/],
  ["isn't answered", () => {}, { timeoutMs: 40 }, "timeout", /longer than 40 ms/],
  ["redirects to a file of this machine", lead("file:///a"), {}, "connection", /not be fetched/],
])("saveFiles refuses a file that %s, and leaves nothing of it", async (_, answer, ...row) => {
  const [options, code, message] = row;
  const { server, files } = await saveFrom(answer, { signal, ...options });
  const error = await files.catch((thrown) => thrown);
  expect([error.code, error.reason].join(" ").trim()).toBe(code);
  expect(error.message).toMatch(message);
  expect(error.message).toContain(`${server.url}/file.exe`);
  expect(String(error)).not.toContain("signature");
  expect(saved()).toEqual([]);
  if (answer === endless) await expect.poll(() => server.sockets.size).toBe(0);
});

test("openFile names the system's code when a host doesn't exist or refuses the connection", async () => {
  const { url, close } = await listen(png);
  close();
  const end = "could not be fetched to its end";
  for (const [where, code] of [
    ["http://a..b", "ENOTFOUND"],
    [url, "ECONNREFUSED"],
  ] as const) {
    const error = await openFile(`${where}/1.png?signature=1`).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "connection", cause: { code } });
    expect(error).toHaveProperty("message", `${where}/1.png ${end} (${code})`);
  }
});

test("an abort of saveFiles leaves no file and no connection", async () => {
  const controller = new AbortController();
  const { server, files } = await saveFrom(stall, { signal: controller.signal });
  await expect.poll(() => saved().length).toBe(1); // the part
  controller.abort(new Error("enough"));
  const cause = { message: "enough" };
  await expect(files).rejects.toMatchObject({ name: "AbortError", code: "aborted", cause });
  expect(saved()).toEqual([]);
  await expect.poll(() => server.sockets.size).toBe(0);
  const late = saveFiles(jobOf([server.url]), folder, { signal: controller.signal });
  await expect(late).rejects.toMatchObject({ code: "aborted" });
  const inline = openFile("data:image/png,x", { signal: controller.signal });
  await expect(inline).rejects.toMatchObject({ code: "aborted" });
  expect(server.received).toHaveLength(1);
});

test("saveFiles leaves no file on a full disk", async () => {
  const { writeFile } = fs;
  const onFullDisk = vi.spyOn(fs, "writeFile").mockImplementation(async (path, body) => {
    await writeFile(path, "the start");
    await writeFile("/dev/full", body);
  });
  const { server, files } = await saveFrom(endless);
  const error = await files.catch((reason: unknown) => reason);
  onFullDisk.mockRestore();
  expect(error).toMatchObject({ code: "store", cause: { code: "ENOSPC" } });
  expect(error).toHaveProperty("message", expect.stringMatching(/ads: ENOSPC.*room on its disk/));
  expect(saved()).toEqual([]);
  await expect.poll(() => server.sockets.size).toBe(0);
});

test("saveFiles fetches nothing when its folder is a file", async () => {
  await fs.mkdir(join(folder, ".."));
  writeFileSync(folder, "mine");
  const { server, files } = await saveFrom(png);
  await expect(files).rejects.toMatchObject({ code: "store", cause: { code: "EEXIST" } });
  expect(server.received).toEqual([]);
});

let server: HttpServer;
beforeEach(async () => {
  server = await listen(png);
});

const unlinked = { ...jobOf([]), result: { copy: [{ headline: "Lemonade" }] } };
const noUrl = /job "job_1" is completed, and its result has no URL of a file: look at job\.result/;

type JobAt = (url: string) => unknown;

test.each<[what: string, jobAt: JobAt, message: RegExp, code?: string]>([
  ["a job that failed", () => ({ status: "failed" }), /got one that is "failed"/],
  ["null", () => null, /takes a completed job, got null/],
  ["a job without an id", (url) => ({ ...jobOf([url]), job_id: "" }), /completed job/],
  ["a result of texts", () => unlinked, noUrl, "decode"],
  [
    "a URL with a password",
    (url) => jobOf([url.replace("//", "//me:secret@")]),
    /must not hold a user or a password/,
  ],
])("saveFiles refuses %s before it sends anything", async (_, jobAt, message, code) => {
  const job = jobAt(server.url) as Parameters<typeof saveFiles>[0];
  const error = await saveFiles(job, folder).catch((reason) => reason);
  const fields = { code: code ?? "invalid_request", message: expect.stringMatching(message) };
  expect(error).toMatchObject(fields);
  expect(JSON.stringify([error, String(error.cause)])).not.toContain("secret");
  if (code === "decode") expect(error).toMatchObject({ jobId: "job_1", lastJob: job });
  expect([saved(), server.received]).toEqual([[], []]);
});

test.each<[object, RegExp]>([
  [{ maxBytes: 0 }, /^maxBytes must be a whole number of 1 or more, got 0/],
  [{ timeoutMs: "1" }, /^timeoutMs must be/],
  [{ signal: new AbortController() }, /^signal must be an AbortSignal/],
  [{ maxbytes: 1 }, /has no option "maxbytes"/],
])(
  "saveFiles and openFile refuse the options %j before they send anything",
  async (options, message) => {
    const fields = { code: "invalid_request", message: expect.stringMatching(message) };
    await expect(saveFiles(jobOf([server.url]), folder, options)).rejects.toMatchObject(fields);
    await expect(openFile(server.url, options)).rejects.toMatchObject(fields);
    expect(server.received).toEqual([]);
  },
);

test("saveFiles refuses an empty folder before it sends anything", async () => {
  const files = saveFiles(jobOf([server.url]), "");
  await expect(files).rejects.toThrow("takes the path of a folder");
  expect(server.received).toEqual([]);
});

test.each([
  ["file:///etc/passwd", /is not fetched: use an http: or https: URL/],
  ["/1.png?X-Signature=s3cret", /^the URL of a file must be absolute, got "\/1\.png"$/],
  ["https://files.test:port/1.png?X-Signature=s3cret", /absolute, got "https.*1\.png"$/],
  ["blob:https://files.test/1?X-Signature=s3cret", /is not fetched: use an http: or https: URL/],
  [undefined, /must be absolute, got undefined$/],
])("openFile refuses %j without showing its query", async (url, message) => {
  const error = await openFile(url as string).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "invalid_request" });
  expect(error).toHaveProperty("message", expect.stringMatching(message));
  expect(inspect(error)).not.toContain("s3cret");
});

test("openFile leaves no timer behind", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { body } = await openFile("data:image/png,x");
  const others = [new Response(body).text(), openFile("data:text/html,x").catch(() => {})];
  await Promise.all([...others, openFile("data:image/png,x").then((file) => file.body.cancel())]);
  const left = vi.getTimerCount();
  vi.useRealTimers();
  expect(left).toBe(0);
});

test("a file that nobody reads doesn't keep the process alive", async () => {
  const source = new URL("../../src/files/open-file.ts", import.meta.url);
  const code = `const { openFile } = await import("${source}");
await openFile("data:image/png,x");`;
  const node = [process.execPath, "--input-type=module", "--eval", code];
  const startedAt = performance.now();
  expect(await runCommand(root, node)).toMatchObject({ status: 0 });
  expect(performance.now() - startedAt).toBeLessThan(30_000);
}, 150_000);

test("cancelling the body of openFile closes the connection", async () => {
  const { url, sockets } = await listen(stall);
  const { body } = await openFile(url);
  await body.cancel();
  await expect.poll(() => sockets.size).toBe(0);
});

test("a body of openFile errors when the time of the file is over", async () => {
  const { url } = await listen(stall);
  const { body } = await openFile(url, { timeoutMs: 40 });
  await expect(new Response(body).text()).rejects.toMatchObject({ code: "timeout" });
});
