import type { IncomingMessage } from "node:http";

/** Answer to a person's browser, which has no key and asks for no part of the API. */
export interface VisitAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const toPage: VisitAnswer = {
  status: 302,
  headers: { location: "/__mock/", vary: "accept", "cache-control": "no-store" },
};

/** The page brings its own icon; a browser asks for this one beside every JSON that it shows. */
const noIcon: VisitAnswer = { status: 204, headers: { "cache-control": "max-age=86400" } };

/** Answers a visit of a browser; `undefined` for every request of a client. */
export const answerVisit = (
  { method, headers }: Pick<IncomingMessage, "method" | "headers">,
  { pathname }: URL,
): VisitAnswer | undefined => {
  const isVisit = (method === "GET" || method === "HEAD") && headers.authorization === undefined;
  if (!isVisit) return undefined;
  if (pathname === "/favicon.ico") return noIcon;
  return pathname === "/" && headers.accept?.includes("text/html") ? toPage : undefined;
};
