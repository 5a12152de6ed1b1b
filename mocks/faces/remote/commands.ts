/**
 * What a test can do to a mock over HTTP. Each row is a method of the service, or a value of it:
 * `POST /__mock/faults.play` plays a fault, and `POST /__mock/accounts/:key/faults.play` plays one
 * to that account. The server's routes, `GET /__mock/help` and `connectMock` are made of this table.
 */
import type { ConnectedAccount, ConnectedMock } from "./connected-mock.ts";

/** An argument. What stands behind its last dot is the name of its field in the body. */
export type Argument =
  | ("key" | "account.options" | "expected" | "ms" | "time" | "id" | "result")
  | ("reason" | "outcome" | "outcome.options" | "jobs.search" | "limit" | "fault" | "fault.options")
  | ("faults" | "outcomes" | "credits" | "request")
  | ("filter" | "count" | "journal.search");

/** A line for the help, and the arguments. */
export type Command = readonly [summary: string, ...takes: readonly Argument[]];

declare const part: unique symbol;

/** The commands of a part of the service: the compiler refuses a method that is missing here. */
export type CommandsOf<Part> = { readonly [Name in keyof Part]: Command } & {
  /** Never there: it carries the type. */
  readonly [part]?: Part;
};

const clock: CommandsOf<ConnectedMock["clock"]> = {
  now: ["Tells the time"],
  advance: ["Moves the time forward", "ms"],
  setTime: ["Moves the time to a later one", "time"],
};

const faults: CommandsOf<ConnectedMock["faults"]> = {
  planned: ["Lists the faults that wait for their requests"],
  play: ["Plays a fault to the next requests", "fault", "fault.options"],
  playInOrder: ["Plays faults one after the other", "faults", "fault.options"],
  remove: ["Takes a fault back; false when none of this id waits", "id"],
  clear: ["Takes all faults back"],
  assertPlayed: ["Answers 409 when a fault was not played as often as planned"],
};

const outcomes = {
  next: ["Decides how the next jobs end", "outcome", "outcome.options"],
  nextInOrder: [
    "Decides how the next jobs end, one after the other",
    "outcomes",
    "outcome.options",
  ],
  planned: ["Lists the outcomes that wait for their jobs"],
  removePlanned: ["Takes an outcome back; false when none of this id waits", "id"],
  clearPlanned: ["Takes all outcomes back"],
  assertTaken: ["Answers 409 when an outcome was not taken as often as planned"],
} as const;

const jobs: CommandsOf<ConnectedMock["jobs"]> = {
  ...outcomes,
  complete: ["Completes an unfinished job", "id", "result"],
  fail: ["Makes an unfinished job fail", "id", "reason"],
  expire: ["Makes an unfinished job expire", "id"],
  find: ["Shows a job; null when there is none", "id"],
  inspect: ["Shows all about a job: request, cost, times; null when there is none", "id"],
  search: ["Lists the newest jobs that fit, and counts all", "jobs.search"],
  all: ["Lists all jobs, newest first"],
};

const accountJobs: CommandsOf<ConnectedAccount["jobs"]> = {
  ...outcomes,
  all: ["Lists the account's jobs, newest first"],
  latest: ["Lists the account's newest jobs", "limit"],
  count: ["Counts the account's jobs"],
};

const journal: CommandsOf<ConnectedMock["journal"]> = {
  entries: ["Lists the requests, oldest first"],
  count: ["Counts the requests"],
  forgotten: ["Counts the forgotten requests"],
  countForgotten: ["Counts the forgotten requests that may fit", "filter"],
  latest: ["Lists the latest requests, oldest first", "limit"],
  find: ["Lists the requests that fit, oldest first", "filter"],
  search: ["Lists a page of the requests that fit, newest first", "journal.search"],
  assertOne: ["Shows the only request that fits; else answers 409", "filter"],
  assertCount: ["Lists the requests that fit; answers 409 for another count", "count", "filter"],
  assertNone: ["Answers 409 when a request fits", "filter"],
  clear: ["Clears the journal"],
};

/** What `connectMock` makes itself of an account's parts and of the service's commands. */
type AccountParts =
  | ("key" | "clock" | "jobs" | "faults" | "journal" | "remove")
  | typeof Symbol.asyncDispose;

const account: CommandsOf<Omit<ConnectedAccount, AccountParts>> = {
  credits: ["Shows the balances"],
  ledger: ["Lists the changes of the balances, oldest first"],
  charges: ["Lists the charges, oldest first"],
  brands: ["Lists the brands, newest first"],
  savedAds: ["Lists the saved ads, newest first"],
  counts: ["Counts the account's things"],
  assertCharges: ["Answers 409 when the charges differ", "expected"],
  grant: ["Adds credits; what is left out does not change", "credits"],
  setCredits: ["Sets credits; a pot left out of a given kind becomes empty", "credits"],
  reset: ["Makes the account as new"],
};

/** Methods that answer an account here, and the account's own face in `connectMock`. */
interface Accounts {
  accounts(): Promise<readonly { readonly key: string }[]>;
  addAccount(key: string, options: object): Promise<unknown>;
}

const service: CommandsOf<Accounts & Pick<ConnectedMock, "removeAccount" | "priceOf" | "reset">> = {
  accounts: ["Lists the accounts with their times and credits"],
  addAccount: ["Opens an account", "key", "account.options"],
  removeAccount: ["Closes an account; false when none has this key", "key"],
  priceOf: ["Tells what a submission would cost; null for a free one", "request"],
  reset: ["Makes everything as new"],
};

/** The commands of a whole service, by its parts; "" has those of the service itself. */
export const ofService = { "": service, clock, faults, jobs, journal };

/** The commands of one account. */
export const ofAccount = { "": account, clock, faults, jobs: accountJobs, journal };

/** Path of a command below `/__mock/`, or below an account there. */
export const pathOf = (part: string, name: string): string =>
  part === "" ? name : `${part}.${name}`;

/** Name of an argument's field. */
export const fieldOf = (argument: Argument): string => argument.replace(/.*\./, "");
