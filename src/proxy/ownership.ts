import { createRandomId } from "../client/internal/platform.ts";
import { problemOfId } from "../client/options/rules.ts";
import type { ResourceKind } from "../contract/endpoint.ts";
import { ownClock } from "../submissions/store/clock.ts";
import { ownerKeyOf as keyOf, ownerIn } from "../submissions/store/record.ts";
import type { RecordStore, StoredRecord } from "../submissions/store/record-store.ts";
import { retryInBackground } from "../submissions/store/retry-in-background.ts";
import { refuseAsUnknown, refuseRequest } from "./answer.ts";

/** A thing of an owner, as the store has it. */
export interface OwnedThing {
  readonly id: string;
  readonly owner: string;
  /** Revision of its record. */
  readonly rev: string;
}

/** Maximum number of things of one owner that a list reads. */
const maxListed = 10_000;

const listOf = (kind: ResourceKind, owner: string): string => `${kind}s:${owner}`;

const readThing = (kind: ResourceKind, record: StoredRecord): OwnedThing => {
  const words = "the proxy's store holds a damaged record of an owner";
  const owner = ownerIn(record.text) ?? refuseRequest(503, words);
  return { id: record.id.slice(keyOf(kind, "").length), owner, rev: record.rev };
};

/** Names of the fields that hold ids, by the kind of thing. */
const idNames: Readonly<Record<ResourceKind, RegExp>> = {
  job: /job_?ids?$/i,
  brand: /brand_?ids?$/i,
  ad: /(^|saved_?|_)ad_?ids?$/i,
};

/** The kinds of things that have an owner. */
export const kinds = Object.keys(idNames) as readonly ResourceKind[];

/**
 * Records which user owns which thing. The records of brands and ads stay until these are deleted.
 */
export const createOwnership = (
  store: RecordStore,
  jobTtlMs: number,
  outlive: (work: Promise<unknown>) => void,
) => {
  const find = async (kind: ResourceKind, id: string): Promise<OwnedThing | undefined> => {
    const record = await store.get(keyOf(kind, id));
    return record && readThing(kind, record);
  };

  /**
   * Returns a thing of the owner. Somebody else's thing is refused like one that does not exist.
   */
  const requireOwn = async (kind: ResourceKind, id: string, owner: string): Promise<OwnedThing> => {
    const thing = await find(kind, id);
    return thing?.owner === owner ? thing : refuseAsUnknown();
  };

  /**
   * Records the owner of a thing. Returns `false` if somebody else owns it, and rejects if the
   * store fails.
   */
  const give = async (kind: ResourceKind, id: string, owner: string): Promise<boolean> => {
    const there = await store.swap(keyOf(kind, id), "", {
      rev: createRandomId(),
      text: JSON.stringify({ owner }),
      list: listOf(kind, owner),
      ...(kind === "job" && { ttlMs: jobTtlMs }),
    });
    return there !== undefined && readThing(kind, there).owner === owner;
  };

  return {
    requireOwn,
    give,
    /** Records the owner of a new thing. If the store fails, the record is written later. */
    async claim(kind: ResourceKind, id: string, owner: string): Promise<boolean> {
      try {
        return await give(kind, id, owner);
      } catch {
        outlive(retryInBackground(ownClock, () => give(kind, id, owner)));
        return true;
      }
    },
    /**
     * Forgets a deleted thing. If the store fails, the record stays, and later calls get the
     * service's 404.
     */
    forget: (kind: ResourceKind, { id, rev }: OwnedThing): Promise<unknown> =>
      store.swap(keyOf(kind, id), rev).catch(() => undefined),
    /** Lists the ids of an owner's things, the newest first. */
    async list(kind: ResourceKind, owner: string): Promise<readonly string[]> {
      const records = await store.list(listOf(kind, owner), maxListed);
      return records.map((record) => readThing(kind, record).id);
    },
    /**
     * Refuses a body with a top-level field that holds the id of somebody else's brand, job or ad.
     */
    async requireOwnIds(body: object, owner: string): Promise<void> {
      for (const [name, value] of Object.entries(body)) {
        const kind = kinds.find((one) => idNames[one].test(name));
        for (const id of kind === undefined ? [] : [value ?? []].flat()) {
          if (problemOfId(id) !== undefined) refuseAsUnknown();
          if (kind !== undefined) await requireOwn(kind, String(id), owner);
        }
      }
    },
  };
};

export type Ownership = ReturnType<typeof createOwnership>;
