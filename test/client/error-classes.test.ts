import { inspect } from "node:util";
import { build } from "esbuild";
import { beforeAll, expect, it } from "vitest";
import * as here from "../../src/client/index.ts";
import { resetConnection } from "../helpers/answers.ts";
import { failing, submitJob } from "../helpers/calls.ts";
import { testKey } from "../helpers/client.ts";

type Library = typeof here;
const own: Library = here;

type ClassName = Exclude<Extract<keyof Library, `${string}Error`>, "isAdGenError">;
const isClass = (name: string): name is ClassName => /^[A-Z]\w+Error$/.test(name);

/** Every class of error, by the name under which it is exported. */
const names = Object.keys(here).filter(isClass);

const make = (library: Library, name: ClassName): here.AdGenError =>
  new library[name]("config" as never, "why", { status: 404 });

/** A second copy of the whole library, as `node_modules` may have one of another version. */
let minified: Library;
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [new URL("../../src/client/index.ts", import.meta.url).pathname],
    ...{ bundle: true, minify: true, format: "esm", target: "es2022", write: false },
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? "").toString("base64");
  minified = await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`);
});

it("an error class has its exported name, in another copy too, and matches its own errors only", () => {
  expect(minified.AdGenError).not.toBe(here.AdGenError);
  expect(names.length).toBeGreaterThanOrEqual(16);
  for (const [copy, other] of [
    [here, here],
    [here, minified],
    [minified, here],
  ] as const) {
    for (const name of names) {
      const error = make(copy, name);
      const shown = name === "AbortedError" ? "AbortError" : name;

      expect(own[name].name).toBe(name);
      expect([error.name, String(error)]).toEqual([shown, `${shown}: why`]);
      expect(error.stack?.split("\n")[0]).toBe(`${shown}: why`);
      expect(inspect(error)).not.toContain(`_${name}`);
      expect(other.isAdGenError(error)).toBe(true);
      expect(names.filter((kind) => error instanceof copy[kind])).toEqual(
        name === "AdGenError" ? [name] : ["AdGenError", name],
      );
      expect(JSON.stringify(error)).toBe(JSON.stringify(make(other, name)));
    }
  }
});

it("isAdGenError is false for any other value", () => {
  const named = { name: "NotFoundError", code: "not_found" };
  const error = new Error("gone");
  const others = [undefined, null, 0, "NotFoundError", {}, [], () => {}, error, named];
  for (const value of [...others, Object.assign(new Error("gone"), named)]) {
    expect(here.isAdGenError(value)).toBe(false);
    expect((value as unknown) instanceof here.AdGenError).toBe(false);
    expect((value as unknown) instanceof here.NotFoundError).toBe(false);
  }
});

it("isAdGenError and toResult know errors of another copy, and no other errors", async () => {
  const error: here.AdGenError = new minified.NotFoundError("not_found", "gone");
  expect(here.isAdGenError(Object.create(error))).toBe(true);
  expect(await here.toResult(Promise.reject(error))).toEqual({ ok: false, error });
  expect(await here.toResult(Promise.resolve(7))).toEqual({ ok: true, data: 7 });
  const bug = new TypeError("a bug");
  await expect(here.toResult(Promise.reject(bug))).rejects.toBe(bug);
});

it("a user's subclass is an instance of itself and its ancestors only", () => {
  class NoCreditsError extends here.PaymentRequiredError {
    readonly topUpUrl = "https://a.test/credits";
  }
  const error = new NoCreditsError("payment_required", "no credits");
  const kinds = [NoCreditsError, ...names.map((name) => own[name])];

  const { AdGenError, PaymentRequiredError } = here;
  expect(new Set(kinds.filter((kind) => error instanceof kind))).toEqual(
    new Set([NoCreditsError, AdGenError, PaymentRequiredError]),
  );
  expect(error.topUpUrl).toBe("https://a.test/credits");
  for (const name of names) expect(make(here, name)).not.toBeInstanceOf(NoCreditsError);
});

it("the JSON of an error survives postMessage, where the error itself loses its code", async () => {
  const { error } = await failing(resetConnection, submitJob);
  const json = structuredClone(error.toJSON());

  expect(structuredClone(error)).not.toHaveProperty("code");
  expect(json).toEqual({ ...error.toJSON() });
  expect(json).toMatchObject({ code: "connection", outcome: "unknown", action: "generate-ad" });
  expect(JSON.stringify(json)).not.toContain(testKey);
});
