import { areTicksFaked } from "./faked-ticks.ts";
import { type asGate, type Replaced, replace } from "./replace.ts";

type Global = typeof globalThis & {
  readonly process?: Pick<NodeJS.Process, "release" | "version"> & {
    readonly getBuiltinModule?: typeof process.getBuiltinModule;
  };
};

/**
 * Gives a module of Node without an import, because rooms of the mock import none; `undefined`
 * where there are no such modules.
 *
 * @throws Error in a Node that is too old to give it
 */
export const builtinHttp = () => {
  const { process } = globalThis as Global;
  if (process?.release?.name === "node" && process.getBuiltinModule === undefined) {
    throw new Error(
      `adgen-sdk/mocks cannot guard requests of node:http in Node ${process.version}, which has no ` +
        "process.getBuiltinModule: they would reach the real service. Use Node 22.13 or newer.",
    );
  }
  return process?.getBuiltinModule?.("node:http");
};

/** Gives the modules that Node sends requests by. @throws Error as above */
export const httpModules = () => {
  builtinHttp();
  return {
    http: process.getBuiltinModule("node:http"),
    https: process.getBuiltinModule("node:https"),
  };
};

type Http = ReturnType<typeof httpModules>["http"];
export type ClientRequest = InstanceType<Http["ClientRequest"]>;

/** Agents, with the method that each request of `node:http` and `node:https` goes through. */
export type RequestAgent = InstanceType<Http["Agent"]> & {
  readonly protocol?: string;
  readonly options?: object;
  addRequest(this: RequestAgent, request: ClientRequest, ...rest: unknown[]): void;
};

/** Sends a request by its own agent, or by another. */
export type Send = (agent?: RequestAgent) => void;

/** MSW 2 gives every request that it sees an agent of its own, which keeps the caller's agent here. */
export const isAgentOfMsw = (agent: RequestAgent): boolean => "customAgent" in agent;

/**
 * Puts a function in front of every request of `node:http` and `node:https`, whichever function
 * made the request, and whenever that one was imported.
 *
 * @param as - `asGate` for a function that only refuses requests
 */
export const interceptAgents = (
  meet: (agent: RequestAgent, request: ClientRequest, send: Send, options: unknown) => void,
  as: typeof asGate = (addRequest) => addRequest,
): Replaced =>
  replace(httpModules().http.Agent.prototype as RequestAgent, "addRequest", (addRequest) => {
    const addRequestOfMock: typeof addRequest = function (this: RequestAgent, request, ...rest) {
      const send: Send = (agent = this) => addRequest.call(agent, request, ...rest);
      meet(this, request, send, rest[0]);
    };
    return as(addRequestOfMock, addRequest);
  });

/** Lets a request fail as when its connection breaks. Without a connection it would stay silent. */
export const failOnSocket = (request: ClientRequest, error: Error): void => {
  if (areTicksFaked()) {
    // A socket tells of its end in a tick.
    void Promise.resolve().then(() => request.emit("error", error));
    return;
  }
  const socket = new (process.getBuiltinModule("node:net").Socket)();
  request.onSocket(socket);
  socket.destroy(error);
};

/** The options of a connection that say where it goes. */
interface Where {
  readonly host?: string | null | undefined;
  readonly port?: number | string | null | undefined;
}

/**
 * Lists the URLs that a request of `node:http` may be for. Its connection says where it goes. A
 * Host header or an absolute path can name another: a proxy, or the server there, sends it on.
 */
export const urlsOf = (
  agent: RequestAgent,
  request: ClientRequest,
  options: unknown,
): readonly (URL | undefined)[] => {
  const { protocol, path } = request;
  const read = (host: string): URL | undefined => {
    const url = `${protocol}//${host}${path.startsWith("/") ? path : "/"}`;
    return URL.canParse(url) ? new URL(url) : undefined;
  };
  // An agent's options win over those of the request.
  const { host, port } = { ...(options as Where), ...(agent.options as Where | undefined) };
  const name = host ?? "localhost";
  const connection = read(`${name.includes(":") ? `[${name}]` : name}:${port ?? ""}`);
  const header = request.getHeader("host");
  const named = typeof header === "string" ? read(header) : undefined;
  const target = /^https?:/i.test(path) && URL.canParse(path) ? new URL(path) : undefined;
  return [connection, ...[named, target].filter((url) => url !== undefined)];
};
