/**
 * The command `adgen-submissions`, with which a person decides about submissions in doubt. This
 * folder runs in Node, and may import the public entries of the package and the records of
 * `store/`.
 */
import { existsSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { type AdGenClient, createClient, isAdGenError } from "adgen-sdk";
import { openFileStore } from "adgen-sdk/submissions/file";
import type { RecordStore } from "../store/record-store.ts";
import { describeDoubts } from "./describe-doubts.ts";
import { listOpenDoubts, type OpenDoubt, requireJobFor } from "./open-doubts.ts";

/** The streams to which the command prints. */
interface Surroundings {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

const options = {
  adopt: { type: "string" as const },
  drop: { type: "string" as const },
  resubmit: { type: "string" as const },
  help: { type: "boolean" as const, short: "h", default: false },
};

const helpText = `Usage: adgen-submissions <file>
       adgen-submissions <file> --adopt <id> <job id>
       adgen-submissions <file> --drop <id>
       adgen-submissions <file> --resubmit <id>

Lists the submissions in doubt in a store that openFileStore made, with the jobs that may belong to
them, and decides about one of them.

      --adopt <id> <job id>  the submission made this job: its id gives the job from now on
      --drop <id>            the id is never sent again; a job that it made stays charged
      --resubmit <id>        the submission made no job: the next call with its id is sent, and paid
  -h, --help                 shows this text

Candidates and --resubmit need ADGEN_BASE_URL and ADGEN_API_KEY.
`;

class UsageError extends Error {}

const readArguments = (args: readonly string[]) => {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const { adopt, drop, resubmit, help } = values;
  const [path, jobId, ...rest] = positionals;
  const given = [adopt, drop, resubmit].filter((id) => id !== undefined);
  if (help) return { help, path: "" };
  if (path === undefined)
    throw new UsageError("the path of the store's file is missing: give it first");
  if (given.length > 1) {
    throw new UsageError("these are several decisions: give one of --adopt, --drop and --resubmit");
  }
  if (adopt !== undefined && jobId === undefined) {
    throw new UsageError("--adopt takes the id of the submission and then the id of its job");
  }
  const extra = adopt === undefined ? jobId : rest[0];
  if (extra !== undefined)
    throw new UsageError(`"${extra}" is one argument too many: leave it out`);
  if (!existsSync(path))
    throw new UsageError(`there is no file ${path}: give the path that openFileStore got`);
  return { help, path, id: given[0], jobId, isResubmit: resubmit !== undefined };
};

/** Creates a client if the environment names the service and the key. */
const openClient = (): AdGenClient | undefined => {
  const { ADGEN_BASE_URL: baseUrl, ADGEN_API_KEY: apiKey } = process.env;
  return baseUrl && apiKey ? createClient({ baseUrl, apiKey }) : undefined;
};

const findDoubt = (doubts: readonly OpenDoubt[], id: string): OpenDoubt => {
  const [found, other] = doubts.filter(({ name }) => name === id);
  if (found === undefined) {
    throw new UsageError(`no submission "${id}" is in doubt: list them first`);
  }
  if (other !== undefined) {
    throw new UsageError(
      `two submissions are named "${id}": decide in a program, by submissions.decide()`,
    );
  }
  return found;
};

const decide = async (
  store: RecordStore,
  client: AdGenClient | undefined,
  { id, jobId, isResubmit }: { id: string; jobId: string | undefined; isResubmit: boolean },
): Promise<string> => {
  const asked = isResubmit ? client : undefined;
  const { doubts } = await listOpenDoubts(store, asked);
  const found = findDoubt(doubts, id);
  const { doubt, submissions } = found;
  if (jobId !== undefined) {
    // The service refuses a mistyped id.
    await client?.jobs.get(jobId);
    await requireJobFor(store, found, jobId);
    await submissions.decide(doubt, { adopt: jobId });
    return `${id} has the job ${jobId} from now on.`;
  }
  if (!isResubmit) {
    await submissions.decide(doubt, "drop");
    return `${id} is dropped: it is never sent again.`;
  }
  if (asked === undefined) {
    throw new UsageError(
      "--resubmit looks at the service's list first: set ADGEN_BASE_URL and ADGEN_API_KEY",
    );
  }
  await submissions.decide(doubt, "resubmit");
  return `${id} is free: the next call with this id is sent, and paid.`;
};

const list = async (store: RecordStore, client: AdGenClient | undefined, path: string) => {
  try {
    return describeDoubts(path, await listOpenDoubts(store, client));
  } catch (error) {
    // The submissions in doubt can be listed without the service.
    if (!isAdGenError(error) || error.code === "store") throw error;
    const withoutCandidates = describeDoubts(path, await listOpenDoubts(store, undefined));
    return `The service gave no list of jobs, so there are no candidates: ${error.message}\n\n${withoutCandidates}`;
  }
};

/** Runs the command, and returns its exit status. */
export const runCommand = async (
  args: readonly string[],
  { print, printError }: Surroundings,
): Promise<number> => {
  try {
    const { help, path, id, jobId, isResubmit = false } = readArguments(args);
    if (help) {
      print(helpText.trimEnd());
      return 0;
    }
    const store = await openFileStore(path);
    try {
      const client = openClient();
      const output =
        id === undefined
          ? list(store, client, path)
          : decide(store, client, { id, jobId, isResubmit });
      print(await output);
      return 0;
    } finally {
      await store.close();
    }
  } catch (error) {
    const isUsage = error instanceof UsageError || error instanceof TypeError;
    printError(`adgen-submissions: ${error instanceof Error ? error.message : String(error)}`);
    if (isUsage) printError("See adgen-submissions --help.");
    return isUsage ? 2 : 1;
  }
};
