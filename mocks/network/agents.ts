import { type asGate, type Replaced, replace } from "./replace.ts";

/** Gives Node's modules without an import, because rooms of the mock import none. */
export const httpModules = () => ({
  http: process.getBuiltinModule("node:http"),
  https: process.getBuiltinModule("node:https"),
});

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
  const socket = new (process.getBuiltinModule("node:net").Socket)();
  request.onSocket(socket);
  socket.destroy(error);
};
