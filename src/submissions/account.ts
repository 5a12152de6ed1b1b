import type { AccountFacts, SubmissionFacts } from "../errors/doubt.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { quote } from "./call-errors.ts";
import { digestOf } from "./request-digest.ts";

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
