import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { leanKy } from "../../tools/lean-ky.ts";
import { leaveOutMethods } from "../../tools/lean-ky-methods.ts";

const folder = mkdtempSync(join(tmpdir(), "adgen-sdk-ky-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A ky that has nothing but the modules that are left out. */
const modules = {
  "utils/body.js":
    "export const encoder = new TextEncoder(); export const streamRequest = 'whole', streamResponse = 0;",
  "core/retry-timing.js":
    "export const calculateRetryTimingDelay = 'whole', getRetryTimingHeader = 0;",
  "core/constants.js": "export const requestMethods = 'whole', stop = 0;",
  "utils/delay.js": "export default 'whole';",
  "utils/merge.js": "export const mergeHooks = 'whole';",
  "utils/options.js": "export const hasSearchParameters = 'whole';",
  "utils/normalize.js": "export const normalizeRetryOptions = 'whole';",
  "utils/timeout.js": "export default 'whole';",
  "utils/is-network-error.js": "export default 'whole';",
};

const index = `
  import { streamRequest } from "./utils/body.js";
  import { calculateRetryTimingDelay } from "./core/retry-timing.js";
  import { requestMethods, stop } from "./core/constants.js";
  import delay from "./utils/delay.js";
  import timeout from "./utils/timeout.js";
  import isNetworkError from "./utils/is-network-error.js";
  import { mergeHooks } from "./utils/merge.js";
  import { normalizeRetryOptions } from "./utils/normalize.js";
  import { hasSearchParameters } from "./utils/options.js";
  console.log(mergeHooks, normalizeRetryOptions, hasSearchParameters);
  console.log(streamRequest, calculateRetryTimingDelay, delay, timeout, isNetworkError);
  console.log(requestMethods, stop);
`;

/** Bundles a ky of these files, and gives what esbuild says against it, or what is still inside. */
const bundle = async (files: Record<string, string>): Promise<string[]> => {
  const ky = join(folder, "node_modules/ky/distribution");
  rmSync(ky, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(ky, path)), { recursive: true });
    writeFileSync(join(ky, path), text);
  }
  const bundling = build({
    entryPoints: [join(ky, "index.js")],
    bundle: true,
    write: false,
    logLevel: "silent",
    plugins: [leanKy()],
  });
  return bundling.then(
    ({ outputFiles }) =>
      outputFiles.flatMap(({ text }) => [...text.matchAll(/whole|TextEncoder/g)].map(String)),
    ({ errors }) => errors.map(({ text }: { text: string }) => text),
  );
};

describe("the features of ky that the client switches off", () => {
  test("are left out", async () => {
    expect(await bundle({ ...modules, "index.js": index })).toEqual([]);
  });

  test.each(Object.keys(modules))("stop the build when ky has moved %s", async (path) => {
    const moved = index.replace(`./${path}`, "./moved.js");
    const exported =
      "export default 0; export const streamRequest = 0, calculateRetryTimingDelay = 0, mergeHooks = 0, normalizeRetryOptions = 0, hasSearchParameters = 0, requestMethods = 0, stop = 0;";
    const said = await bundle({ ...modules, "index.js": moved, "moved.js": exported });
    expect(said).toEqual([expect.stringContaining(`ky has no ${path} any more`)]);
  });

  test("stop the build when ky takes more from a module of theirs", async () => {
    const more = `${index} import { encoder } from "./utils/body.js"; console.log(encoder);`;
    const said = await bundle({ ...modules, "index.js": more });
    expect(said).toEqual([expect.stringContaining("No matching export")]);
  });
});

describe("ky's class", () => {
  const source = readFileSync("node_modules/ky/distribution/core/Ky.js", "utf8");

  test("loses its retries, hooks and readers of bodies", () => {
    const { text, problems } = leaveOutMethods(source);
    expect(problems).toEqual([]);
    expect(text.length).toBeLessThan(source.length / 2);
    expect(text).not.toMatch(/#retryFromError|#readResponseText|#runAfterResponseHooks/);
    expect(text).toContain("#fetch(");
  });

  test("stops the build when its way of a request is another one", () => {
    const { problems } = leaveOutMethods(source.replace("await Promise.resolve();", ""));
    expect(problems).toEqual([expect.stringContaining("has another create")]);
  });

  test("stops the build when a method that is left out has another name", () => {
    const { problems } = leaveOutMethods(source.replaceAll("#parseJson(", "#readJson("));
    expect(problems).toEqual([expect.stringContaining("has no #parseJson any more")]);
  });
});
