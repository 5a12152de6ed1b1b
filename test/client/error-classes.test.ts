import { inspect } from "node:util";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import * as here from "../../src/index.ts";

type Library = typeof here;

/** Every class of error, by the name under which it is exported, and one of its codes. */
const codes = {
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

const names = Object.keys(codes) as (keyof typeof codes)[];

/** The library as esbuild bundles it, which renames classes that name themselves. */
const bundle = async (minify: boolean): Promise<Library> => {
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

let bundled: Library;
/** Another copy of the whole library, as a second version in `node_modules` would be. */
let minified: Library;
beforeAll(async () => {
  [bundled, minified] = await Promise.all([bundle(false), bundle(true)]);
});

/** The name that an error shows; that of an abort is the web's own. */
const shownName = (name: string): string => (name === "AbortedError" ? "AbortError" : name);

describe("a class of error", () => {
  it("has a row in the table above", () => {
    const exported = Object.keys(here).filter((name) => name.endsWith("Error"));
    expect(exported.filter((name) => name !== "isAdGenError").sort()).toEqual([...names].sort());
  });

  it("has its exported name, and its errors print it, bundled too", () => {
    for (const library of [here, bundled]) {
      for (const name of names) {
        const error = new library[name](codes[name], "why");

        expect(library[name].name).toBe(name);
        expect(error.name).toBe(shownName(name));
        expect(String(error)).toBe(`${shownName(name)}: why`);
        expect(error.stack?.split("\n")[0]).toBe(`${shownName(name)}: why`);
        expect(inspect(error)).not.toContain(`_${name}`);
      }
    }
  });

  it("knows its errors and no others, of another copy of the package too", () => {
    expect(minified.AdGenError).not.toBe(here.AdGenError);
    for (const [copy, other] of [
      [here, here],
      [here, minified],
      [minified, here],
    ] as const) {
      for (const name of names) {
        const error = new copy[name](codes[name], "why", { status: 404 });

        expect(other.isAdGenError(error)).toBe(true);
        expect(names.filter((kind) => error instanceof other[kind])).toEqual(
          name === "AdGenError" ? [name] : ["AdGenError", name],
        );
        expect(String(error)).toBe(`${shownName(name)}: why`);
        const same = new other[name](codes[name], "why", { status: 404 });
        expect(JSON.stringify(error)).toBe(JSON.stringify(same));
      }
    }
  });
});

describe("isAdGenError", () => {
  it.each([
    undefined,
    null,
    0,
    "NotFoundError",
    {},
    [],
    () => {},
    new Error("gone"),
    { name: "NotFoundError", code: "not_found" },
    Object.assign(new Error("gone"), { name: "NotFoundError", code: "not_found" }),
  ])("is false for %s", (value) => {
    expect(here.isAdGenError(value)).toBe(false);
    expect((value as unknown) instanceof here.AdGenError).toBe(false);
    expect((value as unknown) instanceof here.NotFoundError).toBe(false);
  });

  it("is true for errors of another realm, which become results too", async () => {
    const error: here.AdGenError = new minified.NotFoundError("not_found", "gone");
    expect(here.isAdGenError(Object.create(error))).toBe(true);
    expect(await here.toResult(Promise.reject(error))).toEqual({ ok: false, error });
  });
});

describe("a subclass of the user's", () => {
  class NoCreditsError extends here.PaymentRequiredError {
    readonly topUpUrl = "https://a.test/credits";
  }
  class NamedError extends here.ApiError {
    override readonly name = "NamedError";
  }

  it("is an instance of itself and of all above it", () => {
    const error = new NoCreditsError("payment_required", "no credits");
    const named = new NamedError("server_error", "no");

    expect(
      [NoCreditsError, here.PaymentRequiredError, here.AdGenError, here.ApiError].map(
        (kind) => error instanceof kind,
      ),
    ).toEqual([true, true, true, false]);
    expect(
      [NamedError, here.ApiError, here.AdGenError, here.NotFoundError].map(
        (kind) => named instanceof kind,
      ),
    ).toEqual([true, true, true, false]);
    expect(error.topUpUrl).toBe("https://a.test/credits");
  });

  it("does not claim the errors of its parent", () => {
    for (const library of [here, minified]) {
      for (const name of names) {
        const error = new library[name](codes[name], "no");
        expect(error).not.toBeInstanceOf(NoCreditsError);
        expect(error).not.toBeInstanceOf(NamedError);
      }
    }
  });
});
