import { createContext, Script } from "node:vm";
import { build } from "esbuild";
import { expect, inject, test } from "vitest";

const { plain } = inject("packed");

const source = `
  export { createClient } from "adgen-sdk";
  export { assumedSchemas } from "adgen-sdk/assumed";
  export { openFile, saveFiles, toDataUrl } from "adgen-sdk/files";
  export { createProxy } from "adgen-sdk/proxy";
  export { createMemoryStore } from "adgen-sdk/submissions";
`;

/** Bundles a program for a platform that has no module of Node: one that is named is an error. */
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
    // The package as it is published: not the sources that tsconfig.json's `paths` lead to.
    tsconfigRaw: {},
  });
  return outputFiles?.[0]?.text ?? "";
};

/** Names that all platforms of the web have, workers included: no `process`, `Buffer`, `require`. */
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
