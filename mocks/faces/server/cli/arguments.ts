import { parseArgs } from "node:util";
import type { MockServiceOptions } from "../../../options/options.ts";
import type { MockServerListenOptions } from "../start-mock-server.ts";

/** What a command line asks for. */
export type CliRequest =
  | { readonly what: "help" }
  | { readonly what: "version" }
  | { readonly what: "refused"; readonly reason: string }
  | {
      readonly what: "serve";
      readonly options: MockServiceOptions & MockServerListenOptions;
      readonly quiet: boolean;
    };

/** Jobs can be watched on the page, and nobody waits for long. */
const realistic = { queuedMs: 1500, processingMs: 4000 };

export const defaultPort = 4010;

export const helpText = `Usage: adgen-mock [options]

Serves the whole ad generation service from memory, and a page to look at it.

  -p, --port <number>             port; 0 takes a free one (default ${defaultPort})
      --host <name>               name or address to listen on (default 127.0.0.1)
      --key <key>                 an account's API key; give it once for each account
                                  (default test-key)
      --image-credits <number>    monthly image credits of each account (default 100)
      --video-credits <number>    monthly video credits of each account (default 100)
      --purchased-image-credits <number>, --purchased-video-credits <number>
                                  credits that do not lapse (default 0)
      --timeline <timeline>       how jobs get on: "per-look" moves a job on each time it is
                                  asked for; "<ms>,<ms>" keeps it queued and processing for
                                  so long (default ${realistic.queuedMs},${realistic.processingMs})
      --refund-failed-jobs        pays back what failed jobs have cost
      --expiry <what>             a job unfinished after 30 minutes: "failed" or "not-found"
                                  (default failed)
      --seed <text>               what ids and pictures are made from (default adgen)
      --state <file.json>         starts from this file when it is there, and keeps it up to date;
                                  credits and seed are then for accounts that are not in it
  -q, --quiet                     no line for each request
      --version, -h, --help
`;

const flags = {
  port: { type: "string", short: "p" },
  host: { type: "string" },
  key: { type: "string", multiple: true },
  "image-credits": { type: "string" },
  "video-credits": { type: "string" },
  "purchased-image-credits": { type: "string" },
  "purchased-video-credits": { type: "string" },
  timeline: { type: "string" },
  "refund-failed-jobs": { type: "boolean" },
  expiry: { type: "string" },
  seed: { type: "string" },
  state: { type: "string" },
  quiet: { type: "boolean", short: "q" },
  version: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

class UsageError extends Error {}

const refuse = (flag: keyof typeof flags, expected: string): never => {
  throw new UsageError(`--${flag} must be ${expected}`);
};

type Values = ReturnType<typeof parse>["values"];

const parse = (args: readonly string[]) =>
  parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: false });

/** Digits only: `Number` would also take " ", "1e3" and "0x10". */
const wholeNumber = <Default>(
  values: Values,
  flag: "port" | `${"" | "purchased-"}${"image" | "video"}-credits`,
  limit: number,
  byDefault: Default,
): number | Default => {
  const text = values[flag];
  if (text === undefined) return byDefault;
  const isRight = /^\d+$/.test(text) && Number(text) <= limit;
  return isRight ? Number(text) : refuse(flag, `a whole number from 0 to ${limit}`);
};

const notEmpty = (values: Values, flag: "host" | "state" | "seed"): string | undefined =>
  values[flag] === "" ? refuse(flag, "something, not empty") : values[flag];

const timelineOf = ({ timeline }: Values): NonNullable<MockServiceOptions["timeline"]> => {
  if (timeline === undefined) return realistic;
  if (timeline === "per-look") return timeline;
  const [, queued, processing] = /^(\d{1,12}),(\d{1,12})$/.exec(timeline) ?? [];
  if (queued === undefined || processing === undefined) {
    return refuse("timeline", '"per-look" or two numbers of milliseconds, such as "1500,4000"');
  }
  return { queuedMs: Number(queued), processingMs: Number(processing) };
};

const expiryOf = ({ expiry = "failed" }: Values): "failed" | "not-found" =>
  expiry === "failed" || expiry === "not-found"
    ? expiry
    : refuse("expiry", '"failed" or "not-found"');

const maxCredits = 1_000_000_000;

const accountsOf = (values: Values): NonNullable<MockServiceOptions["accounts"]> => {
  const keys = values.key ?? ["test-key"];
  // The key itself is not repeated: it may be a real one.
  if (!keys.every((key) => /^[\x21-\x7e]+$/.test(key))) {
    refuse("key", "printable characters without spaces");
  }
  const pots = (kind: "image" | "video") => ({
    monthly: wholeNumber(values, `${kind}-credits`, maxCredits, 100),
    purchased: wholeNumber(values, `purchased-${kind}-credits`, maxCredits, 0),
  });
  const credits = { image: pots("image"), video: pots("video") };
  return Object.fromEntries(keys.map((key) => [key, { credits }]));
};

const read = (values: Values): CliRequest => {
  if (values.help) return { what: "help" };
  if (values.version) return { what: "version" };
  const host = notEmpty(values, "host");
  const seed = notEmpty(values, "seed");
  const stateFile = notEmpty(values, "state");
  const options = {
    port: wholeNumber(values, "port", 65_535, defaultPort),
    ...(host !== undefined && { host }),
    ...(seed !== undefined && { seed }),
    ...(stateFile !== undefined && { stateFile }),
    accounts: accountsOf(values),
    timeline: timelineOf(values),
    expiry: expiryOf(values),
    refundFailedJobs: values["refund-failed-jobs"] ?? false,
  };
  return { what: "serve", options, quiet: values.quiet ?? false };
};

/** Reads a command line, without the program's name; refuses it with one line that names the flag. */
export const readArguments = (args: readonly string[]): CliRequest => {
  try {
    return read(parse(args).values);
  } catch (error) {
    // Node's own refusals explain themselves in further lines and sentences.
    const reason = error instanceof Error ? error.message : String(error);
    return { what: "refused", reason: reason.split(/\.?\n|\. /)[0] ?? reason };
  }
};
