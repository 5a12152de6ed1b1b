import { isAction } from "../../../src/contract/actions.ts";
import { assumedMessages } from "../../domain/messages.ts";
import type { Seen } from "./seen.ts";
import { isSuccess, isUnsupported, names, type Observers, quote } from "./sight.ts";

const isBearer = (authorization: string | undefined): boolean =>
  /^bearer[ \t]+\S/i.test(authorization ?? "");

/** Lists the statuses that a request calls for, in the order of the checks. */
const flawsOf = (seen: Seen): readonly number[] => {
  const { account, call, methods, sent, sentText, method } = seen;
  const flaws: number[] = [];
  if (!isBearer(account)) flaws.push(401);
  if (methods.length === 0) flaws.push(404);
  else if (!methods.includes(method)) flaws.push(405);
  const hasBody = method === "POST" || method === "PATCH";
  if (hasBody && (sent === undefined || sentText === "")) flaws.push(400);
  else if (call?.name === "jobs.submit" && !isAction(sent?.["action"])) flaws.push(400);
  return flaws;
};

const messages: readonly (string | RegExp)[] = Object.values(assumedMessages).map((message) =>
  typeof message === "string"
    ? message
    : new RegExp(
        `^${message("\u0000" as never, "\u0000")
          .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
          .replaceAll("\u0000", ".*")}$`,
        "s",
      ),
);

const isAssumedMessage = (error: string): boolean =>
  messages.some((message) =>
    typeof message === "string" ? message === error : message.test(error),
  );

/** Assumptions about requests of any kind. */
export const requestObservers: Observers = {
  A14: (seen) => {
    const [first, ...others] = flawsOf(seen);
    if (first === undefined || others.length === 0) return undefined;
    if (seen.status === first) return true;
    return others.includes(seen.status)
      ? `${seen.status} comes before ${first} for ${seen.method} ${seen.url.pathname}`
      : undefined;
  },

  A15: (seen) => {
    const { status, error } = seen;
    if (status < 400 || typeof error !== "string" || isUnsupported(seen)) return undefined;
    return isAssumedMessage(error) || `a ${status} says ${quote(error)}`;
  },

  A20: ({ status, headers, account }) => {
    if (status === 401) {
      const challenge = headers["www-authenticate"];
      return (
        /^bearer\b/i.test(challenge ?? "") ||
        `a 401 has ${challenge === undefined ? "no" : "another"} \`WWW-Authenticate\``
      );
    }
    // A scheme in other letters that was understood.
    return isBearer(account) && !account?.startsWith("Bearer ") ? true : undefined;
  },

  A21: ({ method, methods, status, headers, requestHeaders }) => {
    const isPreflight = method === "OPTIONS" && "access-control-request-method" in requestHeaders;
    if (methods.length === 0 || methods.includes(method) || isPreflight) {
      return undefined;
    }
    if (status === 401) return undefined;
    if (status !== 405) return `a method that a path does not have is a ${status}`;
    return headers["allow"] !== undefined || "a 405 has no `Allow`";
  },

  A22: (seen) => {
    const { requestHeaders, sent, status, url, call } = seen;
    if (call === undefined) return undefined;
    const type = requestHeaders["content-type"] ?? "";
    if (sent !== undefined && !/json/i.test(type)) {
      if (isSuccess(seen)) return true;
      return status === 415
        ? `JSON with \`Content-Type: ${type.slice(0, 40)}\` is refused`
        : undefined;
    }
    const unknown = [...url.searchParams.keys()].filter((name) => name !== "limit");
    if (unknown.length === 0) return undefined;
    if (isSuccess(seen)) return true;
    return status === 400 ? `the query's ${names(unknown)} is refused` : undefined;
  },
};
