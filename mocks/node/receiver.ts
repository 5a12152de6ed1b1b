import * as mswNode from "msw/node";

const [source] = mswNode.defaultNetworkOptions.sources;
type Source = typeof source;
type Frame = Parameters<Source["queue"]>[0];

/**
 * Finds the MSW server that gets the requests of this process. All servers share one source, which
 * gives each request to the server that listened last.
 *
 * @returns An object that identifies this server; `undefined` if no server listens
 */
export const findReceiver = (): object | undefined => {
  let receiver: object | undefined;
  const frame: Pick<Frame, "getHandlers" | "resolve"> & { readonly events: { on(): void } } = {
    events: { on: () => {} },
    getHandlers: (handlers) => {
      receiver = handlers;
      return [];
    },
    resolve: async () => null,
  };
  // A server uses only these parts of a frame, and asks for the handlers synchronously.
  void source.queue(frame as unknown as Frame);
  return receiver;
};

/**
 * Disables MSW's source if another server uses it, so that the next server enables it again. The next
 * server would get all requests anyway.
 */
export const endOtherServer = (): void => {
  if (findReceiver() !== undefined) source.disable();
};
