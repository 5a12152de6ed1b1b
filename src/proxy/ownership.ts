import type { Kind } from "../contract/endpoint.ts";
import { createRandomId } from "../random-id.ts";
import { problemOfId } from "../request/url.ts";
import type { Clock } from "../submissions/clock.ts";
import type { RecordStore, StoredRecord } from "../submissions/record-store.ts";
import { ownerKeyOf as keyOf } from "../submissions/records.ts";
import { retryInBackground } from "../submissions/settle.ts";
import { readStored, refuse, refuseAsUnknown } from "./answer.ts";
import { foldName } from "./fold-name.ts";

/** A thing of an owner, as the store has it. */
export interface OwnedThing {
  readonly id: string;
  readonly owner: string;
  /** Time of its making, in milliseconds since 1970. */
  readonly at: number;
  /** Revision of its record. */
  readonly rev: string;
}

/** The most ids of a kind that one body may name: each is a question to the store. */
const mostNamed = 100;

/** The most things of one owner that a list looks through: a list of jobs shows recent ones. */
const mostListed: Readonly<Record<Kind, number>> = { job: 500, brand: 10_000, ad: 10_000 };

const listOf = (kind: Kind, owner: string): string => `${kind}s:${owner}`;

const readThing = (kind: Kind, record: StoredRecord): OwnedThing => {
  const { owner, at } = readStored<Pick<OwnedThing, "owner" | "at">>(
    record,
    ({ owner, at }) => typeof owner === "string" && typeof at === "number",
    "of an owner",
  );
  return { id: record.id.slice(keyOf(kind, "").length), owner, at, rev: record.rev };
};

/** Which user owns which thing. Brands and ads are kept until they are deleted. */
export const createOwnership = (
  store: RecordStore,
  clock: Clock,
  jobTtlMs: number,
  report: (error: unknown) => void,
  outlive: (work: Promise<unknown>) => void,
) => {
  /** Things that were made, and whose owners the store has not taken yet. */
  const late = new Map<string, OwnedThing>();

  /** Writes what is a fact by now: a store that fails gets it later. */
  const keep = async <T>(
    key: string,
    write: () => Promise<T>,
    thing?: OwnedThing,
  ): Promise<T | undefined> => {
    try {
      // Twice at once: a page must not see a thing of another owner because one write has failed.
      return await write().catch(write);
    } catch {
      if (thing !== undefined) late.set(key, thing);
      const work = retryInBackground(clock, write).then((error) => {
        late.delete(key);
        if (error !== undefined) report(new Error(`the store has not taken ${key} for an hour`));
      });
      outlive(work);
      return undefined;
    }
  };

  const find = async (kind: Kind, id: string): Promise<OwnedThing | undefined> => {
    const key = keyOf(kind, id);
    const record = await store.get(key);
    return record === undefined ? late.get(key) : readThing(kind, record);
  };

  const give = async (kind: Kind, id: string, owner: string): Promise<boolean> => {
    const there = await store.swap(keyOf(kind, id), "", {
      rev: createRandomId(),
      text: JSON.stringify({ owner, at: Date.now() }),
      list: listOf(kind, owner),
      ...(kind === "job" && { ttlMs: jobTtlMs }),
    });
    return there !== undefined && readThing(kind, there).owner === owner;
  };

  return {
    /** A thing, whosever it is; `undefined` for one without an owner. */
    find,
    /** A thing of the owner. Another one's is refused, as one that is not there. */
    async requireOwn(kind: Kind, id: string, owner: string): Promise<OwnedThing> {
      const thing = await find(kind, id);
      return thing?.owner === owner ? thing : refuseAsUnknown();
    },
    /** Notes the owner of a thing, or rejects when the store fails. `false`: it is another one's. */
    give,
    /** The same for a thing that was just made: a store that fails gets it later. */
    async claim(kind: Kind, id: string, owner: string): Promise<boolean> {
      const thing = { id, owner, at: Date.now(), rev: "" };
      return (await keep(keyOf(kind, id), () => give(kind, id, owner), thing)) ?? true;
    },
    /** Forgets a thing that was deleted; a store that fails does so later. */
    async forget(kind: Kind, { id, rev }: OwnedThing): Promise<void> {
      const key = keyOf(kind, id);
      await keep(key, () => store.swap(key, rev));
    },
    /** Things of an owner, the newest first. */
    async list(kind: Kind, owner: string): Promise<readonly OwnedThing[]> {
      const records = await store.list(listOf(kind, owner), mostListed[kind]);
      return records
        .filter(({ id }) => id.startsWith(keyOf(kind, "")))
        .map((record) => readThing(kind, record))
        .filter((thing) => thing.owner === owner && problemOfId(thing.id) === undefined);
    },
  };
};

export type Ownership = ReturnType<typeof createOwnership>;

const idNames: Readonly<Record<Kind, RegExp>> = {
  job: /job[_-]?ids?$/,
  brand: /brand[_-]?ids?$/,
  // An upload_id and a threadId name no ad.
  ad: /(^|saved|[^a-z])ad[_-]?ids?$/,
};

/** Kind of thing that a field names; a `sourceAdId` is read as a `source_ad_id`, too. */
const kindNamedBy = (name: string): Kind | undefined => {
  // A body may have a million names, and folding takes its time.
  if (/^[!-~]*$/.test(name) && !/id/i.test(name)) return undefined;
  const spellings = [name, name.replace(/[a-z0-9](?=[A-Z])/g, "$&_")].map(foldName);
  const isNamed = (kind: Kind) => spellings.some((spelling) => idNames[kind].test(spelling));
  return (["job", "brand", "ad"] as const).find(isNamed);
};

/** Finds every id of each kind in a body, at any depth and in any spelling. */
const idsIn = (body: unknown): Readonly<Record<Kind, ReadonlySet<unknown>>> => {
  const found: Record<Kind, Set<unknown>> = { job: new Set(), brand: new Set(), ad: new Set() };
  // A list instead of recursion: a body may be nested deeper than the stack.
  const open = [body];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    for (const [name, item] of Object.entries(value)) {
      const kind = kindNamedBy(name);
      if (kind === undefined) open.push(item);
      else for (const id of [item].flat()) if (id !== null) found[kind].add(id);
    }
  }
  return found;
};

/** Refuses a body that names a brand, a job or an ad of somebody else. */
export const requireOwnIds = async (
  ownership: Ownership,
  body: unknown,
  owner: string,
): Promise<void> => {
  const found = idsIn(body);
  for (const kind of ["brand", "job", "ad"] as const) {
    const ids = found[kind];
    if (ids.size > mostNamed) refuse(400, `the body names more than ${mostNamed} ${kind}s`);
    for (const id of ids) {
      if (problemOfId(id) !== undefined) refuseAsUnknown();
      await ownership.requireOwn(kind, String(id), owner);
    }
  }
};
