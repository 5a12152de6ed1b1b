import { failOnSocket, interceptAgents, isAgentOfMsw } from "./agents.ts";
import { markRefused } from "./refused.ts";
import { asGate, type Replaced, replace } from "./replace.ts";

/** Gives the reason why a request may not be sent; `undefined` where it may. */
export type Rule = (url: URL) => Error | undefined;

/** Puts functions in that ask before they send a request. */
type PutIn = (refusalOf: (url: string) => Error | undefined) => Replaced;

/** Makes a gate. While it has no rules it leaves no trace, unless other code stands before it. */
const createGate = (putIn: PutIn) => {
  const rules = new Set<Rule>();
  /** The newest first. Other code may have taken the place of one since. */
  let placed: readonly Replaced[] = [];

  const refusalOf = (url: string): Error | undefined => {
    if (!URL.canParse(url)) return undefined;
    const asked = new URL(url);
    for (const rule of rules) {
      const error = rule(asked);
      if (error !== undefined) return markRefused(error, asked.href);
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

/** Functions in front of a gate, such as those of MSW, answer for the requests that they let by. */
const fetchGate = /* @__PURE__ */ createGate((refusalOf) => {
  const placed = replace(globalThis, "fetch", (fetch) =>
    asGate<typeof fetch>(async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      const error = placed.isInFront() ? refusalOf(url) : undefined;
      if (error === undefined) return fetch(input, init);
      // As `fetch` fails when it gets no connection.
      throw markRefused(new TypeError("fetch failed", { cause: error }), url);
    }, fetch),
  );
  return placed;
});

const agentGate = /* @__PURE__ */ createGate((refusalOf) => {
  const placed = interceptAgents((agent, request, send) => {
    const url = `${request.protocol}//${request.getHeader("host")}${request.path}`;
    // MSW may have met the request before.
    const isFirst = placed.isInFront() && !isAgentOfMsw(agent);
    const error = isFirst ? refusalOf(url) : undefined;
    if (error === undefined) send();
    else failOnSocket(request, error);
  }, asGate);
  return placed;
});

type Global = typeof globalThis & {
  readonly process?: { readonly getBuiltinModule?: typeof process.getBuiltinModule };
};

/**
 * Tells which `node:http` a rule would change. In Jest it is "shared": each test file has its own
 * globals, and all files of a process have the same modules of Node.
 */
const kindOfHttp = (): "own" | "shared" | "none" => {
  const http = (globalThis as Global).process?.getBuiltinModule?.("node:http");
  if (typeof http?.Agent !== "function" || !("addRequest" in http.Agent.prototype)) return "none";
  return http.Agent instanceof Function ? "own" : "shared";
};

/**
 * Refuses requests by the global `fetch` and by `node:http`.
 *
 * @param isPassing - The rule ends before the test file does. Others leave a shared `node:http`
 *   alone: they would refuse requests of the next file.
 */
export const refuseBy = (rule: Rule, isPassing: boolean): void => {
  if (globalThis.fetch !== undefined) fetchGate.add(rule);
  const http = kindOfHttp();
  if (http === "own" || (http === "shared" && isPassing)) agentGate.add(rule);
};

/** Ends a rule. To be called again when a function in front of the gates was taken out. */
export const endRule = (rule: Rule): void => {
  fetchGate.remove(rule);
  agentGate.remove(rule);
};
