import { parseArgs } from "node:util";
import type { MockServiceOptions } from "../../../options/options.ts";
import { isRecord, requireKnown } from "../../../options/require.ts";
import { describeOption, serviceOptionNames } from "../../../options/resolve-options.ts";
import { messageOf } from "../log-line.ts";
import { defaultPort, type MockServerOptions } from "../server-options.ts";
import { readSeedText } from "./seed-file.ts";

/** A flag: `parseArgs` reads the first four fields, the help and the check the others. */
interface Flag {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: true;
  readonly default?: string | string[];
  /** Placeholder of the value in the help. */
  readonly argument?: string;
  /** Explanation in the help. */
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

/** Makes the flag of an option of the service, whose words, default and check are the option's own. */
const flagOf = (name: keyof MockServiceOptions, argument: string) => {
  const { description, byDefault, accepts, expected } = describeOption(name);
  const help = `${description}: ${expected}`;
  return { type: "string" as const, argument, help, default: String(byDefault), accepts, expected };
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
  },
  "image-credits": { ...amount, help: "Monthly image credits of each account", default: "100" },
  "video-credits": { ...amount, help: "Monthly video credits of each account", default: "100" },
  "purchased-image-credits": { ...amount, help: "Image credits that do not lapse", default: "0" },
  "purchased-video-credits": { ...amount, help: "Video credits that do not lapse", default: "0" },
  timeline: {
    type: "string",
    argument: "<timeline>",
    help: 'Pace of jobs: "per-poll" moves a job on each time a client asks; "<ms>,<ms>": its times queued and processing',
    // A person can follow these times on the page without waiting for long.
    default: "1500,4000",
    accepts: (text) => /^(per-poll|\d{1,12},\d{1,12})$/.test(text),
    expected: '"per-poll" or two numbers of milliseconds, such as "1500,4000"',
  },
  "refund-failed-jobs": { type: "boolean", help: describeOption("refundFailedJobs").description },
  expiry: flagOf("expiry", "<answer>"),
  "picture-format": flagOf("pictureFormat", "<format>"),
  seed: {
    ...notEmpty,
    argument: "<text>",
    help: describeOption("seed").description,
    default: "adgen",
  },
  "seed-file": {
    ...notEmpty,
    argument: "<file.json>",
    help: "Options of createMockService as JSON: accounts with credits, brands, saved ads and finished jobs; adgen-mock init writes one",
  },
  state: {
    ...notEmpty,
    argument: "<file.json>",
    help: "Starts from this file when it exists, and keeps it up to date; credits and seed are then for accounts that are not in it",
  },
  "journal-limit": {
    ...wholeNumber(1_000_000),
    help: describeOption("journalLimit").description,
    default: String(describeOption("journalLimit").byDefault),
  },
  "public-url": {
    type: "string",
    argument: "<url>",
    accepts: (text) => /^https?:\/\/[^/]/.test(text),
    expected: 'an http(s) URL, such as "http://localhost:5173"',
    help: "Address of this server for others, behind a proxy or in a container: the URLs of pictures begin with it",
  },
  "end-with-stdin": { type: "boolean", help: "Ends when its standard input ends" },
  quiet: { type: "boolean", short: "q", help: "No line for each request" },
  version: { type: "boolean", help: "Prints the version" },
  help: { type: "boolean", short: "h", help: "Prints this text" },
} as const satisfies Readonly<Record<string, Flag>>;

/** Space before the explanations in the help, and its longest line. */
const indent = " ".repeat(34);
const longestLine = 90;

/** Breaks an explanation into lines. */
const wrap = (text: string): string =>
  text
    .split(/\s+/)
    .reduce((lines, word) => {
      const last = lines.slice(lines.lastIndexOf("\n") + 1);
      const fits = indent.length + last.length + word.length < longestLine;
      return `${lines}${fits ? " " : "\n"}${word}`;
    })
    .replaceAll("\n", `\n${indent}`);

const helpOf = ([name, flag]: [string, Flag]): string => {
  const short = flag.short === undefined ? "    " : `-${flag.short}, `;
  const usage = `  ${short}--${name} ${flag.argument ?? ""}`;
  const start = usage.length < indent.length ? usage.padEnd(indent.length) : `${usage}\n${indent}`;
  const byDefault = flag.default === undefined ? "" : ` (default ${flag.default})`;
  return `${start}${wrap(flag.help + byDefault)}\n`;
};

/** Text of `--help`. */
export const helpText = `Usage: adgen-mock [options]
       adgen-mock init [file]      writes a seed file to begin with, for --seed-file
       adgen-mock check --help     holds a real service against its document and the assumptions

Serves the whole ad generation service from memory, and a page to look at it.

${Object.entries<Flag>(flags).map(helpOf).join("")}`;

/**
 * Reads a command line, without the program's name.
 *
 * @throws Error that names the flag, when one is unknown or wrong
 */
export const readFlags = (args: readonly string[]) => {
  const parsed = parseArgs({ args: [...args], options: flags, strict: true, tokens: true });
  const { values } = parsed;
  for (const [name, { accepts, expected }] of Object.entries<Flag>(flags)) {
    const texts = [values[name as keyof typeof flags] ?? []].flat();
    if (accepts === undefined || texts.every((text) => accepts(String(text)))) continue;
    // Without the text, which may be a real key.
    throw new Error(`--${name} must be ${expected}`);
  }
  const given = parsed.tokens.flatMap((token) => (token.kind === "option" ? token.name : []));
  return { ...values, given };
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

const creditFlags = Object.keys(flags).filter((name) => name.endsWith("-credits"));

/** Flags that say the same as an option of the service. */
const flagsOf: Readonly<Record<string, readonly string[]>> = {
  accounts: ["key", ...creditFlags],
  timeline: ["timeline"],
  refundFailedJobs: ["refund-failed-jobs"],
  expiry: ["expiry"],
  pictureFormat: ["picture-format"],
  seed: ["seed"],
  journalLimit: ["journal-limit"],
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
  for (const name of Object.keys(options)) {
    const flag = given.find((one) => flagsOf[name]?.includes(one));
    if (flag === undefined) continue;
    throw new TypeError(`--${flag} and "${name}" in ${file} say the same: leave one of them out`);
  }
  return options;
};

/** Gives the server's options by the flags. @throws TypeError for a seed file that makes no sense */
export const optionsOf = (values: FlagValues): MockServerOptions => ({
  ...optionsOfFlags(values),
  ...readSeedFile(values),
});

const optionsOfFlags = (values: FlagValues) =>
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
