import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { toDataUrl } from "adgen-sdk/files";
import { afterAll, describe, expect, test, vi } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "to-data-url-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
const base64 = Buffer.from(bytes).toString("base64");
const path = join(folder, "A bottle.PNG");
writeFileSync(path, bytes);
writeFileSync(join(folder, "empty.png"), "");

describe("a picture becomes a data URL", () => {
  const part = new Uint8Array([0, ...bytes]).subarray(1);
  test.each<[string, Parameters<typeof toDataUrl>[0], object, string]>([
    ["from a path", path, {}, "image/png"],
    ["from a file: URL", pathToFileURL(path), {}, "image/png"],
    ["from a Blob", new Blob([bytes], { type: "image/webp;x=1" }), {}, "image/webp"],
    ["from a File", new File([bytes], "a.jpeg", { type: "image/jpeg" }), {}, "image/jpeg"],
    ["from bytes", bytes, { type: "image/heic" }, "image/heic"],
    ["from a part of a buffer", part, { type: "image/png", maxBytes: 100_000 }, "image/png"],
    ["from an ArrayBuffer", bytes.buffer, { type: "image/svg+xml" }, "image/svg+xml"],
  ])("%s", async (_, file, options, type) => {
    expect(await toDataUrl(file, options)).toBe(`data:${type};base64,${base64}`);
  });
});

describe("a picture is refused", () => {
  test.each<[unknown, object, RegExp]>([
    [join(folder, "none.png"), {}, /cannot read .*none\.png: ENOENT/],
    [join(folder, "empty.png"), {}, /an empty file/],
    [path, { maxBytes: 99_999 }, /got 100000 bytes, more than maxBytes \(99999\)/],
    [
      bytes,
      {},
      /a file of no known type: if it is one, pass its type, as in \{ type: "image\/png" \}$/,
    ],
    [
      new Blob(["<p>"], { type: "text/html" }),
      {},
      /of type "text\/html": if it is one, pass its type/,
    ],
    ["/etc/passwd", {}, /a file of no known type/],
    [bytes, { type: "png" }, /^type must be the type of a picture, such as image\/png, got "png"/],
    [bytes, { mime: "image/png" }, /has no option "mime"; it has type, maxBytes/],
    [new URL("https://shop.test/a.png"), {}, /a local picture, got https:\/\/shop\.test\/a\.png: /],
    [
      "HTTP://shop.test/a.png",
      {},
      /: put the URL itself into images, or fetch it and pass its Blob$/,
    ],
    ["https://shop.test/a.png?signature=1", {}, /^(?!.*signature)toDataUrl takes a local picture/],
    ["data:image/png;base64,AA==", {}, /takes a local picture, got a data URL: put the URL itself/],
    [null, {}, /takes a Blob, a File, bytes, or a path, got null/],
    [{}, {}, /takes a Blob, a File, bytes, or a path, got an object/],
  ])("%s with %j", async (file, options, message) => {
    const reason = { code: "invalid_request", message: expect.stringMatching(message) };
    const read = toDataUrl(file as Blob, options);
    await expect(read).rejects.toMatchObject(reason);
  });

  test("by its URL where there is no file system, in the same words", async () => {
    vi.stubGlobal("process", {});
    const error = await toDataUrl("https://shop.test/a.png").catch((reason: unknown) => reason);
    vi.unstubAllGlobals();
    expect(error).toMatchObject({ message: expect.stringContaining("put the URL itself") });
  });

  test("by its path where there is no file system", async () => {
    vi.stubGlobal("process", {});
    const error = await toDataUrl(path).catch((reason: unknown) => reason);
    vi.unstubAllGlobals();
    expect(error).toMatchObject({ code: "config", message: expect.stringContaining("a Blob") });
  });
});
