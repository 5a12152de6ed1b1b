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

/** Sends a request once MSW has seen it, by the agent that MSW has chosen for it. */
type Lead = (chosen: RequestAgent) => ClientRequest;

/** Options of a request that is made for MSW to see. MSW copies options, and drops symbols. */
interface Led {
  readonly agent: RequestAgent;
  readonly leadOfMock: Lead;
}

const isLed = (value: unknown): value is Led =>
  typeof value === "object" && value !== null && "leadOfMock" in value;

/** An agent whose requests are never sent: it notes that they come by. */
type Probe = RequestAgent & { isSeen: boolean };

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
  const led = new WeakSet<ClientRequest>();
  let isOn = true;

  const replaced = [http, https].map((module) =>
    replace(module, "request", (request) => {
      return function requestOfMock(this: unknown, ...args: unknown[]): ClientRequest {
        const options = args.find(isLed);
        if (options !== undefined) return options.leadOfMock(options.agent);
        return Reflect.apply(request, this, args);
      };
    }),
  );

  const lead = (agent: RequestAgent, request: ClientRequest, send: Send): void => {
    led.add(request);
    const leadOfMock: Lead = (chosen) => {
      // MSW 2 cannot answer on a connection that is kept.
      if (chosen !== agent) request.shouldKeepAlive = false;
      send(chosen);
      return request;
    };
    const options: Led = { agent, leadOfMock };
    (agent.protocol === "https:" ? https : http).request(probeUrl, options);
  };

  const agents = interceptAgents((agent, request, send, options) => {
    if ("isSeen" in agent) {
      (agent as Probe).isSeen = true;
      return;
    }
    if (!isOn || led.has(request)) return send();
    const urls = urlsOf(agent, request, options).filter((url) => url !== undefined);
    const error = urls.map(refusalOf).find((refusal) => refusal !== undefined);
    if (error !== undefined) failOnSocket(request, error);
    else if (isAgentOfMsw(agent)) send();
    else lead(agent, request, send);
  });

  return {
    /** Tells whether requests of `node:http` to a URL come by here at all. Nothing is sent. */
    isInTheWay: (url: string): boolean => {
      const [protocol, { Agent }] = url.startsWith("https:")
        ? (["https:", https] as const)
        : (["http:", http] as const);
      const probe = Object.assign(new Agent() as RequestAgent, { isSeen: false });
      get[protocol](url, { agent: probe })
        .on("error", () => {})
        .destroy();
      return probe.isSeen;
    },
    /** Undoes everything; to be called when MSW has been stopped. */
    stop: (): void => {
      isOn = false;
      agents.undo();
      for (const { undo } of replaced) undo();
    },
  };
};
