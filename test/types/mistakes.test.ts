// What compilers and editors say about usual mistakes in requests, in every TypeScript that users have.
import { afterAll, describe, expect, test } from "vitest";
import { type CompilerVersion, compilers, readProgram } from "./compilers.ts";

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
    `Property 'action' is missing in type '{ prompt: string; }' but required in type '{ action: "video-b-3-0"; }'.`,
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

const imageParameters = ["brand_id", "images", "prompt", "variations"];
const videoParameters = ["brand_id", "duration", "images", "prompt"];

/** Places where an editor completes, marked by ^, and what it offers there. */
const completed: readonly (readonly [program: string, names: readonly string[]])[] = [
  ['jobs.submit({ action: "generate-ad", ^ });', imageParameters],
  ['jobs.submit({ action: "generate-ad-copy", ^ });', imageParameters],
  ['jobs.submit({ action: "video-a-2", ^ });', videoParameters],
  ['jobs.submitAndPoll({ action: "video-a-2", ^ });', videoParameters],
  ['submitMany(client, [{ action: "video-a-2", ^ }]);', videoParameters],
  ['export const video: JobRequest = { action: "video-a-2", ^ };', videoParameters],
  ["jobs.submit({ ^ });", [...new Set(["action", ...imageParameters, ...videoParameters])].sort()],
  [
    'jobs.submit({ action: "^" });',
    [
      ...["copy-ad", "edit-ad", "generate-ad", "generate-ad-copy", "image-a-2", "image-a-pro"],
      ...["video-a-2", "video-a-2-pro", "video-b-3-0"],
    ],
  ],
  [
    'jobs.submit({ action: "generate-ad" }, { ^ });',
    [
      ...["headers", "maxRetries", "onResponse", "once"],
      ...["signal", "timeoutMs", "totalTimeoutMs"],
    ],
  ],
];

/** The text of a program without its marks, and the places of the marks. */
const unmark = (marked: string): { readonly text: string; readonly marks: readonly number[] } => {
  const parts = marked.split(/[«»^]/);
  const marks = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join("").length);
  return { text: parts.join(""), marks };
};

const lineOf = ([program]: readonly [string, unknown]): string => program;
const cases = [...mistakes.map(lineOf), ...accepted, ...completed.map(lineOf)];

const openPrograms: { close: () => void }[] = [];
afterAll(() => {
  for (const { close } of openPrograms) close();
});

/** Reads all cases as one program: a case starts at its line, and ends where the next one starts. */
const readCases = (version: CompilerVersion) => {
  const text = preamble + cases.map((each) => `${unmark(each).text}\n`).join("");
  const program = readProgram(version, text);
  openPrograms.push(program);
  const startOf = (marked: string): number => text.indexOf(`${unmark(marked).text}\n`);
  return {
    complaints: (marked: string) =>
      program.complaintsIn(startOf(marked), startOf(marked) + unmark(marked).text.length),
    completions: (marked: string) =>
      program.completionsAt(startOf(marked) + (unmark(marked).marks[0] ?? 0)),
  };
};

const versions = Object.keys(compilers) as CompilerVersion[];

describe.each(versions)("TypeScript %s", (version) => {
  /** In CI, a missing version fails. Elsewhere, see `npm ci --prefix tools/other-runtimes`. */
  const isMissing = compilers[version] === undefined && !process.env["CI"];
  let read: ReturnType<typeof readCases> | undefined;
  const cached = () => {
    read ??= readCases(version);
    return read;
  };

  test.skipIf(isMissing).each(mistakes)("the mistake is underlined in %s", (program, end) => {
    const [complaint, ...others] = cached().complaints(program);
    expect(others).toEqual([]);
    expect(complaint?.underlined).toBe(markedIn(program));
    expect(complaint?.message.endsWith(end), complaint?.message).toBe(true);
    expect(complaint?.message.split("\n").length).toBeLessThanOrEqual(3);
    expect(complaint?.message.length).toBeLessThan(360);
  });

  test.skipIf(isMissing).each(accepted)("the compiler accepts %s", (program) => {
    expect(cached().complaints(program)).toEqual([]);
  });

  test.skipIf(isMissing).each(completed)("an editor completes %s", (program, names) => {
    expect(cached().completions(program)).toEqual(names);
  });
});
