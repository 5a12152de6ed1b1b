import type { EndpointName } from "../contract/endpoint.ts";
import { callIdHeader } from "../contract/proxy-headers.ts";
import { describeKind } from "../errors/text.ts";
import { type Refuse, wholeNumber } from "../options/rules.ts";
import { waitAtMost } from "../sleep.ts";
import { ownClock } from "../submissions/clock.ts";
import { refuse } from "./answer.ts";
import { foldName } from "./fold-name.ts";
import type { ProxyErrorEvent } from "./proxy-options.ts";
import { readJsonBody } from "./read-body.ts";
import { costOf } from "./read-job-request.ts";
import type { ProxyConfig } from "./resolve-proxy-config.ts";

const refuseQuery: Refuse = (message) => refuse(400, message);

/** Reads the query of a list: only `limit`, because other parameters may reach others' things. */
export const readLimit = (url: string): number | undefined => {
  const query = new URL(url).searchParams;
  for (const name of query.keys()) {
    if (name !== "limit") refuse(400, `query.${name} is not passed on; only limit is`);
  }
  const [limit, another] = query.getAll("limit");
  if (limit === undefined) return undefined;
  const isNumber = /^\d+$/.test(limit) && another === undefined;
  return wholeNumber(0, 10_000)(isNumber ? Number(limit) : limit, "query.limit", refuseQuery);
};

/** The longest owner, as a URL writes it: each of its records has it in its id. */
const longestOwner = 800;

/** Whether a value can name an owner. Half of a surrogate pair cannot stand in a key. */
export const isOwner = (value: unknown): value is string =>
  typeof value === "string" &&
  value !== "" &&
  !/\p{Surrogate}/u.test(value) &&
  encodeURIComponent(value).length <= longestOwner;

/** Whether a header can name a call. */
export const isCallId = (id: string | null): id is string => /^[!-~]{1,128}$/.test(id ?? "");

/** Reads the id by which a page names a call, so that a repeat of it is known. */
export const readCallId = ({ headers }: Request): string | undefined => {
  const id = headers.get(callIdHeader);
  if (id === null || isCallId(id)) return id ?? undefined;
  return refuse(400, "Idempotency-Key must have 1 to 128 visible ASCII characters");
};

/** Time for `authorize`, and for a function of limits, in milliseconds. */
const callbackMs = 30_000;

/** Reads owner, call id and body of a request. */
export const createRequestReader = (
  config: ProxyConfig,
  reportOf: (part: ProxyErrorEvent["part"]) => (error: unknown) => void,
) => {
  const { authorize, limitsOf } = config;

  /** Runs a function of the user's. What it throws is told to the observer alone. */
  const ask = async <T>(part: "authorize" | "limits", run: () => T | Promise<T>): Promise<T> => {
    try {
      const given = (async () => run())();
      if (await waitAtMost(ownClock, callbackMs, undefined, given)) return await given;
      throw new Error(`${part} took longer than ${callbackMs} ms`);
    } catch (error) {
      reportOf(part)(error);
      return refuse(500, "the proxy failed, and nothing was sent");
    }
  };

  const readOwner = async (request: Request): Promise<string> => {
    if (authorize === undefined) return "anyone";
    const owner: unknown = await ask("authorize", () => authorize(request));
    if (isOwner(owner)) return owner;
    if ([undefined, null, false, ""].includes(owner as null)) {
      return refuse(401, "Unauthorized: sign in first");
    }
    reportOf("authorize")(new TypeError(`authorize must give text, got ${describeKind(owner)}`));
    return refuse(500, "the proxy failed, and nothing was sent");
  };

  /** Reads what a write asks for, and refuses what no service should see. */
  const readWrite = async (request: Request, name: EndpointName, owner: string) => {
    if (request.bodyUsed || request.body?.locked === true) {
      reportOf("authorize")(new Error("authorize has read the body: let it read request.clone()"));
      return refuse(500, "the proxy failed, and nothing was sent");
    }
    const body = await readJsonBody(request, config);
    if (name !== "jobs.submit") {
      if (Object.keys(body).some((field) => foldName(field) === "id")) {
        refuse(400, "id cannot be chosen: the service makes it");
      }
      return { body };
    }
    const limits = await ask("limits", () => limitsOf(owner));
    const bounds = limits.flatMap((span) => span.bounds);
    const countsSeconds = bounds.some(({ kind }) => kind === "videoSeconds");
    return { body, limits, cost: costOf(body, config.actions, countsSeconds) };
  };

  return { readOwner, readWrite };
};
