import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import * as here from "../../src/index.ts";

type Library = typeof here;

/** Another copy of the whole library, as a second version in `node_modules` would be. */
let there: Library;

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [new URL("../../src/index.ts", import.meta.url).pathname],
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? "").toString("base64");
  there = await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`);
});

const missing = (library: Library): here.AdGenError =>
  new library.NotFoundError("not_found", "gone", { status: 404 });

describe("an error of another copy of the package", () => {
  it("is recognised by instanceof and isAdGenError, both ways", () => {
    expect(there.AdGenError).not.toBe(here.AdGenError);
    for (const [copy, other] of [
      [here, there],
      [there, here],
    ] as const) {
      const error = missing(copy);
      expect(error instanceof other.AdGenError).toBe(true);
      expect(error instanceof other.NotFoundError).toBe(true);
      expect(error instanceof other.ApiError).toBe(false);
      expect(error instanceof other.AbortedError).toBe(false);
      expect(other.isAdGenError(error)).toBe(true);
    }
  });

  it("has the same name and form, minified too", () => {
    expect(JSON.stringify(missing(there))).toBe(JSON.stringify(missing(here)));
    expect(String(missing(there))).toBe("NotFoundError: gone");
  });

  it("becomes a result", async () => {
    const error = missing(there);

    expect(await here.toResult(Promise.reject(error))).toEqual({ ok: false, error });
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

  it("is true for errors that went through a realm's border with their prototype", () => {
    expect(here.isAdGenError(Object.create(missing(here)))).toBe(true);
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

    expect(error).toBeInstanceOf(NoCreditsError);
    expect(error).toBeInstanceOf(here.PaymentRequiredError);
    expect(error).toBeInstanceOf(here.AdGenError);
    expect(error).not.toBeInstanceOf(here.ApiError);
    expect(error.topUpUrl).toContain("credits");
  });

  it("does not claim the errors of its parent", () => {
    expect(new here.PaymentRequiredError("payment_required", "no")).not.toBeInstanceOf(
      NoCreditsError,
    );
    expect(missing(here)).not.toBeInstanceOf(NoCreditsError);
    expect(missing(there)).not.toBeInstanceOf(NoCreditsError);
  });

  it("may have a name of its own", () => {
    const error = new NamedError("server_error", "no");

    expect(error).toBeInstanceOf(NamedError);
    expect(error).toBeInstanceOf(here.ApiError);
    expect(error).toBeInstanceOf(here.AdGenError);
    expect(error).not.toBeInstanceOf(here.NotFoundError);
    expect(new here.ApiError("server_error", "no")).not.toBeInstanceOf(NamedError);
  });
});
