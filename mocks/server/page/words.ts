/** The page's words for scheduled faults and outcomes, and its texts for a shell. */
import { jobExpiryMs } from "../../../src/contract/jobs.ts";
import type { Span } from "../../domain/draw.ts";
import type { FaultKind, MockFault, ScheduledFault } from "../../faults/fault.ts";
import type { ScheduledOutcome } from "../../outcomes/outcome.ts";

/** Quotes a text for a shell if it contains special characters. */
export const quoteForShell = (text: string): string =>
  /^[\w.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const seconds = (ms: Span): string =>
  typeof ms === "number" ? `${ms / 1_000} s` : `${ms.min / 1_000} to ${ms.max / 1_000} s`;

/** What happens to a request that meets a fault of each kind. */
const byKind: { readonly [Kind in FaultKind]: (fault: MockFault & { kind: Kind }) => string } = {
  reset: () => "the connection breaks",
  stall: () => "no answer ever comes",
  refuse: () => "no server listens",
  "stall-body": ({ afterBytes = "half of its" }) => `the body stops after ${afterBytes} bytes`,
  "cut-body": ({ afterBytes = "half of its" }) => `the body breaks off after ${afterBytes} bytes`,
  "drip-body": ({ bytes = 1, everyMs = 100 }) =>
    `the body comes in pieces, ${bytes} B each ${everyMs} ms`,
  "wrong-json": () => "the JSON is cut in half",
  html: ({ status = 502 }) => `a proxy's page comes, with ${status}`,
  status: ({ status }) => `the answer is ${status}`,
  "rate-limit": ({ retryAfterMs = 1_000 }) =>
    `the answer is 429, try again in ${seconds(retryAfterMs)}`,
  latency: ({ ms }) => `the answer comes ${seconds(ms)} late`,
};

/** Describes what a fault does: "the answer is 503". */
export const describeFault = (fault: MockFault): string => {
  const words = (byKind[fault.kind] as (fault: MockFault) => string)(fault);
  return "accepted" in fault && fault.accepted ? `${words}, and the request is carried out` : words;
};

const list = (names: string | readonly string[]): string => [names].flat().join(" or ");

/** Describes the requests that a fault or an outcome is for: "The next 3 requests to jobs.get". */
const describeChoice = (thing: string, scheduled: ScheduledFault | ScheduledOutcome): string => {
  const { remaining, after, action, account, body } = scheduled;
  const all = remaining === Number.POSITIVE_INFINITY;
  const count = remaining === 1 ? thing : `${remaining} ${thing}s`;
  return [
    all ? `Every ${thing}` : `The next ${count}`,
    "operation" in scheduled && scheduled.operation && ` to ${list(scheduled.operation)}`,
    action && ` for ${list(action)}`,
    account && ` of ${account}`,
    body && ` with ${JSON.stringify(body)}`,
    after && `, after ${after} others`,
  ]
    .filter(Boolean)
    .join("");
};

/** Describes a scheduled fault: "The next request to jobs.get: the answer is 503". */
export const describeScheduledFault = (scheduled: ScheduledFault): string =>
  `${describeChoice("request", scheduled)}: ${describeFault(scheduled.fault)}`;

/** Describes a scheduled outcome: "The next job: it fails, “moderation”". */
export const describeScheduledOutcome = (scheduled: ScheduledOutcome): string => {
  const { fail, takesMs = 0 } = scheduled;
  const choice = describeChoice("job", scheduled);
  if (takesMs > jobExpiryMs) return `${choice}: it expires`;
  const end = fail === undefined ? "it completes" : `it fails, “${fail}”`;
  const result = "result" in scheduled ? " with a result of its own" : "";
  const time = takesMs === 0 ? "" : `, ${seconds(takesMs)} after its submission`;
  return `${choice}: ${end}${result}${time}`;
};
