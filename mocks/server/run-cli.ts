import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { isLoopback } from "../guard/urls.ts";
import type { MockServiceOptions } from "../options/options.ts";
import { quoteForShell } from "./page/words.ts";
import { startMockServer } from "./start-mock-server.ts";

/** The parts of its process that the command uses. */
interface Surroundings {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  readonly version: string;
  /** Aborts when the command is to stop. */
  readonly stopping: AbortSignal;
}

const options = {
  port: { type: "string" as const, short: "p", default: "4471" },
  host: { type: "string" as const, default: "127.0.0.1" },
  "allow-host": { type: "string" as const, multiple: true, default: [] as string[] },
  key: { type: "string" as const, multiple: true, default: ["test-key"] },
  "image-credits": { type: "string" as const, default: "100" },
  "video-credits": { type: "string" as const, default: "100" },
  timeline: { type: "string" as const, default: "1500,4000" },
  seed: { type: "string" as const },
  "seed-file": { type: "string" as const },
  quiet: { type: "boolean" as const, short: "q", default: false },
  version: { type: "boolean" as const, default: false },
  help: { type: "boolean" as const, short: "h", default: false },
};

export const helpText = `Usage: adgen-mock [options]
       adgen-mock check --help

Serves the whole ad generation service from memory, and a page to look at it.

  -p, --port <number>           port to listen on; 0 takes a free one (default 4471)
      --host <name>             name or address to listen on (default 127.0.0.1)
      --allow-host <name>       another name of the page and the commands; may be repeated
      --key <key>               API key of an account; may be repeated (default test-key)
      --image-credits <number>  monthly image credits of each account (default 100)
      --video-credits <number>  monthly video credits of each account (default 100)
      --timeline <timeline>     "per-poll", or "<queued ms>,<processing ms>" (default 1500,4000)
      --seed <text>             seed of all ids and pictures (default: another one at each start)
      --seed-file <file.json>   options of createMockService, which override these
  -q, --quiet                   prints no line for each request
      --version                 prints the version
  -h, --help                    prints this text
`;

const readOptions = (args: readonly string[]) => {
  const { values } = parseArgs({ args: [...args], options });
  const number = (name: "port" | "image-credits" | "video-credits"): number => {
    if (!/^\d{1,10}$/.test(values[name]))
      throw new TypeError(`--${name} must be a whole number, got "${values[name]}"`);
    return Number(values[name]);
  };
  const [queuedMs = 0, processingMs = 0] = values.timeline.split(",").map(Number);
  const credits = {
    image: { monthly: number("image-credits") },
    video: { monthly: number("video-credits") },
  };
  const fromFlags: MockServiceOptions = {
    accounts: Object.fromEntries([values.key].flat().map((key) => [key, { credits }])),
    // Ids of an earlier start must not name other jobs: programs may have recorded them.
    seed: values.seed ?? randomUUID(),
    timeline: values.timeline === "per-poll" ? "per-poll" : { queuedMs, processingMs },
  };
  const file = values["seed-file"];
  const fromFile: MockServiceOptions =
    file === undefined ? {} : JSON.parse(readFileSync(file, "utf8"));
  return {
    ...values,
    allowHosts: [values["allow-host"]].flat(),
    port: number("port"),
    service: { ...fromFlags, ...fromFile },
  };
};

/** Writes how to set the variables of a client, to be copied into a shell or a file. */
const variableLines = (url: string, key: string): string => `bash and zsh
export ADGEN_BASE_URL=${url}
export ADGEN_API_KEY=${quoteForShell(key)}

PowerShell
$env:ADGEN_BASE_URL = '${url}'
$env:ADGEN_API_KEY = '${key.replaceAll("'", "''")}'

.env
ADGEN_BASE_URL=${url}
ADGEN_API_KEY=${quoteForShell(key)}
`;

/**
 * Runs the command `adgen-mock`.
 *
 * @returns the exit code: 0 after a stop, 1 after a failure, 2 for a bad argument
 */
export const runCli = async (
  args: readonly string[],
  { print, printError, version, stopping }: Surroundings,
): Promise<number> => {
  try {
    const { help, version: isVersion, quiet, service, ...given } = readOptions(args);
    const { port, host, allowHosts } = given;
    if (help || isVersion) {
      print(help ? helpText : version);
      return 0;
    }
    const server = await startMockServer({
      ...service,
      ...{ port, host, allowHosts },
      ...(!quiet && { log: print }),
    });
    const [key = ""] = server.service.accounts.map((account) => account.key);
    print(`adgen-mock ${version} listens on ${server.url}`);
    print(`Page   ${server.url}/__mock/\n`);
    print(variableLines(server.url, key));
    if (!isLoopback(host))
      printError("adgen-mock: everybody who can reach this machine can use the mock");
    if (!stopping.aborted) {
      await new Promise((resolve) => stopping.addEventListener("abort", resolve, { once: true }));
    }
    await server.close();
    return 0;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isTaken = code === "EADDRINUSE";
    const advice = isTaken
      ? "another mock may run there; --port 0 takes a free port"
      : "see --help";
    printError(`adgen-mock: ${message} (${advice})`);
    return error instanceof TypeError ? 2 : 1;
  }
};
