import * as mswNode from "msw/node";

const [source] = mswNode.defaultNetworkOptions.sources;
type Source = typeof source;
type Frame = Parameters<Source["queue"]>[0];

/**
 * Finds the MSW server that gets the requests of this process. All servers share one source, and
 * it hands each request to the one that has listened last.
 *
 * @returns An object that stands for that server; `undefined` when none listens
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
  // A server asks for no more of a frame than this, and for the handlers at once.
  void source.queue(frame as unknown as Frame);
  return receiver;
};

/**
 * Takes MSW's functions out, which another server has left in, so that the next server puts them
 * in anew. That next one is the only one to get requests in any case.
 *
 * @returns Whether there was one
 */
export const endOtherServer = (): boolean => {
  const isThere = findReceiver() !== undefined;
  if (isThere) source.disable();
  return isThere;
};
