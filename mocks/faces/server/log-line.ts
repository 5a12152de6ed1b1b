import type { IncomingMessage } from "node:http";
import { isAnswered } from "../../http/delivery.ts";
import type { MockReply } from "../../http/reply.ts";
import { maskKey } from "../../journal/redact.ts";
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
export const printable = (text: string): string => text.replace(/[^ -~…]/g, "?");

/** Gives the words of an error, or of anything else that was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Paths that hold no key: words of the API, and the service's own ids. */
const plainPath = /^(\/(v1|jobs|brands|ads|(job|brand|ad)_[0-9a-z]{10,20})?)*$/;

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** Writes path and query without any key of the service, and without the one of the request. */
const maskTarget = (
  service: Pick<MockService, "accounts">,
  { incoming, url: { pathname, search } }: LoggedRequest,
): string => {
  let path = pathname;
  if (!plainPath.test(path)) {
    const token = incoming.headers.authorization?.trim().split(/\s+/).at(-1);
    const keys = [...service.accounts.map(({ key }) => key), ...(token ? [token] : [])];
    const mask = (segment: string): string => {
      const plain = decoded(segment);
      if (keys.includes(plain)) return maskKey(plain);
      return keys.some((key) => plain.includes(key)) ? "…" : segment;
    };
    path = path.split("/").map(mask).join("/");
  }
  // All but a number and the name of a parameter are hidden: a key may be in the wrong place.
  const query = search.replace(/[^?&]+/g, (pair) => {
    if (/^[a-z_]{1,16}=\d{0,6}$/.test(pair)) return pair;
    return `${/^[a-z_]{1,16}=/.exec(pair)?.[0] ?? ""}…`;
  });
  const target = path + query;
  return target.length > maxTargetLength ? `${target.slice(0, maxTargetLength)}…` : target;
};

/** Names the account, the reason of a 401 or a 402, the fault that was played, and the delay. */
const detailsOf = ({ account, delayMs, fault, hint, status }: MockReply): readonly string[] => {
  // The hint of a 401 holds keys, and the log has none.
  const unknown = account === undefined ? "no API key" : "no account has this key: see /__mock/";
  const reason = status === 401 ? unknown : (hint ?? "");
  return [
    account ?? "",
    hint === undefined ? "" : reason,
    fault === undefined ? "" : `fault: ${fault.kind}`,
    delayMs > 0 ? `late by ${Math.round(delayMs)} ms` : "",
  ].filter((words) => words !== "");
};

/** Writes one readable line, without keys and control characters. */
export const logLine = (service: Pick<MockService, "accounts">, logged: LoggedRequest): string => {
  const { incoming, reply, status, tookMs } = logged;
  const parts = [
    new Date().toTimeString().slice(0, 8),
    (incoming.method ?? "").padEnd(6),
    maskTarget(service, logged),
    reply === undefined || isAnswered(reply.delivery) ? String(status) : "---",
    `${tookMs.toFixed(tookMs < 10 ? 1 : 0)} ms`,
    ...(reply === undefined ? [] : detailsOf(reply)),
  ];
  return printable(parts.join("  "));
};
