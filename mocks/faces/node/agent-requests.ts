import { replace } from "./replace.ts";

/** Gives Node's modules without an import, because rooms of the mock import none. */
const httpModules = () => ({
  http: process.getBuiltinModule("node:http"),
  https: process.getBuiltinModule("node:https"),
});

type Http = ReturnType<typeof httpModules>["http"];
type ClientRequest = InstanceType<Http["ClientRequest"]>;

/** Agents, with the method that each request of `node:http` and `node:https` goes through. */
type RequestAgent = InstanceType<Http["Agent"]> & {
  readonly protocol?: string;
  addRequest(this: RequestAgent, request: ClientRequest, ...rest: unknown[]): void;
};

/** Sends a request by its own agent, or by another. */
type Send = (agent?: RequestAgent) => void;

/** MSW 2 gives every request that it sees an agent of its own, which keeps the caller's agent here. */
const isAgentOfMsw = (agent: RequestAgent): boolean => "customAgent" in agent;

/**
 * Puts a function in front of every request of `node:http` and `node:https`, whichever function
 * made the request, and whenever that one was imported.
 */
export const interceptAgents = (
  meet: (agent: RequestAgent, request: ClientRequest, send: Send) => void,
) => {
  let isOn = true;
  const prototype = httpModules().http.Agent.prototype as RequestAgent;
  const replaced = replace(prototype, "addRequest", (addRequest) => {
    return function addRequestOfMock(this: RequestAgent, request, ...rest) {
      const send: Send = (agent = this) => addRequest.call(agent, request, ...rest);
      if (isOn) meet(this, request, send);
      else send();
    };
  });
  return {
    undo: (): boolean => {
      isOn = false;
      return replaced.undo();
    },
    /** Tells whether MSW does not meet the requests of an agent before. */
    isInFront: (agent: RequestAgent): boolean => replaced.isInFront() && !isAgentOfMsw(agent),
  };
};

/** Lets a request fail as when its connection breaks. Without a connection it would stay silent. */
export const failOnSocket = (request: ClientRequest, error: Error): void => {
  const socket = new (process.getBuiltinModule("node:net").Socket)();
  request.onSocket(socket);
  socket.destroy(error);
};

/** Address of the requests that test the interception: RFC 6761 keeps the name out of all networks. */
export const probeUrl = "http://adgen-mock-probe.invalid/";

const isOptions = (value: unknown): value is { readonly agent: RequestAgent } =>
  typeof value === "object" && value !== null && "agent" in value;

/**
 * Leads requests through MSW that would pass it by. MSW replaces the functions of `node:http` in
 * the module; a function that somebody has taken out of the module before stays as it was. So do
 * named imports in Jest.
 */
export const leadThroughMsw = () => {
  const { http, https } = httpModules();
  const { get } = http;
  /** Work to do inside MSW's own version of `request`; it gets the agent that MSW has chosen. */
  let work: ((agent: RequestAgent | undefined) => ClientRequest) | undefined;
  let isInside = false;
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

  const agents = interceptAgents((agent, request, send) => {
    if (probing === "on") probing = "seen";
    else if (isInside || isAgentOfMsw(agent)) send();
    else lead(agent, request, send);
  });

  return {
    /** Tells whether requests of `node:http` come by here at all. Nothing is sent. */
    isInTheWay: (): boolean => {
      probing = "on";
      const probe = get(probeUrl).on("error", () => {});
      const isSeen = (probing as string) === "seen";
      probing = "off";
      probe.destroy();
      return isSeen;
    },
    /** Undoes everything; to be called when MSW has been stopped. */
    stop: (): void => {
      agents.undo();
      for (const { undo } of replaced) undo();
    },
  };
};
