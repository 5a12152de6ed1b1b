// What an editor shows of the client's types, and what the compiler says about usual mistakes.
import ts from "typescript";
import { expect, test } from "vitest";
import { errorClasses } from "../../src/client/errors/errors.ts";
import * as sdk from "../../src/client/index.ts";

const root = process.cwd();
const path = `${root}/test/types/hovered.ts`;

const preamble = `
import { createClient, createPollTicket, isAdGenError, pollJob, submitMany } from "adgen-sdk";
import type { JobRequest } from "adgen-sdk";
const client = createClient();
declare const caught: unknown;
const submitted = client.jobs.submit({ action: "generate-ad" });
`;

const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);

let text = "";
let version = 0;

/** An editor that has opened one program. */
const service = ts.createLanguageService({
  getScriptFileNames: () => [path],
  getScriptVersion: (file) => (file === path ? String(version) : "1"),
  getScriptSnapshot: (file) => {
    const content = file === path ? text : ts.sys.readFile(file);
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
  },
  getCurrentDirectory: () => root,
  getCompilationSettings: () => options,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
});

const open = (line: string): void => {
  text = `${preamble}${line}\n`;
  version += 1;
};

/** What an editor shows at the caret: the type, the words behind it, and a function's errors. */
const hover = (line: string): { type: string; words: string; errors: string } => {
  open(line.replace("^", ""));
  const found = service.getQuickInfoAtPosition(path, preamble.length + line.indexOf("^"));
  return {
    type: ts.displayPartsToString(found?.displayParts),
    words: ts.displayPartsToString(found?.documentation),
    errors: ts.displayPartsToString(found?.tags?.find(({ name }) => name === "throws")?.text),
  };
};

/** The names that an editor completes at the caret. */
const completions = (line: string): string[] | undefined => {
  open(line.replace("^", ""));
  const at = preamble.length + line.indexOf("^");
  return service
    .getCompletionsAtPosition(path, at, undefined)
    ?.entries.map(({ name }) => name)
    .sort();
};

/** The lines of the compiler's messages and hints about a program. */
const complaints = (line: string): string[] => {
  open(line);
  return service.getSemanticDiagnostics(path).flatMap(({ messageText, relatedInformation = [] }) =>
    [messageText, ...relatedInformation.map((related) => related.messageText)].flatMap((message) =>
      ts
        .flattenDiagnosticMessageText(message, "\n")
        .split("\n")
        .map((words) => words.trim()),
    ),
  );
};

const whenCaught = (line: string): string => `if (isAdGenError(caught)) { ${line} }`;

test.each([
  ["cli^ent", "const client: AdGenClient<{}>"],
  ["client.br^ands", "(property) AdGenClient<{}>.brands: BrandsResource<Brand, SavedAd>"],
  [whenCaught("caught.out^come"), "(property) ShownFacts.outcome?: Outcome | undefined"],
  [
    whenCaught("caught.last^Job"),
    "(property) AdGenError.lastJob: Readonly<Record<string, unknown>> | undefined",
  ],
  [
    whenCaught('if (caught.code === "decode") caught.rea^son'),
    '(property) DecodeError.reason: "too-large" | "not-json" | "envelope" | "data" | "schema"',
  ],
])("an editor shows the type of %s without noise", (line, type) => {
  expect(hover(line).type).toBe(type);
});

test("an editor offers every field of an event in a hook", () => {
  expect(hover("createClient({ hooks: { onFailure: (ev^ent) => {} } })").type).toBe(
    "(parameter) event: FailureEvent",
  );
  const names = completions("createClient({ hooks: { onFailure: (event) => event.^ } })");
  expect(names?.join(" ")).toBe(
    "attempt code durationMs method operation outcome path requestId retryInMs status",
  );
});

const imageParameters = ["brand_id", "images", "prompt", "variations"];
const videoParameters = ["brand_id", "duration", "images", "prompt"];

test.each<[line: string, names: readonly string[]]>([
  ['client.jobs.submit({ action: "generate-ad", ^ });', imageParameters],
  ['client.jobs.submit({ action: "generate-ad-copy", ^ });', imageParameters],
  ['client.jobs.submit({ action: "video-a-2", ^ });', videoParameters],
  ['client.jobs.submitAndPoll({ action: "video-a-2", ^ });', videoParameters],
  ['submitMany(client, [{ action: "video-a-2", ^ }]);', videoParameters],
  ['export const video: JobRequest = { action: "video-a-2", ^ };', videoParameters],
  [
    "client.jobs.submit({ ^ });",
    [...new Set(["action", ...imageParameters, ...videoParameters])].sort(),
  ],
  ['client.jobs.submit({ action: "^" });', [...sdk.actions].sort()],
  [
    'client.jobs.submit({ action: "generate-ad" }, { ^ });',
    ["headers", "maxRetries", "onResponse", "once", "signal", "timeoutMs", "totalTimeoutMs"],
  ],
])("an editor completes %s", (line, names) => {
  expect(completions(line)).toEqual(names);
});

test("an editor explains a request's parameters and actions", () => {
  const prompt = hover('client.jobs.submit({ action: "generate-ad", pro^mpt: "Lemonade" })');
  expect(prompt.words).toBe("Description of what to make.");
  const action = hover('client.jobs.submit({ act^ion: "generate-ad-copy" })');
  expect(action.words).toMatch(/`video-b-3-0` a video\.\s`generate-ad-copy` writes\sad\stext/);
});

test("an editor explains each error code", () => {
  const { words } = hover(whenCaught("caught.co^de"));
  expect(
    words
      .match(/`"\w+"`: \w/g)
      ?.map((each) => each.split('"')[1])
      .sort(),
  ).toEqual(Object.keys(errorClasses).sort());
});

test.each([
  ["pollJob(client, submitted)", "Did you forget to use 'await'?"],
  ["client.jobs.get(submitted)", "Did you forget to use 'await'?"],
  ["createPollTicket(submitted)", "Did you forget to use 'await'?"],
  ["pollJob(client, submitted)", "Property 'job_id' is missing in type 'Promise<"],
  ["pollJob(client, await submitted, { interval: 5 })", "Did you mean to write 'intervalMs'?"],
  ["client.jobs.get('job_1', { signal: new AbortController() })", "from type 'AbortSignal'"],
  ["createClient({ baseURL: '' })", "Did you mean to write 'baseUrl'?"],
])("the compiler says what is wrong with %s", (line, words) => {
  expect(complaints(line).join("\n")).toContain(words);
});

const methods = ["submit", "get", "list", "submitAndPoll"].map((name) => `client.jobs.${name}`);
const functions = Object.entries(sdk).flatMap(([name, value]) =>
  typeof value === "function" && /^(create|find|poll|submit|watch)/.test(name) ? name : [],
);

test.each([...methods, ...functions])("an editor lists the errors of %s by code", (name) => {
  const imported = `import { ${name.split(".")[0]} } from "adgen-sdk";`;
  const { errors } = hover(`${imported} ${name.replace(/(\w+)$/, "^$1")};`);
  const [line, ...items] = errors.split("\n");
  expect(line).toMatch(/^`AdGenError`/);
  // The other lines continue the line before them.
  const starts = items.filter((item) => item.startsWith("- "));
  expect(starts.length).toBeGreaterThan(0);
  for (const item of starts) {
    expect(item).toMatch(/^- (`\w+`.*[:,]|The codes? of |The codes that )/);
    const [, code] = /^- `(\w+)`/.exec(item) ?? [];
    if (code !== undefined) expect(Object.keys(errorClasses)).toContain(code);
  }
});
