import { parseArgs } from "node:util";
import { type CheckTarget, checkService, NoServiceError } from "../check/check-service.ts";

/** The parts of its process that the command uses. */
interface Surroundings {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const options = {
  "base-url": { type: "string" as const },
  key: { type: "string" as const },
  spend: { type: "boolean" as const, default: false },
  wait: { type: "string" as const, default: "120" },
  help: { type: "boolean" as const, short: "h", default: false },
};

const helpText = `Usage: adgen-mock check [options]

Makes each documented call once, and compares each answer with what the client assumes.
It creates a brand and an ad, deletes both, and submits one free job.

      --base-url <url>   address of the service, without /v1 (default: the variable ADGEN_BASE_URL)
      --key <key>        API key (default: the variable ADGEN_API_KEY)
      --spend            also submits one job that costs one image credit
      --wait <seconds>   maximum wait for a job (default 120)
  -h, --help             prints this text

Ends with 0 if all answers fit, 1 if an answer differs, 2 if nothing could be checked.
`;

/**
 * Runs `adgen-mock check`.
 *
 * @returns the exit code: 0 when all answers fit, 1 when an answer differs, 2 when nothing could be checked
 */
export const runCheck = async (
  args: readonly string[],
  { print, printError, env }: Surroundings,
): Promise<number> => {
  try {
    const { values } = parseArgs({ args: [...args], options });
    if (values.help) {
      print(helpText);
      return 0;
    }
    if (!/^[1-9]\d{0,4}$/.test(values.wait))
      throw new TypeError(`--wait must be a whole number of seconds, got "${values.wait}"`);
    const baseUrl = values["base-url"] ?? env["ADGEN_BASE_URL"];
    const key = values.key ?? env["ADGEN_API_KEY"];
    if (baseUrl === undefined || key === undefined)
      throw new TypeError("Pass --base-url and --key, or set ADGEN_BASE_URL and ADGEN_API_KEY");
    const { spend, wait } = values;
    const target: CheckTarget = { baseUrl, key, spend, waitMs: 1_000 * Number(wait) };
    print(`Checks ${baseUrl}`);
    const broken = new Set<string>();
    let differing = 0;
    for await (const report of checkService(target)) {
      const { title, outcome, notes } = report;
      if (outcome === "differs") differing += 1;
      for (const one of report.broken) broken.add(one);
      print(`${outcome.padEnd(8)} ${title}${notes.length > 0 ? `  (${notes.join("; ")})` : ""}`);
    }
    if (broken.size > 0) print("\nThese assumptions are wrong:");
    for (const one of [...broken].sort()) print(`  ${one}`);
    const differ = differing === 1 ? "1 answer differs" : `${differing} answers differ`;
    print(differing === 0 ? "\nAll answers fit." : `\n${differ}.`);
    return differing === 0 ? 0 : 1;
  } catch (error) {
    const help = error instanceof NoServiceError ? "" : " (see adgen-mock check --help)";
    printError(`adgen-mock: ${(error as Error).message}${help}`);
    return 2;
  }
};
