import { parseArgs } from "node:util";

export const checkHelp = `Usage: adgen-mock check --base-url <url> --key <key> [options]

Goes through the API's document at a real service and says where it breaks the document, and
where it differs from what is assumed. It deletes the brands and saved ads that it creates; its
free jobs (generate-ad-copy) stay. Nothing that costs credits is submitted without --spend.

  --base-url <url>     the service, or $ADGEN_BASE_URL
  --key <key>          an API key, or $ADGEN_API_KEY
  --second-key <key>   of another account, to see that it is kept apart, or $ADGEN_SECOND_KEY
  --poor-key <key>     of an account without credits, to see a 402, or $ADGEN_POOR_KEY;
                       where it has credits, --spend spends them
  --spend              also submit jobs that cost credits: 15 image credits and 4 short videos,
                       more where the service takes what it should refuse
  --poll-ms <n>        how long to wait for a job, 0 to 3600000 (default 120000); at most 30000
                       for one in a state that the document does not name
  --steps              also print each step
  --json               print the report as JSON, at the end
  -h, --help

Ends with 0; with 1 when the service breaks the document or fails to answer; with 2 when it
cannot begin; with 130 when it is interrupted, and still deletes what it made.
`;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the address of a service, as the client takes it. @throws Error that names the option */
const readBaseUrl = (text: string): string => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new Error("--base-url must be an absolute http(s) URL without query, fragment or user");
  }
  const path = url.pathname.replace(/\/+$/, "");
  if (path.endsWith("/v1")) throw new Error("--base-url must not end in /v1: each request adds it");
  return url.origin + path;
};

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
  const pollTimeoutMs = Number(values["poll-ms"]);
  if (!Number.isInteger(pollTimeoutMs) || pollTimeoutMs < 0 || pollTimeoutMs > 3_600_000) {
    throw new Error("--poll-ms must be a whole number from 0 to 3600000");
  }
  const baseUrl = readBaseUrl(required("base-url", values["base-url"] ?? env["ADGEN_BASE_URL"]));
  const first = required("key", values.key ?? env["ADGEN_API_KEY"]);
  const second = values["second-key"] ?? env["ADGEN_SECOND_KEY"];
  const poor = values["poor-key"] ?? env["ADGEN_POOR_KEY"];
  const keys = { first, ...(second && { second }), ...(poor && { poor }) };
  if (Object.values(keys).some((key) => !/^[\x21-\x7e]+$/.test(key))) {
    throw new Error("Keys are made of printable characters");
  }
  if (second === first) throw new Error("--second-key must be of another account than --key");
  const { spend, steps, json } = values;
  return { baseUrl, keys, spend, steps, json, pollTimeoutMs };
};

/** Options of a run. */
export type CheckOptions = Exclude<ReturnType<typeof readCheckOptions>, "help">;
