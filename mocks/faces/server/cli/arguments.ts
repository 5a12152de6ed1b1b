import { parseArgs } from "node:util";
import type { MockServiceOptions } from "../../../options/options.ts";
import { defaultPort, type MockServerOptions } from "../server-options.ts";

/** A flag: `parseArgs` reads the first four fields, the help and the check the others. */
interface Flag {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: true;
  readonly default?: string | string[];
  /** Placeholder of the value in the help. */
  readonly argument?: string;
  /** Lines of the help. */
  readonly help: string;
  readonly accepts?: (text: string) => boolean;
  /** End of the sentence "--flag must be …". */
  readonly expected?: string;
}

/** Checks for digits: `Number` would also take " ", "1e3" and "0x10". */
const wholeNumber = (limit: number) => ({
  type: "string" as const,
  argument: "<number>",
  accepts: (text: string) => /^\d+$/.test(text) && Number(text) <= limit,
  expected: `a whole number from 0 to ${limit}`,
});

const amount = wholeNumber(1_000_000_000);

const notEmpty = {
  type: "string" as const,
  accepts: (text: string) => text !== "",
  expected: "something, not empty",
};

/** Flags in the order of the help: the one place for their names, words, defaults and checks. */
const flags = {
  port: {
    ...wholeNumber(65_535),
    short: "p",
    help: "port; 0 takes a free one",
    default: String(defaultPort),
  },
  host: {
    ...notEmpty,
    argument: "<name>",
    help: "name or address to listen on",
    default: "127.0.0.1",
  },
  key: {
    type: "string",
    multiple: true,
    argument: "<key>",
    help: "API key of an account; give it once for each",
    default: ["test-key"],
    accepts: (text) => /^[\x21-\x7e]+$/.test(text),
    expected: "printable characters without spaces",
  },
  "image-credits": { ...amount, help: "monthly image credits of each account", default: "100" },
  "video-credits": { ...amount, help: "monthly video credits of each account", default: "100" },
  "purchased-image-credits": { ...amount, help: "image credits that do not lapse", default: "0" },
  "purchased-video-credits": { ...amount, help: "video credits that do not lapse", default: "0" },
  timeline: {
    type: "string",
    argument: "<timeline>",
    help: 'pace of jobs: "per-poll" moves a job on each time a client asks;\n"<ms>,<ms>": its times queued and processing',
    // A person can follow these times on the page without waiting for long.
    default: "1500,4000",
    accepts: (text) => /^(per-poll|\d{1,12},\d{1,12})$/.test(text),
    expected: '"per-poll" or two numbers of milliseconds, such as "1500,4000"',
  },
  "refund-failed-jobs": { type: "boolean", help: "pays failed jobs back" },
  expiry: {
    type: "string",
    argument: "<answer>",
    help: 'answer for a job unfinished after 30 minutes:\n"failed" or "not-found"; "all-not-found" for any\njob, finished ones too',
    default: "failed",
    accepts: (text) => /^(failed|(all-)?not-found)$/.test(text),
    expected: '"failed", "not-found" or "all-not-found"',
  },
  "picture-format": {
    type: "string",
    argument: "<format>",
    help: 'format of the pictures in results: "svg", or "png"\nfor readers that take bitmaps alone',
    default: "svg",
    accepts: (text) => text === "svg" || text === "png",
    expected: '"svg" or "png"',
  },
  seed: { ...notEmpty, argument: "<text>", help: "seed of ids and pictures", default: "adgen" },
  state: {
    ...notEmpty,
    argument: "<file.json>",
    help: "starts from this file when it exists, and keeps it up to date;\ncredits and seed are then for accounts that are not in it",
  },
  "journal-limit": {
    ...wholeNumber(1_000_000),
    help: "requests that the journal remembers",
    default: "10000",
  },
  "public-url": {
    type: "string",
    argument: "<url>",
    accepts: (text) => /^https?:\/\/[^/]/.test(text),
    expected: 'an http(s) URL, such as "http://localhost:5173"',
    help: "address of this server for others, behind a proxy or in a\ncontainer: the URLs of pictures begin with it",
  },
  "end-with-stdin": { type: "boolean", help: "ends when its standard input ends" },
  detached: { type: "boolean", help: "goes on when the npm or npx that started it ends" },
  quiet: { type: "boolean", short: "q", help: "no line for each request" },
  version: { type: "boolean", help: "prints the version" },
  help: { type: "boolean", short: "h", help: "prints this text" },
} as const satisfies Readonly<Record<string, Flag>>;

/** Space before the explanations in the help. */
const indent = " ".repeat(34);

const helpOf = ([name, flag]: [string, Flag]): string => {
  const short = flag.short === undefined ? "    " : `-${flag.short}, `;
  const usage = `  ${short}--${name} ${flag.argument ?? ""}`;
  const start = usage.length < indent.length ? usage.padEnd(indent.length) : `${usage}\n${indent}`;
  const byDefault = flag.default === undefined ? "" : ` (default ${flag.default})`;
  return `${start}${flag.help.replaceAll("\n", `\n${indent}`)}${byDefault}\n`;
};

/** Text of `--help`. */
export const helpText = `Usage: adgen-mock [options]
       adgen-mock check --help     holds a real service against its document and the assumptions
       adgen-mock record --help    passes requests on to a real service, and does the same

Serves the whole ad generation service from memory, and a page to look at it.

${Object.entries<Flag>(flags).map(helpOf).join("")}`;

/**
 * Reads a command line, without the program's name.
 *
 * @throws Error that names the flag, when one is unknown or wrong
 */
export const readFlags = (args: readonly string[]) => {
  const { values } = parseArgs({ args: [...args], options: flags, strict: true });
  for (const [name, { accepts, expected }] of Object.entries<Flag>(flags)) {
    const texts = [values[name as keyof typeof flags] ?? []].flat();
    if (accepts === undefined || texts.every((text) => accepts(String(text)))) continue;
    // Without the text, which may be a real key.
    throw new Error(`--${name} must be ${expected}`);
  }
  return values;
};

/** Values of the flags, with their defaults. */
export type FlagValues = ReturnType<typeof readFlags>;

const readTimeline = (text: string): NonNullable<MockServiceOptions["timeline"]> => {
  if (text === "per-poll") return text;
  const [queuedMs = 0, processingMs = 0] = text.split(",").map(Number);
  return { queuedMs, processingMs };
};

const readAccounts = (values: FlagValues): NonNullable<MockServiceOptions["accounts"]> => {
  const pots = (kind: "image" | "video") => ({
    monthly: Number(values[`${kind}-credits`]),
    purchased: Number(values[`purchased-${kind}-credits`]),
  });
  const credits = { image: pots("image"), video: pots("video") };
  return Object.fromEntries(values.key.map((key) => [key, { credits }]));
};

/** Gives the server's options by the flags. */
export const optionsOf = (values: FlagValues) =>
  ({
    port: Number(values.port),
    host: values.host,
    seed: values.seed,
    journalLimit: Number(values["journal-limit"]),
    ...(values.state !== undefined && { stateFile: values.state }),
    ...(values["public-url"] !== undefined && { publicUrl: values["public-url"] }),
    accounts: readAccounts(values),
    timeline: readTimeline(values.timeline),
    expiry: values.expiry as "failed" | "not-found" | "all-not-found",
    pictureFormat: values["picture-format"] === "png" ? "png" : "svg",
    refundFailedJobs: values["refund-failed-jobs"] ?? false,
  }) as const satisfies MockServerOptions;
