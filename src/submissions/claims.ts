import type { RecordStore, StoredRecord } from "./record-store.ts";
import { createToken, isWaiting, jobIdOf, openList, type Standing } from "./records.ts";
import { mostTurns, type Records, tooOftenError } from "./records-in-store.ts";

/** The attempt that a job belongs to. */
interface Owner {
  readonly id: string;
  readonly token: string;
}

const keyOf = (jobId: string): string => `job:${jobId}`;

const readClaim = ({ text }: StoredRecord): Owner | undefined => {
  try {
    const { id, token } = JSON.parse(text);
    return { id: String(id), token: String(token) };
  } catch {
    return undefined;
  }
};

const isSame = (one: Owner, other: Owner): boolean =>
  one.id === other.id && one.token === other.token;

/** Makes the claims of a store, records that name the submission of a job: one job has one id. */
export const createClaims = (store: RecordStore, records: Records) => {
  /** Gives the record of a claim that holds: it may end midway, or its guess may be undone. */
  const holderOf = async (claim: Owner, jobId: string): Promise<Standing | undefined> => {
    const holder = await records.get(claim.id);
    const { record } = holder ?? {};
    if (record?.attempt.token !== claim.token) return undefined;
    return record.state === "in-doubt" || jobIdOf(record) === jobId ? holder : undefined;
  };

  /** Ends a guess that an answer contradicts; gives whether the job may be claimed anew. */
  const undoGuess = async (holder: Standing): Promise<boolean> => {
    const { record } = holder;
    if (record?.state !== "settled") return true;
    if (record.isAdopted !== true || record.isAcknowledged === true) return false;
    const { attempt } = record;
    await records.replace(holder, { attempt, state: "in-doubt", why: "not_its_job" });
    return true;
  };

  return {
    /**
     * Claims a job, and gives the id that has it then. The claim of a person is written where there
     * is none. That of an answer is a fact: what adopted the job by a guess is in doubt again.
     */
    async claim(
      jobId: string,
      owner: Owner,
      { isFact = false, ttlMs }: { isFact?: boolean; ttlMs?: number | undefined } = {},
    ): Promise<string> {
      const text = JSON.stringify({ id: owner.id, token: owner.token });
      const next = { rev: createToken(), text, ...(ttlMs !== undefined && { ttlMs }) };
      for (let expected = "", turns = 0; turns < mostTurns; turns++) {
        const there = await store.swap(keyOf(jobId), expected, next);
        if (there?.rev === next.rev) return owner.id;
        const claim = there && readClaim(there);
        expected = there?.rev ?? "";
        if (claim === undefined) continue;
        if (isSame(claim, owner)) {
          if (ttlMs === undefined) return owner.id;
          continue;
        }
        const holder = await holderOf(claim, jobId);
        if (holder !== undefined && !(isFact && (await undoGuess(holder)))) return claim.id;
      }
      throw tooOftenError(jobId);
    },
    /** Gives the record that owns a job by its claim. */
    async ownerOf(jobId: string): Promise<Standing | undefined> {
      const there = await store.get(keyOf(jobId));
      const claim = there && readClaim(there);
      return claim && holderOf(claim, jobId);
    },
    /** Gives the open records that have a job, with or without a claim. */
    findWaiting: async (jobId: string): Promise<readonly Standing[]> =>
      (await records.list(openList)).filter(
        ({ record }) => record && isWaiting(record) && jobIdOf(record) === jobId,
      ),
  };
};

export type Claims = ReturnType<typeof createClaims>;
