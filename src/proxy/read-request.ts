import { callIdHeader } from "../contract/proxy-headers.ts";
import { type Refuse, wholeNumber } from "../options/rules.ts";
import { refuse } from "./answer.ts";

const refuseQuery: Refuse = (message) => refuse(400, message);

/** Reads the query of a list: only `limit`, because other parameters may reach others' things. */
export const readLimit = (url: string): number | undefined => {
  const query = new URL(url).searchParams;
  for (const name of query.keys()) {
    if (name !== "limit") refuse(400, `query.${name} is not passed on; only limit is`);
  }
  const limit = query.get("limit");
  if (limit === null) return undefined;
  return wholeNumber(0, 10_000)(limit === "" ? limit : Number(limit), "query.limit", refuseQuery);
};

/** Reads the id by which a page names a call, so that a repeat of it is known. */
export const readCallId = ({ headers }: Request): string | undefined => {
  const id = headers.get(callIdHeader) ?? undefined;
  if (id === undefined || /^[!-~]{1,128}$/.test(id)) return id;
  return refuse(400, "Idempotency-Key must have 1 to 128 visible ASCII characters");
};

/** Makes a digest, by which two bodies are compared without being kept. */
export const digestOf = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
};
