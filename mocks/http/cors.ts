/** CORS headers. They let pages of every origin use the service, also with cookies. */
import { outcomeHeader } from "../../src/contract/proxy-answers.ts";
import type { MockReply, MockRequest } from "./reply.ts";

/** Returns the headers by which a page of this origin may read an answer. */
export const corsHeaders = (origin: string | null): Record<string, string> => ({
  "access-control-allow-origin": origin ?? "*",
  // Browsers don't accept a star if the request has cookies.
  ...(origin !== null && { "access-control-allow-credentials": "true" }),
  "access-control-expose-headers": `x-request-id, retry-after, ${outcomeHeader}`,
  vary: "origin",
});

/** Returns the headers that answer a preflight. A star wouldn't allow the header `Authorization`. */
export const preflightHeaders = ({ headers }: Pick<MockRequest, "headers">) => {
  const asked = (headers.get("access-control-request-headers") ?? "").toLowerCase().split(",");
  const names = asked.map((name) => name.trim()).filter(Boolean);
  return {
    ...corsHeaders(headers.get("origin")),
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": [...new Set(["authorization", "content-type", ...names])].join(
      ", ",
    ),
    "access-control-max-age": "600",
    vary: "origin, access-control-request-headers",
  };
};

/** Answers a preflight; returns `undefined` for every other request. */
export const replyToPreflight = (request: MockRequest): MockReply | undefined => {
  const { method, headers } = request;
  const asks = method === "OPTIONS" && headers.get("origin") !== null;
  if (!asks || headers.get("access-control-request-method") === null) return undefined;
  return {
    status: 204,
    headers: preflightHeaders(request),
    body: "",
    delayMs: 0,
    delivery: { how: "whole" },
    operation: undefined,
    account: undefined,
    fault: undefined,
    hint: undefined,
  };
};
