import type { AccountFacts, SubmissionFacts } from "../errors/doubt.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { quote } from "./call-errors.ts";

/** Longest text that is kept whole. */
const longestText = 200;

/** Most items of a list that are kept. */
const mostItems = 20;

/** Longest excerpt, as JSON. */
const longestExcerpt = 4_000;

/** The account of a client, as the client hands it over. */
export interface OwnAccount extends Omit<AccountFacts, "keyDigest"> {
  /** Reads the client's key, where it names no account. */
  readonly readKey?: (() => Promise<KeyReading> | KeyReading) | undefined;
}

interface KeyReading {
  readonly key?: string | null | undefined;
}

/** Number of digits by which two keys are told apart. Nobody needs to tell a million of them apart. */
const digestLength = 16;

/** Writes a value as JSON with the names of each object in order. */
const inOrder = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inOrder).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, item]) => `${JSON.stringify(name)}:${inOrder(item)}`).join()}}`;
};

/**
 * Digest of a method and the JSON value that it sends: SHA-256, the same whatever the order of the
 * fields. `undefined` where the platform has no SHA-256.
 */
export const digestOf = async (method: string, body: unknown): Promise<string | undefined> => {
  const subtle = globalThis.crypto?.subtle;
  if (subtle === undefined) return undefined;
  const bytes = new TextEncoder().encode(inOrder([method, body]));
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** The same for a call with an id of the caller: without a digest, no repeat can be told. */
export const requireDigest = async (method: string, body: unknown): Promise<string> => {
  const digest = await digestOf(method, body);
  if (digest !== undefined) return digest;
  throw makeError("config", "once needs SHA-256 (crypto.subtle): open the page over https", {
    outcome: "not-sent",
  });
};

/** Cuts one value; gives `undefined`, which JSON leaves out, for what lies too deep. */
const cut = (value: unknown, depth: number): unknown => {
  if (typeof value === "string") {
    if (value.length <= longestText) return value;
    return `${value.slice(0, longestText)}… (${value.length} characters)`;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "…";
  if (Array.isArray(value)) return value.slice(0, mostItems).map((item) => cut(item, depth - 1));
  const names = Object.keys(value).slice(0, mostItems);
  const fields = value as Record<string, unknown>;
  return Object.fromEntries(names.map((name) => [name, cut(fields[name], depth - 1)]));
};

/**
 * Cuts a request to what a person needs to recognise it. Pictures as data URLs have megabytes, and
 * a record is written before each submission.
 */
export const excerptOf = (body: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const excerpt = cut(body, 4) as Record<string, unknown>;
  if (JSON.stringify(excerpt).length <= longestExcerpt) return excerpt;
  // Many or strange parameters: those that the service is known to have tell enough.
  const known = ["action", "prompt", "brand_id", "variations", "duration"];
  const plain = known.filter((name) => typeof excerpt[name] !== "object");
  return Object.fromEntries(plain.map((name) => [name, excerpt[name]]));
};

/** Describes the account of a client, as it stands on record: by its name, or by a digest of its key. */
export const describeAccount = async ({
  origin,
  baseUrl,
  account,
  readKey,
}: OwnAccount): Promise<AccountFacts> => {
  const { key } = (account === undefined && (await readKey?.())) || {};
  const digest = key ? await digestOf("adgen-sdk account", { baseUrl, key }) : undefined;
  return { origin, baseUrl, account, keyDigest: digest?.slice(0, digestLength) };
};

const differ = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

/** How an account differs from that of a record; `undefined` where they may be the same. */
const findDifference = (theirs: AccountFacts, own: AccountFacts): string | undefined => {
  for (const name of ["origin", "baseUrl"] as const) {
    if (!differ(theirs[name], own[name])) continue;
    return (
      `of ${theirs[name]}, and this client calls ${own[name]}: ` +
      "give each service a store of its own; if the service has moved, listOpen() lists its open jobs"
    );
  }
  // A reader of jobs may not tell whose they are.
  if (own.baseUrl === undefined) return undefined;
  // A client that names its account has no digest: what was recorded before counts as its own.
  if (theirs.account === undefined) {
    return differ(theirs.keyDigest, own.keyDigest)
      ? "of another API key. If the key has changed but the account is the same, name the account: " +
          'createClient({ account: "…" }). Otherwise give each account a store of its own'
      : undefined;
  }
  if (theirs.account === own.account) return undefined;
  const mine = own.account === undefined ? "names none" : `names ${quote(own.account)}`;
  return (
    `of the account ${quote(theirs.account)}, and this client ${mine}: ` +
    "set the same account in every client that shares the store, or use another store"
  );
};

/** Error of a submission to another service or account: its jobs are none of this client's. */
export const differentAccountError = (
  submission: SubmissionFacts,
  own: AccountFacts,
): AnyAdGenError | undefined => {
  const difference = findDifference(submission, own);
  return difference === undefined
    ? undefined
    : makeError("config", `the store has the submission ${quote(submission.id)} ${difference}`, {
        // The service may have moved, or the key changed: an earlier call may have sent it.
        outcome: "unknown",
      });
};
