import { parseArgs } from "node:util";
import type { MockServiceOptions } from "../../../options/options.ts";
import { isRecord, requireKnown } from "../../../options/require.ts";
import { serviceOptionNames } from "../../../options/resolve-options.ts";
import { messageOf } from "../log-line.ts";
import { defaultPort, type MockServerOptions } from "../server-options.ts";
import { readSeedText } from "./seed-file.ts";

/** A flag: `parseArgs` reads the first four fields, the help and the checks the others. */
interface Flag {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: true;
  readonly default?: string | string[];
  /** Placeholder of the value in the help. */
  readonly argument?: string;
  /** Explanation in the help, on one line. */
  readonly help: string;
  readonly accepts?: (text: string) => boolean;
  /** End of the sentence "--flag must be …". */
  readonly expected?: string;
  /** Option of the service that says the same in a seed file. */
  readonly option?: keyof MockServiceOptions;
}

/** Checks for digits: `Number` would also take " ", "1e3" and "0x10". */
const wholeNumber = (limit: number) => ({
  type: "string" as const,
  argument: "<number>",
  accepts: (text: string) => /^\d+$/.test(text) && Number(text) <= limit,
  expected: `a whole number from 0 to ${limit}`,
});

const credits = { ...wholeNumber(1_000_000_000), default: "100", option: "accounts" as const };

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
    help: "Port; 0 takes a free one",
    default: String(defaultPort),
  },
  host: {
    ...notEmpty,
    argument: "<name>",
    help: "Name or address to listen on",
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
    option: "accounts",
  },
  "image-credits": { ...credits, help: "Monthly image credits of each account" },
  "video-credits": { ...credits, help: "Monthly video credits of each account" },
  timeline: {
    type: "string",
    argument: "<timeline>",
    help: '"per-poll", or "<ms>,<ms>" queued and processing',
    // A person can follow these times on the page without waiting for long.
    default: "1500,4000",
    accepts: (text) => /^(per-poll|\d{1,12},\d{1,12})$/.test(text),
    expected: '"per-poll" or two numbers of milliseconds, such as "1500,4000"',
    option: "timeline",
  },
  seed: {
    ...notEmpty,
    argument: "<text>",
    help: "Seed of all ids, random choices and pictures",
    default: "adgen",
    option: "seed",
  },
  "seed-file": {
    ...notEmpty,
    argument: "<file.json>",
    help: "All options, as JSON; adgen-mock init writes such a file",
  },
  "public-url": {
    type: "string",
    argument: "<url>",
    accepts: (text) => /^https?:\/\/[^/]/.test(text),
    expected: 'an http(s) URL, such as "http://localhost:5173"',
    help: "Begins the URLs of pictures, behind a proxy or in a container",
  },
  "end-with-stdin": { type: "boolean", help: "Ends when its standard input ends" },
  quiet: { type: "boolean", short: "q", help: "No line for each request" },
  version: { type: "boolean", help: "Prints the version" },
  help: { type: "boolean", short: "h", help: "Prints this text" },
} as const satisfies Readonly<Record<string, Flag>>;

const rows: readonly [string, Flag][] = Object.entries(flags);

const helpOf = ([name, flag]: [string, Flag]): string => {
  const short = flag.short === undefined ? "    " : `-${flag.short}, `;
  const usage = `  ${short}--${name} ${flag.argument ?? ""}`.padEnd(32);
  return `${usage}${flag.help}${flag.default === undefined ? "" : ` (default ${flag.default})`}\n`;
};

/** Text of `--help`. */
export const helpText = `Usage: adgen-mock [options]
       adgen-mock init [file]      writes a seed file to begin with, for --seed-file

Serves the whole ad generation service from memory, and a page to look at it.

${rows.map(helpOf).join("")}`;

/**
 * Reads a command line, without the program's name.
 *
 * @throws Error that names the flag, when one is unknown or wrong
 */
export const readFlags = (args: readonly string[]) => {
  const parsed = parseArgs({ args: [...args], options: flags, strict: true, tokens: true });
  const { values } = parsed;
  for (const [name, { accepts, expected }] of rows) {
    const texts = [values[name as keyof typeof flags] ?? []].flat();
    if (accepts === undefined || texts.every((text) => accepts(String(text)))) continue;
    // Without the text, which may be a real key.
    throw new Error(`--${name} must be ${expected}`);
  }
  const given: string[] = parsed.tokens.flatMap((token) =>
    token.kind === "option" ? token.name : [],
  );
  return { ...values, given };
};

/** Values of the flags, with their defaults. */
export type FlagValues = ReturnType<typeof readFlags>;

const readTimeline = (text: string): NonNullable<MockServiceOptions["timeline"]> => {
  if (text === "per-poll") return text;
  const [queuedMs = 0, processingMs = 0] = text.split(",").map(Number);
  return { queuedMs, processingMs };
};

/**
 * Reads the file of `--seed-file`, whose options stand in place of the flags' defaults.
 *
 * @throws TypeError when it is no JSON object, or says what a given flag says
 */
const readSeedFile = ({ "seed-file": file, given }: FlagValues): MockServiceOptions => {
  if (file === undefined) return {};
  let options: unknown;
  try {
    options = readSeedText(file);
  } catch (error) {
    throw new TypeError(`--seed-file ${file} cannot be read: ${messageOf(error)}`);
  }
  if (!isRecord(options)) throw new TypeError(`--seed-file ${file} must be a JSON object`);
  requireKnown(`options in ${file}`, serviceOptionNames, options);
  for (const [flag, { option = "" }] of rows) {
    if (!(option in options && given.includes(flag))) continue;
    throw new TypeError(`--${flag} and "${option}" in ${file} say the same: leave one of them out`);
  }
  return options;
};

/** Gives the server's options by the flags. @throws TypeError for a seed file that makes no sense */
export const optionsOf = (values: FlagValues): MockServerOptions => {
  const credits = {
    image: { monthly: Number(values["image-credits"]) },
    video: { monthly: Number(values["video-credits"]) },
  };
  return {
    port: Number(values.port),
    host: values.host,
    seed: values.seed,
    ...(values["public-url"] !== undefined && { publicUrl: values["public-url"] }),
    accounts: Object.fromEntries(values.key.map((key) => [key, { credits }])),
    timeline: readTimeline(values.timeline),
    ...readSeedFile(values),
  };
};
