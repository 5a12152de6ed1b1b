// The function of the guide about saving results, against URLs that lead elsewhere than they should.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { saveFile } from "../../examples/save-file.ts";
import { readBlocks, recipeNameOf } from "../helpers/doc-blocks.ts";
import { guides } from "../helpers/documents.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const root = mkdtempSync(join(tmpdir(), "saving-results-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, "test-"));
});

const png: Answer = (response) => {
  response.writeHead(200, { "content-type": "Image/PNG; charset=binary" });
  response.end("a picture");
};

/** Saves from a server, which is the one origin that is allowed. */
const saveFrom = async (answer: Answer, options: object = {}): Promise<string> => {
  const { url } = await listen(answer);
  const origins = new Set([url]);
  const limits = { origins, maxBytes: 1_000, timeoutMs: 5_000, ...options };
  return saveFile(`${url}/file.exe?signature=1`, join(folder, "below", "ad-1"), limits);
};

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

test("the guide shows the programs of the examples, to the letter", () => {
  const guide = guides.find(({ path }) => path === "docs/guides/saving-results.md");
  const blocks = readBlocks(guide ?? { path: "", text: "" }).filter(({ info }) => info !== "sh");
  expect(blocks.map(recipeNameOf)).toEqual(["save-file.ts", "save-results.ts"]);
  for (const block of blocks) {
    const code = block.code.slice(block.code.indexOf("\n") + 1);
    const example = readFileSync(`examples/${recipeNameOf(block)}`, "utf8");
    expect(example.replace(/^(\/\/.*\n)+/, "")).toBe(code);
  }
});

describe("a file is saved", () => {
  test("with the ending of its type, whatever its URL says", async () => {
    const path = await saveFrom(png);
    expect(path).toBe(join(folder, "below", "ad-1.png"));
    expect(readFileSync(path, "utf8")).toBe("a picture");
    expect(filesIn(folder)).toEqual(["ad-1.png"]);
  });

  test("from a data URL, of which nothing leaves the process", async () => {
    const options = { origins: new Set<string>(), maxBytes: 1_000, timeoutMs: 5_000 };
    const path = await saveFile("data:image/svg+xml,%3Csvg/%3E", join(folder, "ad"), options);
    expect([path, readFileSync(path, "utf8")]).toEqual([join(folder, "ad.svg"), "<svg/>"]);
  });
});

describe("a file is refused, and nothing of it stays", () => {
  const send =
    (type: string, text: string, status = 200): Answer =>
    (response) => {
      response.writeHead(status, { "content-type": type });
      response.end(text);
    };
  const stall: Answer = (response) => {
    response.writeHead(200, { "content-type": "video/mp4" });
    response.write("the start");
  };
  const breakOff: Answer = (response) => {
    response.writeHead(200, { "content-type": "video/mp4", "content-length": 100 });
    response.write("the start", () => response.destroy());
  };
  const redirect: Answer = (response) => {
    response.writeHead(302, { location: "/elsewhere", "content-type": "image/png" });
    response.end("a picture");
  };

  test.each<[string, Answer, object, RegExp]>([
    ["of another origin", png, { origins: new Set() }, /may not come from http:\/\/127/],
    ["behind a redirect", redirect, {}, /fetch failed/],
    ["that is a page", send("text/html", "<p>"), {}, /status 200, type "text\/html"/],
    ["without a type", send("", "bytes"), {}, /status 200, type ""/],
    ["that is gone", send("image/png", "gone", 404), {}, /status 404/],
    ["above the limit", send("image/png", "x".repeat(1_001)), {}, /more than 1000 bytes/],
    ["that never ends", stall, { timeoutMs: 40 }, /aborted due to timeout/],
    ["that breaks off", breakOff, {}, /terminated/],
    ["after an abort", stall, { signal: AbortSignal.timeout(40) }, /aborted/],
  ])("%s", async (_, answer, options, message) => {
    await expect(saveFrom(answer, options)).rejects.toThrow(message);
    expect(filesIn(folder)).toEqual([]);
  });

  test.each(["file:///etc/passwd", "/relative.png"])("at %s", async (url) => {
    const options = { origins: new Set<string>(), maxBytes: 1, timeoutMs: 5_000 };
    await expect(saveFile(url, join(folder, "ad"), options)).rejects.toThrow(/may not|Invalid URL/);
  });
});
