import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { MessageChannel, Worker } from "node:worker_threads";
import { build } from "esbuild";
import { beforeAll, expect, it } from "vitest";
import * as here from "../../src/client/index.ts";
import { failure, resetConnection } from "../helpers/answers.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

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
let address: string;
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [new URL("../../src/client/index.ts", import.meta.url).pathname],
    ...{ bundle: true, minify: true, format: "esm", target: "es2022", write: false },
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? "").toString("base64");
  address = `data:text/javascript;base64,${code}`;
  minified = await import(/* @vite-ignore */ address);
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

it("the client loads where a program has frozen Error.prototype, and names its errors", async () => {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const program = `
    Object.freeze(Error.prototype);
    import(${JSON.stringify(address)}).then(({ NotFoundError }) =>
      require("node:worker_threads").parentPort.postMessage(
        String(new NotFoundError("not_found", "gone")),
      ),
    );`;
  const worker = new Worker(program, { eval: true });
  // Pass on the message only: the stack would quote the whole module, which is its address.
  worker.once("message", resolve).once("error", ({ message }) => reject(new Error(message)));
  expect(await promise.finally(() => worker.terminate())).toBe("NotFoundError: gone");
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
  await expect(here.toResult(Promise.reject(undefined))).rejects.toBeUndefined();
});

it("a user's subclass is an instance of itself and its ancestors only", () => {
  class NoCreditsError extends here.PaymentRequiredError {
    readonly topUpUrl = "https://a.test/credits";
  }
  class NamedError extends here.ApiError {
    override readonly name = "NamedError";
  }
  const error = new NoCreditsError("payment_required", "no credits");
  const named = new NamedError("server_error", "no");
  const kinds = [NoCreditsError, NamedError, ...names.map((name) => own[name])];

  const { AdGenError, ApiError, PaymentRequiredError } = here;
  expect(new Set(kinds.filter((kind) => error instanceof kind))).toEqual(
    new Set([NoCreditsError, AdGenError, PaymentRequiredError]),
  );
  expect(new Set(kinds.filter((kind) => named instanceof kind))).toEqual(
    new Set([NamedError, AdGenError, ApiError]),
  );
  expect(error.topUpUrl).toBe("https://a.test/credits");
  for (const name of names) {
    expect(make(here, name)).not.toBeInstanceOf(NoCreditsError);
    expect(make(here, name)).not.toBeInstanceOf(NamedError);
  }
});

const failing = async (answer: Answer) => {
  const { url } = await listen(answer);
  const { jobs } = here.createClient({ baseUrl: url, apiKey: "test-key-4711", maxRetries: 0 });
  const error = await jobs.submit({ action: "generate-ad" }).catch((thrown: unknown) => thrown);
  if (!here.isAdGenError(error)) throw error;
  return error;
};

/** Sends a value through a MessageChannel, and returns what arrives. */
const throughChannel = async (value: unknown): Promise<unknown> => {
  const { port1, port2 } = new MessageChannel();
  const arrived = once(port2, "message");
  port1.postMessage(value);
  const [data] = await arrived;
  port1.close();
  return data;
};

/** Sends a value to a child process, which sends back what it has got. */
const throughProcess = async (value: object): Promise<unknown> => {
  const folder = mkdtempSync(join(tmpdir(), "adgen-ipc-"));
  try {
    const path = join(folder, "echo.mjs");
    writeFileSync(
      path,
      'process.once("message", (value) => process.send(value, () => process.disconnect()));',
    );
    const child = fork(path, { serialization: "advanced" });
    const ended = once(child, "exit");
    child.send(value);
    const [echoed] = await once(child, "message");
    await ended;
    return echoed;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

it.each([
  ["a MessageChannel", throughChannel],
  ["the IPC of a child process", throughProcess],
])("the JSON of an error crosses %s with its code, outcome and status", async (_, send) => {
  const refused = await failing(failure(402, "no credits"));
  const expected = { name: "PaymentRequiredError", code: "payment_required", status: 402 };
  expect(await send(refused.toJSON())).toMatchObject({ ...expected, outcome: "refused" });
  expect(await send(refused.toJSON())).toEqual({ ...refused.toJSON() });

  const lost = await failing(resetConnection);
  const crossed = await send(lost.toJSON());
  expect(crossed).toMatchObject({ code: "connection", outcome: "unknown", action: "generate-ad" });
  expect(JSON.stringify(crossed)).not.toContain("test-key-4711");
});

it("an error that crosses a MessageChannel by itself loses its code, so the recipe sends its JSON", async () => {
  const crossed = await throughChannel(await failing(failure(402)));
  expect(crossed).toBeInstanceOf(Error);
  expect(crossed).not.toHaveProperty("code");
});
