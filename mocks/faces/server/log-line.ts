import type { IncomingMessage } from "node:http";
import { isAnswered } from "../../http/delivery.ts";
import type { MockReply } from "../../http/reply.ts";
import type { MockService } from "../../service/mock-service.ts";

/** A request and its answer, for one line of the log. */
export interface LoggedRequest {
  readonly incoming: IncomingMessage;
  readonly url: URL;
  readonly status: number;
  readonly tookMs: number;
  readonly reply: MockReply | undefined;
}

const maxTargetLength = 120;

/** Replaces all but printable ASCII: a control character could move a terminal's cursor. */
const printable = (text: string): string => text.replace(/[^ -~…]/g, "?");

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** Hides the segments of a path that hold a key of the service, or the one of the request. */
const maskPath = (path: string, keys: readonly string[]): string =>
  path
    .split("/")
    .map((segment) => (keys.some((key) => decoded(segment).includes(key)) ? "…" : segment))
    .join("/");

/** Hides all but numbers and the names of parameters: a key may be in the wrong place. */
const maskQuery = (query: string): string => {
  if (query === "") return "";
  const pairs = query.slice(1).split("&");
  const masked = pairs.map((pair) => {
    const [name = ""] = /^[a-z_]{1,16}=/.exec(pair) ?? [];
    return /^\d{0,6}$/.test(pair.slice(name.length)) ? pair : `${name}…`;
  });
  return `?${masked.join("&")}`;
};

/** Writes path and query without any key. */
const maskTarget = (
  { accounts }: Pick<MockService, "accounts">,
  { incoming, url }: LoggedRequest,
): string => {
  const token = incoming.headers.authorization?.trim().split(/\s+/).at(-1);
  const keys = accounts.map(({ key }) => key);
  const target = maskPath(url.pathname, token ? [...keys, token] : keys) + maskQuery(url.search);
  return target.length > maxTargetLength ? `${target.slice(0, maxTargetLength)}…` : target;
};

/** Names the fault that was played, and the delay. */
const faultWords = ({ delayMs, fault }: MockReply): string[] => [
  ...(fault === undefined ? [] : [`fault: ${fault.kind}`]),
  ...(delayMs > 0 ? [`late by ${Math.round(delayMs)} ms`] : []),
];

/** Writes one readable line, without keys and control characters. */
export const logLine = (
  service: Pick<MockService, "accounts">,
  logged: LoggedRequest,
  now: Date = new Date(),
): string => {
  const { incoming, reply, status, tookMs } = logged;
  const parts = [
    now.toTimeString().slice(0, 8),
    (incoming.method ?? "").padEnd(6),
    maskTarget(service, logged),
    reply === undefined || isAnswered(reply.delivery) ? String(status) : "---",
    `${tookMs.toFixed(tookMs < 10 ? 1 : 0)} ms`,
    ...(reply?.account === undefined ? [] : [reply.account]),
    ...(reply === undefined ? [] : faultWords(reply)),
  ];
  return printable(parts.join("  "));
};
