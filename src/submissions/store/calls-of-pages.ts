import type { RecordStore, StoredRecord } from "./record-store.ts";

const prefix = "calls/";

/**
 * Returns the part of a store in which a proxy keeps the calls of pages. A client that shares the
 * store cannot reach this part by any id.
 */
export const callsOfPages = (store: RecordStore): RecordStore => {
  const read = <Found extends StoredRecord | undefined>(found: Found): Found =>
    found && { ...found, id: found.id.slice(prefix.length) };
  return {
    get: async (id) => read(await store.get(prefix + id)),
    async swap(id, expected, next) {
      const list = next?.list && prefix + next.list;
      return read(await store.swap(prefix + id, expected, next && { ...next, list }));
    },
    list: async (name, limit) => (await store.list(prefix + name, limit)).map(read),
  };
};

/** Returns the id of a page's call in its part of the store. */
export const idOfCall = (owner: string, callId: string): string =>
  `${encodeURIComponent(owner)}:${callId}`;

/** Splits the id of a call into its owner and the id that the page gave. */
export const splitCallId = (id: string): { readonly owner: string; readonly callId: string } => {
  const end = id.indexOf(":");
  return { owner: decodeURIComponent(id.slice(0, end)), callId: id.slice(end + 1) };
};
