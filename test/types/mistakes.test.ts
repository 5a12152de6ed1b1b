// What the compiler says about usual mistakes in requests, in every TypeScript that users have.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { compilers } from "../helpers/compilers.ts";

/** The settings of a strict user. `paths` lets the program import the sources: no build is needed. */
const compilerOptions = {
  module: "nodenext",
  moduleResolution: "nodenext",
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  paths: { "adgen-sdk": [resolve("src/client/index.ts")] },
};

const preamble = `
import { createClient, pollJob, submitMany } from "adgen-sdk";
import type { Action, FinishedJob, ImageAction, JobRequest, StandardSchema, SubmittedJob } from "adgen-sdk";
declare const text: StandardSchema<unknown, string>;
const client = createClient({ schemas: { results: { "generate-ad-copy": text } } });
const { jobs } = client;
declare const isVideo: boolean;
declare const imageOrVideo: "generate-ad" | "video-a-2";
declare const options: { action: "generate-ad"; variatons: number };
declare const lines: readonly string[];
declare const style: string;
declare const partial: unknown;
`;

/** The kind of parameters of each action that the programs name. */
const kinds = {
  "generate-ad": "Image",
  "edit-ad": "Image",
  "video-a-2": "Video",
  "generate-ad-copy": "Copy",
} as const;

/** Unknown parameters between « and », the action, and the parameter that is meant, if any. */
const unknownParameters: readonly [program: string, action: keyof typeof kinds, meant?: string][] =
  [
    ['jobs.submit({ action: "generate-ad", «promt»: "x" });', "generate-ad", "prompt"],
    ['jobs.submit({ action: "generate-ad", «brandId»: "b1" });', "generate-ad", "brand_id"],
    ['jobs.submit({ action: "generate-ad", «image»: ["a.png"] });', "generate-ad", "images"],
    ['jobs.submitAndPoll({ action: "generate-ad", «variatons»: 4 });', "generate-ad", "variations"],
    ['jobs.submit({ action: "generate-ad", «style»: "noir" });', "generate-ad"],
    ['jobs.submit({ action: "generate-ad", «once»: "order-1" });', "generate-ad"],
    ['jobs.submit({ action: "video-a-2", «variations»: 2 });', "video-a-2"],
    ['jobs.submit({ action: "generate-ad-copy", «duration»: 5 });', "generate-ad-copy"],
    [
      'submitMany(client, [{ action: "generate-ad" }, { action: "edit-ad", «variatons»: 2 }]);',
      ...(["edit-ad", "variations"] as const),
    ],
    [
      'jobs.submit(isVideo ? { action: "video-a-2" } : { action: "generate-ad", «variatons»: 4 });',
      ...(["generate-ad", "variations"] as const),
    ],
    ['export const request: JobRequest = { action: "video-a-2", «camera»: "pan" };', "video-a-2"],
    [
      'export const list: JobRequest[] = [{ action: "edit-ad", «propmt»: "x" }];',
      "edit-ad",
      "prompt",
    ],
    [
      'export const fixed = { action: "edit-ad", «propmt»: "x" } satisfies JobRequest;',
      ...(["edit-ad", "prompt"] as const),
    ],
  ];

const markedIn = (program: string): string => /«(.*)»/.exec(program)?.[1] ?? "";

/** Mistakes, with the text that is underlined between « and », and the end of the message. */
const mistakes: readonly (readonly [program: string, end: string])[] = [
  ...unknownParameters.map(([program, action, meant]): [string, string] => {
    const type = `{ action: "${action}"; } & ${kinds[action]}JobParameters`;
    const hint = meant === undefined ? "" : ` Did you mean to write '${meant}'?`;
    return [program, `'${markedIn(program)}' does not exist in type '${type}'.${hint}`];
  }),
  [
    'jobs.submit({ action: "generate-ad", «variations»: "4" });',
    "Type 'string' is not assignable to type 'number'.",
  ],
  [
    'jobs.submit({ action: "generate-ad", «images»: "a.png" });',
    "Type 'string' is not assignable to type 'readonly string[]'.",
  ],
  ['jobs.submit({ «action»: "generate-ads" });', `. Did you mean '"generate-ad"'?`],
  [
    'jobs.submit(«{ prompt: "x" }»);',
    `Property 'action' is missing in type '{ prompt: string; }' but required in type '{ action: "ANY"; }'.`,
  ],
  ['submitMany(client, [{ action: "generate-ad" }, { «action»: "generate-poster" }]);', "'."],
  [
    'submitMany(client, { «action»: "generate-ad" });',
    "'action' does not exist in type 'Iterable<JobRequest<Action>> | readonly JobRequest<Action>[]'.",
  ],
  [
    'jobs.submitAndPoll({ action: "generate-ad" }, { «interval»: 5 });',
    "Did you mean to write 'intervalMs'?",
  ],
  [
    'jobs.submit({ action: "generate-ad" }, { «timeout»: 5 });',
    "Did you mean to write 'timeoutMs'?",
  ],
];

