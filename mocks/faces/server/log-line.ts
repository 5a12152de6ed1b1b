import type { IncomingMessage } from "node:http";
import type { MockReply } from "../../http/reply.ts";
import type { MockService } from "../../service/mock-service.ts";

/** One exchange, as far as a log tells of it. */
export interface LoggedExchange {
  readonly incoming: IncomingMessage;
  /** Absolute, percent-encoded. */
  readonly url: string;
  readonly status: number;
  readonly tookMs: number;
  readonly reply: MockReply | undefined;
}

const maxPathLength = 120;

/** From space to tilde, the two included: nothing else moves a cursor or hides what is there. */
const printable = (text: string): string => text.replace(/[^ -~]/g, "?");

/** Numbers say something; anything else could be a key that got into the wrong place. */
const maskedQuery = (search: string): string =>
  search.replace(/([?&])([^=&]*)(=?)([^&]*)/g, (_, sign, name: string, equals, value: string) => {
    const shownName = /^[a-z_]{1,16}$/.test(name) && equals !== "" ? name : "…";
    return sign + shownName + equals + (/^\d{0,6}$/.test(value) ? value : "…");
  });

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** The token that the request carries, whatever it is worth. */
const tokenOf = ({ headers }: IncomingMessage): string | undefined =>
  headers.authorization?.trim().split(/\s+/).at(-1);

/** Path and query without any key: those of the service, and the one of the request. */
const maskedPath = (
  service: Pick<MockService, "accounts">,
  { incoming, url }: LoggedExchange,
): string => {
  const target = url.slice(url.indexOf("/", url.indexOf("://") + 3));
  const [path = "", ...query] = target.split("?");
  const token = tokenOf(incoming);
  const isKey = (segment: string): boolean =>
    segment !== "" &&
    (segment === token || service.accounts.some(({ key }) => segment.includes(key)));
  const masked = path
    .split("/")
    .map((segment) => (isKey(decoded(segment)) ? "…" : segment))
    .join("/");
  const whole = query.length === 0 ? masked : maskedQuery(`${masked}?${query.join("?")}`);
  return whole.length > maxPathLength ? `${whole.slice(0, maxPathLength)}…` : whole;
};

/** What was played, in a word or two. */
const faultOf = ({ delayMs, fault }: MockReply): string[] => [
  ...(fault === undefined ? [] : [`fault: ${fault.kind}`]),
  ...(delayMs > 0 ? [`late by ${Math.round(delayMs)} ms`] : []),
];

const unanswered = ["reset", "refuse", "stall"];

/** One readable line; it holds no key and no control character. */
export const logLine = (
  service: Pick<MockService, "accounts">,
  exchange: LoggedExchange,
  now: Date = new Date(),
): string => {
  const { incoming, reply, status, tookMs } = exchange;
  const answered = reply === undefined || !unanswered.includes(reply.delivery.how);
  return printableLine([
    now.toTimeString().slice(0, 8),
    (incoming.method ?? "").padEnd(6),
    maskedPath(service, exchange),
    answered ? String(status) : "---",
    `${tookMs.toFixed(tookMs < 10 ? 1 : 0)} ms`,
    ...(reply?.account === undefined ? [] : [reply.account]),
    ...(reply === undefined ? [] : faultOf(reply)),
  ]);
};

const printableLine = (parts: readonly string[]): string =>
  parts.map((part) => part.split("…").map(printable).join("…")).join("  ");
