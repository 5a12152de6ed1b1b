// The package in bundles: their sizes, and platforms without Node.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Context, createContext, Script } from "node:vm";
import { build } from "esbuild";
import { beforeAll, describe, expect, inject, test } from "vitest";
import {
  type BundleSizes,
  describeSizes,
  maxAssumedBytes,
  maxBundleBytes,
  maxConnectBytes,
  maxOwnBytes,
  maxProxyBytes,
  maxRequiredBytes,
  measureBundles,
} from "../../tools/bundle-size.ts";

const { plain } = inject("packed");

describe("a browser app", () => {
  let sizes: BundleSizes;
  beforeAll(async () => {
    sizes = await measureBundles(plain, process.cwd());
    console.log(describeSizes(sizes));
  });

  test.each<[what: string, bytes: keyof BundleSizes, limit: number]>([
    ["createClient and pollJob, ky included", "imported", maxBundleBytes],
    ["our own code", "own", maxOwnBytes],
    ["what it requires", "required", maxRequiredBytes],
    ["steering a mock server", "connect", maxConnectBytes],
    ["the ready schemas", "assumed", maxAssumedBytes],
    ["a proxy, beside the client", "proxy", maxProxyBytes],
    ["our errors alone, without ky", "errorsOnly", 2 * 1024],
  ])("a browser app pays no more than the limit for %s", (_, bytes, limit) => {
    expect(sizes[bytes]).toBeLessThanOrEqual(limit);
  });
});

/** Loads a CommonJS file, and its neighbours, in a context. */
const load = (file: string, context: Context): Record<string, unknown> => {
  const text = readFileSync(file, "utf8");
  const script = new Script(`((module, exports, require) => {${text}\n})`, { filename: file });
  const module = { exports: {} };
  const fileOf = (path: string) =>
    join(
      dirname(file),
      path.replace(/^adgen-sdk$/, "index.cjs").replace(/^adgen-sdk\/(.*)/, "$1.cjs"),
    );
  const require = (path: string) => load(fileOf(path), context);
  script.runInContext(context)(module, module.exports, require);
  return module.exports;
};

/** Loads a file in a bare JavaScript engine, without even `URL`, `Request` or `console`. */
const loadBare = (path: string) =>
  load(join(plain, "node_modules/adgen-sdk", path), createContext({}));

// Jest with jsdom has a `URL` and a document, but no TextEncoder, fetch, Request or Response.
test.each([
  ["dist/index.cjs", "createClient", Function],
  ["dist/assumed.cjs", "assumedSchemas", Object],
  ["dist/files.cjs", "saveFiles", Function],
  ["dist/proxy.cjs", "createProxy", Function],
  ["dist/mocks/index.cjs", "createMockService", Function],
])(
  "%s loads in a runtime that has JavaScript alone, as Jest with jsdom nearly has",
  (path, name, kind) => {
    expect(loadBare(path)).toHaveProperty(name, expect.any(kind));
  },
);

const source = `
  export { createClient } from "adgen-sdk";
  export { assumedSchemas } from "adgen-sdk/assumed";
  export { openFile, saveFiles, toDataUrl } from "adgen-sdk/files";
  export { createProxy } from "adgen-sdk/proxy";
  export { createMemoryStore } from "adgen-sdk/submissions";
`;

/** Bundles a program for a platform without Node's modules: an import of one is an error. */
const bundleFor = async (...conditions: string[]): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: plain },
    bundle: true,
    format: "iife",
    globalName: "adgen",
    target: "es2022",
    platform: "neutral",
    conditions: ["import", ...conditions],
    write: false,
    logLevel: "silent",
    // Ignore the `paths` of tsconfig.json, which lead to the sources instead of the package.
    tsconfigRaw: {},
  });
  return outputFiles?.[0]?.text ?? "";
};

/** Names that each web platform has, workers included: no `process`, `Buffer`, `require`. */
const webNames = [
  ...["AbortController", "AbortSignal", "Blob", "DOMException", "Event", "EventTarget", "File"],
  ...["FormData", "Headers", "ReadableStream", "Request", "Response", "TextDecoder", "TextEncoder"],
  ...["TransformStream", "URL", "URLSearchParams", "WritableStream", "atob", "btoa", "console"],
  ...["clearInterval", "clearTimeout", "crypto", "performance", "queueMicrotask", "setInterval"],
  ...["setTimeout", "structuredClone"],
] as const;

const workerGlobals = () => Object.fromEntries(webNames.map((name) => [name, globalThis[name]]));

const refuse = () => {
  throw new Error("A Node.js API is used which is not supported in the Edge Runtime.");
};

/** Next.js's edge runtime has these functions of Node, and each of them throws. */
const edgeStubs = { process: { env: {}, getBuiltinModule: refuse }, setImmediate: refuse };

test.each([
  ["Cloudflare Workers", ["workerd", "worker", "browser"], {}],
  ["Vercel's edge", ["edge-light", "worker", "browser"], {}],
  ["Next.js's edge runtime", ["edge-light", "worker", "browser"], edgeStubs],
  ["a service worker", ["worker", "browser"], {}],
])("the proxy answers in a bundle for %s, without Node", async (_, conditions, stubs) => {
  const bundle = new Script(`"use strict";${await bundleFor(...conditions)};adgen;`);
  const noEval = { codeGeneration: { strings: false, wasm: false } };
  const adgen = bundle.runInContext(createContext({ ...workerGlobals(), ...stubs }, noEval));
  const sent: string[] = [];
  const waited: Promise<unknown>[] = [];
  const data = { job_id: "job_1", status: "queued" };
  const proxy = adgen.createProxy({
    baseUrl: "https://service.test",
    apiKey: "test-key",
    authorize: () => "ann",
    store: adgen.createMemoryStore(),
    fetch: async ({ method, url, headers }: Request) => {
      sent.push(`${method} ${url} ${headers.get("authorization")}`);
      return Response.json({ success: true, data, error: null }, { status: 202 });
    },
  });
  const submit = () =>
    proxy(
      new Request("https://app.test/adgen/v1/jobs", {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": "call-1" },
        body: '{"action":"generate-ad"}',
      }),
      { waitUntil: (answered: Promise<unknown>) => waited.push(answered) },
    );
  for (const response of await Promise.all([submit(), submit()])) {
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({ success: true, data });
  }
  expect(sent).toEqual(["POST https://service.test/v1/jobs Bearer test-key"]);
  expect(waited).toHaveLength(2);
});
