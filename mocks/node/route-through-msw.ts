import { markRouted, passMsw } from "../guard/guard.ts";
import { type Replaced, replaceProperty } from "../guard/replace-property.ts";
import { getBuiltin } from "../guard/runtime.ts";

type Http = ReturnType<typeof getBuiltin<"node:http">>;
type ClientRequest = InstanceType<Http["ClientRequest"]>;

/** An agent, with the undocumented method that each request goes through. */
type Agent = InstanceType<Http["Agent"]> & {
  readonly protocol?: string;
  addRequest(this: Agent, request: ClientRequest, options: object, ...rest: unknown[]): void;
};

/** Sends a request after MSW has seen it, by the agent that MSW has chosen. */
type SendRouted = (chosen: Agent) => ClientRequest;

/** Options of a request that MSW is to see. Their names are strings, because MSW doesn't copy symbols. */
interface RoutedOptions {
  readonly agent: Agent;
  readonly sendRouted: SendRouted;
}

const isRouted = (value: unknown): value is RoutedOptions =>
  typeof value === "object" && value !== null && "sendRouted" in value;

/** By RFC 6761, this name exists in no network. */
const anyUrl = "http://adgen-mock.invalid/";

/** jsdom sends an `XMLHttpRequest` by undici. MSW 3 gives each such object that it watches its own `send`. */
const routeXhr = (): Replaced | undefined =>
  globalThis.XMLHttpRequest &&
  replaceProperty(XMLHttpRequest.prototype, "send", (send) => {
    return function sendOfMock(this: XMLHttpRequest, body) {
      if (Object.hasOwn(this, "send")) passMsw(() => send.call(this, body));
      else send.call(this, body);
    };
  });

/**
 * Routes requests of `node:http` through MSW that would bypass it. MSW replaces the functions of the
 * module, but a function that was imported by name before that, as in axios, stays the original one.
 *
 * @returns Function that undoes it, to be called after MSW has stopped
 */
export const routeThroughMsw = (): (() => void) => {
  const [http, https] = [getBuiltin("node:http"), getBuiltin("node:https")];
  const seen = new WeakSet<ClientRequest>();
  let isOn = true;

  const requests = [http, https].map((module) =>
    replaceProperty(module, "request", (request) => {
      return function requestOfMock(this: unknown, ...args: unknown[]): ClientRequest {
        const options = args.find(isRouted);
        if (options !== undefined) return options.sendRouted(options.agent);
        return passMsw(() => Reflect.apply(request, this, args));
      };
    }),
  );
  const agents = replaceProperty(http.Agent.prototype as Agent, "addRequest", (addRequest) => {
    return function addRequestOfMock(this: Agent, request, options, ...rest) {
      const send = (chosen: Agent): void => addRequest.call(chosen, request, options, ...rest);
      // MSW doesn't see requests on a connection that was opened before it listened.
      for (const socket of this.freeSockets[this.getName(options)] ?? []) socket.destroy();
      // An agent of MSW keeps the caller's agent as `customAgent`.
      if (!isOn || seen.has(request) || "customAgent" in this) {
        send(this);
        return;
      }
      seen.add(request);
      const sendRouted: SendRouted = (chosen) => {
        markRouted(request);
        // MSW 2 can't answer on a connection that is kept alive.
        if (chosen !== this) request.shouldKeepAlive = false;
        send(chosen);
        return request;
      };
      const routed: RoutedOptions = { agent: this, sendRouted };
      (this.protocol === "https:" ? https : http).request(anyUrl, routed);
    };
  });
  const xhr = routeXhr();
  return () => {
    isOn = false;
    xhr?.undo();
    agents.undo();
    for (const { undo } of requests) undo();
  };
};
