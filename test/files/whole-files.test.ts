import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { OutgoingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { openFile, saveFiles } from "adgen-sdk/files";
import { afterAll, beforeEach, expect, test } from "vitest";
import { answerWithText } from "../helpers/answers.ts";
import { rejection } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const root = mkdtempSync(join(tmpdir(), "whole-files-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, "test-"));
});

const bytesOf = (start: string): Buffer =>
  Buffer.concat([Buffer.from(start, "latin1"), Buffer.alloc(200, 1)]);
const png = Buffer.concat([
  bytesOf("\x89PNG\r\n\x1a\n"),
  Buffer.from("0000000049454e44ae426082", "hex"),
]);

const send = (body: string | Buffer, headers: OutgoingHttpHeaders = {}, status = 200): Answer =>
  answerWithText(status, body, headers);

const completed = (result: unknown) => ({ job_id: "job_1", status: "completed", result }) as const;

/** Saves the answer of a server, and returns the names in the folder. */
const saveFrom = async (answer: Answer, path = "/f?X-Signature=s3cret"): Promise<string[]> => {
  const { url } = await listen(answer);
  await saveFiles(completed([`${url}${path}`]), folder);
  return readdirSync(folder);
};

test.each<[string, string | string[]]>([
  ["image/jpg", "image/jpg"],
  ["image/pjpeg", "image/pjpeg"],
  ["a wrong label", "image/png"],
  ["a label that says page", "text/html"],
  ["binary/octet-stream", "binary/octet-stream"],
  ["a header that is set twice", ["image/jpeg", "image/jpeg"]],
  ["a label that is no type", "jpeg"],
])("saveFiles saves a JPEG as .jpg when its label is %s", async (_, type) => {
  const jpeg = bytesOf("\xff\xd8\xff\xe0");
  expect(await saveFrom(send(jpeg, { "content-type": type as string }))).toEqual(["job_1-1.jpg"]);
  expect(readFileSync(join(folder, "job_1-1.jpg"))).toEqual(jpeg);
});

test.each([
  ["\x89PNG\r\n\x1a\n", ".png", "image/png"],
  ["\xff\xd8\xff\xdb", ".jpg", "image/jpeg"],
  ["GIF89a", ".gif", "image/gif"],
  ["RIFF\x10\0\0\0WEBPVP8 ", ".webp", "image/webp"],
  ["RIFF\x10\0\0\0WAVEfmt ", ".wav", "audio/wav"],
  ["\0\0\0\x20ftypavif\0\0\0\0mif1", ".avif", "image/avif"],
  ["\0\0\0\x20ftypmif1\0\0\0\0mif1avif", ".avif", "image/avif"],
  ["\0\0\0\x18ftypheic\0\0\0\0mif1", ".heic", "image/heic"],
  ["\0\0\0\x18ftypisom\0\0\x02\0isomiso2avc1mp41", ".mp4", "video/mp4"],
  ["\0\0\0\x14ftypqt  \0\0\x02\0qt  ", ".mov", "video/quicktime"],
  ["\0\0\0\x08wide\0\0\x10\0mdat", ".mov", "video/quicktime"],
  ["\0\0\0\x18ftypM4A \0\0\0\0", ".m4a", "audio/mp4"],
  ["\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm", ".webm", "video/webm"],
  ["ID3\x04\0\0", ".mp3", "audio/mpeg"],
  ["\xff\xfb\x90\x64", ".mp3", "audio/mpeg"],
])("openFile recognises %j without a label as %s", async (start, extension, type) => {
  const { url } = await listen(send(bytesOf(start)));
  const file = await openFile(url);
  await file.body.cancel();
  expect(file).toMatchObject({ extension, type });
});

test.each([
  ["a name space", "<svg xmlns='http://www.w3.org/2000/svg'></svg>"],
  ["a comment with HTML", "\uFEFF\n<?xml version='1.0'?>\n<!-- <html> -->\n<svg></svg>"],
  ["a document type", '<!DOCTYPE svg PUBLIC "-//W3C" "svg11.dtd" [ <!ENTITY a "b"> ]><svg></svg>'],
  ["a long comment", `<?xml version="1.0"?><!-- ${"x".repeat(9_000)} --><s:svg xmlns:s="s"/>`],
])("saveFiles recognises an SVG with %s", async (_, text) => {
  expect(await saveFrom(send(text, { "content-type": "text/plain" }))).toEqual(["job_1-1.svg"]);
});

test.each([
  ["image/x-new", "/f.png", ".new"],
  ["image/pjpeg", "/f", ".jpg"],
  ["audio/x-flac", "/f", ".flac"],
  ["application/pdf", "/f", ".pdf"],
  ["application/octet-stream", "/f.GLB?X-Signature=a.png", ".glb"],
  ["", "/f.JPEG", ".jpg"],
  ["", "/f", ".bin"],
  ["../../evil", "/f.d/evil", ".bin"],
  ["text/vtt", "/captions.vtt", ".vtt"],
  ["application/json", "/animation.json", ".json"],
])("saveFiles saves unknown bytes with the label %j at %s as %s", async (type, path, extension) => {
  const answer = send("12 unknown bytes", type === "" ? {} : { "content-type": type });
  expect(await saveFrom(answer, path)).toEqual([`job_1-1${extension}`]);
});

test("saveFiles recognises a file whose bytes come one by one", async () => {
  const { url } = await listen((response) => {
    const bytes = [...bytesOf("\0\0\0\x20ftypmif1\0\0\0\0mif1avif")];
    const more = (): void => {
      const byte = bytes.shift();
      if (byte === undefined) response.end();
      else response.write(Uint8Array.of(byte), () => setImmediate(more));
    };
    more();
  });
  const [path = ""] = await saveFiles(completed([url]), folder);
  expect([path.slice(-5), readFileSync(path).length]).toEqual([".avif", 224]);
});

test.each([
  ["HTML", "image/png", "<!doctype html><html><svg></svg></html>"],
  ["HTML", "image/png", "<!-- a proxy --><HTML>"],
  ["XML", "application/octet-stream", "<?xml version='1.0'?><Error>AccessDenied</Error>"],
  ["JSON", "image/png", '{"error": "expired"}'],
  ["JSON", "", "[]"],
  ["text/plain", "text/plain; charset=utf-8", "The token has expired."],
  ["application/problem+json", "application/problem+json", "expired"],
])("saveFiles refuses %s with the label %j in place of a file", async (what, type, text) => {
  const answer = send(text, type === "" ? {} : { "content-type": type });
  const error = await rejection(saveFrom(answer));
  const fields = { code: "decode", reason: "data", status: 200, contentType: type };
  expect(error).toMatchObject(fields);
  const words = `answered 200 with ${what} text in place of a file: its URL may have expired`;
  expect(error.message).toContain(words);
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ["a PNG", png, true],
  ["a JPEG", Buffer.concat([bytesOf("\xff\xd8\xff"), Buffer.from([0xff, 0xd9])]), true],
  ["a GIF", Buffer.concat([bytesOf("GIF89a"), Buffer.from(";")]), true],
  ["a cut PNG", png.subarray(0, 200), false],
  ["a cut JPEG", bytesOf("\xff\xd8\xff"), false],
  ["a cut GIF", bytesOf("GIF89a"), false],
  ["a video, whose end has no mark", bytesOf("\0\0\0\x20ftypisom"), false],
])("saveFiles checks the end of %s that came as gzip", async (_, body, isWhole) => {
  const work = saveFrom(send(gzipSync(body), { "content-encoding": "gzip" }));
  if (isWhole) expect(await work).toHaveLength(1);
  else expect(await rejection(work)).toMatchObject({ code: "connection" });
  expect(readdirSync(folder)).toHaveLength(isWhole ? 1 : 0);
});

test("saveFiles asks for no content coding", async () => {
  const { url, received } = await listen(send(png));
  await saveFiles(completed(url), folder);
  expect(received[0]?.headers).toMatchObject({ "accept-encoding": "identity" });
});

test.each([
  [204, "unexpected_status", "this is not the whole file"],
  [206, "unexpected_status", "this is not the whole file"],
  [304, "unexpected_status", "this is not the whole file"],
  [403, "unexpected_status", "its URL may have expired"],
  [404, "not_found", "its URL may have expired"],
  [410, "unexpected_status", "its URL may have expired"],
  // Without a Retry-After, the messages of these two name no wait.
  [429, "rate_limited", "its server is busy"],
  [503, "server_error", "its server is busy"],
  [500, "server_error", "its server has failed"],
])("saveFiles refuses an answer with the status %i as %s", async (status, code, words) => {
  const body = status === 204 || status === 304 ? "" : png;
  const error = await rejection(saveFrom(send(body, { "content-type": "image/png" }, status)));
  const message = expect.stringContaining(`answered ${status}: ${words}`);
  expect(error).toMatchObject({ code, status, message });
  expect(readdirSync(folder)).toEqual([]);
});

test.each(["end", "resetAndDestroy"] as const)(
  "saveFiles refuses chunks that stop (%s)",
  async (end) => {
    const error = await rejection(
      saveFrom((response) => {
        response.writeHead(200, { "content-type": "image/png" });
        response.write(png, () => setTimeout(() => response.socket?.[end](), 20));
      }),
    );
    expect(error).toMatchObject({ code: "connection" });
    expect(readdirSync(folder)).toEqual([]);
  },
);

test.each([429, 503])(
  "a storage that answers %i is asked again after its Retry-After",
  async (status) => {
    const busy = send("busy", { "retry-after": "1" }, status);
    const { url, received } = await listen(busy, send(png));
    expect(await saveFiles(completed([url]), folder)).toHaveLength(1);
    const [first, second] = received.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(990);
  },
);

test("a busy storage is not asked again when its wait does not fit the time of the file", async () => {
  const { url, received } = await listen(send("busy", { "retry-after": "60" }, 429));
  const startedAt = performance.now();
  const error = await rejection(openFile(url, { timeoutMs: 10_000 }));
  expect(error).toMatchObject({ code: "rate_limited", retryAfterMs: 60_000, status: 429 });
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(received).toHaveLength(1);
});

test("an abort ends the wait for a busy storage", async () => {
  const { url, received } = await listen(send("busy", { "retry-after": "60" }, 503));
  const controller = new AbortController();
  const work = rejection(openFile(url, { signal: controller.signal }));
  await expect.poll(() => received.length).toBe(1);
  controller.abort();
  expect(await work).toMatchObject({ code: "aborted" });
});

const a = "data:image/png,a";
const b = "data:image/png,b";
test.each<[string, unknown]>([
  ["URLs in a list", { images: [a, b] }],
  ["URLs in objects of any list", { assets: [{ url: a }, { src: b }] }],
  ["URLs in single fields", { image: a, thumbnail: { of: { it: b } } }],
  ["URLs of lists in lists", [[a], [[b]]]],
  ["a repeated URL once", { images: [a, b, a], first: a }],
  ["the URL objects of a schema", { images: [new URL(a), b] }],
  [
    "no link to a page for visitors",
    {
      images: [a, b],
      call_to_action_url: "https://shop.test",
      landingPage: { url: "http://x.test" },
    },
  ],
  [
    "no URL within other text",
    { a, b, headline: "See https://shop.test today", tip: "data: cheap, fast", n: 1, none: null },
  ],
])("saveFiles finds %s", async (_, result) => {
  const paths = await saveFiles(completed(result), folder);
  expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(["a", "b"]);
});

test.each([undefined, null, 7, "text", {}, { images: [{}] }, { cta_url: a }, ["ftp://x.test/a"]])(
  "saveFiles refuses a result without a URL, with the job in its error: %j",
  async (result) => {
    const error = await rejection(saveFiles(completed(result), folder));
    expect(error).toMatchObject({ code: "decode", lastJob: { result } });
  },
);

const job = completed(["data:image/png,a", "data:image/gif,b"]);

test("saveFiles passes the facts of each file to name, and uses its names", async () => {
  const seen: unknown[] = [];
  const name = (file: { index: number; extension: string }) => {
    seen.push(file);
    return `lemonade-${file.index}${file.extension}`;
  };
  const paths = await saveFiles(job, folder, { name });
  expect(paths).toEqual([`${folder}/lemonade-1.png`, `${folder}/lemonade-2.gif`]);
  expect(seen).toEqual([
    { jobId: "job_1", index: 1, count: 2, extension: ".png", type: "image/png" },
    { jobId: "job_1", index: 2, count: 2, extension: ".gif", type: "image/gif" },
  ]);
  expect(await saveFiles(job, folder, { name })).toEqual(paths);
  expect(readdirSync(folder)).toHaveLength(2);
});

test.each([
  ...["", ".", "..", "../up.png", "a/b.png", "a\\b.png", "/etc/x.png", "a\0b", "a\nb", "\uD800"],
  ...[undefined, 7, Promise.resolve("a.png")],
])("saveFiles refuses the file name %j", async (given) => {
  const error = await rejection(saveFiles(job, folder, { name: () => given as string }));
  expect(error).toMatchObject({ code: "invalid_request" });
  expect(error.message).toMatch(/^name must return a file name without slashes/);
  expect([readdirSync(folder), existsSync(join(root, "up.png"))]).toEqual([[], false]);
});

test("saveFiles refuses the same name for two files", async () => {
  const error = await rejection(saveFiles(job, folder, { name: () => "same" }));
  expect(error).toMatchObject({ code: "invalid_request" });
  expect(error.message).toMatch(/gives two files the name of .*same: put index into it$/);
  expect(readFileSync(join(folder, "same"), "utf8")).toBe("a");
});

test("saveFiles refuses the name of a file with other content", async () => {
  writeFileSync(join(folder, "1.png"), "of another job");
  const error = await rejection(saveFiles(job, folder, { name: ({ index }) => `${index}.png` }));
  expect(error).toMatchObject({ code: "invalid_request" });
  expect(error.message).toMatch(/1\.png is there already, with other content: remove it/);
  expect(readFileSync(join(folder, "1.png"), "utf8")).toBe("of another job");
  expect(readdirSync(folder)).toEqual(["1.png"]);
});

test("a saved file of an unknown type isn't fetched again, but a .part file is ignored", async () => {
  const { url, received } = await listen(send("12 unknown bytes"));
  writeFileSync(join(folder, "job_1-1.png.1b9d.part"), "a part");
  const job = completed([`${url}/f.glb`]);
  const paths = await saveFiles(job, folder);
  expect(paths).toEqual([`${folder}/job_1-1.glb`]);
  expect(await saveFiles(job, folder)).toEqual(paths);
  expect(received).toHaveLength(1);
});
