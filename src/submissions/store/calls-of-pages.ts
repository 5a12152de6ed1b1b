import type { RecordStore, StoredRecord } from "./record-store.ts";

const prefix = "calls/";

/**
 * The part of a store for the calls of pages, which a proxy makes: no id of a client that shares the
 * store leads there.
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

/** Id of a page's call in its part of the store. */
export const idOfCall = (owner: string, callId: string): string =>
  `${encodeURIComponent(owner)}:${callId}`;

/** Reads the owner and the page's own id in the id of a call. */
export const splitCallId = (id: string): { readonly owner: string; readonly callId: string } => {
  const end = id.indexOf(":");
  return { owner: decodeURIComponent(id.slice(0, end)), callId: id.slice(end + 1) };
};
