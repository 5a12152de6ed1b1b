// Files of results in Node, Bun and Deno, from a server that fails in the middle of them.
import { brotliCompressSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { answerWithText } from "../helpers/answers.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { useBrowser, withoutBrowser } from "../page/open-page.ts";
import type { OpenInPage } from "./click-in-page.ts";
import {
  bundleForPage,
  bundleProgram,
  readPrinted,
  runProgram,
  runtimes,
  runtimesFolder,
} from "./programs.ts";
import type { Saved } from "./save-in-process.ts";

const svg = `<svg>${Array.from({ length: 9_000 }, () => `<p d="${Math.random()}"/>`).join("")}</svg>`;
const codings = { gzip: gzipSync(svg), br: brotliCompressSync(svg) };
const png = Buffer.from(`89504e470d0a1a0a${"01".repeat(2_000)}0000000049454e44ae426082`, "hex");
const label = { "content-type": "image/jpg" };

const withoutLength =
  (body: Buffer, end: "end" | "resetAndDestroy"): Answer =>
  ({ socket }) => {
    socket?.write("HTTP/1.1 200 OK\r\ncontent-type: image/png\r\nconnection: close\r\n\r\n");
    socket?.write(body, () => setTimeout(() => socket[end](), 50));
  };

const coded = (coding: keyof typeof codings, part: number): Answer => {
  const body = codings[coding];
  const headers = { "content-type": "image/svg+xml", "content-encoding": coding };
  return answerWithText(200, body.subarray(0, body.length * part), headers);
};

/** Answers by path, each with the name of the saved file or the code of the error. */
const answers: Readonly<Record<string, readonly [Answer, string]>> = {
  "/wrong-label": [answerWithText(200, png, label), "j-1.png"],
  "/gzip": [coded("gzip", 1), "j-1.svg"],
  "/br": [coded("br", 1), "j-1.svg"],
  "/without-length": [withoutLength(png, "end"), "j-1.png"],
  "/half-gzip": [coded("gzip", 0.5), "connection"],
  "/half-br": [coded("br", 0.5), "connection"],
  "/reset": [withoutLength(png.subarray(0, 1_000), "resetAndDestroy"), "connection"],
  "/short": [
    (response) => {
      response.writeHead(200, { ...label, "content-length": 10_000 });
      response.write(png, () => response.socket?.end());
    },
    "connection",
  ],
  "/no-answer": [(response) => response.destroy(), "connection"],
  "/part": [answerWithText(206, png, label), "unexpected_status"],
  "/empty": [answerWithText(204), "unexpected_status"],
  "/expired": [answerWithText(403, png, label), "unexpected_status"],
  "/page": [answerWithText(200, "<html>", label), "decode"],
  "/loop": [answerWithText(302, "", { location: "/loop?X-Signature=s3cret" }), "connection"],
};

const program = await bundleProgram(
  `${import.meta.dirname}/save-in-process.ts`,
  `${runtimesFolder}/save-in-process.mjs`,
);

describe.each(runtimes)("$name", ({ path, runWithPackages }) => {
  let ends: Readonly<Record<string, Saved>>;
  let device: string;
  beforeAll(async () => {
    const { url } = await listen((response, received) => {
      const [place = ""] = received.url.split("?");
      answers[place]?.[0](response, received);
    });
    const paths = Object.keys(answers).map((place) => `${place}?X-Signature=s3cret`);
    const printed = await runProgram(path, [...runWithPackages, program, url, ...paths]);
    const result = readPrinted(printed) as { told: typeof ends; device: string };
    ({ told: ends, device } = result);
  });

  test.each(Object.entries(answers))("saves %s whole, or nothing of it", (place, [, end]) => {
    const told = ends[`${place}?X-Signature=s3cret`];
    if (!end.startsWith("j-1")) return expect(told).toMatchObject({ end, names: [] });
    const size = end === "j-1.svg" ? svg.length : png.length;
    expect(told).toMatchObject({ end: size, names: [end] });
  });

  test("an error about a file prints no query of its URL", () => {
    expect(ends).toMatchObject({ nobody: { end: "connection" }, refused: { end: "connection" } });
    for (const { printed } of Object.values(ends)) expect(printed).not.toContain("s3cret");
  });

  test("toDataUrl refuses a device without an end", () => {
    expect(device).toContain("it is not a regular file");
  });
});

/** Set by click-in-page.ts. */
declare const openInPage: OpenInPage;

describe.skipIf(withoutBrowser)("Chromium", () => {
  const { launched } = useBrowser();

  test.each(["same origin", "another origin"])(
    "openFile opens files of %s whole, and refuses half of an encoded body",
    async (where) => {
      const { url } = await listen((response, received) => {
        response.setHeader("access-control-allow-origin", "*");
        const [place = ""] = received.url.split("?");
        const [answer] = answers[place] ?? [
          answerWithText(200, "", { "content-type": "text/html" }),
        ];
        answer(response, received);
      });
      const page = await launched().newPage();
      await page.goto(where === "same origin" ? url : url.replace("127.0.0.1", "localhost"));
      await page.evaluate(await bundleForPage("click-in-page.ts"));
      const open = (place: string) =>
        page.evaluate((file) => openInPage(file), `${url}${place}?X-Signature=s3cret`);

      expect(await open("/wrong-label")).toBe(png.length);
      expect([await open("/gzip"), await open("/br")]).toEqual([svg.length, svg.length]);
      for (const place of ["/half-gzip", "/half-br", "/short", "/no-answer", "/part", "/page"]) {
        const printed = await open(place);
        expect(printed).toContain(answers[place]?.[1]);
        expect(printed).not.toContain("s3cret");
      }
      await page.close();
    },
  );
});
