import { inspect } from "node:util";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import * as library from "../../src/index.ts";

/** Every class of error, by the name under which it is exported, and one of its codes. */
const classes = {
  AdGenError: "config",
  BadRequestError: "bad_request",
  UnauthorizedError: "unauthorized",
  PaymentRequiredError: "payment_required",
  NotFoundError: "not_found",
  ApiError: "server_error",
  ConnectionError: "connection",
  TimeoutError: "timeout",
  AbortedError: "aborted",
  DecodeError: "decode",
  InvalidRequestError: "invalid_request",
  ConfigError: "config",
  StoreError: "store",
  InDoubtError: "in_doubt",
  UnderWayError: "under_way",
  PollTimeoutError: "poll_timeout",
} as const;

const names = Object.keys(classes) as (keyof typeof classes)[];

/** The library as esbuild bundles it, which renames classes that name themselves. */
const bundle = async (minify: boolean): Promise<typeof library> => {
  const { outputFiles } = await build({
    entryPoints: [new URL("../../src/index.ts", import.meta.url).pathname],
    bundle: true,
    minify,
    format: "esm",
    target: "es2022",
    write: false,
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? "").toString("base64");
  return import(/* @vite-ignore */ `data:text/javascript;base64,${code}`);
};

/** The name that an error shows; that of an abort is the web's own. */
const shownName = (name: string): string => (name === "AbortedError" ? "AbortError" : name);

describe("a class of error", () => {
  it("has a row in the table above", () => {
    const exported = Object.keys(library).filter((name) => name.endsWith("Error"));

    expect(exported.filter((name) => name !== "isAdGenError").sort()).toEqual([...names].sort());
  });

  it.each([
    ["as it is written", async () => library],
    ["bundled", async () => bundle(false)],
  ])("has its exported name, and its errors print it: %s", async (_, load) => {
    const loaded = await load();
    for (const name of names) {
      const error = new loaded[name](classes[name], "why");

      expect(loaded[name].name).toBe(name);
      expect(error.name).toBe(shownName(name));
      expect(String(error)).toBe(`${shownName(name)}: why`);
      expect(error.stack?.split("\n")[0]).toBe(`${shownName(name)}: why`);
      expect(inspect(error)).not.toContain(`_${name}`);
    }
  });

  it("keeps the name of its errors when it is minified", async () => {
    const loaded = await bundle(true);
    for (const name of names) {
      expect(new loaded[name](classes[name], "why").name).toBe(shownName(name));
    }
  });
});
