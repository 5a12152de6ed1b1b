import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { toDataUrl } from "adgen-sdk/files";
import { afterAll, expect, test, vi } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "to-data-url-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
const base64 = Buffer.from(bytes).toString("base64");
const path = join(folder, "A bottle.PNG");
writeFileSync(path, bytes);
writeFileSync(join(folder, "empty.png"), "");

const part = new Uint8Array([0, ...bytes]).subarray(1);
test.each<[string, Parameters<typeof toDataUrl>[0], object, string]>([
  ["a path", path, {}, "image/png"],
  ["a file: URL", pathToFileURL(path), {}, "image/png"],
  ["a Blob", new Blob([bytes], { type: "image/webp;x=1" }), {}, "image/webp"],
  ["a File", new File([bytes], "a.jpeg", { type: "image/jpeg" }), {}, "image/jpeg"],
  ["bytes", bytes, { type: "image/heic" }, "image/heic"],
  ["a part of a buffer", part, { type: "image/png", maxBytes: 100_000 }, "image/png"],
  ["a path of exactly maxBytes", path, { maxBytes: 100_000 }, "image/png"],
  ["an ArrayBuffer", bytes.buffer, { type: "image/svg+xml" }, "image/svg+xml"],
])("toDataUrl converts %s", async (_, file, options, type) => {
  expect(await toDataUrl(file, options)).toBe(`data:${type};base64,${base64}`);
});

const page = new Blob(["<p>"], { type: "text/html" });
const film = new Blob(["\0\0\0\x20ftypisom"], { type: "image/png" });
const asType = 'if it is one, pass its type, as in { type: "image/png" }';
const asUrl = "put the URL itself into images, or fetch it and pass its Blob";
const kinds = "takes a Blob, a File, bytes, or a path, got";

test.each<[what: string, given: unknown, options: object, words: string]>([
  ["a missing file", join(folder, "none.png"), {}, "none.png: ENOENT"],
  ["an empty file", join(folder, "empty.png"), {}, "an empty file"],
  ["a film with a wrong label", film, {}, 'got a file of type "video/mp4"'],
  ["a file that reports no size", "/proc/self/status", { maxBytes: 10 }, "got 11 bytes"],
  ["a large file", path, { maxBytes: 99_999 }, "got 100000 bytes, more than maxBytes (99999)"],
  ["unknown bytes", bytes, {}, `a file of no known type: ${asType}`],
  ["a page", page, {}, `of type "text/html": ${asType}`],
  ["a text file", "/etc/passwd", {}, "a file of no known type"],
  ["a type that is no picture", bytes, { type: "png" }, 'such as image/png, got "png"'],
  ["an unknown option", bytes, { mime: "a" }, 'no option "mime"; it has type, maxBytes'],
  ["a URL object", new URL("https://a.test/a.png"), {}, `got https://a.test/a.png: ${asUrl}`],
  ["a URL in capitals", "HTTP://a.test/a.png", {}, `got HTTP://a.test/a.png: ${asUrl}`],
  ["a URL with a query", "https://a.test/a.png?s3cret", {}, `got https://a.test/a.png: ${asUrl}`],
  ["a URL with a password", "https://u:s3cret@x.test/a", {}, "takes a local picture"],
  ["a broken URL with a query", "https://[/a?s3cret", {}, "takes a local picture"],
  ["a data URL", "data:image/png;base64,AA==", {}, `a local picture, got a data URL: ${asUrl}`],
  ["null", null, {}, `${kinds} null`],
  ["an object", {}, {}, `${kinds} an object`],
])("toDataUrl refuses %s, and shows no query and no password", async (_, file, options, words) => {
  const error = await toDataUrl(file as Blob, options).catch((reason: unknown) => reason);
  const message = expect.stringContaining(words);
  expect(error).toMatchObject({ code: "invalid_request", message });
  expect(inspect(error)).not.toContain("s3cret");
});

test.each([
  ["a path", path, "config", "a Blob"],
  ["a URL", "https://shop.test/a.png", "invalid_request", "put the URL itself"],
])("toDataUrl refuses %s on a platform without a file system", async (_, file, code, words) => {
  vi.stubGlobal("process", {});
  const error = await toDataUrl(file).catch((reason: unknown) => reason);
  vi.unstubAllGlobals();
  expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
});

test("toDataUrl reads nothing of a file that is larger than maxBytes", async () => {
  const large = join(folder, "large.png");
  writeFileSync(large, "");
  truncateSync(large, 4_000_000_000);
  const before = process.memoryUsage().rss;
  await expect(toDataUrl(large)).rejects.toThrow(
    "toDataUrl got 4000000000 bytes, more than maxBytes (10000000)",
  );
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
});

test.each([
  ["a pipe", "pipe.png"],
  ["a folder", "folder.png"],
  ["a device without an end", "/dev/zero"],
])("toDataUrl refuses %s without opening it", async (_, name) => {
  const special = join(name.startsWith("/") ? "/" : folder, name);
  if (name === "pipe.png") execFileSync("mkfifo", [special]);
  if (name === "folder.png") mkdirSync(special);
  await expect(toDataUrl(special)).rejects.toMatchObject({
    code: "invalid_request",
    message: `toDataUrl cannot read ${special}: it is not a regular file`,
  });
});

test("toDataUrl refuses a Blob whose file is gone", async () => {
  const blob = new Blob([bytes], { type: "image/png" });
  const gone = () => Promise.reject(new DOMException("gone", "NotReadableError"));
  Object.assign(blob, { slice: () => ({ arrayBuffer: gone }) });
  await expect(toDataUrl(blob)).rejects.toMatchObject({ code: "invalid_request" });
});

const png = Buffer.from("89504e470d0a1a0a0000", "hex");
test("toDataUrl takes the type of the first bytes before an extension and a label", async () => {
  const misnamed = join(folder, "misnamed.jpg");
  writeFileSync(misnamed, png);
  for (const file of [misnamed, new Blob([png], { type: "image/webp" }), png]) {
    expect(await toDataUrl(file)).toBe(`data:image/png;base64,${png.toString("base64")}`);
  }
});
