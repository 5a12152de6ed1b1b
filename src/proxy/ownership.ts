import { problemOfId } from "../request/url.ts";
import { refuse, refuseAsUnknown } from "./answer.ts";
import { foldName } from "./fold-name.ts";
import type { OwnedKind as Kind } from "./proxy-options.ts";
import type { SteadyStore } from "./steady-store.ts";

/** Whose a thing is, and since when. */
interface OwnerRecord {
  readonly owner: string;
  /** Time of its making, in milliseconds since 1970. */
  readonly at: number;
}

/** The most ids of a kind that one body may name: each is a question to the store. */
const mostNamed = 100;

/** Time for which room is kept: longer than a POST lasts. */
const roomMs = 600_000;

/** The most ids of one owner that a list looks through: a list of jobs shows recent ones. */
const mostListed: Readonly<Record<Kind, number>> = { job: 500, brand: 10_000, ad: 10_000 };

const keyOf = (kind: Kind, id: string): string => `${kind}:${encodeURIComponent(id)}`;

const listOf = (kind: Kind, owner: string): string => `${kind}s:${encodeURIComponent(owner)}`;

const readRecord = (text: string | undefined): OwnerRecord | undefined => {
  if (text === undefined) return undefined;
  try {
    const record: OwnerRecord = JSON.parse(text);
    if (typeof record.owner === "string" && typeof record.at === "number") return record;
  } catch {
    // Not written by a proxy.
  }
  return refuse(503, "the proxy's memory holds something else at the place of an owner");
};

/** Reads an owner where a wrong record must not refuse anything. */
const ownerIn = (text: string | undefined): string | undefined => {
  try {
    return readRecord(text)?.owner;
  } catch {
    return undefined;
  }
};

/** Memory of whose each job, brand and ad is. */
export interface Ownership {
  /** Tells since when a thing is the owner's; `undefined` when it is not. */
  ownSince(kind: Kind, id: string, owner: string): Promise<number | undefined>;
  /** Refuses a thing that is not the owner's, as one that is not there. */
  requireOwn(kind: Kind, id: string, owner: string): Promise<void>;
  /**
   * Keeps room for the owner of a thing that is about to be made: a full store refuses.
   *
   * @returns Gives the room back.
   */
  keepRoom(): Promise<() => Promise<void>>;
  /**
   * Notes the owner of a thing that was just made: a store that fails gets it later. `false` when it
   * is somebody else's already.
   */
  claim(kind: Kind, id: string, owner: string): Promise<boolean>;
  /** Notes the owner of any thing, or rejects when the store fails. */
  give(kind: Kind, id: string, owner: string): Promise<boolean>;
  /** Forgets a thing of the owner that was deleted. */
  forget(kind: Kind, id: string, owner: string): Promise<void>;
  /** Gives the ids on an owner's list, the newest first. A store may hold too many there. */
  idsOf(kind: Kind, owner: string): Promise<readonly string[]>;
  /** Gives those of some ids that are the owner's. */
  ownOf(kind: Kind, ids: readonly string[], owner: string): Promise<readonly string[]>;
}

/** Makes the memory of owners. Brands and ads are kept until they are deleted. */
export const createOwnership = (store: SteadyStore, jobTtlMs: number): Ownership => {
  const recordOf = (owner: string): string =>
    JSON.stringify({ owner, at: Date.now() } satisfies OwnerRecord);
  const optionsOf = (kind: Kind, owner: string) => ({
    list: listOf(kind, owner),
    ttlMs: kind === "job" ? jobTtlMs : undefined,
  });
  const ownership: Ownership = {
    async ownSince(kind, id, owner) {
      const record = readRecord(await store.get(keyOf(kind, id)));
      return record?.owner === owner ? record.at : undefined;
    },
    async requireOwn(kind, id, owner) {
      if ((await ownership.ownSince(kind, id, owner)) === undefined) refuseAsUnknown();
    },
    async keepRoom() {
      const key = `room:${crypto.randomUUID()}`;
      await store.setIfAbsent(key, "", { ttlMs: roomMs });
      return () => store.keep(key, "", { ttlMs: 1 });
    },
    async claim(kind, id, owner) {
      const record = recordOf(owner);
      const there = await store.claim(keyOf(kind, id), record, optionsOf(kind, owner));
      // The thing exists by now, so nothing may be refused as if it did not.
      return there === record || ownerIn(there) === owner;
    },
    async give(kind, id, owner) {
      const options = optionsOf(kind, owner);
      if (await store.setIfAbsent(keyOf(kind, id), recordOf(owner), options)) return true;
      return (await ownership.ownSince(kind, id, owner)) !== undefined;
    },
    forget: (kind, id, owner) => store.forget(keyOf(kind, id), listOf(kind, owner)),
    async idsOf(kind, owner) {
      const keys = await store.list(listOf(kind, owner), mostListed[kind]);
      return keys.map((key) => decodeURIComponent(key.slice(kind.length + 1)));
    },
    async ownOf(kind, ids, owner) {
      const times = await Promise.all(ids.map((id) => ownership.ownSince(kind, id, owner)));
      return ids.filter((_, place) => times[place] !== undefined);
    },
  };
  return ownership;
};

const idNames: Readonly<Record<Kind, RegExp>> = {
  job: /job[_-]?ids?$/,
  brand: /brand[_-]?ids?$/,
  // An upload_id and a threadId name no ad.
  ad: /(^|saved|[^a-z])ad[_-]?ids?$/,
};

/** Tells which kind of thing a field names; a `sourceAdId` is read as a `source_ad_id`, too. */
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
      await ownership.requireOwn(kind, id as string, owner);
    }
  }
};