/** Programs that compile. The first three hold a mistake that plain types cannot see. */
const accepted: readonly string[] = [
  "jobs.submit(options);",
  "jobs.submit({ action: imageOrVideo, variations: 2 });",
  'submitMany(client, new Set([{ action: "edit-ad", propmt: "x" } as const]));',
  'submitMany(client, lines.map((prompt) => ({ action: "generate-ad", prompt })));',
  'jobs.submit({ action: "generate-ad", style } as JobRequest<"generate-ad">);',
  'jobs.submit({ action: "generate-ad", ...(isVideo && { variations: 2 }) });',
  "export const wrap = <A extends Action>(request: JobRequest<A>) => jobs.submit({ ...request, brand_id: 'b' });",
  "export const draw = <A extends ImageAction>(action: A, prompt: string) => jobs.submit({ action, prompt });",
  'Promise.all(lines.map((prompt) => jobs.submit({ action: "generate-ad", prompt })));',
  'submitMany(client, (function* () { for (const prompt of lines) yield { action: "edit-ad", prompt } as const; })());',
  'submitMany(client, [{ action: "generate-ad", variations: 2 }, { action: "video-a-2", duration: 4 }]);',
  'jobs.submit({ action: "generate-ad", ...(partial as Partial<JobRequest>) });',
  'export const readOnly = jobs.submit({ action: "generate-ad", images: ["a.png"], variations: 2 } as const);',
  "submitMany({ jobs: { ...jobs, submit: async () => ({ job_id: 'job_1', status: 'queued' }) } }, [{ action: 'edit-ad' }]);",
  'export const kept: Promise<SubmittedJob<"edit-ad">> = jobs.submit({ action: "edit-ad" });',
  'pollJob(client, await jobs.submit({ action: "generate-ad-copy" })) satisfies Promise<FinishedJob<string>>;',
];

const unmark = (marked: string): string => marked.replace(/[«»]/g, "");
const cases = [...mistakes.map(([program]) => program), ...accepted];

/** An error that a compiler reports. */
interface Complaint {
  readonly program: string | undefined;
  /** The part of the program that an editor underlines. */
  readonly underlined: string;
  /** The message, with its further lines. */
  readonly message: string;
}

/** Compiles all cases as one program, in which each case has its own line. */
const compile = (tsc = ""): readonly Complaint[] => {
  mkdirSync(".tmp", { recursive: true });
  const folder = mkdtempSync(resolve(".tmp/mistakes-"));
  const lines = [...preamble.split("\n").slice(0, -1), ...cases.map(unmark)];
  writeFileSync(join(folder, "program.ts"), lines.join("\n"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const config = { compilerOptions, files: ["program.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const args = [tsc, "--project", folder, "--pretty"];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  rmSync(folder, { recursive: true, force: true });
  expect(stderr).toBe("");
  const complaints = Array.from(
    stripVTControlCharacters(stdout).matchAll(
      /^\S+program\.ts:(\d+):(\d+) - error TS\d+: (.*?)\n\n\d+ [^\n]*\n *(~+)$/gms,
    ),
    ([, line, column, message = "", waves = ""]) => {
      const start = Number(column) - 1;
      const text = lines[Number(line) - 1] ?? "";
      return {
        program: cases.find((each) => unmark(each) === text),
        underlined: text.slice(start, start + waves.length),
        // The versions name different actions in a message about a missing one.
        message: message.replace(/(required in type '{ action: ")[\w-]+/, "$1ANY"),
      };
    },
  );
  // Each error is read, and lies in a case.
  expect(complaints).toHaveLength(stdout.match(/^\S*program\.ts\S*:/gm)?.length ?? 0);
  expect(complaints.filter(({ program }) => program === undefined)).toEqual([]);
  return complaints;
};

describe.each(Object.entries(compilers))("TypeScript %s", (_, tsc) => {
  /** In CI, a missing version fails. Elsewhere, see `npm ci --prefix tools/other-runtimes`. */
  const isMissing = tsc === undefined && !process.env["CI"];
  let found: readonly Complaint[] | undefined;
  const complaintsIn = (marked: string) => {
    found ??= compile(tsc);
    return found.filter(({ program }) => program === marked);
  };

  test.skipIf(isMissing).each(mistakes)("the mistake is underlined in %s", (program, end) => {
    const [complaint, ...others] = complaintsIn(program);
    expect(others).toEqual([]);
    expect(complaint?.underlined).toBe(markedIn(program));
    expect(complaint?.message.endsWith(end), complaint?.message).toBe(true);
    expect(complaint?.message.split("\n").length).toBeLessThanOrEqual(3);
    expect(complaint?.message.length).toBeLessThan(360);
  });

  test.skipIf(isMissing).each(accepted)("the compiler accepts %s", (program) => {
    expect(complaintsIn(program)).toEqual([]);
  });
});
