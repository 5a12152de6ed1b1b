import { builtinHttp, failOnSocket, interceptAgents, isAgentOfMsw, urlsOf } from "./agents.ts";
import { isMswListening } from "./msw-in-front.ts";
import { markRefused } from "./refused.ts";
import { asGate, type Replaced, replace } from "./replace.ts";

/**
 * Gives the reason why a request may not be sent; `undefined` where it may. It gets no URL for a
 * request of `node:http` whose address cannot be read.
 *
 * @param isBlocking - It is an `XMLHttpRequest` for which the page stands still
 */
export type Rule = (url: URL | undefined, isBlocking?: boolean) => Error | undefined;

/** Puts functions in that ask before they send a request. */
type PutIn = (
  refusalOf: (url: URL | undefined, isBlocking?: boolean) => Error | undefined,
) => Replaced;

/** Makes a gate. While it has no rules it leaves no trace, unless other code stands before it. */
export const createGate = (putIn: PutIn) => {
  const rules = new Set<Rule>();
  /** The newest first. Other code may have taken the place of one since. */
  let placed: readonly Replaced[] = [];

  const refusalOf = (url: URL | undefined, isBlocking?: boolean): Error | undefined => {
    for (const rule of rules) {
      const error = rule(url, isBlocking);
      if (error !== undefined) return markRefused(error, url?.href ?? "");
    }
    return undefined;
  };

  return {
    add: (rule: Rule): void => {
      rules.add(rule);
      if (!placed.some((one) => one.isInFront())) placed = [putIn(refusalOf), ...placed];
    },
    remove: (rule: Rule): void => {
      rules.delete(rule);
      if (rules.size === 0) placed = placed.filter((one) => !one.undo());
    },
  };
};

/** Tells whether MSW has judged a request before a gate gets it. A spy in front judges nothing. */
const isJudged = ({ isInFront }: Replaced): boolean => isMswListening() && !isInFront();

/** Makes a gate in front of the global `fetch`, which asks unless a request was judged before. */
export const createFetchGate = (isJudgedBefore: (placed: Replaced) => boolean) =>
  createGate((refusalOf) => {
    const placed = replace(globalThis, "fetch", (fetch) =>
      asGate<typeof fetch>(async (input, init) => {
        const text = input instanceof Request ? input.url : String(input);
        const base = globalThis.document?.baseURI;
        // The `fetch` behind refuses a URL that cannot be read.
        const isAsked = !isJudgedBefore(placed) && URL.canParse(text, base);
        const url = isAsked ? new URL(text, base) : undefined;
        const error = url && refusalOf(url);
        if (error === undefined) return fetch(input, init);
        // As `fetch` fails when it gets no connection.
        throw markRefused(new TypeError("fetch failed", { cause: error }), url?.href ?? text);
      }, fetch),
    );
    return placed;
  });

const fetchGate = /* @__PURE__ */ createFetchGate(isJudged);

const agentGate = /* @__PURE__ */ createGate((refusalOf) => {
  const placed = interceptAgents((agent, request, send, options) => {
    // A named import of a function of MSW 2 outlives its server.
    const isAsked = !isJudged(placed) && !(isMswListening() && isAgentOfMsw(agent));
    const urls = isAsked ? urlsOf(agent, request, options) : [];
    const error = urls.map((url) => refusalOf(url)).find((refusal) => refusal !== undefined);
    if (error === undefined) send();
    else failOnSocket(request, error);
  }, asGate);
  return placed;
});

/**
 * Tells which `node:http` a rule would change. In Jest it is "shared": each test file has its own
 * globals, and all files of a process have the same modules of Node.
 */
const kindOfHttp = (): "own" | "shared" | "none" => {
  const http = builtinHttp();
  if (typeof http?.Agent !== "function" || !("addRequest" in http.Agent.prototype)) return "none";
  return http.Agent instanceof Function ? "own" : "shared";
};

/**
 * Refuses requests by the global `fetch` and by `node:http`.
 *
 * @param isPassing - The rule ends before the test file does. Others leave a shared `node:http`
 *   alone: they would refuse requests of the next file.
 * @throws Error in a Node that is too old to guard its `node:http`
 */
export const refuseBy = (rule: Rule, isPassing: boolean): void => {
  const http = kindOfHttp();
  if (globalThis.fetch !== undefined) fetchGate.add(rule);
  if (http === "own" || (http === "shared" && isPassing)) agentGate.add(rule);
};

/** Ends a rule. To be called again when a function in front of the gates was taken out. */
export const endRule = (rule: Rule): void => {
  fetchGate.remove(rule);
  agentGate.remove(rule);
};
