import { parseArgs } from "node:util";
import { readBaseUrl } from "../read-base-url.ts";

export const checkHelp = `Usage: adgen-mock check --base-url <url> --key <key> [options]

Goes through the API's document at a real service and says where it differs from the document,
and which assumptions hold where the document is silent. It creates brands and saved
ads and deletes them again. It submits free jobs (generate-ad-copy), which cannot be deleted.
Nothing that costs credits is submitted without --spend.

  --base-url <url>     the service, or $ADGEN_BASE_URL
  --key <key>          an API key, or $ADGEN_API_KEY
  --second-key <key>   of another account, to see that it is kept apart, or $ADGEN_SECOND_KEY
  --poor-key <key>     of an account without credits, to see a 402, or $ADGEN_POOR_KEY;
                       where it has credits, --spend spends them
  --spend              also submit jobs that cost credits: 15 image credits and 4 short videos,
                       more where the service takes what it should refuse
  --mock               also check what only the mock promises
  --timeout-ms <n>     for each request, 100 to 600000 (default 30000)
  --poll-ms <n>        for a job to finish, 0 to 3600000 (default 120000)
  --steps              print each step, too
  --json               print the report as JSON, at the end
  -h, --help

Ends with 0; with 1 when something differs from the document, or got no answer; with 2 when it cannot begin;
with 130 when it was interrupted; what it made is deleted then, too.
`;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the arguments, and the environment for those that are not there. */
export const readCheckOptions = (args: readonly string[], env: Environment) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      "base-url": { type: "string" },
      key: { type: "string" },
      "second-key": { type: "string" },
      "poor-key": { type: "string" },
      spend: { type: "boolean", default: false },
      mock: { type: "boolean", default: false },
      "timeout-ms": { type: "string", default: "30000" },
      "poll-ms": { type: "string", default: "120000" },
      steps: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  const required = (name: string, value: string | undefined): string => {
    if (!value) throw new Error(`--${name} is missing`);
    return value;
  };
  const milliseconds = (name: "timeout-ms" | "poll-ms", min: number, max: number): number => {
    const value = Number(values[name]);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new Error(`--${name} must be a whole number from ${min} to ${max}`);
  };
  const url = readBaseUrl("base-url", values["base-url"] ?? env["ADGEN_BASE_URL"]);
  const first = required("key", values.key ?? env["ADGEN_API_KEY"]);
  const second = values["second-key"] ?? env["ADGEN_SECOND_KEY"];
  const poor = values["poor-key"] ?? env["ADGEN_POOR_KEY"];
  const keys = { first, ...(second && { second }), ...(poor && { poor }) };
  if (Object.values(keys).some((key) => !/^[\x21-\x7e]+$/.test(key))) {
    throw new Error("Keys are made of printable characters");
  }
  if (second === first) throw new Error("--second-key must be of another account than --key");
  return {
    baseUrl: url.origin + url.pathname.replace(/\/+$/, ""),
    keys,
    spend: values.spend,
    mock: values.mock,
    steps: values.steps,
    json: values.json,
    timeoutMs: milliseconds("timeout-ms", 100, 600_000),
    pollTimeoutMs: milliseconds("poll-ms", 0, 3_600_000),
  };
};

/** Options of a run. */
export type CheckOptions = Exclude<ReturnType<typeof readCheckOptions>, "help">;
