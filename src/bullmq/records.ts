import type { IRedisClient } from "bullmq";
import type { FleetNames } from "./fleet-names.ts";
import { encodeId } from "./job-id.ts";
import { recordScripts } from "./record-scripts.ts";
import type {
  CandidateJob,
  Candidates,
  Contradiction,
  Decision,
  ErrorRecord,
} from "./submission.ts";

/** Facts about a submission that the fleet keeps. They outlive BullMQ's jobs. */
export interface SubmissionRecord {
  readonly state: "added" | "intent" | "known" | "held" | "dropped" | "refused";
  readonly action: string;
  readonly digest: string;
  /** Names the execution that made the intent. */
  readonly token?: string | undefined;
  readonly intentAt?: number | undefined;
  readonly unknownAt?: number | undefined;
  readonly error?: ErrorRecord | undefined;
  readonly jobId?: string | undefined;
  readonly submittedAt?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  /** Job of the fleet that was known last when the intent was made. */
  readonly previousJobId?: string | undefined;
  readonly heldAt?: number | undefined;
  readonly candidates?: readonly CandidateJob[] | undefined;
  readonly isComplete: boolean;
  readonly openElsewhere: number;
  /** Decision that is to be carried out: no execution has begun since. */
  readonly decided?: string | undefined;
}

/** Answer to an execution that wants to submit. */
export type Claimed = "go" | "known" | "held" | "dropped" | "taken";

const numberOf = (text: string | undefined): number | undefined =>
  text ? Number(text) : undefined;

const jsonOf = <T>(text: string | undefined): T | undefined =>
  text ? (JSON.parse(text) as T) : undefined;

/** Opens the records of a fleet: one hash for each submission, and the ids of all jobs. */
export const createRecords = (names: FleetNames, connect: () => Promise<IRedisClient>) => {
  const keyOf = (id: string): string => names.key(`s:${encodeId(id)}`);
  const [open, held, jobs] = [names.key("open"), names.key("held"), names.key("jobs")];
  const [last, unknowns] = [names.key("last-job"), names.key("unknown-outcomes")];
  const contradictions = names.key("contradictions");
  const prepared = new WeakSet<object>();

  const client = async (): Promise<IRedisClient> => {
    const commands = await connect();
    if (!prepared.has(commands)) {
      for (const [name, script] of Object.entries(recordScripts)) {
        commands.defineCommand(name, script);
      }
      prepared.add(commands);
    }
    return commands;
  };
  const run = async (
    name: keyof typeof recordScripts,
    ...input: readonly (string | number)[]
  ): Promise<unknown> => (await client()).runCommand(name, [...input]);

  return {
    /** Gives 1 for a new submission, 0 for one that is there, -1 where its request is another. */
    add: (id: string, digest: string, action: string): Promise<unknown> =>
      run("adgenAdd", keyOf(id), digest, action, Date.now()),

    read: async (id: string): Promise<SubmissionRecord | undefined> => {
      const {
        state,
        action = "",
        digest = "",
        ...given
      } = await (await client()).hgetall(keyOf(id));
      if (state === undefined) return undefined;
      return {
        state: state as SubmissionRecord["state"],
        action,
        digest,
        token: given["token"],
        intentAt: numberOf(given["intentAt"]),
        unknownAt: numberOf(given["unknownAt"]),
        error: jsonOf(given["error"]),
        jobId: given["jobId"],
        submittedAt: numberOf(given["submittedAt"]),
        retryAfterMs: numberOf(given["retryAfterMs"]),
        previousJobId: given["previousJobId"],
        heldAt: numberOf(given["heldAt"]),
        candidates: jsonOf(given["candidates"]),
        isComplete: given["isComplete"] === "1",
        openElsewhere: numberOf(given["openElsewhere"]) ?? 0,
        decided: given["decided"],
      };
    },

    /** Puts the intent to submit on record. One execution alone is told to go. */
    claim: async (
      id: string,
      token: string,
      digest: string,
      action: string,
      intentAt: number,
    ): Promise<Claimed> => {
      const facts = [id, token, intentAt, digest, action];
      return (await run("adgenClaim", keyOf(id), open, last, ...facts)) as Claimed;
    },

    /** Puts the answer of the POST on record. Gives "known", or what contradicts it. */
    settle: async (
      id: string,
      jobId: string,
      submittedAt: number,
      retryAfterMs: number | undefined,
    ): Promise<string> => {
      const keys = [keyOf(id), open, held, jobs, last, unknowns, contradictions];
      return String(await run("adgenSettle", ...keys, id, jobId, submittedAt, retryAfterMs ?? ""));
    },

    /** Takes the intent back: the POST has provably submitted nothing. */
    release: (
      id: string,
      token: string,
      error: ErrorRecord,
      isFinal: boolean,
    ): Promise<unknown> => {
      const state = isFinal ? "refused" : "added";
      return run("adgenRelease", keyOf(id), open, id, token, JSON.stringify(error), state);
    },

    /**
     * Notes that the POST has ended, and that its outcome is unknown. Gives the number of such
     * outcomes since a job was known last.
     */
    doubt: async (id: string, token: string, error: ErrorRecord): Promise<number> => {
      const facts = [token, Date.now(), JSON.stringify(error)];
      return Number(await run("adgenDoubt", keyOf(id), unknowns, ...facts));
    },

    /** Holds a submission for a decision; gives 0 where its fate has become known meanwhile. */
    hold: (
      id: string,
      token: string,
      { candidates, isComplete }: Candidates,
      openElsewhere: number,
    ): Promise<unknown> => {
      const kept = candidates?.map(({ job: _, ...facts }) => facts);
      const list = kept === undefined ? "" : JSON.stringify(kept);
      const facts = [id, token, Date.now(), list, openElsewhere, isComplete ? "1" : ""];
      return run("adgenHold", keyOf(id), open, held, ...facts);
    },

    /**
     * Carries out a decision: "decided", "carried-out" earlier, "not-held", or "owned:" and the id of
     * the owner.
     */
    decide: async (id: string, decision: Exclude<Decision, "hold">): Promise<string> => {
      const [kind, jobId] = typeof decision === "object" ? ["job", decision.jobId] : [decision, ""];
      return String(await run("adgenDecide", keyOf(id), held, jobs, id, kind, jobId));
    },

    /** Gives those of the jobs that no submission of the fleet is known to have made. */
    withoutOwner: async <J extends { readonly job_id: string }>(
      all: readonly J[],
    ): Promise<J[]> => {
      if (all.length === 0) return [];
      const ids = all.map(({ job_id }) => job_id);
      const owners = (await run("adgenOwners", jobs, ...ids)) as readonly unknown[];
      return all.filter((_, index) => !owners[index]);
    },

    contradictions: async (): Promise<Contradiction[]> => {
      const all = await (await client()).hgetall(contradictions);
      return Object.values(all).map((text) => JSON.parse(text) as Contradiction);
    },

    /** Forgets a submission and its job. */
    forget: (id: string): Promise<unknown> =>
      run("adgenForget", keyOf(id), open, held, jobs, contradictions, id),

    heldIds: async (): Promise<string[]> => (await run("adgenMembers", held)) as string[],
    openIds: async (): Promise<string[]> => (await run("adgenMembers", open)) as string[],
  };
};

/** The records of a fleet. */
export type Records = ReturnType<typeof createRecords>;
