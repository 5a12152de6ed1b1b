import { expect, test } from "vitest";
import { decideTurn } from "../../src/submissions/decide-turn.ts";
import type { StoredSubmission, SubmissionRecord } from "../../src/submissions/records.ts";

const facts = { method: "jobs.submit", submittedAt: "2026-01-01", request: {}, digest: "d1" };
const attempt = { token: "theirs", facts };
const sending = { attempt, state: "sending", leaseMs: 70_000 } as const;
const doubt = { attempt, state: "in-doubt", why: "timeout" } as const;
const settled = { attempt, state: "settled", answer: { job_id: "job-1" }, jobId: "job-1" } as const;
const dropped = { attempt, state: "dropped" } as const;

const standing = (record: SubmissionRecord | undefined, rev = "r1"): StoredSubmission => ({
  ...{ id: "order-17", rev, isLeft: false, text: "" },
  ...(record && { record }),
});

const own = {
  call: { id: "order-17", attempt: { facts }, digest: "d1" },
  ...{ rev: "mine", expected: "", canSend: true, isUnsent: () => false },
};
const otherRequest = { call: { ...own.call, digest: "d2" } };
const otherAccount = { call: { ...own.call, attempt: { facts: { ...facts, origin: "b" } } } };
const ofAccount = { ...settled, attempt: { ...attempt, facts: { ...facts, origin: "a" } } };
const unsent = { isUnsent: (token: string) => token === "theirs" };

const refuse = (code: string, words: string) => ({
  next: "refuse",
  error: { code, message: expect.stringContaining(words) },
});
const answer = { answer: settled.answer, jobId: "job-1", isRepeated: true };

test.each<[string, StoredSubmission | undefined, object, object]>([
  ["its own reservation", standing(sending, "mine"), {}, { next: "send" }],
  ["its own, too late", standing(sending, "mine"), { canSend: false }, { next: "giveUp" }],
  ["nothing, for a free id", undefined, {}, refuse("store", "kept nothing")],
  ["nothing, for one to replace", undefined, { expected: "r0" }, { next: "reserve" }],
  ["a damaged record", standing(undefined), {}, refuse("store", "damaged")],
  ["an attempt that never left", standing(sending), unsent, { next: "takeOver", rev: "r1" }],
  ["its doubt", standing(doubt), unsent, { next: "takeOver", rev: "r1" }],
  ["a job in the place of such a one", standing(settled), unsent, { next: "answer", answer }],
  ["a decision in its place", standing(dropped), unsent, refuse("invalid_request", "dropped")],
  ["another call", standing(sending), {}, { next: "wait" }],
  ["a doubt", standing(doubt), {}, { next: "doubt", record: doubt }],
  ["an answer", standing(settled), {}, { next: "answer", answer }],
  ["a dropped id", standing(dropped), {}, refuse("invalid_request", "dropped")],
  ["another request", standing(sending), otherRequest, refuse("invalid_request", "another")],
  ["another account", standing(ofAccount), otherAccount, refuse("config", "b")],
])("decides a turn by %s", (_, there, knowledge, step) => {
  expect(decideTurn(there, { ...own, ...knowledge })).toMatchObject(step);
});
