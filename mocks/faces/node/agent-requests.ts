import {
  type ClientRequest,
  failOnSocket,
  httpModules,
  interceptAgents,
  isAgentOfMsw,
  type RequestAgent,
  type Send,
  urlsOf,
} from "../../network/agents.ts";
import { replace } from "../../network/replace.ts";

/** Address of the requests that test the interception: RFC 6761 keeps the name out of all networks. */
export const probeUrl = "http://adgen-mock-probe.invalid/";

const isOptions = (value: unknown): value is { readonly agent: RequestAgent } =>
  typeof value === "object" && value !== null && "agent" in value;

/**
 * Leads requests through MSW that would pass it by. MSW replaces the functions of `node:http` in
 * the module; a function that somebody has taken out of the module before stays as it was. So do
 * named imports in Jest.
 *
 * @param refusalOf - Gives the error of a request that MSW would not get
 */
export const leadThroughMsw = (refusalOf: (url: URL) => Error | undefined) => {
  const { http, https } = httpModules();
  const get = { "http:": http.get, "https:": https.get };
  /** Work to do inside MSW's own version of `request`; it gets the agent that MSW has chosen. */
  let work: ((agent: RequestAgent | undefined) => ClientRequest) | undefined;
  let isInside = false;
  let isOn = true;
  let probing: "off" | "on" | "seen" = "off";

  const replaced = [http, https].map((module) =>
    replace(module, "request", (request) => {
      return function requestOfMock(this: unknown, ...args: unknown[]): ClientRequest {
        const now = work;
        if (now === undefined) return Reflect.apply(request, this, args);
        work = undefined;
        return now(args.find(isOptions)?.agent);
      };
    }),
  );

  const lead = (agent: RequestAgent, request: ClientRequest, send: Send): void => {
    work = (chosen) => {
      // MSW 2 cannot answer on a connection that is kept.
      if (chosen !== agent) request.shouldKeepAlive = false;
      send(chosen);
      return request;
    };
    isInside = true;
    try {
      (agent.protocol === "https:" ? https : http).request(probeUrl, { agent });
    } finally {
      work = undefined;
      isInside = false;
    }
  };

  const agents = interceptAgents((agent, request, send, options) => {
    if (probing === "on") {
      probing = "seen";
      return;
    }
    if (!isOn || isInside) return send();
    const urls = urlsOf(agent, request, options).filter((url) => url !== undefined);
    const error = urls.map(refusalOf).find((refusal) => refusal !== undefined);
    if (error !== undefined) failOnSocket(request, error);
    else if (isAgentOfMsw(agent)) send();
    else lead(agent, request, send);
  });

  return {
    /** Tells whether requests of `node:http` to a URL come by here at all. Nothing is sent. */
    isInTheWay: (url: string): boolean => {
      probing = "on";
      const probe = get[url.startsWith("https:") ? "https:" : "http:"](url).on("error", () => {});
      const isSeen = (probing as string) === "seen";
      probing = "off";
      probe.destroy();
      return isSeen;
    },
    /** Undoes everything; to be called when MSW has been stopped. */
    stop: (): void => {
      isOn = false;
      agents.undo();
      for (const { undo } of replaced) undo();
    },
  };
};
